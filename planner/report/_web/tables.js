// Tables: DataTables sorts, filters, pages and copies; the library is loaded when the first table is shown.

// A column: title, value in a row, and formatted value if different.
const text = (title, of, wide = false) => ({ title, of, className: wide ? "wide" : "" });
const number = (title, of, decimals = 0) => ({ title, of, number: true, write: (value) => (value === null ? "" : grouped(value, decimals)) });
const toThing = (title, kind, of) => ({ title, of: (n) => (of(n) < 0 ? "" : nameOf(kind, of(n))), link: (n) => (of(n) < 0 ? "" : link(kind, of(n))) });
const toDevice = (title, of) => ({ title, of: (n) => devices.names[of(n)], link: (n) => deviceLink(of(n)) });
const rank = (kind) => ({ title: KINDS[kind].word, number: true, of: (n) => n + 1, link: (n) => link(kind, n) });
const all = (size) => Array.from({ length: size }, (_, n) => n);

const TABLES = {
  cables: cables && {
    rows: () => all(count.cables), only: true,
    columns: [
      rank("cable"), text("label, first end", (n) => cables.label_a[n]), text("label, second end", (n) => cables.label_b[n]),
      toDevice("first end", (n) => cables.device[2 * n]), number("first port", (n) => cables.port[2 * n]), toThing("first cabinet", "cabinet", (n) => cables.cabinet[2 * n]),
      toDevice("second end", (n) => cables.device[2 * n + 1]), number("second port", (n) => cables.port[2 * n + 1]), toThing("second cabinet", "cabinet", (n) => cables.cabinet[2 * n + 1]),
      text("kind", (n) => cables.kinds[cables.kind[n]]), text("medium", medium), text("part", (n) => cables.assemblies[cables.assembly[n]][0]),
      number("run (m)", (n) => cables.run_mm[n] / 1000, 3), number("stock (m)", (n) => cables.stock_mm[n] / 1000, 3), number("delay (ns)", (n) => cables.delay_ps[n] / 1000, 3),
      toThing("bundle", "bundle", (n) => cables.bundle[n]), text("stage", (n) => cables.stage_names[cables.stage[n]]),
      ...(simulation ? [number(`load at ${simulation.offered[pointOf(LAYERS)]}`, (n) => loadOf(n, pointOf(LAYERS)), 4)] : []),
    ],
  },
  cabinets: cabinets && {
    rows: () => inOrder,
    columns: [
      toThing("cabinet", "cabinet", (n) => n), text("row", (n) => cabinets.rows[n]), number("routers", (n) => cabinets.routers[n]), number("endpoints", (n) => cabinets.endpoints[n]),
      number("cables", (n) => cablesOf.cabinet(n).length), number("units used", (n) => cabinets.used_units[n]), number("maximum power (kW)", (n) => cabinets.power_max_mw[n] / 1e6, 3),
      number("supply (kW)", (n) => cabinets.power_limit_mw[n] / 1e6, 3), number("floor load (kg)", (n) => cabinets.total_g[n] / 1000, 1),
    ],
  },
  routers: devices && {
    rows: () => all(devices.routers),
    columns: [
      toThing("router", "router", (n) => n), toThing("cabinet", "cabinet", (n) => devices.cabinet[n]), number("unit", (n) => devices.unit[n]), number("endpoints", (n) => behindRouter(n).length),
      number("ports in use", (n) => endsAtDevice(n).length),
      ...devices.group_names.map((name, level) => number(name, (n) => devices.group[n * devices.group_names.length + level])),
      ...devices.coord_names.filter((name) => !devices.group_names.includes(name)).map((name, axis) => number(name, (n) => devices.coords[n * devices.coord_names.length + axis])),
    ],
  },
  bundles: bundles && count.bundles > 0 && {
    rows: () => all(count.bundles),
    columns: [
      rank("bundle"), text("kind", (n) => bundles.kinds[bundles.kind[n]]), text("part", (n) => (bundles.part[n] < 0 ? "" : bundles.parts[bundles.part[n]])),
      toThing("from", "cabinet", (n) => bundles.cabinet[2 * n]), toThing("to", "cabinet", (n) => bundles.cabinet[2 * n + 1]), number("cables", (n) => inBundle(n).length),
      number("diameter (mm)", (n) => bundles.diameter_um[n] / 1000, 1), number("run (m)", (n) => bundles.run_mm[n] / 1000, 3),
    ],
  },
  trays: room && count.segments > 0 && {
    rows: () => all(count.segments),
    columns: [
      { ...rank("segment"), title: "segment" }, toThing("tray", "tray", (n) => room.segment_tray[n]), text("kind", (n) => room.tray_kinds[room.segment_tray[n]] || ""), number("length (m)", (n) => room.segment_mm[n] / 1000, 3),
      number("cross-section (mm²)", (n) => room.segment_mm2[n] || null), number("fill (%)", (n) => (room.segment_mm2[n] ? 100 * room.segment_fill[n] : null), 2),
      number("of design fill (%)", (n) => (room.segment_mm2[n] ? 100 * shareOfDesign(n) : null), 2),
    ],
  },
  bill: plan.bill && {
    rows: () => all(plan.bill.lines.length),
    columns: ["category", "part", "description"].map((title, at) => text(title, (n) => plan.bill.lines[n][at], at === 2)).concat([
      number("quantity", (n) => plan.bill.lines[n][3]), number(`each (${plan.bill.currency})`, (n) => plan.bill.lines[n][4] / 100, 2), number(`total (${plan.bill.currency})`, (n) => plan.bill.lines[n][5] / 100, 2),
      number("power (W)", (n) => plan.bill.lines[n][6] / 1000, 1), number("mass (kg)", (n) => plan.bill.lines[n][7] / 1000, 1)]),
  },
  violations: plan.violations && {
    rows: () => all(plan.violations.items.length),
    columns: ["severity", "rule", "where", "value", "limit", "unit", "message"].map((title, at) => (at === 3 || at === 4 ? number(title, (n) => plan.violations.items[n][at], 2) : text(title, (n) => plan.violations.items[n][at], at === 2 || at === 6))),
  },
};
for (const name of Object.keys(TABLES)) if (!TABLES[name]) delete TABLES[name];

let library = null, opened = null;

function tablesLibrary() {
  const address = () => URL.createObjectURL(new Blob([byId("tables-library").textContent], { type: "text/javascript" }));
  library ||= import(address()).then((module) => module.default);
  return library;
}

async function showTable(name, wanted) {
  const table = TABLES[name], key = `${name} ${wanted ? wanted.join() : ""}`;
  if (!table || (opened && opened.key === key)) return;
  if (opened && opened.name === name) {
    opened.key = key;
    opened.api.clear().rows.add(wanted || table.rows()).draw();
    return;
  }
  if (opened && opened.api) opened.api.destroy(true);
  opened = { name, key };
  const head = element("thead", {}, element("tr", {}, ...table.columns.map(({ title }) => element("th", {}, title))));
  const mine = opened, holder = element("table", { class: "hover row-border" }, head);
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
const marked = (words) => words.replace(/[&<>"]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[character]);

// The second header row contains the filters.
const oneHeader = (data) => { data.headerStructure = data.headerStructure.slice(0, 1); };

function optionsOf(name, { columns }, rows) {
  const file = `${plan.name} ${name}`;
  const csv = { escapeExcelFormula: true, fieldSeparator: ",", fieldBoundary: '"', escapeChar: '"', title: null, exportOptions: { orthogonal: "export", customizeData: oneHeader, format: { body: (value) => value } }, customize: (csvText) => `${csvText.trimEnd()}\n` };
  return {
    data: rows,
    columns: columns.map(({ title, of, link: linked, write, number: isNumber, className }) => ({
      title, className: `${isNumber ? "dt-right" : "dt-left"} ${className || ""}`, type: isNumber ? "num" : "string",
      data: (n, type) => cell(type, n, of, linked, write),
    })),
    order: [], deferRender: true, pageLength: 25, lengthMenu: [10, 25, 50, 100, 500], autoWidth: false,
    ordering: { indicators: true, handler: true },
    columnControl: [{ target: 1, content: ["search"] }],
    layout: { topStart: { buttons: [{ ...csv, extend: "copyHtml5", text: "Copy as CSV" }, { ...csv, extend: "csvHtml5", text: "Save as CSV", filename: file }, { extend: "colvis", text: "Columns" }] }, topEnd: { search: { placeholder: "any column", text: "Filter" } }, bottomStart: ["info", "pageLength"], bottomEnd: "paging" },
    language: { emptyTable: name === "violations" ? "No violations." : "No entries.", thousands: "," },
  };
}
