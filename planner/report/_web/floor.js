// The floor: shown cables, object under the pointer, legend.

const FONT = getComputedStyle(document.body).fontFamily;

const NARROWEST = room ? Math.min(...room.slot_size.filter((_, n) => n % 2 === 0)) : 0;

// Offset of cable n among those between the same two cabinets, from -½ to ½.
const FAN = (() => {
  const fan = new Float32Array(count.cables), together = new Map();
  for (let n = 0; n < count.cables; n++) {
    const a = cables.cabinet[2 * n], b = cables.cabinet[2 * n + 1];
    if (a === b) continue;
    const pair = Math.min(a, b) * count.cabinets + Math.max(a, b);
    if (!together.has(pair)) together.set(pair, []);
    together.get(pair).push(n);
  }
  for (const rows of together.values()) rows.forEach((n, place) => { fan[n] = (place - (rows.length - 1) / 2) / Math.max(rows.length, 4); });
  return fan;
})();

function chordEnds(cable, a, b) {
  // The same side for both directions.
  if (a > b) { const [bx, by, ax, ay] = chordEnds(cable, b, a); return [ax, ay, bx, by]; }
  const s = cabinets.slot[a], t = cabinets.slot[b];
  const [ax, ay, bx, by] = [room.slot_xy[2 * s], room.slot_xy[2 * s + 1], room.slot_xy[2 * t], room.slot_xy[2 * t + 1]];
  const spread = (0.7 * FAN[cable] * Math.min(room.slot_size[2 * s], room.slot_size[2 * s + 1])) / (Math.hypot(bx - ax, by - ay) || 1);
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

// Content of the cable layer, computed once per selection, not per frame.
function shownOf(thing, layers) {
  const everything = layers.cables === "all" || layers.cables === "load";
  const chosen = layers.cables === "none" || !cables ? [] : everything ? Array.from({ length: count.cables }, (_, n) => n) : cablesOfThing(thing);
  const list = layers.network === "all" ? chosen : chosen.filter((n) => cables.network[n] === layers.network);
  const byLoad = layers.cables === "load" && simulation;
  const point = pointOf(layers);
  const span = byLoad ? spanOf(point) : [0, 1];
  const shown = { cables: list, point, span, share: (load) => (load - span[0]) / (span[1] - span[0] || 1), flow: new Map(), drops: [], highest: 1, marked: markedOf(thing) };
  if (byLoad) list.sort((a, b) => loadOf(a, point) - loadOf(b, point));
  if (layers.lines === "straight") return shown;
  const drops = new Map(), routes = new Map();
  // Number of cables, sum of their loads, and number of cables with a load.
  const add = (map, key, number, load, loaded) => {
    const [before, sum, summed] = map.get(key) || [0, 0, 0];
    map.set(key, [before + number, sum + load, summed + loaded]);
  };
  for (const cable of list) {
    if (cables.route[cable] < 0) continue;
    const load = byLoad ? loadOf(cable, point) : null, mediumIndex = medium(cable) === "optical" ? 1 : 0;
    const weight = [1, load ?? 0, load === null ? 0 : 1];
    add(routes, cables.route[cable], ...weight);
    for (const end of [0, 1]) {
      const cabinet = cables.cabinet[2 * cable + end];
      add(drops, cabinet * 2 + mediumIndex, ...weight);
    }
  }
  for (const [route, weight] of routes) for (const segment of routeSegments(route)) add(shown.flow, segment, ...weight);
  for (const [key, weight] of drops) shown.drops.push([key >> 1, room.slot_node[2 * cabinets.slot[key >> 1] + (key & 1)], ...weight]);
  for (const [number] of shown.flow.values()) shown.highest = Math.max(shown.highest, number);
  return shown;
}

function pointOf(layers) {
  if (!simulation) return 0;
  const wanted = simulation.offered.findIndex((load) => String(load) === layers.load);
  if (wanted >= 0) return wanted;
  // By default the highest steady load.
  let best = 0;
  simulation.offered.forEach((load, n) => { if (!simulation.saturated[n] && load > simulation.offered[best]) best = n; });
  return best;
}

function markedOf(thing) {
  const segments = !thing || thing.missing ? [] : thing.kind === "segment" ? [thing.n] : thing.kind === "tray" ? Array.from({ length: count.segments }, (_, n) => n).filter((n) => room.segment_tray[n] === thing.n) : [];
  return { cabinets: cabinetsOfThing(thing), segments };
}

// The object at a position on the screen: a cabinet, a straight cable, a tray segment, or null.
function under(drawing, layers, shown, x, y) {
  for (let slot = 0; slot < count.slots; slot++) {
    const [center, middle, width, height] = drawing.box(slot);
    if (cabinetInSlot[slot] >= 0 && Math.abs(x - center) <= width / 2 && Math.abs(y - middle) <= height / 2) return { kind: "cabinet", n: cabinetInSlot[slot] };
  }
  if (layers.lines === "straight") {
    const cable = nearest(shown.cables, 4, (n) => drawing.chord(n), x, y);
    if (cable !== null) return { kind: "cable", n: cable };
  }
  if (layers.trays === "none") return null;
  const segment = nearest(Array.from({ length: count.segments }, (_, n) => n), 6, (n) => drawing.segmentEnds(n), x, y);
  return segment === null ? null : { kind: "segment", n: segment };
}

function nearest(rows, reach, endsOf, x, y) {
  let found = null, smallest = reach;
  for (const row of rows) {
    const ends = endsOf(row);
    if (!ends) continue;
    const [ax, ay, bx, by] = ends, length = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = length ? Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length)) : 0;
    const away = Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
    if (away <= smallest) { smallest = away; found = row; }
  }
  return found;
}

function tipOf(thing, layers) {
  const { kind, n } = thing;
  if (kind === "cabinet") {
    return [
      `${nameOf("cabinet", n)} · ${plural(cabinets.routers[n], "router")}, ${plural(cabinets[`${NODE}s`][n], NODE)}`,
      `units ${cabinets.used_units[n]} of ${cabinets.units}, power ${kilowatts(cabinets.power_max_mw[n] + cabinets.others_mw[n])} of ${kilowatts(cabinets.power_limit_mw[n])}`,
    ].join("\n");
  }
  if (kind === "cable") {
    const load = loadOf(n, pointOf(layers));
    return `cable ${n + 1} · ${cables.label_a[n]}\n${meters(cables.run_mm[n])}${load === null || !simulation ? "" : `, load ${load.toFixed(3)}`}`;
  }
  return `${room.tray_names[room.segment_tray[n]]} · segment ${n + 1}\n${segmentFill(n)}`;
}

function segmentFill(n) {
  return room.segment_mm2[n] > 0 ? `${percent(shareOfDesign(n))} of design fill` : "no limit given";
}

// The legend of the layers that are on.
function legendOf(layers, shown, palette) {
  const swatch = (color, text, dashed = false) => element("li", {}, element("i", { class: dashed ? "dashed" : "", style: `background:${color}` }), text);
  const stroke = (color, width, text) => element("li", {}, element("i", { class: "line", style: `background:${color};height:${Math.max(width, 1.5)}px` }), text);
  const bar = (ramp, low, high) => [element("li", {}, low, element("i", { class: "bar", style: `background:linear-gradient(to right, ${ramp.map(css).join()})` }), high)];
  const part = (title, ...items) => [element("section", {}, element("h4", {}, title), element("ul", {}, ...items))];
  const parts = [];
  const words = (kind) => scene.styles[kind].words.replace(" of the design fill", "").replace("the ", "");
  if (count.cabinets && layers.cabinets === "use") {
    parts.push(...part("Cabinets by use", ...[...new Set(scene.use)].map((kind) => swatch(palette[scene.styles[kind].fill], words(kind))), ...(scene.styles.slot ? [swatch(palette[scene.styles.slot.fill], words("slot"), true)] : []), ...(scene.styles.taken ? [swatch(palette[scene.styles.taken.fill], words("taken"))] : [])));
  } else if (count.cabinets && layers.cabinets !== "none") {
    const { title, highest, share } = scene.shades[layers.cabinets];
    const over = share.some((part) => part > 1) ? swatch(palette.over, "over the limit") : null;
    parts.push(...part(title, ...bar(palette.ramps[layers.cabinets], "0", highest), over));
  }
  const fill = scene.layers.find(([name]) => name === "fill");
  if (fill && layers.trays === "fill") {
    const kinds = [...new Set(fill[2].map(([kind]) => kind))].sort();
    parts.push(...part("Tray fill, of design fill", ...kinds.map((kind) => stroke(palette[scene.styles[kind].stroke], scene.styles[kind].weight_pt, words(kind)))));
  }
  if (shown.cables.length) {
    const inside = shown.cables.filter((n) => cables.route[n] < 0).length;
    const what = `${plural(shown.cables.length, "cable")}${inside ? `, ${inside === shown.cables.length ? "all" : grouped(inside)} inside cabinets` : ""}`;
    const load = layers.cables === "load" && simulation;
    parts.push(...part(load ? `Cable load at offered load ${simulation.offered[shown.point]}` : "Cables",
      ...(load ? bar(palette.ramps.load, shown.span[0].toFixed(3), shown.span[1].toFixed(3)) : [stroke(layers.cables === "all" ? palette.cable : palette.chosen, 3, what)]),
      layers.lines === "straight" ? null : element("span", {}, load ? "mean of the cables in a tray; width: number of cables" : "width: number of cables")));
  }
  return parts;
}
