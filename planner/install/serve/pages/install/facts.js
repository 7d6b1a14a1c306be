// The plan as a crew needs it: cables by number, with both ends; loaded once.

const END = ["cabinet", "unit", "device", "port", "number", "label", "panel"];
const records = (columns, rows) => rows.map((row) => Object.fromEntries(columns.map((name, n) => [name, row[n]])));

export class Facts {
  constructor(content) {
    this.revision = content.plan;
    this.name = content.name;
    this.stages = content.stages;
    this.crews = content.crews;
    this.tasks = new Map(records(content.task_columns, content.tasks).map((task) => [task.task, { ...task, cables: [] }]));
    this.cables = new Map();
    this.rows = new Map();
    this.cabinets = new Map(content.cabinets.map((name) => [name, []]));
    this.devices = new Map(
      records(content.device_columns, content.devices).map((each) => [
        each.device,
        { ...each, name: each.device, cables: new Set() },
      ]),
    );
    for (const row of records(content.columns, content.cables)) this.add(row);
    for (const cable of this.cables.values()) {
      cable.plugs = plugsOf(cable);
      this.tasks.get(cable.task)?.cables.push(cable);
      for (const name of cable.cabinets) this.cabinets.get(name).push(cable);
      for (const row of cable.rows) for (const end of [row.a, row.b]) this.devices.get(end.device)?.cables.add(cable);
    }
  }
  add(cells) {
    const [a, b] = ["a", "b"].map((end) => Object.fromEntries(END.map((name) => [name, cells[`${end}_${name}`]])));
    const { stage, task, crew, part, length, route, trunk, medium } = cells;
    if (!this.cables.has(cells.cable))
      this.cables.set(cells.cable, {
        number: cells.cable,
        rows: [],
        cabinets: [],
        stage,
        task,
        crew,
        part,
        length,
        route,
        trunk,
        medium,
      });
    const cable = this.cables.get(cells.cable);
    cable.rows.push({ number: cells.number, a, b });
    this.rows.set(cells.number, cable);
    for (const { cabinet } of [a, b]) if (!cable.cabinets.includes(cabinet)) cable.cabinets.push(cabinet);
  }
  get list() {
    return [...this.cables.values()];
  }
  // The cable with a number as printed, which may be that of a further row of a splitter.
  numbered(number) {
    return this.rows.get(number) ?? null;
  }
  // The device of a name as written, or in other capitals where only one has it.
  named(text) {
    const words = text.trim().toLowerCase(),
      found = this.devices.get(text.trim());
    if (found || !words) return found ?? null;
    const others = [...this.devices.values()].filter(({ name }) => name.toLowerCase() === words);
    return others.length === 1 ? others[0] : null;
  }
  // Devices of a cabinet, the highest first.
  standingIn(cabinet) {
    return [...this.devices.values()]
      .filter((each) => each.cabinet === cabinet)
      .sort((a, b) => b.unit - a.unit || a.name.localeCompare(b.name, "en", { numeric: true }));
  }
  // Devices in a cabinet with the ports that the plan uses there: the printed name of each by its number.
  devicesIn(cabinet) {
    const found = new Map();
    for (const cable of this.cabinets.get(cabinet) ?? [])
      for (const row of cable.rows)
        for (const end of [row.a, row.b]) {
          if (end.cabinet !== cabinet) continue;
          if (!found.has(end.device)) found.set(end.device, new Map());
          found.get(end.device).set(end.number, end.port);
        }
    return new Map([...found].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true })));
  }
}

const CAGE = /^(.*\d)\/\d+$/;

// Rows in one cage share a plug; events about it name its first row.
function plugsOf(cable) {
  const plugs = new Map();
  for (const end of ["a", "b"])
    for (const row of cable.rows) {
      const own = row[end],
        port = cable.rows.length > 1 ? own.port.replace(CAGE, "$1") : own.port,
        key = [end, own.device, port].join("\n");
      if (!plugs.has(key)) plugs.set(key, { end, row: row.number, rows: [], place: own });
      plugs.get(key).rows.push(row.number);
    }
  return [...plugs.values()];
}

// "A03, unit 12"; upright devices at the side of a cabinet have no unit.
export const placeOf = (end) => (end.unit ? `${end.cabinet}, unit ${end.unit}` : end.cabinet);

// What the code of a label or of a sheet, or a typed number names: a cable with its end, a task, or a device.
export function parsed(text) {
  const words = text.trim(),
    path = /\/([CT])\/0*(\d{1,7}) ?([AB]?)$/i.exec(words),
    bare = /^(?:.*\/)?#?0*(\d{1,7}) ?([AB]?)$/i.exec(words);
  const device = /^https?:\/\/[^/]+\/D\/([^/?#]+)$/i.exec(words);
  if (device)
    try {
      return { device: decodeURIComponent(device[1]) };
    } catch {
      return null;
    }
  if (!path && !bare) return null;
  const [kind, number, end] = path ? path.slice(1) : ["C", ...bare.slice(1)];
  return kind.toUpperCase() === "T" ? { task: Number(number) } : { cable: Number(number), end: end.toLowerCase() };
}

// The name of a plug: "A", or where an end has several "B2".
export function plugName(cable, plug) {
  const own = cable.plugs.filter(({ end }) => end === plug.end);
  return `${plug.end.toUpperCase()}${own.length > 1 ? own.indexOf(plug) + 1 : ""}`;
}
