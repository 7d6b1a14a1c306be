// The drawer: a page for each kind of object.

import { choose, showInTable, state } from "./address.js";
import { shareOfDesign } from "./colors.js";
import { element } from "./elements.js";
import { elevation } from "./elevation.js";
import { pointOf, segmentFill } from "./floor.js";
import { grouped } from "./numbers.js";
import {
  all,
  bundles,
  cabinets,
  cables,
  cablesOf,
  count,
  devices,
  endpointEnds,
  endsAtDevice,
  farEnd,
  inOrder,
  kilowatts,
  latency,
  lengthOf,
  loadOf,
  loadPlace,
  mass,
  nanoseconds,
  NODE,
  once,
  percent,
  plan,
  portName,
  portNamesOf,
  room,
  routeSegments,
  section,
  simulation,
  tasksOf,
  work,
} from "./plan.js";
import { address, deviceLink, deviceThing, KINDS, link, nameOf, pathBetween } from "./selection.js";
import { findingPage, movePage } from "./verification.js";
import { action, breakdown, cableList, declaredFacts, facts, heading, mediumKey, meter, portMap } from "./widgets.js";
import { taskPage } from "./work.js";

export function pageOf(thing) {
  if (thing.missing)
    return [
      ...heading(`No ${thing.missing}`),
      element("p", { class: "note" }, "Not found in this plan. Press / to search by any part of a name or label."),
    ];
  return {
    cabinet: cabinetPage,
    router: devicePage,
    endpoint: devicePage,
    cable: cablePage,
    bundle: bundlePage,
    task: taskPage,
    panel: panelPage,
    move: movePage,
    finding: findingPage,
    tray: trayPage,
    segment: segmentPage,
    path: pathPage,
  }[thing.kind](thing);
}

function cabinetPage({ n }) {
  const place = inOrder.indexOf(n),
    list = cablesOf.cabinet(n);
  const leaving = list.filter((cable) => cables.cabinet[2 * cable] !== cables.cabinet[2 * cable + 1]).length;
  return [
    ...heading(`Cabinet ${nameOf("cabinet", n)}`, `row ${cabinets.row[n]}`),
    element(
      "div",
      { class: "acts" },
      inOrder[place - 1] === undefined
        ? null
        : action(`← ${nameOf("cabinet", inOrder[place - 1])}`, address("cabinet", inOrder[place - 1])),
      inOrder[place + 1] === undefined
        ? null
        : action(`${nameOf("cabinet", inOrder[place + 1])} →`, address("cabinet", inOrder[place + 1])),
    ),
    facts(
      ["part", cabinets.part],
      ["routers", grouped(cabinets.routers[n])],
      [`${NODE}s`, grouped(cabinets[`${NODE}s`][n])],
      cables ? ["cables", `${grouped(list.length)}, ${grouped(leaving)} to other cabinets`] : null,
    ),
    element(
      "div",
      { class: "gauges" },
      meter("units", cabinets.used_units[n], cabinets.units, (units) => grouped(units)),
      meter("maximum power", cabinets.power_max_mw[n] + cabinets.others_mw[n], cabinets.power_limit_mw[n], kilowatts),
      meter("mass of its devices", cabinets.mass_g[n] + cabinets.others_g[n], cabinets.load_limit_g[n], mass),
      meter("floor load", cabinets.floor_g[n] + cabinets.others_g[n], cabinets.floor_limit_g[n], mass),
    ),
    devices ? [element("h3", {}, "Elevation"), elevation(n, -1)] : null,
    cables ? [element("h3", {}, "Cables"), cableList(list, (cable) => (cables.cabinet[2 * cable] === n ? 0 : 1))] : null,
  ];
}

function devicePage({ kind, n, port }) {
  const device = kind === "router" ? n : n + devices.routers,
    cabinet = devices.cabinet[device],
    list = cablesOf.device(device);
  const own = [["role", devices.role_names[devices.role[device]]]],
    ends = Array.from(endpointEnds(device));
  const part = devices.part[device],
    ports = portNamesOf(part) ? portNamesOf(part).length : kind === "router" ? devices.part_ports[part] : 0;
  if (plan.all_devices) own.push(["networks", plan.all_devices.networks[device]]);
  if (kind === "router") {
    const named = (names, numbers) =>
      names.map((name, at) => [name, numbers[n * names.length + at]]).filter(([, number]) => number >= 0);
    own.push(...named(devices.group_names, devices.group).map(([name, number]) => [name, String(number)]));
    own.push([
      "address",
      named(devices.coord_names, devices.coords)
        .map((pair) => pair.join(" "))
        .join(", "),
    ]);
    own.push([plan.networks ? "attached ports" : "endpoints", grouped(ends.filter((end) => end % 2 === 0).length)]);
  } else {
    own.push([
      "router",
      once(ends.map((end) => devices.endpoint_ends[farEnd(end)])).flatMap((router, at) => [
        at ? ", " : "",
        link("router", router),
      ]),
    ]);
  }
  const box = cabinets.boxes[cabinet].find(
    ([word, name, unit]) =>
      cabinets.box_kinds[word] === kind && unit === devices.unit[device] && (kind === "endpoint" || name === nameOf(kind, n)),
  );
  return [
    ...heading(
      `${kind === "router" ? "Router" : plan.networks ? "Node" : "Endpoint"} ${nameOf(kind, n)}`,
      link("cabinet", cabinet),
      devices.unit[device] < 1 ? "upright" : `unit ${devices.unit[device]}`,
    ),
    facts(["part", devices.part_names[part]], ...own, ["PDU", box ? box[4] : ""]),
    cables
      ? [
          element("h3", {}, `Ports: ${grouped(list.length)} in use${ports ? ` of ${grouped(ports)}` : ""}`),
          portMap(device, ports, port),
          mediumKey(list),
          kind === "router" && cables.link_spans.some(([start, stop]) => stop > start) ? pathForm(n) : null,
          element("h3", {}, "Cables"),
          portTable(device, port),
          element(
            "div",
            { class: "acts" },
            action("Show in the table", () => showInTable()),
          ),
        ]
      : null,
    element(
      "details",
      { open: !cables },
      element("summary", {}, `Location in ${nameOf("cabinet", cabinet)}`),
      elevation(cabinet, device, port),
    ),
  ];
}

function portTable(device, chosen) {
  const ends = Array.from(endsAtDevice(device)).sort((a, b) => cables.port[a] - cables.port[b]);
  if (!ends.length) return element("p", { class: "note" }, "No cables.");
  const rows = ends.map((end) => {
    const far = farEnd(end),
      cable = end >> 1;
    return element(
      "tr",
      { class: cables.port[end] === chosen ? "on" : "" },
      element("td", {}, link("cable", cable, portName(end))),
      element("td", {}, deviceLink(cables.device[far], cables.port[far]), ` : ${portName(far)}`),
      element("td", {}, link("cabinet", cables.cabinet[far])),
      element("td", {}, cables.kind[cable]),
      element("td", { class: "number" }, lengthOf(cables.stock_mm[cable])),
    );
  });
  const head = element(
    "tr",
    {},
    ...["port", "far end", "in", "kind"].map((name) => element("th", {}, name)),
    element("th", { class: "number" }, "stock"),
  );
  return element("table", { class: "list" }, element("thead", {}, head), element("tbody", {}, ...rows));
}

function pathForm(n) {
  const input = element("input", {
    "aria-label": "Name of the other router",
    placeholder: `another router, for example ${nameOf("router", n ? 0 : devices.routers - 1)}`,
    list: "router-names",
  });
  const submit = (event) => {
    event.preventDefault();
    const to = KINDS.router.numbers.get(input.value.trim().toLowerCase());
    input.setCustomValidity(to === undefined ? "No router of that name" : "");
    if (to === undefined) input.reportValidity();
    else choose(`path=${encodeURIComponent(`${nameOf("router", n)},${nameOf("router", to)}`)}`);
  };
  input.addEventListener("input", () => input.setCustomValidity(""));
  return [
    element("h3", {}, "Path to another router"),
    element("form", { class: "find", submit }, input, element("button", {}, "Show")),
  ];
}

function endCard(cable, side) {
  const end = 2 * cable + side,
    device = cables.device[end],
    jumper = cables.leg_stock_mm[end];
  return element(
    "div",
    { class: "end" },
    element("h3", {}, side ? "Second end" : "First end"),
    element("div", {}, element("b", {}, deviceLink(device, cables.port[end])), ` : port ${portName(end)}`),
    element("div", {}, link("cabinet", cables.cabinet[end]), `, unit ${devices.unit[device]}`),
    element(
      "div",
      { class: "note" },
      cables.egress[end] ? `leaves the cabinet by the ${cables.sides[cables.egress[end]]}` : "stays in the cabinet",
    ),
    jumper ? element("div", { class: "note" }, `jumper ${lengthOf(jumper)}`) : null,
    element("div", { class: "code" }, side ? cables.label_b[cable] : cables.label_a[cable]),
  );
}

function cablePage({ n }) {
  const point = pointOf(state.layers);
  const trays = [...routeSegments(cables.route[n])]
    .map((segment) => room.segment_tray[segment])
    .filter((tray, place, all) => tray !== all[place - 1]);
  const load = loadOf(n, point),
    at = loadPlace(n, point);
  const others = cablesOfPiece(n);
  return [
    ...heading(
      `Cable ${n + 1}`,
      link("cabinet", cables.cabinet[2 * n]),
      deviceLink(cables.device[2 * n], cables.port[2 * n]),
      `port ${portName(2 * n)}`,
    ),
    element("div", { class: "ends" }, endCard(n, 0), endCard(n, 1)),
    element(
      "div",
      { class: "acts" },
      ...[0, 1].map((side) => {
        const [kind, other] = deviceThing(cables.device[2 * n + side]);
        return action(`Go to ${nameOf(kind, other)}`, address(kind, other, cables.port[2 * n + side]), side === 1);
      }),
    ),
    facts(
      ...declaredFacts(cables, n),
      work
        ? ["task", tasksOf(n).flatMap((task, k) => [k ? ", " : "", link("task", task), ` by crew ${work.crew[task] + 1}`])]
        : null,
      [
        "one cable with rows",
        others.length > 1
          ? others.filter((other) => other !== n).flatMap((other, k) => [k ? ", " : "", link("cable", other)])
          : "",
      ],
      ["panels", panelsOf(n).flatMap((panel, k) => [k ? " – " : "", link("panel", panel)])],
      ["trays", trays.flatMap((tray, k) => [k ? " › " : "", link("tray", tray)])],
      [
        "load",
        load === null || !simulation
          ? ""
          : `${(simulation.link_load[at] / 10000).toFixed(3)} forward, ${(simulation.link_load[at + 1] / 10000).toFixed(3)} backward, at offered load ${simulation.offered[point]}`,
      ],
    ),
    breakdown(n),
  ];
}

function cablesOfPiece(n) {
  const found = [];
  for (let other = 0; other < count.cables; other++) if (cables.piece[other] === cables.piece[n]) found.push(other);
  return found;
}

function bundlePage({ n }) {
  const [a, b] = bundles.cabinet.subarray(2 * n, 2 * n + 2),
    at = (cabinet) => (cabinet < 0 ? "panel in the trays" : link("cabinet", cabinet));
  return [
    ...heading(`Bundle ${n + 1}`, at(a), at(b)),
    facts(...declaredFacts(bundles, n)),
    element("h3", {}, "Cables"),
    cableList(cablesOf.bundle(n)),
  ];
}

function trayPage({ n }) {
  const own = Array.from({ length: count.segments }, (_, k) => k).filter((k) => room.segment_tray[k] === n);
  const fullest = own.reduce((best, k) => (best === null || shareOfDesign(k) > shareOfDesign(best) ? k : best), null);
  return [
    ...heading(`Tray ${nameOf("tray", n)}`),
    facts(
      ["kind", room.tray_kinds[n] || ""],
      ["length", lengthOf(own.reduce((sum, k) => sum + room.segment_mm[k], 0))],
      ["segments", grouped(own.length)],
      ["fullest segment", fullest === null ? "" : [link("segment", fullest), `, ${segmentFill(fullest)}`]],
    ),
    cables ? [element("h3", {}, "Cables"), cableList(cablesOf.tray(n))] : null,
  ];
}

function segmentPage({ n }) {
  const carries = ["", "copper", "fiber", "copper and fiber"][room.segment_carries[n]];
  return [
    ...heading(`Tray segment ${n + 1}`, link("tray", room.segment_tray[n])),
    facts(
      ["length", lengthOf(room.segment_mm[n])],
      ["carries", carries],
      ["cross-section", room.segment_mm2[n] ? section(room.segment_mm2[n]) : "no limit given"],
    ),
    plan.trays && room.segment_mm2[n] > 0 ? meter("fill", room.segment_fill[n], room.design_fill, percent) : null,
    plan.trays
      ? element(
          "p",
          { class: "note" },
          `Design fill ${percent(room.design_fill)} of the cross-section, maximum ${percent(room.max_fill)}.`,
        )
      : null,
    cables ? [element("h3", {}, "Cables"), cableList(cablesOf.segment(n))] : null,
  ];
}

function pathPage({ from, to }) {
  const path = pathBetween(from, to);
  const title = `${nameOf("router", from)} to ${nameOf("router", to)}`;
  if (!path) return [...heading(title), element("p", { class: "note" }, "No path connects these routers.")];
  const sum = (delays_ps) => delays_ps.reduce((total, delay_ps) => total + delay_ps, 0);
  const routers_ps = latency ? sum(Array.from(path.routers, (router) => latency.router_ps[router])) : 0;
  const total = sum(Array.from(path.links, (n) => cables.delay_ps[n])) + routers_ps;
  const rows = Array.from(path.links, (cable, hop) =>
    element(
      "tr",
      {},
      element("td", {}, String(hop + 1)),
      element("td", {}, link("router", path.routers[hop])),
      element("td", {}, link("router", path.routers[hop + 1])),
      element("td", {}, link("cable", cable)),
      element("td", { class: "number" }, lengthOf(cables.stock_mm[cable])),
      element("td", { class: "number" }, nanoseconds(cables.delay_ps[cable])),
    ),
  );
  const head = ["hop", "from", "to", "cable", "stock", "delay"].map((name, n) =>
    element("th", { class: n > 3 ? "number" : "" }, name),
  );
  return [
    ...heading(title, "path between routers"),
    element("p", { class: "note" }, "The fastest of the shortest paths, at zero load."),
    facts(
      ["hops", grouped(path.links.length)],
      latency ? ["routers on the path", `${path.routers.length}, ${nanoseconds(routers_ps)}`] : null,
      latency ? ["delay", element("b", {}, nanoseconds(total))] : null,
    ),
    element("h3", {}, "Hops"),
    element("table", { class: "list" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)),
  ];
}

const panelsOf = (cable) => all(count.panels).filter((panel) => cablesOf.panel(panel).includes(cable));

function panelPage({ n }) {
  const { panels } = plan,
    own = all(panels.panel.length).filter((row) => panels.panel[row] === n),
    cabinet = panels.frame_cabinet[panels.frame[n]];
  const rows = own.map((row) =>
    element(
      "tr",
      {},
      element("td", {}, link("cable", panels.cable[row], panels.position[row])),
      element("td", {}, panels.at[row]),
      element("td", {}, panels.trunk[row]),
      element("td", {}, panels.far_position[row]),
    ),
  );
  const head = ["position", "device at the jumper", "trunk", "far panel"].map((name) => element("th", {}, name));
  return [
    ...heading(`Panel ${nameOf("panel", n)}`, cabinet >= 0 ? link("cabinet", cabinet) : "in the trays"),
    facts(
      ["frame", panels.frame_names[panels.frame[n]]],
      ["kind", panels.kinds[n]],
      ["part", panels.parts[n]],
      ["unit", String(panels.unit[n])],
    ),
    element("h3", {}, "Ports in use"),
    element("table", { class: "list" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)),
  ];
}
