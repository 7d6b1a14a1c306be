// Last values of all fields, and the status of a cable that follows from them: as planner.install.site derives it, here without a connection.

export const STEPS = ["planned", "pulled", "one end", "both ends", "link up", "tested", "accepted"];
export const AS_PLANNED = "as planned";
export const GROWS = new Set(["remark", "photo", "finding"]);

export const keyOf = (row, end, field, item = "") => [row, end, field, item].join("\n");

export function isLater(a, b) {
  if (a.clock !== b.clock) return a.clock > b.clock;
  if (a.phone !== b.phone) return a.phone > b.phone;
  return a.id > b.id;
}
// The value that an event gives its field; `row` is the number of a row of the schedule.
export function registerOf({ row, end, field, value, clock, phone, id, crew }) {
  const item = GROWS.has(field) ? id : "";
  return { key: keyOf(row, end, field, item), row, end, field, item, value, clock, phone, id, crew };
}

// Last values by row.
export class Fold {
  constructor() {
    this.rows = new Map();
  }
  // Returns whether the value is now the last one.
  take(register) {
    let own = this.rows.get(register.row);
    if (!own) this.rows.set(register.row, (own = new Map()));
    const before = own.get(register.key);
    if (before && !isLater(register, before)) return false;
    own.set(register.key, register);
    return true;
  }
  // Forgets a row; returns the keys of its values.
  drop(row) {
    const keys = [...(this.rows.get(row)?.keys() ?? [])];
    this.rows.delete(row);
    return keys;
  }
  of(row) {
    return this.rows.get(row)?.values() ?? [];
  }
  value(row, end, field) {
    return this.rows.get(row)?.get(keyOf(row, end, field));
  }
}

// What is known of a cable, from the values about its rows.
export function statusOf(cable, registers) {
  const last = new Map(),
    plugged = new Map(),
    links = new Map(),
    notes = [];
  const keep = (map, at, register) => {
    if (!map.has(at) || isLater(register, map.get(at))) map.set(at, register);
  };
  for (const register of registers) {
    const { end, row } = register;
    if (register.field === "plugged") keep(plugged, plugOf(cable, end, row), register);
    else if (register.field === "link") keep(links, row, register);
    else if (register.item) notes.push(register);
    else keep(last, `${register.field} ${end}`, register);
  }
  const ends = cable.plugs.map((_, n) => (plugged.get(n)?.value ? plugged.get(n) : null));
  // What was measured before a plug was last touched is void.
  const touched = [...plugged.values()].reduce((latest, each) => (!latest || isLater(each, latest) ? each : latest), null);
  const values = new Map([...last].filter(([, each]) => each.value));
  const valid = (name) => {
    const found = values.get(`${name} `);
    return found && (!touched || isLater(found, touched)) ? found.value : "";
  };
  const seenLinks = [...links.values()]
    .filter((each) => each.value && (!touched || isLater(each, touched)))
    .map((each) => each.value);
  const up = seenLinks.length === cable.rows.length && seenLinks.every((value) => value === "up");
  const known = { values, ends, up, valid, seenLinks };
  const step = stepOf(known),
    wrong = wrongOf(cable, known);
  const blocked = ["", "a", "b"].map((end) => values.get(`blocked ${end}`)?.value).find(Boolean) || "";
  return {
    step,
    wrong,
    blocked,
    ends,
    values,
    touched,
    notes: notes.sort((a, b) => (isLater(a, b) ? 1 : -1)),
    pulled: values.has("pulled ") || ends.some(Boolean),
    done: STEPS.indexOf(step) >= 3 && !wrong.length && !blocked,
    value: (name, end = "") => values.get(`${name} ${end}`)?.value ?? "",
    tested: valid("tested"),
    accepted: valid("accepted"),
  };
}

// What is known of a device, from the values about it.
export function statusOfDevice(registers) {
  const last = new Map([...registers].filter(({ item }) => !item).map((register) => [register.field, register.value])),
    value = (field) => last.get(field) ?? "";
  return { installed: value("installed") === "yes", serial: value("serial"), tag: value("asset_tag"), blocked: value("blocked") };
}

const plugOf = (cable, end, row) => cable.plugs.findIndex((plug) => plug.end === end && plug.rows.includes(row));

function stepOf({ values, ends, up, valid }) {
  if (valid("accepted")) return "accepted";
  if (valid("tested") === "pass") return "tested";
  if (up) return "link up";
  if (ends.every(Boolean)) return "both ends";
  return ends.some(Boolean) ? "one end" : values.has("pulled ") ? "pulled" : "planned";
}

function wrongOf(cable, { values, ends, valid, seenLinks }) {
  const found = [],
    accepted = valid("accepted");
  cable.plugs.forEach((plug, n) => {
    if (!ends[n] || ends[n].value === AS_PLANNED || accepted) return;
    const own = cable.rows.find((row) => plug.rows.includes(row.number))[plug.end];
    found.push(`end ${plug.end.toUpperCase()} is in ${ends[n].value}, planned ${own.device} ${own.port}`);
  });
  for (const end of ["", "a", "b"])
    if (values.get(`label_ok ${end}`)?.value === "no") found.push(`label of end ${end.toUpperCase()} is wrong`);
  if (accepted) return found;
  // A dark link is no fault before both plugs are in.
  for (const state of [...new Set(seenLinks)].sort())
    if (state === "wrong" || (state === "dark" && ends.every(Boolean))) found.push(`link is ${state}`);
  if (valid("tested") === "fail") found.push("test failed");
  return found;
}
