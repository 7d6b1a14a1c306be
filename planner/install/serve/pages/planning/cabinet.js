// The chosen cabinet: its devices by rack unit, dragged to other units, or with the arrow keys.

import { element, shape } from "/static/web/elements.js";
import { frameOf, LEFT, shortened, topOf, UNIT } from "/static/web/frame.js";
import { held, pointOf } from "./view.js";

const WIDTH = 300;

export function cabinetView(plan, state, slot, actions) {
  const name = plan.slots.name[slot],
    own = state.slot.flatMap((at, device) => (at === slot ? [device] : []));
  if (!own.length) return [];
  const pinned = new Set([...state.pinned, ...plan.fixed]),
    every = own.every((device) => pinned.has(device)),
    fixed = own.filter((device) => plan.fixed.includes(device));
  const boxes = new Map();
  for (const device of own) {
    const unit = state.unit[device];
    if (!boxes.has(unit)) boxes.set(unit, []);
    boxes.get(unit).push(device);
  }
  const svg = frameOf(plan.units, WIDTH, `Devices of cabinet ${name}`);
  for (const [kind, at, unit] of state.fixtures) {
    if (at !== slot) continue;
    const y = topOf(plan.units, unit, 1) + 1.5;
    svg.append(
      shape(
        "g",
        { class: "box pdu" },
        shape("rect", { x: LEFT + 1, y, width: WIDTH - 3, height: UNIT - 1, rx: 2 }),
        shape("text", { x: LEFT + 7, y: y + UNIT / 2 + 3 }, kind ? "PDU" : "cable manager"),
      ),
    );
  }
  for (const [unit, devices] of boxes) svg.append(box(plan, svg, slot, unit, devices, pinned, actions));
  const word = every ? "unpin" : "pin",
    all = fixed.length === own.length;
  return [
    element("h2", {}, `Cabinet ${name}`),
    element(
      "div",
      { class: "buttons" },
      element(
        "button",
        { type: "button", disabled: !actions.mayChange() || all, click: () => actions.pin(word, name) },
        every ? "Unpin" : "Pin",
      ),
      fixed.length
        ? element(
            "span",
            { class: "note" },
            `${all ? "All devices" : `${fixed.length} of ${own.length} devices`} must stay: built, or fixed by the study.`,
          )
        : null,
    ),
    element(
      "p",
      { class: "note" },
      "Drag a device to another unit, or to a cabinet on the floor. Arrow keys move the chosen cabinet or device.",
    ),
    svg,
  ];
}

function box(plan, svg, slot, unit, devices, pinned, actions) {
  const [device] = devices,
    { height, name, router } = plan.devices,
    high = Math.max(height[device], 0.9),
    y = topOf(plan.units, unit, high) + 1.5;
  const names = devices.map((each) => name[each]),
    shown = devices.length > 2 ? `${names[0]} … ${names.at(-1)}` : names.join(", "),
    stays = devices.some((each) => pinned.has(each));
  const node = shape(
    "g",
    {
      class: `box ${router[device] ? "router" : "endpoint"}`,
      tabindex: "0",
      role: "button",
      "data-device": names[0],
      "aria-label": `${shown}, unit ${unit}${stays ? ", pinned" : ""}`,
    },
    shape("title", {}, `${plan.parts[plan.devices.part[device]]}, unit ${unit}`),
    shape("rect", { x: LEFT + 1, y, width: WIDTH - 3, height: high * UNIT - 1, rx: 2 }),
    shape("text", { x: LEFT + 7, y: y + (high * UNIT) / 2 + 3 }, shortened(shown, 38)),
    stays ? shape("text", { class: "plugs", x: LEFT + WIDTH - 8, y: y + (high * UNIT) / 2 + 3 }, "pinned") : null,
  );
  if (!actions.mayChange()) return node;
  node.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    actions.moveDevice(names[0], slot, unit + step * Math.max(1, Math.round(height[device])));
  });
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    node.focus({ preventScroll: true });
    const start = pointOf(svg, event);
    held(
      (at) => node.setAttribute("transform", `translate(0 ${pointOf(svg, at)[1] - start[1]})`),
      (at) => {
        node.removeAttribute("transform");
        if (at.type === "pointercancel") return;
        const other = actions.slotUnder(at),
          steps = Math.round((start[1] - pointOf(svg, at)[1]) / UNIT);
        if (other >= 0 && other !== slot) actions.moveDevice(names[0], other, unit);
        else if (other < 0 && steps) actions.moveDevice(names[0], slot, unit + steps);
      },
    );
  });
  return node;
}
