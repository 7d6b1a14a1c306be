// The floor: shown cables, object under the pointer, legend.

import { css, shareOfDesign } from "./colors.js";
import { element } from "./elements.js";
import { colorsOf, filtered, filtersOf, filterWords, TRAITS } from "./filters.js";
import { grouped } from "./numbers.js";
import {
  all,
  cabinetInSlot,
  cabinets,
  cables,
  cablesOf,
  count,
  highestOf,
  kilowatts,
  lengthOf,
  loadOf,
  medium,
  NODE,
  percent,
  plural,
  room,
  routeSegments,
  scene,
  simulation,
} from "./plan.js";
import { cabinetsOfThing, cablesOfThing, nameOf } from "./selection.js";
import { foundLegend } from "./verification.js";

export const FONT = getComputedStyle(document.body).fontFamily;

const sidesOf = room ? all(count.slots).map((n) => [room.slot_size[2 * n], room.slot_size[2 * n + 1]]) : [];
export const SHALLOWEST = Math.min(...sidesOf.map(([, deep]) => deep));
export const NARROWEST = room ? Math.min(...room.slot_size.filter((_, n) => n % 2 === 0)) : 0;

// Offset of cable n among those between the same two cabinets, from -½ to ½.
const FAN = (() => {
  const fan = new Float32Array(count.cables),
    together = new Map();
  for (let n = 0; n < count.cables; n++) {
    const a = cables.cabinet[2 * n],
      b = cables.cabinet[2 * n + 1];
    if (a === b) continue;
    const pair = Math.min(a, b) * count.cabinets + Math.max(a, b);
    if (!together.has(pair)) together.set(pair, []);
    together.get(pair).push(n);
  }
  for (const rows of together.values())
    rows.forEach((n, place) => {
      fan[n] = (place - (rows.length - 1) / 2) / Math.max(rows.length, 4);
    });
  return fan;
})();

export function chordEnds(cable, a, b) {
  // The same side for both directions.
  if (a > b) {
    const [bx, by, ax, ay] = chordEnds(cable, b, a);
    return [ax, ay, bx, by];
  }
  const s = cabinets.slot[a],
    t = cabinets.slot[b];
  const [ax, ay, bx, by] = [room.slot_xy[2 * s], room.slot_xy[2 * s + 1], room.slot_xy[2 * t], room.slot_xy[2 * t + 1]];
  const spread =
    (0.7 * FAN[cable] * Math.min(room.slot_size[2 * s], room.slot_size[2 * s + 1])) / (Math.hypot(bx - ax, by - ay) || 1);
  const [dx, dy] = [-(by - ay) * spread, (bx - ax) * spread];
  return [ax + dx, ay + dy, bx + dx, by + dy];
}

// The lowest and the highest load of any cable at a simulated load: the range of the colors.
function spanOf(point) {
  let [low, high] = [Infinity, 0];
  for (let cable = simulation ? simulation.links[0] : 0; simulation && cable < simulation.links[1]; cable++) {
    const load = loadOf(cable, point);
    low = Math.min(low, load);
    high = Math.max(high, load);
  }
  return low <= high ? [low, high] : [0, 1];
}

// Sums by key: number of cables, that of each color, the sum of their loads, and the number with a load.
class Sums {
  constructor(size, colors) {
    Object.assign(this, {
      colors,
      number: new Uint32Array(size),
      by: new Uint32Array(size * colors),
      load: new Float64Array(size),
      loaded: new Uint32Array(size),
    });
  }

  add(key, color, load) {
    this.number[key]++;
    this.by[key * this.colors + color]++;
    if (load !== null) {
      this.load[key] += load;
      this.loaded[key]++;
    }
  }

  addAll(key, from, other) {
    this.number[key] += from.number[other];
    this.load[key] += from.load[other];
    this.loaded[key] += from.loaded[other];
    for (let color = 0; color < this.colors; color++) this.by[key * this.colors + color] += from.by[other * this.colors + color];
  }

  // What is not 0, as [key, sums].
  found() {
    const keys = [];
    this.number.forEach((number, key) => {
      if (number) keys.push(key);
    });
    return keys.map((key) => [
      key,
      {
        number: this.number[key],
        by: this.by.subarray(key * this.colors, (key + 1) * this.colors),
        load: this.load[key],
        loaded: this.loaded[key],
      },
    ]);
  }
}

// Cables along the trays: the sums of each segment, and of each drop to a cabinet.
function flowOf(list, colorOf, colors, loadOfCable, layers) {
  if (layers.lines === "straight") return {};
  const [flow, routes, drops] = [count.segments, cables.route_indptr.length - 1, 2 * count.cabinets].map(
    (size) => new Sums(size, colors),
  );
  for (const cable of list) {
    const route = cables.route[cable];
    if (route < 0) continue;
    const load = loadOfCable ? loadOfCable(cable) : null,
      color = colorOf(cable),
      mediumIndex = medium(cable) === "optical" ? 1 : 0;
    routes.add(route, color, load);
    for (const end of [0, 1]) drops.add(cables.cabinet[2 * cable + end] * 2 + mediumIndex, color, load);
  }
  routes.number.forEach((number, route) => {
    if (number) for (const segment of routeSegments(route)) flow.addAll(segment, routes, route);
  });
  const ends = drops.found().map(([key, sum]) => [key >> 1, room.slot_node[2 * cabinets.slot[key >> 1] + (key & 1)], sum]);
  return { flow: flow.found(), drops: ends, highest: Math.max(1, highestOf(flow.number)) };
}

// The cables below the selection depend on the layers only, and are kept until these change.
let kept = { key: null };
function baseOf(list, layers, palette, load) {
  const key = JSON.stringify([layers, palette.paper]);
  if (kept.key !== key) {
    const found =
      layers.cables in TRAITS
        ? colorsOf(layers.cables, list, palette)
        : { kinds: [{ name: "", color: palette.cable, cables: list.length }], of: () => 0 };
    kept = { key, set: { list, ...found, load, ...flowOf(list, found.of, found.kinds.length, load, layers) } };
  }
  return kept.set;
}

// Content of the cable layer, computed once per selection, not per frame: all cables or those of a filter, and the selection on top.
export function shownOf(thing, layers, palette) {
  const none = layers.cables === "none" || !cables,
    every = layers.cables !== "chosen" || (!thing && filtersOf(layers).length > 0);
  const own = none ? [] : filtered(cablesOfThing(thing), layers),
    base = none || !every ? [] : filtered(all(count.cables), layers);
  const byLoad = layers.cables === "load" && simulation,
    point = pointOf(layers),
    span = byLoad ? spanOf(point) : [0, 1];
  const share = (load) => (load - span[0]) / (span[1] - span[0] || 1),
    load = byLoad ? (cable) => loadOf(cable, point) : null;
  if (byLoad) base.sort((a, b) => loadOf(a, point) - loadOf(b, point));
  const color = [{ name: "", color: palette.chosen, cables: own.length }];
  return {
    base: base.length ? baseOf(base, layers, palette, load) : null,
    chosen: own.length ? { list: own, kinds: color, of: () => 0, load: null, ...flowOf(own, () => 0, 1, null, layers) } : null,
    cables: base.length ? base.concat(own) : own,
    point,
    span,
    share,
    marked: markedOf(thing),
  };
}

export function pointOf(layers) {
  if (!simulation) return 0;
  const wanted = simulation.offered.findIndex((load) => String(load) === layers.load);
  if (wanted >= 0) return wanted;
  // By default the highest steady load.
  let best = 0;
  simulation.offered.forEach((load, n) => {
    if (!simulation.saturated[n] && load > simulation.offered[best]) best = n;
  });
  return best;
}

export function markedOf(thing) {
  const segments =
    !thing || thing.missing
      ? []
      : thing.kind === "segment"
        ? [thing.n]
        : thing.kind === "tray"
          ? Array.from({ length: count.segments }, (_, n) => n).filter((n) => room.segment_tray[n] === thing.n)
          : [];
  return { cabinets: cabinetsOfThing(thing), segments };
}

// The object at a position on the screen: a cabinet, a straight cable, a tray segment, or null.
export function under(drawing, layers, shown, x, y) {
  for (let slot = 0; slot < count.slots; slot++) {
    const [center, middle, width, height] = drawing.box(slot);
    if (cabinetInSlot[slot] >= 0 && Math.abs(x - center) <= width / 2 && Math.abs(y - middle) <= height / 2)
      return { kind: "cabinet", n: cabinetInSlot[slot] };
  }
  if (layers.lines === "straight") {
    const cable = nearest(shown.cables, 4, (n) => drawing.chord(n), x, y);
    if (cable !== null) return { kind: "cable", n: cable };
  }
  if (layers.trays === "none") return null;
  const segment = nearest(
    Array.from({ length: count.segments }, (_, n) => n),
    6,
    (n) => drawing.segmentEnds(n),
    x,
    y,
  );
  return segment === null ? null : { kind: "segment", n: segment };
}

function nearest(rows, reach, endsOf, x, y) {
  let found = null,
    smallest = reach;
  for (const row of rows) {
    const ends = endsOf(row);
    if (!ends) continue;
    const [ax, ay, bx, by] = ends,
      length = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = length ? Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length)) : 0;
    const away = Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
    if (away <= smallest) {
      smallest = away;
      found = row;
    }
  }
  return found;
}

export function tipOf(thing, layers) {
  const { kind, n } = thing;
  if (kind === "cabinet") {
    return [
      `${nameOf("cabinet", n)} · ${plural(cabinets.routers[n], "router")}, ${plural(cabinets[`${NODE}s`][n], NODE)}${cables ? `, ${plural(cablesOf.cabinet(n).length, "cable")}` : ""}`,
      `units ${cabinets.used_units[n]} of ${cabinets.units}, power ${kilowatts(cabinets.power_max_mw[n] + cabinets.others_mw[n])} ${cabinets.power_limit_mw[n] ? `of ${kilowatts(cabinets.power_limit_mw[n])}` : "(no limit stated)"}`,
    ].join("\n");
  }
  if (kind === "cable") {
    const load = loadOf(n, pointOf(layers));
    return `cable ${n + 1} · ${cables.label_a[n]}\n${lengthOf(cables.run_mm[n])}${load === null || !simulation ? "" : `, load ${load.toFixed(3)}`}`;
  }
  return `${room.tray_names[room.segment_tray[n]]} · segment ${n + 1}\n${segmentFill(n)}`;
}

export function segmentFill(n) {
  return room.segment_mm2[n] > 0 ? `${percent(shareOfDesign(n))} of design fill` : "no limit given";
}

// The legend of the layers that are on.
export function legendOf(layers, shown, palette) {
  const swatch = (color, text, dashed = false) =>
    element("li", {}, element("i", { class: dashed ? "dashed" : "", style: `background:${color}` }), text);
  const stroke = (color, width, text) =>
    element("li", {}, element("i", { class: "line", style: `background:${color};height:${Math.max(width, 1.5)}px` }), text);
  const bar = (ramp, low, high) => [
    element(
      "li",
      {},
      low,
      element("i", { class: "bar", style: `background:linear-gradient(to right, ${ramp.map(css).join()})` }),
      high,
    ),
  ];
  const part = (title, ...items) => [element("section", {}, element("h4", {}, title), element("ul", {}, ...items))];
  const parts = [];
  const words = (kind) => scene.styles[kind].words.replace(" of the design fill", "").replace("the ", "");
  if (count.cabinets && layers.cabinets === "use") {
    parts.push(
      ...part(
        "Cabinets by use",
        ...[...new Set(scene.use)].map((kind) => swatch(palette[scene.styles[kind].fill], words(kind))),
        ...(scene.styles.slot ? [swatch(palette[scene.styles.slot.fill], words("slot"), true)] : []),
        ...["taken", "reserved"].flatMap((kind) =>
          scene.styles[kind] ? [swatch(palette[scene.styles[kind].fill], words(kind))] : [],
        ),
      ),
    );
  } else if (count.cabinets && layers.cabinets !== "none") {
    const { title, highest, share } = scene.shades[layers.cabinets];
    const over = share.some((part) => part > 1) ? swatch(palette.over, "over the limit") : null;
    parts.push(...part(title, ...bar(palette.ramps[layers.cabinets], "0", highest), over));
  }
  const fill = scene.layers.find(([name]) => name === "fill");
  if (fill && layers.trays === "fill") {
    const kinds = [...new Set(fill[2].map(([kind]) => kind))].sort();
    parts.push(
      ...part(
        "Tray fill, of design fill",
        ...kinds.map((kind) => stroke(palette[scene.styles[kind].stroke], scene.styles[kind].weight_pt, words(kind))),
      ),
    );
  }
  for (const set of [shown.base, shown.chosen])
    if (set) parts.push(...part(...cableEntries(set, layers, shown, palette, stroke, bar)));
  const found = foundLegend(layers, palette, stroke);
  if (found) parts.push(...part(...found));
  return parts;
}

// The entries of the legend on cables: those of all or of the filter, and those of the selection.
function cableEntries(set, layers, shown, palette, stroke, bar) {
  const inside = set.list.filter((n) => cables.route[n] < 0).length,
    own = set === shown.chosen;
  const what = `${plural(set.list.length, "cable")}${inside ? `, ${inside === set.list.length ? "all" : grouped(inside)} inside cabinets` : ""}`;
  const words = filterWords(layers),
    title = own
      ? "Cables of the selection"
      : `Cables${words ? ` of ${words}` : ""}${layers.cables in TRAITS ? ` by ${TRAITS[layers.cables].title}` : ""}`;
  const note =
    layers.lines === "straight"
      ? null
      : element("span", {}, set.load ? "mean of the cables in a tray; width: number of cables" : "width: number of cables");
  if (set.load)
    return [
      `Cable load at offered load ${simulation.offered[shown.point]}`,
      ...bar(palette.ramps.load, shown.span[0].toFixed(3), shown.span[1].toFixed(3)),
      note,
    ];
  if (set.kinds.length > 1 || set.kinds[0].name)
    return [title, ...set.kinds.map(({ name, color, cables: number }) => stroke(color, 3, `${name}: ${grouped(number)}`)), note];
  return [title, stroke(set.kinds[0].color, 3, what), note];
}
