// The plan: unpacked columns, relations, values as text.

import { grouped, SPACE } from "./numbers.js";

import { inflated } from "./libraries.js";

const ARRAYS = {
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  i1: Int8Array,
  i2: Int16Array,
  i4: Int32Array,
  f4: Float32Array,
  f8: Float64Array,
};

// Arrays of a page in one file are in one block of bytes, those of a server are text.
function unpacked(item, block) {
  if (item === null || typeof item !== "object") return item;
  if (item.place !== undefined && item.dtype !== undefined) {
    const type = ARRAYS[item.dtype];
    return new type(block.buffer, block.byteOffset + item.place, item.bytes / type.BYTES_PER_ELEMENT);
  }
  if (item.base64 !== undefined) {
    const letters = atob(item.base64),
      bytes = new Uint8Array(letters.length);
    for (let n = 0; n < letters.length; n++) bytes[n] = letters.charCodeAt(n);
    return new ARRAYS[item.dtype](bytes.buffer);
  }
  if (item.texts !== undefined) return Array.from(unpacked(item.index, block), (n) => item.texts[n]);
  for (const key of Object.keys(item)) {
    const each = item[key];
    if (each && each.texts !== undefined) whenUsed(item, key, () => unpacked(each, block));
    else item[key] = unpacked(each, block);
  }
  return item;
}

// A value that is made when it is first read: columns of texts take most of the time to unpack, and many are never shown.
export function whenUsed(item, key, make) {
  const shape = { configurable: true, enumerable: true };
  Object.defineProperty(item, key, {
    ...shape,
    get() {
      const value = make();
      Object.defineProperty(item, key, { ...shape, value, writable: true });
      return value;
    },
  });
}

// A server has the data at an address of its own; a page in one file has it in itself.
const holder = document.getElementById("plan");
export const plan = holder.dataset.address
  ? unpacked(await (await fetch(holder.dataset.address)).json())
  : await ofFile(holder.textContent);

async function ofFile(text) {
  const bytes = new Uint8Array(await inflated(text).arrayBuffer());
  const size = new DataView(bytes.buffer).getUint32(0, true);
  return unpacked(JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size))), bytes.subarray(4 + size));
}
export const { room, scene, cabinets, devices, cables, bundles, simulation, latency, work } = plan;

export const count = {
  cabinets: cabinets ? cabinets.names.length : 0,
  devices: devices ? devices.names.length : 0,
  cables: cables ? cables.run_mm.length : 0,
  bundles: bundles ? bundles.kind.length : 0,
  slots: room ? room.slot_names.length : 0,
  segments: room ? room.segment_mm.length : 0,
  tasks: work ? work.crew.length : 0,
  panels: plan.panels ? plan.panels.names.length : 0,
};

// Rows by key, as one array of rows and the start of each key's rows, made when they are first used. Negative keys are left out.
function grouping(size, keysOf) {
  let rowsOf = null;
  return (key) => (rowsOf ??= rowsByKey(size, keysOf()))(key);
}

function rowsByKey(size, keys) {
  const start = new Uint32Array(size + 1);
  for (const key of keys) if (key >= 0) start[key + 1]++;
  for (let key = 0; key < size; key++) start[key + 1] += start[key];
  const rows = new Uint32Array(start[size]),
    next = start.slice(0, size);
  keys.forEach((key, row) => {
    if (key >= 0) rows[next[key]++] = row;
  });
  return (key) => rows.subarray(start[key], start[key + 1]);
}

// The ends of cable n have the indices 2n and 2n + 1.
export const endsAtDevice = grouping(count.devices, () => (cables ? cables.device : []));
const endsAtCabinet = grouping(count.cabinets, () => (cables ? cables.cabinet : []));
const inBundle = grouping(count.bundles, () => (cables ? cables.bundle : []));
const onRoute = grouping(cables ? cables.route_indptr.length - 1 : 0, () => (cables ? cables.route : []));
// The tasks of all cables, then those of the jumpers at their first and at their second ends.
const inTask = grouping(count.tasks, () =>
  work ? [...work.task, ...[0, 1].flatMap((end) => Array.from(work.jumper_tasks.filter((_, row) => row % 2 === end)))] : [],
);
const atPanel = grouping(count.panels, () => (plan.panels ? plan.panels.panel : []));
export const inCabinet = grouping(count.cabinets, () => (devices ? devices.cabinet : []));
// The ends of endpoint n, router and node, have the indices 2n and 2n + 1.
export const endpointEnds = grouping(count.devices, () => (devices ? devices.endpoint_ends : []));
export const cabinetInSlot = new Int32Array(count.slots).fill(-1);
if (cabinets)
  cabinets.slot.forEach((slot, cabinet) => {
    cabinetInSlot[slot] = cabinet;
  });
export const inOrder = cabinets ? [...cabinets.slot.keys()].sort((a, b) => cabinets.slot[a] - cabinets.slot[b]) : [];

export const highestOf = (numbers) => numbers.reduce((highest, number) => Math.max(highest, number), 0);
export const all = (size) => Array.from({ length: size }, (_, n) => n);
export const once = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);
export const cablesOf = {
  cabinet: (n) => once(Array.from(endsAtCabinet(n), (end) => end >> 1)),
  device: (n) => once(Array.from(endsAtDevice(n), (end) => end >> 1)),
  bundle: (n) => Array.from(inBundle(n)),
  task: (n) => once(Array.from(inTask(n), (row) => row % count.cables)),
  panel: (n) => once(Array.from(atPanel(n), (row) => plan.panels.cable[row])),
  segment: (n) => once(routesOver((segment) => segment === n).flatMap((route) => Array.from(onRoute(route)))),
  tray: (n) => once(routesOver((segment) => room.segment_tray[segment] === n).flatMap((route) => Array.from(onRoute(route)))),
};

function routesOver(wanted) {
  const found = [];
  for (let route = 0; cables && route + 1 < cables.route_indptr.length; route++) {
    if (routeSegments(route).some(wanted)) found.push(route);
  }
  return found;
}

export function routeSegments(route) {
  return route < 0 ? [] : cables.route_segments.subarray(cables.route_indptr[route], cables.route_indptr[route + 1]);
}

export const medium = (cable) => cables.medium[cable];
// The value of a declared column; some arrays have both ends of every cable.
export const cellOf = (owner, { array, side }, n) => owner[array][side === null ? n : 2 * n + side];
// Whether a cable is a link between routers; the links of each network are adjacent.
export const isLink = (cable) => cables.link_spans.some(([start, stop]) => cable >= start && cable < stop);
// The port at an end as printed on the device.
export const portName = (end) => (end % 2 ? cables.b_printed : cables.a_printed)[end >> 1];
// The names of the ports of a part; null where ports have numbers only.
export const portNamesOf = (part) => (plan.part_port_names ? plan.part_port_names[part] : null);
export const NODE = plan.networks ? "node" : "endpoint";
export const isRouter = (device) => device < devices.routers;
export const farEnd = (end) => end ^ 1;

// The place of a cable's loads at a simulated load; -1 for cables that are no links of the simulated network.
export function loadPlace(cable, point) {
  const [start, stop] = simulation ? simulation.links : [0, 0];
  return cable < start || cable >= stop ? -1 : 2 * (point * (stop - start) + cable - start);
}

// The busier direction of a cable at a simulated load, phits per cycle; null for cables without a load.
export function loadOf(cable, point) {
  const at = loadPlace(cable, point);
  return at < 0 ? null : Math.max(simulation.link_load[at], simulation.link_load[at + 1]) / 10000;
}

// A value of the plan in the unit of people.
const written = (kind) => (value) => {
  const [size, decimals, name] = plan.units[kind];
  return `${grouped(value / size, decimals)}${SPACE}${name}`;
};
export const lengthUnit = plan.units.mm[0];
export const lengthName = plan.units.mm[2];
export const lengthOf = written("mm");
export const section = written("mm²");
export const percent = (share) => `${grouped(100 * share, 1)}${SPACE}%`;
export const kilowatts = written("mW");
export const mass = written("g");
// What the maker sells, in feet with the other unit.
export const stockName = (mm) => (plan.feet ? `${mm / 1000} m (${grouped(mm / lengthUnit, 1)} ft)` : `${mm / 1000}`);
export const nanoseconds = (ps) => `${grouped(ps / 1000, 1)}${SPACE}ns`;
export const money = (cents) => `${grouped(cents / 100, 2)}${SPACE}${plan.bill ? plan.bill.unit : ""}`;
export const plural = (number, word) => `${grouped(number)} ${word}${number === 1 ? "" : "s"}`;

// The tasks that install a cable: over panels those of its trunk and of its jumpers.
export const tasksOf = (cable) =>
  [work.task[cable], ...work.jumper_tasks.subarray(2 * cable, 2 * cable + 2)].filter((task) => task >= 0);
