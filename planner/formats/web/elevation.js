// Front and rear elevation of a cabinet.

import { state } from "./address.js";
import { mediumClass } from "./colors.js";
import { element, shape } from "./elements.js";
import { frameOf, LEFT, shortened, topOf, UNIT } from "./frame.js";
import { cabinets, cables, devices, endsAtDevice, farEnd, inCabinet, isRouter, kilowatts, medium, portName } from "./plan.js";
import { address, deviceThing, nameOf } from "./selection.js";

const WIDTH = 340,
  STRIP = 15;

export function elevation(cabinet, chosen, port = 0) {
  const side = sideShown(cabinet, chosen),
    drawing = element("div", { class: "elevations" });
  const other = { front: "rear", rear: "front" };
  drawing.append(
    element(
      "div",
      { class: "tabs", role: "group", "aria-label": "Side of the cabinet" },
      ...Object.keys(other).map((each) =>
        element(
          "button",
          {
            type: "button",
            "aria-pressed": String(each === side),
            "data-face": each,
            click: () => turn(drawing, cabinet, chosen, port, each),
          },
          each,
        ),
      ),
    ),
    face(cabinet, chosen, port, side),
    element("p", { class: "note" }, `Seen from the ${side}: left and right are those of the reader.`),
  );
  return drawing;
}

function turn(drawing, cabinet, chosen, port, side) {
  state.face = side;
  drawing.replaceWith(elevation(cabinet, chosen, port));
}

// The side that was chosen last, otherwise that of the device's ports, otherwise the side of most boxes.
function sideShown(cabinet, chosen) {
  if (state.face) return state.face;
  if (chosen >= 0) return devices.part_side[devices.part[chosen]];
  const rear = Array.from(inCabinet(cabinet)).filter((device) => devices.part_side[devices.part[device]] === "rear").length;
  return 2 * rear > inCabinet(cabinet).length ? "rear" : "front";
}

function face(cabinet, chosen, port, side) {
  const { units } = cabinets,
    height = units * UNIT;
  const drawing = frameOf(units, WIDTH, `${side === "rear" ? "Rear" : "Front"} of ${nameOf("cabinet", cabinet)}, ${units} units`);
  const top = (unit, size) => topOf(units, unit, size);
  const strips = side === "rear" ? stripsOf(cabinet) : [[], []],
    inside = devicesByUnit(cabinet);
  const [from, to] = [LEFT + 1 + strips[0].length * STRIP, LEFT + WIDTH - 2 - strips[1].length * STRIP];
  for (const box of cabinets.boxes[cabinet]) {
    const [, , unit, size] = box;
    if (unit < 1) continue;
    drawing.append(
      boxOf(
        box,
        contentOf(box, inside),
        { x: from, y: top(unit, size) + 1.5, width: to - from, height: Math.max(size, 0.6) * UNIT - 1 },
        side,
        chosen,
        port,
      ),
    );
  }
  strips[0].forEach((strip, n) => drawing.append(stripOf(strip, LEFT + 1 + n * STRIP, height)));
  strips[1].forEach((strip, n) => drawing.append(stripOf(strip, to + n * STRIP, height)));
  return drawing;
}

// The devices of a box: a router, or the nodes that share it.
const contentOf = ([kind, name, unit], inside) => {
  const word = cabinets.box_kinds[kind],
    own = (inside.get(unit) || []).filter((device) => isRouter(device) === (word === "router"));
  return word === "router" ? own.filter((device) => devices.names[device] === name) : word === "endpoint" ? own : [];
};

function boxOf([kind, name, unit, size, plugs], content, place, side, chosen, port) {
  const word = cabinets.box_kinds[kind],
    on = content.includes(chosen),
    sockets = content.length ? portsOf(content[0], side) : { ports: [] };
  const across = sockets.ports.length ? Math.min(0.62, 0.2 + 0.02 * sockets.ports.length) * place.width : 0;
  const titled = `${name}, unit ${unit}${size > 1 ? ` to ${unit + size - 1}` : ""}${plugs ? `, PDU ${plugs}` : ""}`;
  const room = place.width - across - (side === "rear" && plugs ? 34 : 0);
  const parts = [
    shape("title", {}, titled),
    shape("rect", { ...place, rx: 2 }),
    shape("text", { x: place.x + 6, y: place.y + place.height / 2 + 4 }, shortened(name, Math.floor(room / 6.2))),
    side === "rear" && plugs
      ? shape("text", { class: "plugs", x: place.x + place.width - across - 4, y: place.y + place.height / 2 + 4 }, plugs)
      : null,
  ];
  const group = shape(
    "g",
    { class: `box ${word === "router" || word === "endpoint" ? word : word === "PDU" ? "pdu" : "other"}${on ? " on" : ""}` },
    ...parts,
  );
  const drawn = content.length
    ? shape("a", { href: address(...deviceThing(content[0])), "data-device": devices.names[content[0]] }, group)
    : group;
  const own = shape("g", {}, drawn);
  own.append(...portMarks(content, sockets, { ...place, x: place.x + place.width - across, width: across - 3 }, on ? port : 0));
  return own;
}

// The ports of a box that are on this side: its faceplate, with number, column, row and width of each port. Nodes of a chassis share it.
const portsOf = (device, side) => devices.part_faces[devices.part[device]][side];

function portMarks(content, { columns, rows, ports }, place, chosen) {
  if (!ports.length) return [];
  const used = new Map(content.flatMap((device) => Array.from(endsAtDevice(device), (end) => [cables.port[end], end])));
  const deep = Math.min((place.height - 3) / rows, UNIT / 2),
    wide = Math.min(place.width / columns, 1.6 * deep);
  const [x, y] = [place.x + place.width - wide * columns, place.y + (place.height - rows * deep) / 2];
  return ports.map(([port, column, row, share]) => {
    const end = used.get(port),
      box = { x: x + column * wide + 0.3, y: y + row * deep + 0.4, width: share * wide - 0.6, height: deep - 0.8 };
    const mark = shape("rect", {
      ...box,
      class: `port ${end === undefined ? "free" : mediumClass(medium(end >> 1))}${port === chosen ? " lit" : ""}`,
    });
    if (end === undefined) return mark;
    const far = farEnd(end),
      words = `port ${portName(end)} to ${nameOf(...deviceThing(cables.device[far]))} port ${portName(far)}`;
    return shape("a", { href: address("cable", end >> 1), tabindex: "-1" }, shape("title", {}, words), mark);
  });
}

// What is upright at the left and at the right of the rear: the PDUs, those of feed A at the left, and other devices.
function stripsOf(cabinet) {
  const boxes = cabinets.boxes[cabinet],
    inUnits = boxes.some(([kind, , unit]) => cabinets.box_kinds[kind] === "PDU" && unit >= 1);
  const [left = [], right = []] = inUnits
    ? []
    : cabinets.pdus[cabinet].map((feed) => feed.map(([name, ...loads]) => ({ name: `PDU ${name}`, loads })));
  const upright = boxes.filter(([, , unit, size]) => unit < 1 || size < 1).map((box) => ({ name: box[1], loads: null }));
  return [
    [...left, ...upright.filter((_, n) => n % 2 === 0)],
    [...right, ...upright.filter((_, n) => n % 2)],
  ];
}

function stripOf({ name, loads }, x, height) {
  const words = loads
    ? `${name}: ${kilowatts(loads[0])} of ${kilowatts(loads[2])}, ${kilowatts(loads[1])} after the other feed fails`
    : name;
  const share = loads && loads[2] ? Math.min(1, loads[1] / loads[2]) : 0;
  return shape(
    "g",
    { class: "strip", "data-strip": name },
    shape("title", {}, words),
    shape("rect", { x: x + 0.5, y: 2, width: STRIP - 1, height: height - 2, rx: 2 }),
    share
      ? shape("rect", {
          class: `load${loads[1] > loads[2] ? " over" : ""}`,
          x: x + 0.5,
          y: 2 + (height - 2) * (1 - share),
          width: STRIP - 1,
          height: (height - 2) * share,
          rx: 2,
        })
      : null,
    shape(
      "text",
      { x: 0, y: 0, transform: `translate(${x + STRIP / 2 + 3.5} ${height / 2}) rotate(-90)` },
      loads ? `${name} · ${kilowatts(loads[0])}` : name,
    ),
  );
}

function devicesByUnit(cabinet) {
  const found = new Map();
  for (const device of inCabinet(cabinet)) {
    const unit = devices.unit[device];
    if (!found.has(unit)) found.set(unit, []);
    found.get(unit).push(device);
  }
  return found;
}
