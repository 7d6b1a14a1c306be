// The chosen cabinet: its devices by rack unit, dragged to other units, or with the arrow keys.

import { element, pointOf, shape } from "./elements.js";

export function cabinetView(plan, state, slot, actions) {
  const name = plan.slots.name[slot], own = state.slot.flatMap((at, device) => (at === slot ? [device] : []));
  if (!own.length) return [];
  const pinned = new Set(state.pinned), held = own.every((device) => pinned.has(device));
  const boxes = new Map();
  for (const device of own) {
    const unit = state.unit[device];
    if (!boxes.has(unit)) boxes.set(unit, []);
    boxes.get(unit).push(device);
  }
  const { units } = plan, svg = shape("svg", { class: "elevation", viewBox: `0 0 12 ${units + 0.2}`, role: "group", "aria-label": `Devices of cabinet ${name}` });
  svg.append(shape("rect", { class: "frame", x: 1.2, y: 0, width: 10.6, height: units }));
  for (let unit = 1; unit <= units; unit += unit === 1 ? 4 : 5) svg.append(shape("text", { x: 0.1, y: units - unit + 0.75 }, String(unit)));
  for (const [kind, at, unit] of state.fixtures) {
    if (at === slot) svg.append(shape("rect", { class: "taken", x: 1.3, y: units - unit, width: 10.4, height: 1 }), shape("text", { x: 1.5, y: units - unit + 0.75 }, kind ? "PDU" : "cable manager"));
  }
  for (const [unit, devices] of boxes) svg.append(box(plan, svg, slot, unit, devices, actions));
  const word = held ? "unpin" : "pin";
  return [
    element("h2", {}, `Cabinet ${name}`),
    element("div", { class: "buttons" }, element("button", { click: () => actions.pin(word, name) }, held ? "Unpin" : "Pin")),
    element("p", { class: "note" }, "Drag a device to another unit, or to a cabinet on the floor. Arrow keys move the chosen cabinet or device."),
    svg,
  ];
}

function box(plan, svg, slot, unit, devices, actions) {
  const [device] = devices, high = Math.max(plan.devices.height[device], 0.9), { units } = plan, top = units - unit + 1 - high;
  const names = devices.map((each) => plan.devices.name[each]), shown = devices.length > 2 ? `${names[0]} … ${names.at(-1)}` : names.join(", ");
  const node = shape("g", { tabindex: "0", role: "button", "data-device": names[0], "aria-label": `${shown}, unit ${unit}` },
    shape("rect", { class: plan.devices.router[device] ? "box router" : "box", x: 1.3, y: top + 0.04, width: 10.4, height: high - 0.08 }),
    shape("text", { x: 1.6, y: top + 0.72 }, shown));
  node.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    actions.moveDevice(names[0], slot, unit + step * Math.max(1, Math.round(plan.devices.height[device])));
  });
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    node.focus({ preventScroll: true });
    const start = pointOf(svg, event);
    const move = (at) => node.setAttribute("transform", `translate(0 ${pointOf(svg, at)[1] - start[1]})`);
    const end = (at) => {
      for (const [name, own] of Object.entries(listeners)) window.removeEventListener(name, own);
      node.removeAttribute("transform");
      if (at.type === "pointercancel") return;
      const other = actions.slotUnder(at);
      const steps = Math.round(start[1] - pointOf(svg, at)[1]);
      if (other >= 0 && other !== slot) actions.moveDevice(names[0], other, unit);
      else if (other < 0 && steps) actions.moveDevice(names[0], slot, unit + steps);
    };
    const listeners = { pointermove: move, pointerup: end, pointercancel: end };
    for (const [name, own] of Object.entries(listeners)) window.addEventListener(name, own);
  });
  return node;
}
