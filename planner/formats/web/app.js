// The page: the address holds the state; everything shown follows from it.

import { change, choose, go, LAYERS, state, wantedNow } from "./address.js";
import { Floor } from "./camera.js";
import { showCharts } from "./charts.js";
import { paletteOf } from "./colors.js";
import { pageOf } from "./drawer.js";
import { byId, element } from "./elements.js";
import { filtered, FILTERS, filterWords, TRAITS } from "./filters.js";
import { pointOf } from "./floor.js";
import { showLists } from "./lists.js";
import { grouped } from "./numbers.js";
import {
  all,
  cables,
  count,
  devices,
  endsAtDevice,
  inOrder,
  latency,
  once,
  plan,
  plural,
  room,
  scene,
  simulation,
} from "./plan.js";
import { startSearch } from "./search.js";
import { showSection } from "./section.js";
import { address, cabinetsOfThing, cablesOfThing, deviceThing, KINDS, nameOf, thingOf } from "./selection.js";
import { showSpace, spaceView } from "./space.js";
import { showTable, TABLES } from "./tables.js";
import { verificationSummary } from "./verification.js";

const VIEWS = ["floor", "section", "space", "tables", "charts", "figures"];
const CHOICES = {
  cabinets: [
    "Cabinets",
    {
      ...Object.fromEntries(Object.entries(scene ? scene.shades : {}).map(([name, { choice }]) => [name, choice])),
      use: "by use",
      none: "plain",
    },
  ],
  trays: ["Trays", { fill: "by fill", plain: "plain", none: "hidden" }],
  cables: [
    "Cables",
    {
      chosen: "of the selection",
      all: "all",
      ...Object.fromEntries(Object.entries(TRAITS).map(([name, { title }]) => [name, `all, by ${title}`])),
      load: "all, by load",
      none: "hidden",
    },
  ],
  ...Object.fromEntries(
    Object.entries(FILTERS).map(([name, { title, names }]) => [
      name,
      [title, { all: "all", ...Object.fromEntries(names.map((each) => [each, each])) }],
    ]),
  ),
  lines: ["drawn", { trays: "along trays", straight: "straight" }],
  load: ["at offered load", {}],
};
let floor = null;

// On a phone lists come first; the floor of the list is the place of the selection.
const narrow = matchMedia("(max-width: 640px)");
const usualView = () => (narrow.matches ? "list" : "floor");

function follow() {
  const wanted = wantedNow(),
    before = state.address,
    pick = (key, known, usual) => (known.includes(wanted.get(key)) ? wanted.get(key) : usual);
  state.address = [...Object.keys(KINDS), "path"].map((key) => wanted.get(key)).join("|") + `|${wanted.get("port")}`;
  state.thing = thingOf(wanted);
  state.view = pick("view", narrow.matches ? ["list", ...VIEWS] : VIEWS, usualView());
  state.table = pick("table", Object.keys(TABLES), Object.keys(TABLES)[0]);
  state.only = wanted.get("only") === "1";
  state.list = wanted.get("list") || "";
  state.section = wanted.get("section") || "";
  const layers = JSON.stringify(state.layers);
  for (const [key, [, known]] of Object.entries(CHOICES)) state.layers[key] = pick(key, Object.keys(known), LAYERS[key]);
  show(state.address !== before, JSON.stringify(state.layers) !== layers);
}

function show(changed, relayered) {
  const onList = state.view === "list",
    seen = onList ? "floor" : state.view;
  for (const name of VIEWS) byId(name).hidden = name !== seen || (onList && !placed(state.thing));
  document.body.dataset.view = state.view;
  for (const tab of document.querySelectorAll("nav a")) {
    const own = tab.dataset.view === state.view,
      wanted = wantedNow();
    if (own) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
    wanted.set("view", tab.dataset.view);
    if (tab.dataset.view === usualView()) wanted.delete("view");
    tab.href = `#${wanted}`;
  }
  for (const select of document.querySelectorAll("#layers select")) select.value = state.layers[select.name];
  byId("layers").dataset.cables = state.layers.cables;
  if (changed || relayered) {
    byId("overview").hidden = state.thing !== null;
    byId("chosen").replaceChildren(
      ...(state.thing
        ? pageOf(state.thing)
            .flat(Infinity)
            .filter((part) => part)
        : []),
    );
    keepView();
  }
  if (changed) byId("drawer").scrollTop = 0;
  showFilters();
  if (!state.thing) showLists();
  if (floor && seen === "floor" && !byId("floor").hidden) {
    floor.show(state.thing, state.layers);
    if (changed || onList) floor.reveal(state.thing, narrow.matches);
  }
  if (state.view === "section") showSection(state.thing);
  if (state.view === "space") showSpace(state.thing, state.layers);
  if (state.view === "tables") showTables();
  if (state.view === "charts") showCharts();
}

// Whether a selection has a place on the floor.
const placed = (thing) =>
  Boolean(thing && !thing.missing && (cabinetsOfThing(thing).length || ["tray", "segment"].includes(thing.kind)));

function showFilters() {
  const words = filterWords(state.layers);
  byId("filters").hidden = !words;
  byId("filters").replaceChildren(
    element("span", {}, `Only ${words}`),
    element(
      "button",
      {
        type: "button",
        click: () => {
          const wanted = wantedNow();
          for (const name of Object.keys(FILTERS)) wanted.delete(name);
          go(wanted);
        },
      },
      "Show all",
    ),
  );
}

// Links within the drawer and the sections keep the view and the layers.
function keepView() {
  for (const holder of [byId("drawer"), byId("table"), byId("section-drawing")]) {
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
  const names = byId("table-names"),
    own = state.only ? cablesOfThing(state.thing) : [],
    only = byId("only");
  const list = cablesOfThing(state.thing),
    shown = filtered(own.length ? own : all(count.cables), state.layers);
  names.replaceChildren(
    ...Object.keys(TABLES).map((name) =>
      element(
        "button",
        {
          type: "button",
          role: "tab",
          "aria-selected": String(name === state.table),
          click: () => change("table", name, Object.keys(TABLES)[0]),
        },
        name,
      ),
    ),
  );
  if (!Object.keys(TABLES).length) {
    byId("table").replaceChildren(element("p", { class: "empty" }, "This plan has no tables: the study stopped too early."));
    return;
  }
  only.hidden = state.table !== "cables" || !list.length;
  only.querySelector("input").checked = state.only;
  only.querySelector("span").textContent = `only those of ${titleOf(state.thing)} (${grouped(list.length)})`;
  showTable(state.table, state.table === "cables" && shown.length < count.cables ? shown : null);
}

const titleOf = (thing) =>
  !thing || thing.missing
    ? ""
    : thing.kind === "path"
      ? "the selected path"
      : `${KINDS[thing.kind].word} ${nameOf(thing.kind, thing.n)}`;

function startLayers() {
  if (simulation) for (const load of once(simulation.offered)) CHOICES.load[1][String(load)] = String(load);
  if (!simulation) delete CHOICES.cables[1].load;
  for (const [key, [title, choices]] of Object.entries(CHOICES)) {
    if (!Object.keys(choices).length || (["cables", "lines"].includes(key) && !cables)) continue;
    if (key === "load") {
      LAYERS.load = String(simulation.offered[pointOf(LAYERS)]);
      state.layers.load = LAYERS.load;
    }
    byId("layers").append(
      element(
        "label",
        { "data-layer": key },
        title,
        element(
          "select",
          { name: key, change: (event) => change(key, event.target.value, LAYERS[key]) },
          ...Object.entries(choices).map(([value, words]) => element("option", { value }, words)),
        ),
      ),
    );
  }
}

function startVerdict() {
  byId("verdict").append(...[verificationSummary()].flat().filter((part) => part));
  if (!plan.violations) return;
  const { severity } = plan.violations,
    errors = severity.filter((each) => each === "error").length;
  const words = severity.length
    ? `${plural(errors, "error")} and ${plural(severity.length - errors, "warning")}`
    : "No violation";
  byId("verdict").append(
    element(
      "div",
      { class: `verdict${errors ? " bad" : ""}` },
      words,
      `, ${grouped(plan.violations.checked)} design rules checked. `,
      severity.length ? element("a", { href: "#view=tables&table=violations" }, "Show them") : "",
    ),
  );
}

function startWorst() {
  if (!latency || latency.worst_path.length < 2) return;
  const ends = [latency.worst_path[0], latency.worst_path.at(-1)].map((router) => nameOf("router", router));
  byId("worst").append(
    "Path with the maximum delay: ",
    element("a", { href: `#path=${encodeURIComponent(ends.join(","))}` }, ends.join(" to ")),
    ".",
  );
  byId("worst").hidden = false;
}

function setTheme(dark) {
  document.documentElement.classList.toggle("dark", dark);
  if (state.view === "space") showSpace(state.thing, state.layers);
  if (floor) {
    floor.theme();
    if (state.view === "floor") floor.show(state.thing, state.layers);
  }
  if (state.view === "charts") showCharts();
}
function startTheme() {
  const prefers = matchMedia("(prefers-color-scheme: dark)");
  let stored = null;
  try {
    stored = localStorage.getItem("planner-theme");
  } catch {
    /* browsers may forbid it for files */
  }
  setTheme(stored ? stored === "dark" : prefers.matches);
  prefers.addEventListener("change", () => setTheme(prefers.matches));
}
function otherTheme() {
  const dark = !document.documentElement.classList.contains("dark");
  setTheme(dark);
  try {
    localStorage.setItem("planner-theme", dark ? "dark" : "light");
  } catch {
    /* then it applies until the page closes */
  }
}

// Print in the light theme.
function startPrinting() {
  addEventListener("beforeprint", () => {
    const { classList } = document.documentElement;
    state.wasDark = classList.contains("dark");
    classList.remove("dark");
    document.documentElement.classList.toggle("inverted", state.wasDark);
    if (floor && state.view === "floor") {
      floor.print(paletteOf(getComputedStyle(document.documentElement)));
    }
  });
  addEventListener("afterprint", () => {
    document.documentElement.classList.toggle("dark", state.wasDark);
    document.documentElement.classList.remove("inverted");
    if (floor && state.view === "floor") {
      floor.printed = false;
      floor.resize();
      floor.show(state.thing, state.layers);
    }
  });
}

const KEYS = [
  [
    ["/"],
    "search by any part of a name or label",
    () => {
      byId("query").focus();
      byId("query").select();
    },
  ],
  [
    ["1", "2", "3", "4", "5", "6"],
    "floor, section, 3-D, tables, charts, figures",
    (key) => change("view", VIEWS[key - 1], usualView()),
  ],
  [["+", "−"], "zoom the floor or the 3-D view", (key) => zoomed(key === "+" ? 1.4 : 1 / 1.4)],
  [["0"], "whole floor", () => whole()],
  [["←", "↑", "→", "↓"], "move the floor (when focused)", null],
  [["[", "]"], "previous, next cabinet", (key) => neighbor(key === "]" ? 1 : -1)],
  [["e"], "follow: from a port to its cable, from a cable to its second end", () => followCable()],
  [["c"], "color cabinets by cables, power, fill, heat, use", () => next("cabinets")],
  [["t"], "trays by fill, plain, hidden", () => next("trays")],
  [["l"], "cables of the selection, all, by a property, hidden", () => next("cables")],
  [["s"], "cables along trays or straight", () => next("lines")],
  [["d"], "light or dark", otherTheme],
  [["Esc"], "back to the overview", () => choose("")],
  [["?"], "keyboard shortcuts", () => byId("keys").showModal()],
];
const zoomed = (factor) => (state.view === "space" ? spaceView()?.zoom(factor) : floor?.zoom(factor));
const whole = () => (state.view === "space" ? spaceView()?.fit() : floor?.fit());
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
  if (thing.kind === "cable")
    choose(address(...deviceThing(cables.device[2 * thing.n + 1]), cables.port[2 * thing.n + 1]).slice(1));
  else if (["router", "endpoint"].includes(thing.kind)) {
    const ends = endsAtDevice(thing.kind === "router" ? thing.n : thing.n + devices.routers);
    const end = Array.from(ends).find((one) => cables.port[one] === thing.port) ?? ends[0];
    if (end !== undefined) choose(address("cable", end >> 1).slice(1));
  }
}

function startKeys() {
  byId("keys").append(
    element("h2", {}, "Keyboard shortcuts"),
    element(
      "dl",
      {},
      ...KEYS.flatMap(([keys, meaning]) => [
        element("dt", {}, ...keys.map((key) => element("kbd", {}, key))),
        element("dd", {}, meaning),
      ]),
    ),
    element(
      "p",
      { class: "note" },
      "On the floor: drag to move, wheel or pinch to zoom, click a cabinet, a tray between cabinets, or a cable drawn straight. The address of the page includes the selection and can be shared.",
    ),
    element("form", { method: "dialog" }, element("button", { class: "main" }, "Close")),
  );
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
    if (event.target.closest("input, select, textarea")) return;
    if (event.key in MOVES && event.target.id === "plan-canvas") {
      event.preventDefault();
      floor.pan(...MOVES[event.key]);
      return;
    }
    const key = NAMED[event.key] || event.key,
      found = KEYS.find(([keys, , act]) => act && keys.includes(key));
    if (found) {
      event.preventDefault();
      found[2](key);
    }
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
  for (const button of document.querySelectorAll("#zoom button, #space-zoom button"))
    button.addEventListener("click", () =>
      ({ in: () => zoomed(1.4), out: () => zoomed(1 / 1.4), fit: whole })[button.dataset.zoom](),
    );
  byId("theme").addEventListener("click", otherTheme);
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("only")
    .querySelector("input")
    .addEventListener("change", (event) => change("only", event.target.checked ? "1" : "0", "0"));
  keepView();
  document.body.append(element("datalist", { id: "router-names" }));
  addEventListener("hashchange", follow);
  narrow.addEventListener("change", follow);
  addEventListener("resize", () => state.view === "section" && showSection(state.thing));
  follow();
}
start();
