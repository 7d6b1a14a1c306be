// Front elevation of a cabinet.

const UNIT = 15, LEFT = 24, WIDTH = 340;

function elevation(cabinet, chosen) {
  const units = cabinets.units, height = units * UNIT;
  const top = (unit, size) => (units - unit - size + 1) * UNIT;
  const drawing = shape("svg", { class: "elevation", viewBox: `0 0 ${LEFT + WIDTH} ${height + 2}`, role: "group", "aria-label": `Front of ${nameOf("cabinet", cabinet)}, ${units} units` });
  drawing.append(shape("rect", { class: "frame", x: LEFT, y: 0.5, width: WIDTH - 1, height: height + 1 }));
  for (let unit = 1; unit <= units; unit++) {
    drawing.append(shape("line", { class: "tick", x1: LEFT, x2: LEFT + WIDTH - 1, y1: top(unit, 1) + 1, y2: top(unit, 1) + 1 }));
    if (unit === 1 || unit % 2 === 0) drawing.append(shape("text", { class: "number", x: LEFT - 5, y: top(unit, 1) + 11.5 }, String(unit)));
  }
  const inside = devicesByUnit(cabinet);
  for (const [kind, name, unit, size, plugs] of cabinets.boxes[cabinet]) {
    if (unit < 1) continue; // upright, at the rear
    const word = cabinets.box_kinds[kind], content = (inside.get(unit) || []).filter((device) => isRouter(device) === (word === "router"));
    const box = [
      shape("title", {}, `${name}, unit ${unit}${plugs ? `, PDU ${plugs}` : ""}`),
      shape("rect", { x: LEFT + 1, y: top(unit, size) + 1.5, width: WIDTH - 3, height: size * UNIT - 1, rx: 2 }),
      shape("text", { x: LEFT + 8, y: top(unit, size) + (size * UNIT) / 2 + 4.5 }, shortened(name, 46)),
    ];
    const device = word === "router" ? content.find((n) => devices.names[n] === name) : word === "endpoint" ? content[0] : undefined;
    const on = device !== undefined && content.includes(chosen) && (word !== "router" || device === chosen);
    const group = shape("g", { class: `box ${word === "router" || word === "endpoint" ? word : "other"}${on ? " on" : ""}` }, ...box);
    drawing.append(device === undefined ? group : shape("a", { href: address(...deviceThing(device)), "data-device": devices.names[device] }, group));
  }
  return drawing;
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

const shortened = (text, limit) => (text.length > limit ? `${text.slice(0, limit - 1)}…` : text);
