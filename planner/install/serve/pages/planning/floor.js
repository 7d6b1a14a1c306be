// The floor: slots, trays, and cabinets that are dragged, or moved with the arrow keys.

import { shape } from "/static/web/elements.js";
import { held, pointOf, View } from "./view.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MARGIN = 600,
  LARGEST = 200;

export class Floor {
  // `actions`: choose(slot), moveCabinet(from, to), moveRow(from, to), grip(), mayChange().
  constructor(holder, plan, actions) {
    Object.assign(this, { plan, actions, cabinets: new Map(), chosen: -1, view: new View(holder) });
    const corners = plan.outline,
      xs = corners.map(([x]) => x),
      ys = corners.map(([, y]) => -y);
    const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
    this.svg = shape("svg", { role: "group", "aria-label": "Floor with cabinets" });
    const polygon = (points, name) => shape("polygon", { class: name, points: points.map(([x, y]) => `${x},${-y}`).join(" ") });
    this.lines = shape("g", { class: "trays" });
    this.routes = shape("g");
    this.slots = plan.slots.xy.map((_, slot) => this.slotShape(slot));
    this.boxes = shape("g");
    this.drawTrays();
    this.svg.append(
      polygon(corners, "outline"),
      ...plan.obstacles.map(({ corners: own }) => polygon(own, "obstacle")),
      ...this.slots,
      this.boxes,
      this.lines,
      this.routes,
    );
    this.view.show(this.svg, [left, top, Math.max(...xs) + MARGIN - left, Math.max(...ys) + MARGIN - top]);
  }

  rectangle(slot, name) {
    const [x, y] = this.plan.slots.xy[slot],
      [wide, deep] = this.plan.slots.size[slot];
    return shape("rect", { class: name, x: x - wide / 2, y: -y - deep / 2, width: wide, height: deep });
  }

  // A name as large as fits the slot.
  label(slot, name) {
    const [x, y] = this.plan.slots.xy[slot],
      text = this.plan.slots.name[slot],
      size = Math.min(LARGEST, (1.5 * this.plan.slots.size[slot][0]) / text.length);
    // Above the middle, along which trays run.
    return shape(
      "text",
      { class: name, x, y: -y - this.plan.slots.size[slot][1] / 4 + size / 3, "font-size": size.toFixed(0) },
      text,
    );
  }

  slotShape(slot) {
    return shape("g", {}, this.rectangle(slot, this.plan.slots.free[slot] ? "slot" : "slot taken"), this.label(slot, "slotname"));
  }

  // Cabinets by their slots; those of pinned devices are marked, and those that a search would move.
  show(state, best) {
    const devices = new Map(),
      focus = this.chosen,
      { router } = this.plan.devices,
      held = new Set([...state.pinned, ...this.plan.fixed]);
    state.slot.forEach((slot, device) => {
      if (!devices.has(slot)) devices.set(slot, []);
      devices.get(slot).push(device);
    });
    this.cabinets.clear();
    const made = [...devices]
      .sort(([a], [b]) => a - b)
      .map(([slot, own]) => {
        const name = this.plan.slots.name[slot],
          routers = own.filter((device) => router[device]).length;
        const use = routers === own.length ? "routers" : routers ? "both" : "nodes",
          pinned = own.some((device) => held.has(device));
        const marks = ["cabinet", use, pinned ? "pinned" : "", best && own.some((device) => best[device] !== slot) ? "best" : ""];
        const node = shape(
          "g",
          {
            class: marks.filter(Boolean).join(" "),
            tabindex: "0",
            role: "button",
            "data-slot": name,
            "aria-pressed": String(slot === focus),
            "aria-label": `Cabinet ${name}, ${own.length} devices${pinned ? ", pinned" : ""}`,
            pointerdown: (event) => this.grab(event, slot),
            keydown: (event) => this.key(event, slot),
            focus: () => this.choose(slot),
          },
          this.rectangle(slot, ""),
          this.label(slot, ""),
        );
        this.cabinets.set(slot, node);
        return node;
      });
    const hadFocus = this.boxes.contains(document.activeElement);
    this.boxes.replaceChildren(...made);
    if (hadFocus && this.cabinets.has(focus)) this.cabinets.get(focus).focus({ preventScroll: true });
  }

  choose(slot) {
    if (slot === this.chosen) return;
    this.cabinets.get(this.chosen)?.setAttribute("aria-pressed", "false");
    this.chosen = slot;
    this.cabinets.get(slot)?.setAttribute("aria-pressed", "true");
    this.actions.choose(slot);
  }

  // The free slot at a point of the drawing, or the nearest one within a distance; -1 for none.
  slotAt([x, y], within = Infinity) {
    let best = -1,
      nearest = within;
    this.plan.slots.xy.forEach(([a, b], slot) => {
      const [wide, deep] = this.plan.slots.size[slot],
        away = Math.hypot(Math.max(0, Math.abs(x - a) - wide / 2), Math.max(0, Math.abs(y + b) - deep / 2));
      if (away < nearest && this.plan.slots.free[slot]) [best, nearest] = [slot, away];
    });
    return best;
  }

  grab(event, slot) {
    // A finger moves the chosen cabinet only; elsewhere it moves the view.
    if (event.button || !this.actions.mayChange() || (event.pointerType !== "mouse" && slot !== this.chosen)) return;
    event.preventDefault();
    const node = this.cabinets.get(slot),
      start = pointOf(this.svg, event),
      ghost = node.cloneNode(true);
    node.focus({ preventScroll: true });
    ghost.setAttribute("class", "cabinet ghost");
    for (const name of ["tabindex", "data-slot", "role", "aria-label"]) ghost.removeAttribute(name);
    let to = slot;
    held(
      (at) => {
        const [x, y] = pointOf(this.svg, at);
        if (!ghost.isConnected) this.svg.append(ghost);
        ghost.setAttribute("transform", `translate(${x - start[0]} ${y - start[1]})`);
        this.mark(to, false);
        to = this.slotAt([x, y], 900);
        this.mark(to, true);
      },
      (at) => {
        ghost.remove();
        this.mark(to, false);
        if (at.type === "pointerup" && to >= 0 && to !== slot) this.drop(slot, to);
      },
    );
  }

  mark(slot, on) {
    if (slot >= 0) this.slots[slot].firstChild.classList.toggle("target", on);
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
    if (!step || event.ctrlKey || event.metaKey || event.altKey || !this.actions.mayChange()) return;
    event.preventDefault();
    const [x, y] = this.plan.slots.xy[slot];
    let best = -1,
      nearest = Infinity;
    this.plan.slots.xy.forEach(([a, b], other) => {
      const along = step[0] * (a - x) - step[1] * (b - y),
        aside = Math.abs(step[0] ? b - y : a - x);
      if (along > 0 && aside <= along && this.plan.slots.free[other] && along + 2 * aside < nearest)
        [best, nearest] = [other, along + 2 * aside];
    });
    if (best >= 0) {
      this.chosen = best;
      this.drop(slot, best);
    }
  }

  line(segment, name) {
    const [ax, ay, bx, by] = this.plan.segments[segment];
    return shape("line", { class: name, x1: ax, y1: -ay, x2: bx, y2: -by });
  }

  drawTrays() {
    this.segments = this.plan.segments.map((_, segment) => this.line(segment, "segment"));
    this.lines.replaceChildren(...this.segments);
  }

  // Trays in the colors of their fill, and the routes of changed cables before and after.
  showTrays({ fill_percent: fill, over }, before, after) {
    const full = new Set(over),
      whole = 100 * this.plan.design_fill;
    fill.forEach((percent, segment) =>
      this.segments[segment].setAttribute(
        "class",
        `segment fill-${full.has(segment) ? 4 : Math.min(3, Math.max(0, Math.ceil((4 * percent) / whole) - 1))}`,
      ),
    );
    this.routes.replaceChildren(
      ...after.map((segment) => this.line(segment, "segment new")),
      ...before.map((segment) => this.line(segment, "segment old")),
    );
  }
}
