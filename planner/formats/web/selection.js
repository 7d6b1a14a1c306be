// Objects that can be selected: name in the address, cables, and cabinets.

import { element } from "./elements.js";
import {
  bundles,
  cabinets,
  cables,
  cablesOf,
  count,
  devices,
  endsAtDevice,
  farEnd,
  isLink,
  isRouter,
  latency,
  NODE,
  once,
  plan,
  room,
  whenUsed,
  work,
} from "./plan.js";

export const KINDS = {
  cabinet: { word: "cabinet", names: cabinets ? cabinets.names : [], cables: cablesOf.cabinet, cabinets: (n) => [n] },
  router: {
    word: "router",
    names: devices ? devices.names.slice(0, devices.routers) : [],
    cables: cablesOf.device,
    cabinets: (n) => [devices.cabinet[n]],
  },
  endpoint: {
    word: NODE,
    first: devices ? devices.routers : 0,
    names: devices ? devices.names.slice(devices.routers) : [],
    cables: (n) => cablesOf.device(n + devices.routers),
    cabinets: (n) => [devices.cabinet[n + devices.routers]],
  },
  cable: { word: "cable", cables: (n) => [n], cabinets: (n) => once([cables.cabinet[2 * n], cables.cabinet[2 * n + 1]]) },
  bundle: {
    word: "bundle",
    cables: cablesOf.bundle,
    cabinets: (n) => [...bundles.cabinet.subarray(2 * n, 2 * n + 2)].filter((cabinet) => cabinet >= 0),
  },
  task: {
    word: "task",
    cables: cablesOf.task,
    cabinets: (n) => once(work.cabinet.subarray(2 * n, 2 * n + 2)).filter((cabinet) => cabinet >= 0),
  },
  panel: {
    word: "panel",
    names: plan.panels ? plan.panels.names : [],
    cables: cablesOf.panel,
    cabinets: (n) => [plan.panels.frame_cabinet[plan.panels.frame[n]]].filter((cabinet) => cabinet >= 0),
  },
  tray: { word: "tray", names: room ? room.tray_names : [], cables: cablesOf.tray, cabinets: () => [] },
  move: {
    word: "move",
    names: plan.verification ? plan.verification.moves.map(({ order }) => String(order)) : [],
    cables: (n) => [plan.verification.moves[n].cable].filter((cable) => cable >= 0),
    cabinets: (n) =>
      once([plan.verification.moves[n].cabinet, plan.verification.moves[n].to_cabinet]).filter((cabinet) => cabinet >= 0),
  },
  finding: {
    word: "finding",
    names: plan.verification ? plan.verification.findings.map((_, n) => String(n + 1)) : [],
    cables: (n) => plan.verification.findings[n].cables,
    cabinets: (n) => plan.verification.findings[n].cabinets,
  },
  segment: { word: "tray segment", cables: cablesOf.segment, cabinets: () => [] },
};
// Names of what has a number only.
for (const [kind, size] of Object.entries({
  cable: count.cables,
  bundle: count.bundles,
  task: count.tasks,
  segment: count.segments,
})) {
  whenUsed(KINDS[kind], "names", () => Array.from({ length: size }, (_, n) => String(n + 1)));
}
for (const kind of Object.values(KINDS))
  whenUsed(kind, "numbers", () => new Map(kind.names.map((name, n) => [name.toLowerCase(), n]).reverse()));

export const nameOf = (kind, n) => KINDS[kind].names[n];
export const deviceThing = (device) => (isRouter(device) ? ["router", device] : ["endpoint", device - devices.routers]);

// The object that the address names: {kind, n}, {kind: "path", from, to}, {missing} or null.
export function thingOf(wanted) {
  if (wanted.has("path")) {
    const ends = wanted
      .get("path")
      .split(",")
      .map((name) => KINDS.router.numbers.get(name.trim().toLowerCase()));
    return ends.length === 2 && ends.every((n) => n !== undefined)
      ? { kind: "path", from: ends[0], to: ends[1] }
      : { missing: `path ${wanted.get("path")}` };
  }
  for (const [kind, own] of Object.entries(KINDS)) {
    if (!wanted.has(kind)) continue;
    const name = wanted.get(kind).trim(),
      folded = name.toLowerCase();
    const n = own.numbers.get(folded) ?? (kind === "cable" ? labeled(folded) : undefined);
    return n === undefined ? { missing: `${own.word} ${name}` } : { kind, n, port: Number(wanted.get("port")) || 0 };
  }
  return null;
}

function labeled(folded) {
  for (let n = 0; n < count.cables; n++) {
    if (cables.label_a[n].toLowerCase() === folded || cables.label_b[n].toLowerCase() === folded) return n;
  }
  return undefined;
}

export function cablesOfThing(thing) {
  if (!thing || !cables || thing.missing) return [];
  return thing.kind === "path" ? (pathBetween(thing.from, thing.to) || { links: [] }).links : KINDS[thing.kind].cables(thing.n);
}

export function cabinetsOfThing(thing) {
  if (!thing || !cabinets || thing.missing) return [];
  if (thing.kind === "path")
    return once(
      (pathBetween(thing.from, thing.to) || { routers: [thing.from, thing.to] }).routers.map((router) => devices.cabinet[router]),
    );
  return KINDS[thing.kind].cabinets(thing.n);
}

export const address = (kind, n, port) => `#${kind}=${encodeURIComponent(nameOf(kind, n))}${port ? `&port=${port}` : ""}`;

// A link to an object keeps the view and the layers.
export function link(kind, n, text = nameOf(kind, n), attributes = {}) {
  return element("a", { href: address(kind, n, attributes.port), ...attributes }, text);
}
export function deviceLink(device, port) {
  const [kind, n] = deviceThing(device);
  return link(kind, n, nameOf(kind, n), { port });
}

// The fastest of the shortest paths between two routers, as in the latency figures.
const paths = new Map();
export function pathBetween(from, to) {
  const key = `${from},${to}`;
  if (!paths.has(key))
    paths.set(
      key,
      latency && latency.worst_path[0] === from && latency.worst_path.at(-1) === to ? worstPath() : shortest(from, to),
    );
  return paths.get(key);
}
const worstPath = () => ({ routers: latency.worst_path, links: latency.worst_links });

function shortest(from, to) {
  const delay = new Float64Array(devices.routers).fill(Infinity),
    hops = new Int32Array(devices.routers).fill(-1);
  const by = new Int32Array(devices.routers).fill(-1);
  delay[from] = hops[from] = 0;
  for (let front = [from]; front.length && hops[to] < 0;) {
    const next = [];
    for (const router of front) {
      for (const end of endsAtDevice(router)) {
        const cable = end >> 1,
          other = cables.device[farEnd(end)];
        if (!isLink(cable) || (hops[other] >= 0 && hops[other] <= hops[router])) continue;
        if (hops[other] < 0) {
          hops[other] = hops[router] + 1;
          next.push(other);
        }
        const sum = delay[router] + cables.delay_ps[cable];
        if (sum < delay[other]) {
          delay[other] = sum;
          by[other] = end;
        }
      }
    }
    front = next;
  }
  if (hops[to] < 0) return null;
  const path = { routers: [to], links: [] };
  for (let router = to; router !== from;) {
    path.links.unshift(by[router] >> 1);
    router = cables.device[by[router]];
    path.routers.unshift(router);
  }
  return path;
}
