// Elements shared by the pages of the drawer.

import { choose, showInTable, state } from "./address.js";
import { css, mediumClass, paletteOf } from "./colors.js";
import { element } from "./elements.js";
import { filtered, filterWords } from "./filters.js";
import { grouped, SPACE } from "./numbers.js";
import { cables, cellOf, devices, endsAtDevice, farEnd, lengthOf, medium, percent, portName, portNamesOf } from "./plan.js";
import { deviceLink, deviceThing, link, nameOf } from "./selection.js";

export const facts = (...rows) =>
  element(
    "dl",
    { class: "facts" },
    ...rows
      .filter((row) => row && row[1] !== "" && row[1] !== null && row[1].length !== 0)
      .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
  );

export function meter(name, value, limit, written) {
  const share = limit > 0 ? value / limit : 0,
    unitless = (amount) => written(amount).split(SPACE + (written(0).split(SPACE)[1] || SPACE))[0];
  const bar = element(
    "div",
    { class: "meter" },
    element("i", { class: share > 1 ? "over" : "", style: `width:${Math.min(100, 100 * share)}%` }),
  );
  const text = limit > 0 ? `${unitless(value)} of ${written(limit)}, ${percent(share)}` : written(value);
  return element("div", {}, facts([name, text]), limit > 0 ? bar : null);
}

export function heading(title, ...trail) {
  const steps = trail.flatMap((step, n) => (n ? [" › ", step] : [step]));
  return [
    element(
      "button",
      { type: "button", class: "close", "aria-label": "Back to the overview", title: "Overview (Esc)", click: () => choose("") },
      "×",
    ),
    steps.length ? element("p", { class: "steps" }, ...steps) : null,
    element("h2", {}, title),
  ];
}

export function action(text, act, main = false) {
  return typeof act === "string"
    ? element("a", { href: act, class: `button${main ? " main" : ""}` }, text)
    : element("button", { type: "button", class: main ? "main" : "", click: act }, text);
}

// Cables as rows: link, near and far end, and length.
const ROWS = 60;
export function cableList(every, near = () => 0) {
  const list = filtered(every, state.layers),
    words = filterWords(state.layers);
  if (!list.length)
    return element(
      "p",
      { class: "note" },
      words && every.length ? `No cables of ${words}; ${grouped(every.length)} without this filter.` : "No cables.",
    );
  const rows = list.slice(0, ROWS).map((cable) => {
    const end = 2 * cable + near(cable),
      far = farEnd(end);
    return element(
      "tr",
      {},
      element("td", {}, link("cable", cable, String(cable + 1))),
      element("td", {}, deviceLink(cables.device[end], cables.port[end]), ` : ${portName(end)}`),
      element(
        "td",
        {},
        deviceLink(cables.device[far], cables.port[far]),
        ` : ${portName(far)}`,
        element("br"),
        element("span", { class: "note" }, `in ${nameOf("cabinet", cables.cabinet[far])}`),
      ),
      element("td", { class: "number" }, lengthOf(cables.stock_mm[cable])),
    );
  });
  const head = element(
    "tr",
    {},
    ...["cable", "from", "to"].map((name) => element("th", {}, name)),
    element("th", { class: "number" }, "stock"),
  );
  return [
    list.length < every.length
      ? element("p", { class: "note" }, `${grouped(list.length)} of ${grouped(every.length)}: ${words}.`)
      : null,
    element("table", { class: "list" }, element("thead", {}, head), element("tbody", {}, ...rows)),
    list.length > ROWS ? element("p", { class: "note" }, `${grouped(ROWS)} of ${grouped(list.length)}. `) : null,
    element(
      "div",
      { class: "acts" },
      action(`Show ${list.length > 1 ? `all ${grouped(list.length)}` : "it"} in the table`, () => showInTable()),
    ),
  ];
}

export function mediumKey(list) {
  const used = new Set(list.map(medium));
  return element(
    "div",
    { class: "key" },
    ...cables.media
      .filter((name) => used.has(name))
      .map((name) => element("span", {}, element("i", { style: `background:var(--${mediumClass(name)})` }), name)),
  );
}

// The cables of one device by port, with the free ports; free ones only where the device's number of ports is known.
export function portMap(device, ports, chosen) {
  const at = new Map();
  for (const end of endsAtDevice(device)) at.set(cables.port[end], end);
  const last = Math.max(ports, ...at.keys());
  const names = portNamesOf(devices.part[device]),
    long = names !== null && names.some((name) => name.length > 5);
  return element(
    "div",
    { class: long ? "ports named" : "ports", role: "group", "aria-label": "Ports" },
    ...Array.from({ length: last }, (_, n) => {
      const port = n + 1,
        end = at.get(port),
        name = names ? names[n] : String(port);
      if (end === undefined) return element("span", { title: `port ${name}: free` }, name);
      const far = farEnd(end),
        other = nameOf(...deviceThing(cables.device[far]));
      const text = `port ${name} to ${other} port ${portName(far)} in ${nameOf("cabinet", cables.cabinet[far])}`;
      return link("cable", end >> 1, name, {
        class: `${mediumClass(medium(end >> 1))}${port === chosen ? " on" : ""}`,
        title: text,
        "aria-label": text,
        "data-port": port,
      });
    }),
  );
}

// The declared facts of an object.
export const declaredFacts = (owner, n) =>
  owner.columns.filter(({ card }) => card).map((column) => [column.heading, factOf(column, cellOf(owner, column, n))]);

function factOf({ link: kind, number: isNumber, factor, decimals, unit }, value) {
  if (kind) return value < 0 ? "" : link(kind, value);
  return isNumber ? `${grouped(value / factor, decimals)}${unit ? SPACE + unit : ""}` : value;
}

const PART_COLORS = { rise_mm: 2, drop_mm: 3, tray_mm: 4 };

export function breakdown(cable) {
  const rows = cables.columns
    .filter(({ part }) => part)
    .map((column) => [column.part, cellOf(cables, column, cable), PART_COLORS[column.array] || 1])
    .filter(([, length]) => length !== 0);
  const [run, stock] = [cables.run_mm[cable], cables.stock_mm[cable]];
  const palette = paletteOf(getComputedStyle(document.documentElement));
  const bar = element(
    "div",
    { class: "parts", "aria-hidden": "true" },
    ...rows.map(([name, length, step]) =>
      element("i", {
        title: `${name}: ${lengthOf(length)}`,
        style: `width:${(100 * Math.max(length, 0)) / Math.max(stock, run, 1)}%;background:${css(palette.ramps.fill[step])}`,
      }),
    ),
  );
  return [
    element("h3", {}, "Length"),
    bar,
    facts(
      ...rows.map(([name, length]) => [name, lengthOf(length)]),
      ["run length", element("b", {}, lengthOf(run))],
      ["margin", lengthOf(stock - run)],
      ["stock length", element("b", {}, lengthOf(stock))],
    ),
  ];
}
