// The page: the address holds the state; everything shown follows from it.

const VIEWS = ["floor", "tables", "charts", "figures"];
const CHOICES = {
  cabinets: ["Cabinets", { use: "by use", ...Object.fromEntries(Object.entries(scene ? scene.shades : {}).map(([name, { choice }]) => [name, choice])), none: "plain" }],
  trays: ["Trays", { fill: "by fill", plain: "plain", none: "hidden" }],
  cables: ["Cables", { chosen: "of the selection", all: "all", load: "all, by load", none: "hidden" }],
  network: ["of network", plan.networks ? { all: "all", ...Object.fromEntries(plan.networks.network.map((name) => [name, name])) } : {}],
  lines: ["drawn", { trays: "along trays", straight: "straight" }],
  load: ["at offered load", {}],
};
const state = { view: "floor", thing: null, layers: { ...LAYERS }, table: "cables", only: false };
let floor = null;

// Selecting an object replaces the one in the address and keeps view and layers.
function choose(thing, toFloor = false) {
  const wanted = new URLSearchParams(thing);
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) if (!(key in KINDS) && !["path", "port"].includes(key) && !wanted.has(key)) wanted.append(key, value);
  if (toFloor && state.view !== "floor" && state.view !== "tables") wanted.delete("view");
  go(wanted);
}
function change(key, value, usual) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (value === usual) wanted.delete(key);
  else wanted.set(key, value);
  go(wanted);
}
function go(wanted) {
  location.hash = wanted.toString();
}
function showInTable() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  wanted.set("view", "tables");
  wanted.delete("table");
  wanted.set("only", "1");
  go(wanted);
}

function follow() {
  const wanted = new URLSearchParams(location.hash.slice(1)), before = state.address;
  const pick = (key, known, usual) => (known.includes(wanted.get(key)) ? wanted.get(key) : usual);
  state.address = ["cabinet", "router", "endpoint", "cable", "bundle", "tray", "segment", "path"].map((key) => wanted.get(key)).join("|") + `|${wanted.get("port")}`;
  state.thing = thingOf(wanted);
  state.view = pick("view", VIEWS, "floor");
  state.table = pick("table", Object.keys(TABLES), Object.keys(TABLES)[0]);
  state.only = wanted.get("only") === "1";
  for (const [key, [, known]] of Object.entries(CHOICES)) state.layers[key] = pick(key, Object.keys(known), LAYERS[key]);
  show(state.address !== before);
}

function show(changed) {
  for (const name of VIEWS) byId(name).hidden = name !== state.view;
  document.body.dataset.view = state.view;
  for (const tab of document.querySelectorAll("nav a")) {
    const own = tab.dataset.view === state.view, wanted = new URLSearchParams(location.hash.slice(1));
    if (own) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
    wanted.set("view", tab.dataset.view);
    if (tab.dataset.view === "floor") wanted.delete("view");
    tab.href = `#${wanted}`;
  }
  for (const select of document.querySelectorAll("#layers select")) select.value = state.layers[select.name];
  byId("layers").dataset.cables = state.layers.cables;
  if (changed) {
    byId("overview").hidden = state.thing !== null;
    byId("chosen").replaceChildren(...(state.thing ? pageOf(state.thing).flat(Infinity).filter((part) => part) : []));
    byId("drawer").scrollTop = 0;
    keepView();
  }
  if (floor && state.view === "floor") {
    floor.show(state.thing, state.layers);
    if (changed) floor.reveal(cabinetsOfThing(state.thing));
  }
  if (state.view === "tables") showTables();
  if (state.view === "charts") showCharts();
}

// Links within the drawer keep the view and the layers.
function keepView() {
  for (const holder of [byId("drawer"), byId("table")]) {
    holder.onclick = (event) => {
      const found = event.target.closest("a");
      const href = found && found.getAttribute("href");
      if (!href || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      choose(href.slice(1));
    };
  }
}

function showTables() {
  const names = byId("table-names"), list = cablesOfThing(state.thing), only = byId("only");
  names.replaceChildren(...Object.keys(TABLES).map((name) => element("button", { type: "button", role: "tab", "aria-selected": String(name === state.table), click: () => change("table", name, Object.keys(TABLES)[0]) }, name)));
  if (!Object.keys(TABLES).length) {
    byId("table").replaceChildren(element("p", { class: "empty" }, "This plan has no tables: the study stopped too early."));
    return;
  }
  only.hidden = state.table !== "cables" || !list.length;
  only.querySelector("input").checked = state.only;
  only.querySelector("span").textContent = `only those of ${titleOf(state.thing)} (${grouped(list.length)})`;
  showTable(state.table, state.table === "cables" && state.only && list.length ? list : null);
}

const titleOf = (thing) => (!thing || thing.missing ? "" : thing.kind === "path" ? "the selected path" : `${KINDS[thing.kind].word} ${nameOf(thing.kind, thing.n)}`);

function startLayers() {
  if (simulation) for (const load of once(simulation.offered)) CHOICES.load[1][String(load)] = String(load);
  if (!simulation) delete CHOICES.cables[1].load;
  for (const [key, [title, choices]] of Object.entries(CHOICES)) {
    if (!Object.keys(choices).length || (["cables", "network", "lines"].includes(key) && !cables)) continue;
    if (key === "load") { LAYERS.load = String(simulation.offered[pointOf(LAYERS)]); state.layers.load = LAYERS.load; }
    byId("layers").append(element("label", { "data-layer": key }, title, element("select", { name: key, change: (event) => change(key, event.target.value, LAYERS[key]) }, ...Object.entries(choices).map(([value, words]) => element("option", { value }, words)))));
  }
}

function startVerdict() {
  if (!plan.violations) return;
  const { severity } = plan.violations, errors = severity.filter((each) => each === "error").length;
  const words = severity.length ? `${plural(errors, "error")} and ${plural(severity.length - errors, "warning")}` : "No violation";
  byId("verdict").append(element("div", { class: `verdict${errors ? " bad" : ""}` }, words, `, ${grouped(plan.violations.checked)} design rules checked. `, severity.length ? element("a", { href: "#view=tables&table=violations" }, "Show them") : ""));
}

function startWorst() {
  if (!latency || latency.worst_path.length < 2) return;
  const ends = [latency.worst_path[0], latency.worst_path.at(-1)].map((router) => nameOf("router", router));
  byId("worst").append("Path with the maximum delay: ", element("a", { href: `#path=${encodeURIComponent(ends.join(","))}` }, ends.join(" to ")), ".");
  byId("worst").hidden = false;
}

function setTheme(dark) {
  document.documentElement.classList.toggle("dark", dark);
  if (floor) { floor.theme(); if (state.view === "floor") floor.show(state.thing, state.layers); }
  if (state.view === "charts") showCharts();
}
function startTheme() {
  const prefers = matchMedia("(prefers-color-scheme: dark)");
  let stored = null;
  try { stored = localStorage.getItem("planner-theme"); } catch { /* browsers may forbid it for files */ }
  setTheme(stored ? stored === "dark" : prefers.matches);
  prefers.addEventListener("change", () => setTheme(prefers.matches));
}
function otherTheme() {
  const dark = !document.documentElement.classList.contains("dark");
  setTheme(dark);
  try { localStorage.setItem("planner-theme", dark ? "dark" : "light"); } catch { /* then it applies until the page closes */ }
}

// Print in the light theme.
function startPrinting() {
  addEventListener("beforeprint", () => {
    const { classList } = document.documentElement;
    state.wasDark = classList.contains("dark");
    classList.remove("dark");
    document.documentElement.classList.toggle("inverted", state.wasDark);
    if (floor && state.view === "floor") {
      const palette = paletteOf(getComputedStyle(document.documentElement));
      byId("legend").replaceChildren(...legendOf(state.layers, floor.shown, palette));
      floor.print(palette);
    }
  });
  addEventListener("afterprint", () => {
    document.documentElement.classList.toggle("dark", state.wasDark);
    document.documentElement.classList.remove("inverted");
    if (floor && state.view === "floor") { floor.printed = false; floor.resize(); floor.show(state.thing, state.layers); }
  });
}

const KEYS = [
  [["/"], "search by any part of a name or label", () => { byId("query").focus(); byId("query").select(); }],
  [["1", "2", "3", "4"], "floor, tables, charts, figures", (key) => change("view", VIEWS[key - 1], "floor")],
  [["+", "−"], "zoom the floor", (key) => floor && floor.zoom(key === "+" ? 1.4 : 1 / 1.4)],
  [["0"], "whole floor", () => floor && floor.fit()],
  [["←", "↑", "→", "↓"], "move the floor (when focused)", null],
  [["[", "]"], "previous, next cabinet", (key) => neighbor(key === "]" ? 1 : -1)],
  [["e"], "follow: from a port to its cable, from a cable to its second end", () => followCable()],
  [["c"], "color cabinets by use, power, heat, fill", () => next("cabinets")],
  [["t"], "trays by fill, plain, hidden", () => next("trays")],
  [["l"], "cables of the selection, all, by load, hidden", () => next("cables")],
  [["s"], "cables along trays or straight", () => next("lines")],
  [["d"], "light or dark", otherTheme],
  [["Esc"], "back to the overview", () => choose("")],
  [["?"], "keyboard shortcuts", () => byId("keys").showModal()],
];
const NAMED = { "-": "−", "=": "+", Escape: "Esc" };
const MOVES = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };

function next(key) {
  const known = Object.keys(CHOICES[key][1]);
  change(key, known[(known.indexOf(state.layers[key]) + 1) % known.length], LAYERS[key]);
}
function neighbor(step) {
  if (!inOrder.length) return;
  const at = inOrder.indexOf(cabinetsOfThing(state.thing)[0] ?? -1);
  const wanted = at < 0 ? (step > 0 ? 0 : inOrder.length - 1) : (at + step + inOrder.length) % inOrder.length;
  choose(address("cabinet", inOrder[wanted]).slice(1));
}
function followCable() {
  const { thing } = state;
  if (!thing || thing.missing || !cables) return;
  if (thing.kind === "cable") choose(address(...deviceThing(cables.device[2 * thing.n + 1]), cables.port[2 * thing.n + 1]).slice(1));
  else if (["router", "endpoint"].includes(thing.kind)) {
    const ends = endsAtDevice(thing.kind === "router" ? thing.n : thing.n + devices.routers);
    const end = Array.from(ends).find((one) => cables.port[one] === thing.port) ?? ends[0];
    if (end !== undefined) choose(address("cable", end >> 1).slice(1));
  }
}

function startKeys() {
  byId("keys").append(element("h2", {}, "Keyboard shortcuts"), element("dl", {}, ...KEYS.flatMap(([keys, meaning]) => [element("dt", {}, ...keys.map((key) => element("kbd", {}, key))), element("dd", {}, meaning)])),
    element("p", { class: "note" }, "On the floor: drag to move, wheel or pinch to zoom, click a cabinet, a tray between cabinets, or a cable drawn straight. The address of the page includes the selection and can be shared."),
    element("form", { method: "dialog" }, element("button", { class: "main" }, "Close")));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
    if (event.target.closest("input, select, textarea")) return;
    if (event.key in MOVES && event.target.id === "plan-canvas") { event.preventDefault(); floor.pan(...MOVES[event.key]); return; }
    const key = NAMED[event.key] || event.key, found = KEYS.find(([keys, , act]) => act && keys.includes(key));
    if (found) { event.preventDefault(); found[2](key); }
  });
}

function start() {
  startLayers();
  startTheme();
  startVerdict();
  startWorst();
  startSearch();
  startKeys();
  startPrinting();
  if (room) floor = new Floor(byId("plan-canvas"), (thing) => (thing ? choose(address(thing.kind, thing.n).slice(1)) : null));
  else for (const id of ["plan-canvas", "legend", "zoom", "layers"]) byId(id).hidden = true;
  byId("floor-empty").hidden = Boolean(room);
  for (const button of document.querySelectorAll("#zoom button")) button.addEventListener("click", () => ({ in: () => floor.zoom(1.4), out: () => floor.zoom(1 / 1.4), fit: () => floor.fit() })[button.dataset.zoom]());
  byId("theme").addEventListener("click", otherTheme);
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("only").querySelector("input").addEventListener("change", (event) => change("only", event.target.checked ? "1" : "0", "0"));
  document.body.append(element("datalist", { id: "router-names" }));
  addEventListener("hashchange", follow);
  follow();
}
start();
