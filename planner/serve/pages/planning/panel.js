// Figures, what the last step changed, broken rules, near misses.

import { element } from "./elements.js";

const money = (currency) => (cents) => `${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`;
const meters = (mm) => `${(mm / 1000).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })} m`;

// Names of figures with title and text; more is worse for all of them.
export const figuresOf = (currency) => [
  ["length_mm", "Run length", meters], ["price_cents", "Price of cables", money(currency)], ["power_mw", "Power of plugs", (mw) => `${(mw / 1000).toLocaleString("en-US")} W`],
  ["tray_percent", "Fullest tray", (percent) => `${percent.toFixed(2)} %`], ["longest_mm", "Longest cable", meters],
  ["delay_ps", "Worst delay", (ps) => `${(ps / 1000).toLocaleString("en-US")} ns`], ["near_misses", "Near misses", (number) => number.toLocaleString("en-US")],
];

export function figuresTable(currency, now, before) {
  const rows = figuresOf(currency).map(([key, title, text]) => {
    const change = before ? now[key] - before[key] : 0, bound = key === "delay_ps" && now.delay_is_bound ? "≥ " : "";
    const sign = change > 0 ? "+" : "−", shown = Math.abs(change) < 1e-9 ? "" : sign + text(Math.abs(change));
    return element("tr", { "data-figure": key }, element("th", { scope: "row" }, title), element("td", {}, bound + text(now[key])), element("td", { class: change > 0 ? "bad" : "good" }, shown));
  });
  return [element("h2", {}, "Figures"), element("table", {}, element("tbody", {}, rows))];
}

export function changeView(delta) {
  if (!delta) return [];
  const list = (items, name, word) => items.slice(0, 12).map((item) => element("li", { class: name }, `${word}: ${item.rule.replaceAll("_", " ")}, ${item.where}${item.message ? `: ${item.message}` : ""}`));
  return [
    element("h2", {}, delta.title),
    element("p", { class: "note" }, `${delta.moved_count.toLocaleString("en-US")} devices moved, ${delta.cable_count.toLocaleString("en-US")} cables changed, ${delta.trays.length} tray segments`),
    element("ul", {}, list(delta.broken, "bad", "broken"), list(delta.mended, "good", "mended")),
    cablesTable(delta),
  ];
}

function cablesTable({ cables, cable_count: count }) {
  if (!count) return null;
  const row = ({ number, run_mm: [was, is], part: [old, now] }) => element("tr", {}, element("th", { scope: "row" }, String(number)), element("td", {}, `${meters(was)} → ${meters(is)}`), element("td", {}, old === now ? "" : `${old} → ${now}`));
  return element("details", {}, element("summary", {}, `Changed cables (${count.toLocaleString("en-US")})`), element("table", {}, element("tbody", {}, cables.slice(0, 100).map(row))));
}

export function rulesView(state, nearMisses, accept) {
  const errors = state.broken, misses = nearMisses.map((miss, number) => ({ ...miss, number })).filter(({ unit_saving_cents: a, slot_saving_cents: b }) => a > 0 || b > 0).slice(0, 8);
  return [
    element("h2", {}, `Broken rules (${errors.length})`),
    errors.length ? element("ul", {}, errors.slice(0, 20).map((item) => element("li", { class: item.severity === "error" ? "bad" : "" }, `${item.rule.replaceAll("_", " ")}: ${item.where}${item.message ? `, ${item.message}` : ""}`))) : element("p", { class: "note" }, "none of those that a move can break"),
    state.estimated.length ? element("p", { class: "bad", id: "estimated" }, "Estimated until a full count: ", state.estimated.join("; ")) : null,
    misses.length ? element("h2", {}, "Near misses") : null,
    ...misses.map((miss) => {
      const by = miss.unit_saving_cents >= miss.slot_saving_cents ? "unit" : "slot";
      return element("div", { class: "buttons" }, element("span", {}, `cable ${miss.cable + 1}, ${miss.over_mm} mm too long`), element("button", { click: () => accept(miss.number, by) }, by === "unit" ? "Move the box" : `Move to ${miss.slot}`));
    }),
  ];
}
