// Lists of the overview: tasks, cabinets, trays; the first thing on a phone.

import { change, state } from "./address.js";
import { shareOfDesign } from "./colors.js";
import { byId, element } from "./elements.js";
import { filtered, filtersOf, filterWords } from "./filters.js";
import { grouped } from "./numbers.js";
import { all, cabinets, cables, cablesOf, count, inOrder, NODE, once, percent, plan, plural, room } from "./plan.js";
import { link, nameOf } from "./selection.js";
import { findingRows, moveRows } from "./verification.js";
import { taskRows } from "./work.js";

// Rows at first: a screen on a phone, a few where figures follow.
const FIRST = matchMedia("(max-width: 640px)").matches ? 40 : 6;

const LISTS = {
  moves: plan.verification && plan.verification.moves.length && { rows: (layers) => moveRows(layers) },
  findings: plan.verification && plan.verification.findings.length && { rows: (layers) => findingRows(layers) },
  tasks: plan.work && count.tasks && { rows: (layers) => taskRows(layers) },
  cabinets: cabinets && { rows: cabinetRows },
  trays: plan.trays && room.tray_names.length && { rows: trayRows },
};
for (const name of Object.keys(LISTS)) if (!LISTS[name]) delete LISTS[name];

function cabinetRows(layers) {
  const list = filtersOf(layers).length ? filtered(all(count.cables), layers) : null,
    here = new Uint32Array(count.cabinets);
  if (list)
    for (const cable of list)
      for (const cabinet of once([cables.cabinet[2 * cable], cables.cabinet[2 * cable + 1]])) here[cabinet]++;
  const shown = list ? inOrder.filter((n) => here[n]) : inOrder;
  const number = (n) => (list ? here[n] : cables ? cablesOf.cabinet(n).length : 0);
  return {
    note: `${plural(shown.length, "cabinet")}${list ? `: ${filterWords(layers)}` : ""}`,
    items: shown,
    row: (n) => ({
      kind: "cabinet",
      title: nameOf("cabinet", n),
      text: `${plural(cabinets.routers[n], "router")}, ${plural(cabinets[`${NODE}s`][n], NODE)}`,
      about: cables || !plan.trays ? plural(number(n), "cable") : "",
      group: `row ${cabinets.row[n]}`,
    }),
  };
}

function trayRows() {
  const own = Array.from({ length: room.tray_names.length }, () => 0);
  for (let segment = 0; segment < count.segments; segment++)
    own[room.segment_tray[segment]] = Math.max(own[room.segment_tray[segment]], shareOfDesign(segment));
  const order = all(own.length).sort((a, b) => own[b] - own[a]);
  return {
    note: `${plural(order.length, "tray")}, the fullest first`,
    items: order,
    row: (n) => ({
      kind: "tray",
      title: nameOf("tray", n),
      text: room.tray_kinds[n] || "",
      about: `${percent(own[n])} of design fill`,
      group: "",
    }),
  };
}

export function showLists(shown = FIRST) {
  const holder = byId("lists"),
    names = Object.keys(LISTS);
  if (!names.length) return;
  const name = names.includes(state.list) ? state.list : names[0],
    { note, items, row } = LISTS[name].rows(state.layers);
  const tabs = element(
    "div",
    { class: "tabs", role: "tablist", "aria-label": "Lists" },
    ...names.map((each) =>
      element(
        "button",
        { type: "button", role: "tab", "aria-selected": String(each === name), click: () => change("list", each, names[0]) },
        each,
      ),
    ),
  );
  let last = "";
  const rows = items.slice(0, shown).flatMap((n) => {
    const { kind, title, text, about, group } = row(n),
      first = group !== last;
    last = group;
    return [
      first ? element("li", { class: "group" }, group) : null,
      element(
        "li",
        {},
        link(
          kind,
          n,
          element("span", { class: "row" }, element("b", {}, title), element("span", {}, text), element("small", {}, about)),
        ),
      ),
    ];
  });
  holder.replaceChildren(
    tabs,
    element("p", { class: "note" }, note),
    element("ul", { class: "rows" }, ...rows.filter((item) => item)),
  );
  if (items.length > shown)
    holder.append(
      element("button", { type: "button", click: () => showLists(shown * 4) }, `Show more of ${grouped(items.length)}`),
    );
}
