// Tables: DataTables sorts, filters, pages and copies; the library is loaded when the first table is shown.

import { LAYERS } from "./address.js";
import { byId, element } from "./elements.js";
import { pointOf } from "./floor.js";
import { moduleOf } from "./libraries.js";
import { grouped } from "./numbers.js";
import {
  all,
  bundles,
  cabinets,
  cables,
  cellOf,
  count,
  devices,
  inOrder,
  lengthName,
  lengthUnit,
  loadOf,
  plan,
  simulation,
  work,
} from "./plan.js";
import { deviceLink, link, nameOf } from "./selection.js";
import { clock, placesOf, stageTitle } from "./work.js";

// A column: title, value in a row, and formatted value if different.
const text = (title, of, wide = false) => ({ title, of, className: wide ? "wide" : "" });
const number = (title, of, decimals = 0) => ({
  title,
  of,
  number: true,
  write: (value) => (value === null ? "" : grouped(value, decimals)),
});
// Columns of a matrix; negative numbers are shown as empty cells.
const numbers = (names, matrix) =>
  names.map((name, at) => number(name, (n) => (matrix[n * names.length + at] < 0 ? null : matrix[n * names.length + at])));

// The columns of a table as the plan declares them; the first names the object itself.
const declared = (owner, kind) =>
  owner.columns
    .filter(({ page }) => page)
    .map((column) => (column.array === null ? ownName(column, kind) : declaredColumn(owner, column)));
const ownName = ({ title, number: isNumber }, kind) => ({
  title,
  number: isNumber,
  of: (n) => (isNumber ? n + 1 : kind === "device" ? devices.names[n] : nameOf(kind, n)),
  link: (n) => (kind === "device" ? deviceLink(n) : link(kind, n)),
});

function declaredColumn(owner, column) {
  const at = (n) => cellOf(owner, column, n),
    { title, link: kind, factor, decimals } = column;
  if (kind === "device") return { title, of: (n) => devices.names[at(n)], link: (n) => deviceLink(at(n)) };
  if (kind)
    return { title, of: (n) => (at(n) < 0 ? "" : nameOf(kind, at(n))), link: (n) => (at(n) < 0 ? "" : link(kind, at(n))) };
  return column.number
    ? number(title, (n) => (Number.isNaN(at(n)) ? null : at(n) / factor), decimals)
    : text(title, at, column.wide);
}

const { verification } = plan;
const state = (n) => verification.states[verification.state[n]];

const nameAt = (cabinet) => (cabinet < 0 ? "" : nameOf("cabinet", cabinet));

export const TABLES = {
  moves: verification &&
    verification.moves.length > 0 && {
      rows: () => all(verification.moves.length),
      columns: [
        ownName({ title: "move", number: true }, "move"),
        number("crew", (n) => verification.moves[n].crew || null),
        text("cabinet", (n) => nameAt(verification.moves[n].cabinet)),
        text("unit", (n) => verification.moves[n].unit),
        text("device", (n) => verification.moves[n].device_name),
        text("from port", (n) => verification.moves[n].from),
        text("to device", (n) => verification.moves[n].to_name),
        text("to port", (n) => verification.moves[n].to),
        text("label on the plug", (n) => verification.moves[n].label),
        text("hold", (n) => (verification.moves[n].hold ? "pull and hold" : "")),
        text("certainty", (n) => verification.moves[n].certainty),
      ],
    },
  findings: verification &&
    verification.findings.length > 0 && {
      rows: () => all(verification.findings.length),
      columns: [
        ownName({ title: "finding", number: true }, "finding"),
        text("kind", (n) => verification.findings[n].kind),
        text("what", (n) => verification.findings[n].text, true),
        text("moves", (n) => verification.findings[n].moves.join(", ")),
      ],
    },
  cables: cables && {
    rows: () => all(count.cables),
    only: true,
    columns: [
      ...declared(cables, "cable"),
      ...(verification ? [text("verification", state)] : []),
      ...(simulation ? [number(`load at ${simulation.offered[pointOf(LAYERS)]}`, (n) => loadOf(n, pointOf(LAYERS)), 4)] : []),
    ],
  },
  cabinets: cabinets && { rows: () => inOrder, columns: declared(cabinets, "cabinet") },
  devices: plan.all_devices && { rows: () => all(count.devices), columns: declared(plan.all_devices, "device") },
  networks: plan.networks && { rows: () => all(plan.networks.network.length), columns: declared(plan.networks) },
  routers: devices && {
    rows: () => all(devices.routers),
    columns: [
      ...declared(devices, "router"),
      ...numbers(devices.group_names, devices.group),
      ...numbers(devices.coord_names, devices.coords).filter(({ title }) => !devices.group_names.includes(title)),
    ],
  },
  tasks: work &&
    count.tasks > 0 && {
      rows: () => all(count.tasks),
      columns: [
        ownName({ title: "task", number: true }, "task"),
        text("stage", stageTitle),
        number("crew", (n) => work.crew[n] + 1),
        text("from and to", placesOf),
        number("cables", (n) => work.pieces[n]),
        number(`run (${lengthName})`, (n) => work.run_mm[n] / lengthUnit, plan.units.mm[1]),
        text("begins", (n) => clock(work.start_s[n])),
        number("minutes", (n) => (work.end_s[n] - work.start_s[n]) / 60),
      ],
    },
  bundles: bundles && count.bundles > 0 && { rows: () => all(count.bundles), columns: declared(bundles, "bundle") },
  panels: plan.panels && { rows: () => all(plan.panels.cable.length), columns: declared(plan.panels) },
  trunks: plan.trunks && { rows: () => all(plan.trunks.bundle.length), columns: declared(plan.trunks) },
  trays: plan.trays && count.segments > 0 && { rows: () => all(count.segments), columns: declared(plan.trays, "segment") },
  existing: plan.existing && { rows: () => all(plan.existing.place.length), columns: declared(plan.existing) },
  bill: plan.bill && { rows: () => all(plan.bill.cents.length), columns: declared(plan.bill) },
  violations: plan.violations && { rows: () => all(plan.violations.rule.length), columns: declared(plan.violations) },
};
for (const name of Object.keys(TABLES)) if (!TABLES[name]) delete TABLES[name];

let tables = null,
  opened = null;

function tablesLibrary() {
  tables ||= moduleOf("tables-library")
    .then((address) => import(address))
    .then((module) => module.default);
  return tables;
}

export async function showTable(name, wanted) {
  const table = TABLES[name],
    key = `${name} ${wanted ? wanted.join() : ""}`;
  if (!table || (opened && opened.key === key)) return;
  if (opened && opened.name === name) {
    opened.key = key;
    opened.api
      .clear()
      .rows.add(wanted || table.rows())
      .draw();
    return;
  }
  if (opened && opened.api) opened.api.destroy(true);
  opened = { name, key };
  const head = element("thead", {}, element("tr", {}, ...table.columns.map(({ title }) => element("th", {}, title))));
  const mine = opened,
    holder = element("table", { class: "hover row-border" }, head);
  byId("table").replaceChildren(holder);
  const DataTable = await tablesLibrary();
  if (opened !== mine) return;
  opened.api = new DataTable(holder, optionsOf(name, table, wanted || table.rows()));
  byId("table").dataset.shown = name;
}

// Values for the library: a node to display, escaped markup to filter by, and plain values for the rest.
function cell(type, n, of, linked, write) {
  const value = of(n) ?? "";
  if (type === "filter") return marked(String(value));
  if (type !== "display") return value;
  return (linked && linked(n)) || document.createTextNode(write ? write(of(n)) : value);
}
const marked = (words) =>
  words.replace(/[&<>"]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[character]);

// The second header row contains the filters.
const oneHeader = (data) => {
  data.headerStructure = data.headerStructure.slice(0, 1);
};

function optionsOf(name, { columns }, rows) {
  const file = `${plan.name} ${name}`;
  const csv = {
    escapeExcelFormula: true,
    fieldSeparator: ",",
    fieldBoundary: '"',
    escapeChar: '"',
    title: null,
    exportOptions: { orthogonal: "export", customizeData: oneHeader, format: { body: (value) => value } },
    customize: (csvText) => `${csvText.trimEnd()}\n`,
  };
  return {
    data: rows,
    columns: columns.map(({ title, of, link: linked, write, number: isNumber, className }) => ({
      title,
      className: `${isNumber ? "dt-right" : "dt-left"} ${className || ""}`,
      type: isNumber ? "num" : "string",
      data: (n, type) => cell(type, n, of, linked, write),
    })),
    order: [],
    deferRender: true,
    pageLength: 25,
    lengthMenu: [10, 25, 50, 100, 500],
    autoWidth: false,
    ordering: { indicators: true, handler: true },
    columnControl: [{ target: 1, content: ["search"] }],
    layout: {
      topStart: {
        buttons: [
          { ...csv, extend: "copyHtml5", text: "Copy as CSV" },
          { ...csv, extend: "csvHtml5", text: "Save as CSV", filename: file },
          { extend: "colvis", text: "Columns" },
        ],
      },
      topEnd: { search: { placeholder: "any column", text: "Filter" } },
      bottomStart: ["info", "pageLength"],
      bottomEnd: "paging",
    },
    language: { emptyTable: name === "violations" ? "No violations." : "No entries.", thousands: "," },
  };
}
