// Rooms: outline, halls, zones and keep-outs corner by corner, rows and trays by dragging, rows by aisle widths, the network there.

import { begin, get, mayChange, send, upload } from "/static/planning/api.js";
import { sidesTable } from "/static/planning/figures.js";
import { offerAfter, watch } from "/static/planning/newer.js";
import { held, pointOf, View } from "/static/planning/view.js";
import { byId, element, shape } from "/static/web/elements.js";
import { handles } from "./corners.js";
import { cornersOf, KINDS, pointsOf, shapesOf } from "./things.js";

const EMPTY = [-2000, -14000, 20000, 16000],
  MARGIN = 900;
const COARSE = matchMedia("(pointer: coarse)"),
  SHARES = ["design_fill", "max_fill"];
const BY_CLICKS = ["tray", "zone", "hall"],
  WORDS = {
    move: "Drag things; choose one to change it, and drag its corners.",
    outline: "Click the corners; end on the first one.",
  };
let state,
  tool = "move",
  draft = [],
  chosen = null,
  cabinets = [],
  waiting = Promise.resolve(),
  view;

const message = (text, bad = false) => {
  byId("message").textContent = text;
  byId("message").className = bad ? "bad" : "";
};
function perform(request) {
  waiting = waiting.then(request).catch((error) => {
    draft = [];
    draw();
    return failed(error);
  });
  return waiting;
}
function failed(error) {
  message(error.message, true);
  return offerAfter(error, message);
}
const step = (content, words) =>
  perform(async () => {
    cabinets = [];
    byId("keeping").hidden = true;
    refresh(await send("/api/rooms", content));
    message(words ?? content.do);
  });
const number = (id) => Math.round(Number(byId(id).value));
const grid = () => Math.max(1, number("grid"));
const snap = (point) => point.map((each) => Math.round(each / grid()) * grid());
const at = (event) => {
  const [x, y] = pointOf(view.svg, event);
  return snap([x, -y]);
};
const drawn = () => byId("kind").value;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const words = (key) =>
  key
    .replace(/_mm$/, ", mm")
    .replace(/_mw$/, ", W")
    .replace(/_g_per_m2$/, ", kg/m²")
    .replaceAll("_", " ");
// Powers are written in watts and loads in kilograms.
const factor = (key) => (key.endsWith("_mw") || key.includes("_g") ? 1000 : 1);

function thing(kind, table) {
  const on = chosen && chosen.kind === kind && chosen.name === table.name;
  const node = shape(
    "g",
    {
      class: `thing ${kind}${on ? " chosen" : ""}`,
      tabindex: "0",
      role: "button",
      "data-name": table.name,
      "aria-label": `${kind} ${table.name}`,
    },
    shapesOf(kind, table),
  );
  node.addEventListener("focus", () => choose(kind, table.name));
  node.addEventListener("keydown", (event) => {
    const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (turn) {
      event.preventDefault();
      step({ do: "move", kind, name: table.name, by_mm: turn.map((each) => each * grid()) }, `moved ${table.name}`);
    }
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      step({ do: "remove", kind, name: table.name }, `removed ${table.name}`);
    }
  });
  node.addEventListener("pointerdown", (event) => {
    if (tool === "move" && !event.button && (event.pointerType === "mouse" || on)) grab(event, node, kind, table.name);
  });
  return node;
}

function grab(event, node, kind, name) {
  event.preventDefault();
  const start = at(event),
    by = (now) => at(now).map((each, axis) => each - start[axis]);
  held(
    (now) => {
      const [x, y] = by(now);
      node.setAttribute("transform", `translate(${x} ${-y})`);
    },
    (now) => {
      node.removeAttribute("transform");
      const moved = by(now);
      if (now.type === "pointerup" && (moved[0] || moved[1])) step({ do: "move", kind, name, by_mm: moved }, `moved ${name}`);
      else {
        choose(kind, name);
        node.focus({ preventScroll: true });
      }
    },
  );
}

function choose(kind, name = "") {
  if (chosen?.kind === kind && chosen?.name === name) return;
  chosen = { kind, name };
  for (const node of view.svg.querySelectorAll(".thing"))
    node.classList.toggle("chosen", node.classList.contains(kind) && node.dataset.name === name);
  view.svg.querySelector(".outline")?.classList.toggle("chosen", kind === "outline");
  showChosen();
}

const tableOf = () =>
  chosen?.kind === "outline" ? state.data : chosen && (state.data[chosen.kind] ?? []).find(({ name }) => name === chosen.name);

// The focus stays at a corner, and in a field, by their numbers and ids.
function showChosen(before = document.activeElement) {
  const table = tableOf(),
    holder = view.svg.querySelector(".corners");
  const usable = table && tool === "move" && (chosen.kind !== "outline" || table.outline_mm) && mayChange();
  const corners =
    usable && (chosen.kind === "outline" || cornersOf(table).length)
      ? handles(chosen, table, {
          at,
          grid,
          step,
          scale: () => ((COARSE.matches ? 14 : 7) * view.box[2]) / Math.max(view.svg.clientWidth, 1),
        })
      : [];
  holder.replaceChildren(...corners);
  byId("chosen").replaceChildren(...(table ? chosenPart(table) : []));
  const { corner } = before?.dataset ?? {};
  if (corner !== undefined) holder.querySelector(`[data-corner="${corner}"]`)?.focus({ preventScroll: true });
  else if (before?.id?.startsWith("f") && !before.isConnected) byId(before.id)?.focus({ preventScroll: true });
}

function chosenPart(table) {
  const { kind, name } = chosen;
  const note = corners(table)
    ? element(
        "p",
        { class: "note" },
        "Drag a corner, or move it with the arrow keys. A dot in the middle of an edge adds one; a double click or Delete removes one.",
      )
    : null;
  if (kind === "outline") return [element("h2", {}, "Room"), note, factsPart(table)];
  const input = (key, type, value) =>
    element(
      "label",
      {},
      capital(words(key)),
      element("input", {
        id: `field-${key}`,
        class: type === "text" ? "wide" : "",
        type,
        placeholder: "default",
        value: value ?? "",
        change: ({ target }) => set(key, target.value),
      }),
    );
  const set = (key, text) => {
    const entry = key === "name" ? text : text === "" ? null : Math.round(Number(text) * factor(key));
    if (key === "name") chosen = { kind, name: text };
    step({ do: "change", kind, name, keys: { [key]: entry } }, `changed ${name}`);
  };
  return [
    element("h2", {}, capital(`${kind === "obstacle" ? table.kind : kind} ${name}`)),
    note,
    element(
      "div",
      { class: "measures" },
      input("name", "text", name),
      (state.fields[kind] ?? []).map((key) => input(key, "number", table[key] === undefined ? "" : table[key] / factor(key))),
    ),
    element(
      "div",
      { class: "buttons" },
      element(
        "button",
        { id: "remove", type: "button", click: () => step({ do: "remove", kind, name }, `removed ${name}`) },
        "Remove",
      ),
    ),
  ];
}
// Facts of the whole room; limits are those of each slot.
function factsPart(data) {
  const set = (key, text) =>
    step(
      {
        do: "facts",
        keys: {
          [key]: key === "title" ? text : SHARES.includes(key) ? Number(text) / 100 : Math.round(Number(text) * factor(key)),
        },
      },
      `changed ${words(key)}`,
    );
  const value = (key) =>
    data[key] === undefined
      ? ""
      : key === "title"
        ? data[key]
        : SHARES.includes(key)
          ? Math.round(1000 * data[key]) / 10
          : data[key] / factor(key);
  const title = (key) =>
    key === "load_g"
      ? "load of a slot, kg"
      : key === "power_mw"
        ? "power of a slot, W"
        : SHARES.includes(key)
          ? `${words(key)} of trays, %`
          : words(key);
  return element(
    "div",
    { class: "measures" },
    ["title", "power_mw", "load_g", ...SHARES].map((key) =>
      element(
        "label",
        {},
        capital(title(key)),
        element("input", {
          id: `fact-${key}`,
          class: key === "title" ? "wide" : "",
          type: key === "title" ? "text" : "number",
          placeholder: "default",
          value: value(key),
          change: ({ target }) => set(key, target.value),
        }),
      ),
    ),
  );
}
const corners = (table) => (chosen.kind === "outline" ? Boolean(table.outline_mm) : cornersOf(table).length > 0);

function refresh(next) {
  state = next;
  const { data } = state,
    outline = data.outline_mm ?? [],
    used = new Set(cabinets);
  byId("title").textContent = data.title;
  const xs = outline.map(([x]) => x),
    ys = outline.map(([, y]) => -y);
  const box = outline.length
    ? [
        Math.min(...xs) - MARGIN,
        Math.min(...ys) - MARGIN,
        Math.max(...xs) - Math.min(...xs) + 2 * MARGIN,
        Math.max(...ys) - Math.min(...ys) + 2 * MARGIN,
      ]
    : EMPTY;
  const before = document.activeElement,
    focused = before?.closest?.(".thing")?.dataset.name;
  const svg = shape(
    "svg",
    { role: "group", "aria-label": "Room", class: tool === "move" ? "" : "drawing" },
    outline.length
      ? shape("polygon", { class: `outline editable${chosen?.kind === "outline" ? " chosen" : ""}`, points: pointsOf(outline) })
      : null,
    KINDS.flatMap((kind) => (data[kind] ?? []).map((table) => thing(kind, table))),
    state.slots
      .filter(({ name }) => used.has(name))
      .map(({ xy: [x, y], size: [wide, deep] }) =>
        shape("rect", { class: "used", x: x - wide / 2, y: -y - deep / 2, width: wide, height: deep }),
      ),
    shape("polyline", { class: "draft" }),
    shape("g", { class: "corners" }),
  );
  svg.addEventListener("pointerdown", begun);
  svg.addEventListener("click", ({ target }) => {
    if (tool === "move" && target.classList.contains("outline")) choose("outline");
  });
  view.show(svg, box);
  byId("problems-title").textContent = `Problems (${state.problems.length})`;
  byId("problems").replaceChildren(
    ...state.problems.map(({ place, message: text, remedy }) => element("li", { class: "bad" }, `${place}: ${text}; ${remedy}`)),
  );
  byId("undo").disabled = !mayChange() || !state.undo;
  byId("redo").disabled = !mayChange() || !state.redo;
  showChosen(before);
  draw();
  if (focused) svg.querySelector(`.thing.chosen[data-name="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

const draw = () => view.svg?.querySelector(".draft")?.setAttribute("points", pointsOf(draft));

// The outline, trays, zones and halls by clicks, the last one on the first point or a double click; others by dragging.
function begun(event) {
  if (event.button || tool === "move") return;
  event.preventDefault();
  if (tool === "outline" || BY_CLICKS.includes(drawn())) clicked(at(event), event.detail > 1);
  else dragged(event);
}

function clicked(point, last) {
  const open = tool === "draw" && drawn() === "tray",
    closes = draft.length > 2 && Math.hypot(point[0] - draft[0][0], point[1] - draft[0][1]) <= 1.5 * grid();
  if (open ? last && draft.length > 1 : closes) {
    const corners_mm = draft;
    draft = [];
    if (tool === "outline") step({ do: "outline", corners_mm }, "outline drawn");
    else if (open) step({ do: "add", kind: "tray", table: { path_mm: corners_mm, width_mm: 300, height_mm: 100 } }, "tray added");
    else if (drawn() === "zone") step({ do: "add", kind: "zone", table: { corners_mm } }, "zone added: set its limits");
    else step({ do: "add", kind: "hall", table: { outline_mm: corners_mm } }, "hall added");
    return;
  }
  if (draft.length && draft.at(-1)[0] === point[0] && draft.at(-1)[1] === point[1]) return;
  draft.push(point);
  draw();
}

function dragged(event) {
  const [ax, ay] = at(event),
    kind = drawn();
  const box = (now) => {
    const [bx, by] = at(now);
    return [Math.min(ax, bx), Math.min(ay, by), Math.abs(bx - ax), Math.abs(by - ay)];
  };
  held(
    (now) => {
      const [x, y, wide, deep] = box(now);
      draft = [
        [x, y],
        [x + wide, y],
        [x + wide, y + deep],
        [x, y + deep],
        [x, y],
      ];
      draw();
    },
    (now) => {
      draft = [];
      const [x, y, wide, deep] = box(now);
      if (now.type !== "pointerup" || !wide || (kind !== "row" && !deep)) {
        draw();
        return;
      }
      if (kind === "row") {
        const names = new Set((state.data.row ?? []).map(({ name }) => name)),
          name = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((each) => !names.has(each)) ?? `row ${names.size + 1}`;
        step(
          { do: "add", kind: "row", table: { name, first_mm: [x + 300, ay], count: Math.max(1, Math.floor(wide / 600)) } },
          `row ${name} added`,
        );
      } else step({ do: "add", kind: "obstacle", table: { kind, at_mm: [x, y], size_mm: [wide, deep] } }, `${kind} added`);
    },
  );
}

function use(next) {
  tool = next;
  draft = [];
  draw();
  showChosen();
  view.svg.classList.toggle("drawing", tool !== "move");
  for (const each of document.querySelectorAll("[data-tool]"))
    each.setAttribute("aria-pressed", String(each.dataset.tool === tool));
  const how =
    drawn() === "tray"
      ? "Click the points; end with a double click."
      : BY_CLICKS.includes(drawn())
        ? "Click the corners; end on the first one."
        : drawn() === "row"
          ? "Drag along the row."
          : "Drag a rectangle.";
  message(WORDS[tool] ?? how);
}

async function look() {
  const { work, cabinets: found, sides } = await get("/api/rooms/plan");
  message(
    work.error || (work.running ? `${work.title}: ${work.progress.stage ?? "starts"} …` : `${work.title}: planned`),
    Boolean(work.error),
  );
  if (work.running) {
    setTimeout(() => perform(look), 400);
    return;
  }
  if (!found) return;
  cabinets = found;
  refresh(state);
  byId("keeping").hidden = false;
  byId("variant").value = `in ${state.data.title}`;
  byId("found").replaceChildren(
    element("p", { class: "note" }, `${found.length} cabinets; figures of the plan, and here`),
    element(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Figures of the plan, and here" },
      sidesTable(sides),
    ),
  );
}

async function read(file) {
  const form = new FormData();
  form.append("file", file);
  chosen = null;
  refresh(await upload("/api/rooms/drawing", form));
  message(`read ${file.name}`);
}

async function start() {
  await begin();
  view = new View(byId("floor"));
  refresh(await get("/api/rooms"));
  for (const button of document.querySelectorAll("[data-tool]")) button.addEventListener("click", () => use(button.dataset.tool));
  byId("kind").addEventListener("change", () => use("draw"));
  const on = (id, click) => {
    byId(id).addEventListener("click", click);
    byId(id).disabled = !mayChange();
  };
  on("new", () => {
    chosen = null;
    byId("found").replaceChildren();
    step({ do: "new" }, "a new room: draw its outline");
  });
  on("undo", () => step({ do: "undo" }));
  on("redo", () => step({ do: "redo" }));
  on("fill", () =>
    step(
      { do: "fill", cold_mm: number("cold_mm"), hot_mm: number("hot_mm"), margin_mm: number("margin_mm") },
      "filled with rows",
    ),
  );
  on("columns", () =>
    step(
      {
        do: "columns",
        at_mm: [number("column_x"), number("column_y")],
        size_mm: [number("column_size"), number("column_size")],
        pitch_mm: [number("column_pitch"), number("column_pitch")],
        count: [number("column_across"), number("column_along")],
      },
      "columns added",
    ),
  );
  on("save", () =>
    perform(async () => {
      const { saved } = await send("/api/rooms/save", {});
      message(`saved as ${saved}`);
    }),
  );
  on("plan", () =>
    perform(async () => {
      await send("/api/rooms/plan", {});
      await look();
    }),
  );
  on("keep", () =>
    perform(async () => {
      const { saved } = await send("/api/rooms/plan/save", {});
      message(`saved as ${saved}`);
    }),
  );
  on("keep-variant", () =>
    perform(async () => {
      const { kept } = await send("/api/rooms/plan/save", { name: byId("variant").value });
      message(`kept as ${kept}: it is among the variants of the page Planning`);
    }),
  );
  byId("drawing").addEventListener("change", ({ target }) => {
    if (target.files.length) perform(() => read(target.files[0]));
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && draft.length) {
      draft = [];
      draw();
    }
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input")) return;
    event.preventDefault();
    const button = byId(event.shiftKey ? "redo" : "undo");
    if (!button.disabled) button.click();
  });
  refresh(state);
  message("Drag rows, trays and areas; choose one to change it.");
  watch(message);
}

start().catch(failed);
