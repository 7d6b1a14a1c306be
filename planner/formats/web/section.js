// Vertical sections: cabinets of a row in elevation, and trays at their heights.

import { change, state } from "./address.js";
import { byId, element, shape } from "./elements.js";
import { filtered } from "./filters.js";
import { markedOf } from "./floor.js";
import { all, cabinets, cables, count, inOrder, plan, room, routeSegments } from "./plan.js";
import { address, cabinetsOfThing, cablesOfThing, KINDS, nameOf } from "./selection.js";

const SECTIONS = Object.keys(plan.sections || {});
const SMALLEST_PX_PER_MM = 0.03;

export function showSection(thing) {
  const holder = byId("section-drawing"),
    title = SECTIONS.includes(state.section) ? state.section : sectionOf(thing);
  byId("section-choice").replaceChildren(
    ...(SECTIONS.length
      ? [
          element(
            "label",
            {},
            "Section",
            element(
              "select",
              { change: (event) => change("section", event.target.value, "") },
              ...SECTIONS.map((name) => element("option", { value: name, selected: name === title }, name)),
            ),
          ),
        ]
      : []),
  );
  if (!title) {
    holder.replaceChildren(element("p", { class: "empty" }, "This plan has no cabinets: the study stopped too early."));
    return;
  }
  holder.replaceChildren(drawingOf(title, plan.sections[title], thing, holder.clientWidth - 32));
}

// The row of the selection, otherwise the first.
function sectionOf(thing) {
  const [cabinet] = cabinetsOfThing(thing),
    own = cabinet === undefined ? "" : `row ${cabinets.row[cabinet]}`;
  return SECTIONS.includes(own) ? own : `row ${cabinets.row[inOrder[0]]}`;
}

function drawingOf(title, section, thing, width) {
  const [low, high] = [section.low_mm, section.high_mm],
    margin = 72;
  const scale = Math.max(SMALLEST_PX_PER_MM, Math.min(0.16, (width - margin - 12) / (high[0] - low[0])));
  const at = (x, z) => [margin + (x - low[0]) * scale, 12 + (high[1] - z) * scale];
  const [wide, tall] = [margin + 12 + (high[0] - low[0]) * scale, 24 + (high[1] - low[1]) * scale];
  const drawing = shape("svg", {
    class: "section",
    width: wide,
    height: tall,
    viewBox: `0 0 ${wide} ${tall}`,
    role: "group",
    "aria-label": `Section: ${title}`,
  });
  const marked = markedOf(thing),
    names = new Set(marked.cabinets.map((n) => nameOf("cabinet", n))),
    trays = new Set(
      thing && ["tray", "segment"].includes(thing.kind)
        ? [room.tray_names[thing.kind === "tray" ? thing.n : room.segment_tray[thing.n]]]
        : [],
    );
  for (const [, , groups] of section.layers)
    for (const group of groups) drawing.append(...shapesOf(group, section, at, scale, names, trays));
  drawing.append(...routesOf(thing, section, at), ...rowsOf(section, at), ...heightsOf(section, at));
  return drawing;
}

function* shapesOf([kind, closed, , points, start, named], section, at, scale, chosen, trays) {
  const style = section.styles[kind],
    own = kind === "cabinet" ? "cabinet" : style.words.includes("tray") || kind === "riser" ? "tray" : "";
  for (const [n, name] of named.entries()) {
    const corners = Array.from({ length: start[n + 1] - start[n] }, (_, k) =>
      at(points[2 * (start[n] + k)], points[2 * (start[n] + k) + 1]),
    );
    const on = (own === "cabinet" ? chosen : trays).has(name);
    const look = {
      class: `${own || "plainshape"}${on ? " on" : ""}`,
      points: corners.map((corner) => corner.map((value) => value.toFixed(1)).join()).join(" "),
      "stroke-dasharray": style.dash_pt.join(" ") || null,
    };
    const line = shape(closed ? "polygon" : "polyline", look, shape("title", {}, name));
    const number = own ? KINDS[own].numbers.get(name.toLowerCase()) : undefined;
    const drawn = number === undefined ? line : shape("a", { href: address(own, number), [`data-${own}`]: name }, line);
    yield drawn;
    if (own === "cabinet" && closed && section.between[0] !== null) {
      const [[x, y], [u]] = corners,
        size = Math.min(13, (1.6 * (u - x - 2)) / Math.max(name.length, 1));
      yield size >= 7
        ? shape("text", { class: "name", x: (x + u) / 2, y: y - 6, "font-size": size }, name)
        : shape(
            "text",
            {
              class: "name upright",
              transform: `translate(${(x + u) / 2 + 3} ${y - 6}) rotate(-90)`,
              "font-size": Math.max(6, Math.min(9, u - x)),
            },
            name,
          );
    }
  }
}

// The names of rows below the floor, in the section across them; rows behind each other share a place.
function rowsOf({ along, between: [low] }, at) {
  const found = new Map();
  for (const [row, name] of low === null ? room.row_names.entries() : []) {
    const own = all(count.slots).filter((slot) => room.slot_row[slot] === row),
      middle = own.reduce((sum, slot) => sum + room.slot_xy[2 * slot + along], 0) / own.length;
    const place = Math.round(at(middle, 0)[0]);
    if (own.length) found.set(place, [...(found.get(place) || []), name]);
  }
  return Array.from(found, ([x, names]) => shape("text", { class: "name", x, y: at(0, 0)[1] + 14 }, names.join(", ")));
}

// The trays that the cables of the selection take, where the section shows them.
function routesOf(thing, { along, between: [low, high] }, at) {
  const routes = new Set(filtered(cablesOfThing(thing), state.layers).map((cable) => cables.route[cable])),
    segments = new Set([...routes].flatMap((route) => [...routeSegments(route)]));
  return [...segments].flatMap((segment) => {
    const ends = [0, 1].map((end) =>
      room.node_xyz.subarray(3 * room.segments[2 * segment + end], 3 * room.segments[2 * segment + end] + 3),
    );
    if (ends.some((end) => (low !== null && end[1 - along] < low) || (high !== null && end[1 - along] > high))) return [];
    const [[x, y], [u, v]] = ends.map((end) => at(end[along], end[2]));
    return [
      x === u && y === v
        ? shape("circle", { class: "route", cx: x, cy: y, r: 4 })
        : shape("line", { class: "route", x1: x, y1: y, x2: u, y2: v }),
    ];
  });
}

const GROUND = plan.feet ? "0'-0\"" : "0 mm";

// Heights above the floor at the left; one of two that would overlap is left out, and floor and cabinets stay.
function heightsOf({ labels }, at) {
  const taken = [];
  return [...labels, { text: GROUND, at: [labels.length ? labels[0].at[0] : 0, 0] }]
    .sort((a, b) => (b.text === GROUND) - (a.text === GROUND))
    .flatMap(({ text, at: [x, z] }) => {
      const [left, y] = at(x, z);
      if (taken.some((other) => Math.abs(other - y) < 12)) return [];
      taken.push(y);
      return [
        shape("text", { class: "height", x: left - 6, y: y + 4 }, text),
        shape("line", { class: "level", x1: left - 4, x2: left + 8, y1: y, y2: y }),
      ];
    });
}
