// The floor: slots, trays, and cabinets that are dragged, or moved with the arrow keys.

import { pointOf, shape } from "./elements.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Floor {
  // `actions`: choose(slot), moveCabinet(from, to), moveRow(from, to), grip().
  constructor(holder, plan, actions) {
    Object.assign(this, { plan, actions, places: new Map(), cabinets: new Map(), chosen: -1 });
    const corners = plan.outline, xs = corners.map(([x]) => x), ys = corners.map(([, y]) => -y);
    const [left, top] = [Math.min(...xs) - 600, Math.min(...ys) - 600];
    this.svg = shape("svg", { viewBox: `${left} ${top} ${Math.max(...xs) + 600 - left} ${Math.max(...ys) + 600 - top}`, role: "group", "aria-label": "Floor with cabinets" });
    const polygon = (points, name) => shape("polygon", { class: name, points: points.map(([x, y]) => `${x},${-y}`).join(" ") });
    this.lines = shape("g");
    this.slots = plan.slots.xy.map((_, slot) => this.slotShape(slot));
    this.boxes = shape("g");
    this.svg.append(polygon(corners, "outline"), ...plan.obstacles.map(({ corners: own }) => polygon(own, "obstacle")), this.lines, ...this.slots, this.boxes);
    holder.replaceChildren(this.svg);
    this.drawTrays([], [], []);
  }

  rectangle(slot, name) {
    const [x, y] = this.plan.slots.xy[slot], [wide, deep] = this.plan.slots.size[slot];
    return shape("rect", { class: name, x: x - wide / 2, y: -y - deep / 2, width: wide, height: deep });
  }

  slotShape(slot) {
    const [x, y] = this.plan.slots.xy[slot];
    return shape("g", {}, this.rectangle(slot, "slot"), shape("text", { class: "slotname", x, y: -y + 70 }, this.plan.slots.name[slot]));
  }

  // Cabinets by their slots; those of `pinned` devices are marked, and those that a search would move.
  show(state, best) {
    const devices = new Map(), focus = this.chosen;
    state.slot.forEach((slot, device) => { if (!devices.has(slot)) devices.set(slot, []); devices.get(slot).push(device); });
    const pinned = new Set(state.pinned);
    this.cabinets.clear();
    const made = [...devices].sort(([a], [b]) => a - b).map(([slot, own]) => {
      const [x, y] = this.plan.slots.xy[slot], name = this.plan.slots.name[slot];
      const marks = ["cabinet", own.some((device) => pinned.has(device)) ? "pinned" : "", best && own.some((device) => best[device] !== slot) ? "best" : ""];
      const node = shape("g", {
        class: marks.filter(Boolean).join(" "), tabindex: "0", role: "button", "data-slot": name, "aria-pressed": String(slot === focus),
        "aria-label": `Cabinet ${name}, ${own.length} devices`, pointerdown: (event) => this.grab(event, slot),
        keydown: (event) => this.key(event, slot), focus: () => this.choose(slot),
      }, this.rectangle(slot, ""), shape("text", { x, y: -y + 70 }, name));
      this.cabinets.set(slot, node);
      return node;
    });
    const hadFocus = this.boxes.contains(document.activeElement);
    this.boxes.replaceChildren(...made);
    if (hadFocus && this.cabinets.has(focus)) this.cabinets.get(focus).focus({ preventScroll: true });
  }

  choose(slot) {
    this.cabinets.get(this.chosen)?.setAttribute("aria-pressed", "false");
    this.chosen = slot;
    this.cabinets.get(slot)?.setAttribute("aria-pressed", "true");
    this.actions.choose(slot);
  }

  // The slot whose middle is nearest to a point of the drawing.
  slotAt([x, y], within = Infinity) {
    let best = -1, nearest = within;
    this.plan.slots.xy.forEach(([a, b], slot) => {
      const [wide, deep] = this.plan.slots.size[slot], away = Math.hypot(Math.max(0, Math.abs(x - a) - wide / 2), Math.max(0, Math.abs(y + b) - deep / 2));
      if (away < nearest && this.plan.slots.free[slot]) [best, nearest] = [slot, away];
    });
    return best;
  }

  grab(event, slot) {
    if (event.button) return;
    event.preventDefault();
    const node = this.cabinets.get(slot), start = pointOf(this.svg, event), ghost = node.cloneNode(true);
    node.focus({ preventScroll: true });
    ghost.setAttribute("class", "cabinet ghost");
    ghost.removeAttribute("tabindex");
    ghost.removeAttribute("data-slot");
    let to = slot;
    const move = (at) => {
      const [x, y] = pointOf(this.svg, at);
      if (!ghost.isConnected) this.svg.append(ghost);
      ghost.setAttribute("transform", `translate(${x - start[0]} ${y - start[1]})`);
      this.mark(to, false);
      to = this.slotAt([x, y], 900);
      this.mark(to, true);
    };
    const end = (aborted) => {
      for (const [name, own] of Object.entries(listeners)) window.removeEventListener(name, own);
      ghost.remove();
      this.mark(to, false);
      if (!aborted && to >= 0 && to !== slot) this.drop(slot, to);
    };
    const listeners = { pointermove: move, pointerup: () => end(false), pointercancel: () => end(true) };
    for (const [name, own] of Object.entries(listeners)) window.addEventListener(name, own);
  }

  mark(slot, on) {
    if (slot >= 0) this.slots[slot].firstChild.setAttribute("class", on ? "slot target" : "slot");
  }

  drop(from, to) {
    const { row } = this.plan.slots;
    if (this.actions.grip() === "row") {
      if (row[from] !== row[to]) this.actions.moveRow(row[from], row[to]);
    } else this.actions.moveCabinet(from, to);
  }

  // The arrow keys move a cabinet to the nearest slot in that direction.
  key(event, slot) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [x, y] = this.plan.slots.xy[slot];
    let best = -1, nearest = Infinity;
    this.plan.slots.xy.forEach(([a, b], other) => {
      const along = step[0] * (a - x) - step[1] * (b - y), aside = Math.abs(step[0] ? b - y : a - x);
      if (along > 0 && aside <= along && this.plan.slots.free[other] && along + 2 * aside < nearest) [best, nearest] = [other, along + 2 * aside];
    });
    if (best >= 0) { this.chosen = best; this.drop(slot, best); }
  }

  // Trays: those above their design fill, and the routes of changed cables before and after.
  drawTrays(over, before, after) {
    const line = (segment, name) => {
      const [ax, ay, bx, by] = this.plan.segments[segment];
      return shape("line", { class: `segment ${name}`, x1: ax, y1: -ay, x2: bx, y2: -by });
    };
    const full = new Set(over);
    this.lines.replaceChildren(
      ...this.plan.segments.map((_, segment) => line(segment, full.has(segment) ? "over" : "")),
      ...after.map((segment) => line(segment, "new")), ...before.map((segment) => line(segment, "old")),
    );
  }
}
