// Figures, what the last step changed, broken rules, near misses.

import { element } from "/static/web/elements.js";
import { grouped, SPACE } from "/static/web/numbers.js";

const money = (currency) => (cents) => `${grouped(cents / 100, 2)}${SPACE}${currency}`;
const meters = (mm) => `${grouped(mm / 1000, 2)}${SPACE}m`;
const words = (name) => name.replaceAll("_", " ");
const decimals = (number) => (Number.isInteger(number) ? 0 : 3);

// Names of figures with title and text; more is worse for all of them.
export const figuresOf = (currency) => [
  ["length_mm", "Run length", meters],
  ["price_cents", "Price of cables", money(currency)],
  ["power_mw", "Power of plugs", (mw) => `${grouped(mw / 1000, mw % 1000 ? 1 : 0)}${SPACE}W`],
  ["tray_percent", "Fullest tray", (percent) => `${grouped(percent, 2)}${SPACE}%`],
  ["longest_mm", "Longest cable", meters],
  ["delay_ps", "Worst delay", (ps) => `${grouped(ps / 1000, decimals(ps / 1000))}${SPACE}ns`],
  ["near_misses", "Near misses", (number) => grouped(number)],
];
export const priceOf = (currency, cents) => money(currency)(cents);

export function figuresTable(currency, now, before) {
  const rows = figuresOf(currency).map(([key, title, text]) => {
    const change = before ? now[key] - before[key] : 0,
      bound = key === "delay_ps" && now.delay_is_bound ? "≥ " : "";
    const sign = change > 0 ? "+" : "−",
      shown = Math.abs(change) < 1e-9 ? "" : sign + text(Math.abs(change));
    return element(
      "tr",
      { "data-figure": key },
      element("th", { scope: "row" }, title),
      element("td", {}, bound + text(now[key])),
      element("td", { class: change > 0 ? "bad" : "good" }, shown),
    );
  });
  return [element("table", {}, element("tbody", {}, rows))];
}

export function changeView(delta) {
  if (!delta) return [];
  const list = (items, name, word) =>
    items
      .slice(0, 12)
      .map((item) =>
        element("li", { class: name }, `${word}: ${words(item.rule)}, ${item.where}${item.message ? `: ${item.message}` : ""}`),
      );
  const rules = [list(delta.broken, "bad", "broken"), list(delta.mended, "good", "mended")].flat();
  return [
    element("h2", {}, `Last step: ${delta.title}`),
    element(
      "p",
      { class: "note" },
      `${grouped(delta.moved_count)} devices moved, ${grouped(delta.cable_count)} cables changed, ${grouped(delta.trays.length)} tray segments`,
    ),
    rules.length ? element("ul", {}, rules) : null,
    cablesTable(delta),
  ];
}

function cablesTable({ cables, cable_count: count }) {
  if (!count) return null;
  const row = ({ number, run_mm: [was, is], part: [old, now] }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, String(number)),
      element("td", {}, `${meters(was)} → ${meters(is)}`),
      element("td", { class: "part" }, old === now ? "" : `${old} → ${now}`),
    );
  const head = element(
    "tr",
    {},
    ["Cable", "Run length", "Part"].map((title) => element("th", { scope: "col" }, title)),
  );
  const more = count > 100 ? element("p", { class: "note" }, `and ${grouped(count - 100)} more`) : null;
  return element(
    "details",
    {},
    element("summary", {}, `Changed cables (${grouped(count)})`),
    element("table", {}, element("thead", {}, head), element("tbody", {}, cables.slice(0, 100).map(row))),
    more,
  );
}

export function rulesView({ broken, broken_count: count, estimated }) {
  const line = (item) =>
    element(
      "li",
      { class: item.severity === "error" ? "bad" : "" },
      `${words(item.rule)}: ${item.where}${item.message ? `, ${item.message}` : ""}`,
    );
  return [
    element("h2", {}, `Broken rules (${grouped(count)})`),
    broken.length
      ? element("ul", {}, broken.slice(0, 20).map(line))
      : element("p", { class: "note" }, "None of those that a move can break."),
    count > 20 ? element("p", { class: "note" }, `and ${grouped(count - 20)} more`) : null,
    estimated.length
      ? element("p", { class: "bad", id: "estimated" }, "Estimated until a full count: ", estimated.join("; "))
      : null,
  ];
}

// Near misses with what their moves save; a click makes the move.
export function missesView(currency, { count, proposals }, may, accept) {
  const row = ({ number, by, cable, over_mm: over, ends, move, saving_cents: saving }) => {
    const what = by === "unit" ? `${move.what} to unit ${move.unit}` : `cabinet ${move.what} to ${move.to}`;
    return element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        element("b", {}, what),
        element(
          "span",
          { class: "note" },
          `cable ${cable}, ${ends.join(" to ")}: ${grouped(over)}${SPACE}mm too long for a cheaper one`,
        ),
      ),
      element("td", { class: "good" }, `−${priceOf(currency, saving)}`),
      element(
        "td",
        {},
        element(
          "button",
          { type: "button", disabled: !may, "aria-label": `Accept: ${what}`, click: () => accept(number, by) },
          "Accept",
        ),
      ),
    );
  };
  const note =
    count === 0
      ? "No cable is slightly too long for a cheaper one."
      : proposals.length
        ? `${grouped(count)} cables are slightly too long for a cheaper one; these moves would help.`
        : `${grouped(count)} cables are slightly too long for a cheaper one; no move of a box or cabinet is known that would help. A full count looks again.`;
  return [
    element("p", { class: "note" }, note),
    proposals.length ? element("table", { id: "misses" }, element("tbody", {}, proposals.slice(0, 20).map(row))) : null,
  ];
}

// Units that people read instead of those of the figures: size and name.
const READ = { mm: [1000, "m"], ps: [1000, "ns"], mW: [1e6, "kW"], g: [1000, "kg"], s: [3600, "h"] };
const SUFFIX = / (mm|ps|mw|g|s|cents|percent)$/;

// Figures of plans next to each other, as far as they differ.
export function sidesTable({ names, broken, quantities, currency }) {
  const text = (value, size = 1) =>
    value === null || value === undefined
      ? "–"
      : typeof value === "number"
        ? grouped(value / size, size > 1 ? 2 : decimals(value))
        : String(value);
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "Figure"),
    names.map((name) => element("th", { scope: "col" }, name)),
    element("th", { scope: "col" }, "Unit"),
  );
  const rows = Object.entries(quantities).map(([name, { unit, values }]) => {
    const [size, title] = unit.startsWith("cents") ? [100, unit.replace("cents", currency)] : (READ[unit] ?? [1, unit]);
    return element(
      "tr",
      { "data-quantity": name },
      element("th", { scope: "row" }, words(name).replace(SUFFIX, "")),
      values.map((value) => element("td", {}, text(value, size))),
      element("td", { class: "unit" }, title),
    );
  });
  const rules = element(
    "tr",
    {},
    element("th", { scope: "row" }, "broken rules"),
    broken.map((number) => element("td", {}, text(number))),
    element("td", {}),
  );
  if (!rows.length) return element("p", { class: "note" }, "All figures are equal.");
  return element("table", { class: "sides" }, element("thead", {}, head), element("tbody", {}, rules, rows));
}
