// Rooms: outline by clicks, rows, trays and obstacles by dragging, rows by aisle widths, the network in the room.

import { begin, get, me, send } from "/static/planning/api.js";
import { byId, element, pointOf, shape } from "/static/planning/elements.js";

const TURN = { "+x": [1, 0], "-x": [-1, 0], "+y": [0, 1], "-y": [0, -1] };
let state, tool = "move", draft = [], chosen = null, cabinets = [], waiting = Promise.resolve(), view = [-2000, -14000, 20000, 16000];

const message = (text, bad = false) => { byId("message").textContent = text; byId("message").className = bad ? "bad" : ""; };
function perform(request) {
  waiting = waiting.then(request).catch((error) => message(error.message, true));
  return waiting;
}
const step = (content, words) => perform(async () => { cabinets = []; byId("keep").disabled = true; refresh(await send("/api/rooms", content)); message(words ?? content.do); });
const number = (id) => Math.round(Number(byId(id).value));
const snap = (point) => point.map((each) => Math.round(each / Math.max(1, number("grid"))) * Math.max(1, number("grid")));
const at = (event) => { const [x, y] = pointOf(byId("floor").firstChild, event); return snap([x, -y]); };

function corners(thing) {
  if (thing.corners_mm) return thing.corners_mm;
  const [x, y] = thing.at_mm, [wide, deep] = thing.size_mm;
  return [[x, y], [x + wide, y], [x + wide, y + deep], [x, y + deep]];
}
const pointsOf = (points) => points.map(([x, y]) => `${x},${-y}`).join(" ");

function rowShapes(row) {
  const [dx, dy] = TURN[row.along ?? "+x"], pitch = row.pitch_mm ?? 600, across = dx !== 0;
  const [wide, deep] = across ? [row.width_mm ?? 600, row.depth_mm ?? 1200] : [row.depth_mm ?? 1200, row.width_mm ?? 600], skip = new Set(row.skip ?? []);
  const shapes = [];
  for (let place = 0; place < row.count; place++) {
    if (skip.has(place + 1)) continue;
    const [x, y] = [row.first_mm[0] + dx * pitch * place, row.first_mm[1] + dy * pitch * place];
    shapes.push(shape("rect", { x: x - wide / 2, y: -y - deep / 2, width: wide, height: deep }));
  }
  return [...shapes, shape("text", { x: row.first_mm[0], y: -row.first_mm[1] + 80 }, row.name)];
}

function thing(kind, table) {
  const parts = kind === "row" ? rowShapes(table) : kind === "tray"
    ? [shape("polyline", { points: pointsOf(table.path_mm), "stroke-width": table.width_mm })] : [shape("polygon", { points: pointsOf(corners(table)) })];
  const on = chosen && chosen.kind === kind && chosen.name === table.name;
  const node = shape("g", { class: `thing ${kind}${on ? " chosen" : ""}`, tabindex: "0", role: "button", "data-name": table.name, "aria-label": `${kind} ${table.name}` }, parts);
  node.addEventListener("focus", () => choose(kind, table.name));
  node.addEventListener("keydown", (event) => {
    const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (turn) { event.preventDefault(); step({ do: "move", kind, name: table.name, by_mm: turn.map((each) => each * number("grid")) }, `moved ${table.name}`); }
    if (event.key === "Delete") step({ do: "remove", kind, name: table.name }, `removed ${table.name}`);
  });
  node.addEventListener("pointerdown", (event) => { if (tool === "move" && !event.button) grab(event, node, kind, table.name); });
  return node;
}

function grab(event, node, kind, name) {
  event.preventDefault();
  event.stopPropagation();
  const start = at(event);
  const by = (now) => at(now).map((each, axis) => each - start[axis]);
  const move = (now) => { const [x, y] = by(now); node.setAttribute("transform", `translate(${x} ${-y})`); };
  const end = (now) => {
    for (const [each, own] of Object.entries(listeners)) window.removeEventListener(each, own);
    node.removeAttribute("transform");
    const moved = by(now);
    if (now.type === "pointerup" && (moved[0] || moved[1])) step({ do: "move", kind, name, by_mm: moved }, `moved ${name}`);
    else choose(kind, name);
  };
  const listeners = { pointermove: move, pointerup: end, pointercancel: end };
  for (const [each, own] of Object.entries(listeners)) window.addEventListener(each, own);
}

function choose(kind, name) {
  if (chosen?.kind === kind && chosen?.name === name) return;
  chosen = { kind, name };
  for (const node of document.querySelectorAll(".thing")) node.classList.toggle("chosen", node.classList.contains(kind) && node.dataset.name === name);
  showChosen();
}

function showChosen() {
  const table = chosen && (state.data[chosen.kind] ?? []).find(({ name }) => name === chosen.name);
  if (!table) { byId("chosen").replaceChildren(); return; }
  const { kind, name } = chosen, key = { tray: "width_mm", row: "count" }[kind];
  const field = key && element("input", { id: "field", type: "number", value: table[key], min: "1", "aria-label": key.replace("_mm", " in mm") });
  byId("chosen").replaceChildren(
    element("h2", {}, `${kind} ${name}`),
    element("div", { class: "buttons" },
      field, key && element("button", { id: "set", click: () => step({ do: "change", kind, name, keys: { [key]: Math.round(Number(field.value)) } }, `changed ${name}`) }, key === "count" ? "Set slots" : "Set width"),
      element("button", { id: "remove", click: () => step({ do: "remove", kind, name }, `removed ${name}`) }, "Remove")),
  );
}

function refresh(next) {
  state = next;
  const { data } = state, outline = data.outline_mm ?? [];
  byId("title").textContent = data.title;
  if (outline.length) {
    const xs = outline.map(([x]) => x), ys = outline.map(([, y]) => -y);
    view = [Math.min(...xs) - 900, Math.min(...ys) - 900, Math.max(...xs) - Math.min(...xs) + 1800, Math.max(...ys) - Math.min(...ys) + 1800];
  }
  const used = new Set(cabinets);
  const svg = shape("svg", { viewBox: view.join(" "), role: "group", "aria-label": "Room" },
    shape("rect", { class: "canvas", x: view[0], y: view[1], width: view[2], height: view[3] }),
    outline.length ? shape("polygon", { class: "outline", points: pointsOf(outline) }) : null,
    ...["obstacle", "row", "tray"].flatMap((kind) => (data[kind] ?? []).map((table) => thing(kind, table))),
    ...state.slots.filter(({ name }) => used.has(name)).map(({ xy: [x, y], size: [wide, deep] }) => shape("rect", { class: "used", x: x - wide / 2, y: -y - deep / 2, width: wide, height: deep })),
    shape("polyline", { class: "draft" }));
  svg.addEventListener("pointerdown", begun);
  byId("floor").replaceChildren(svg);
  byId("problems").replaceChildren(...state.problems.map(({ place, message: text, remedy }) => element("li", { class: "bad" }, `${place}: ${text}; ${remedy}`)));
  const may = me.role === "planner" || me.role === "foreman";
  byId("undo").disabled = !may || !state.undo;
  byId("redo").disabled = !may || !state.redo;
  showChosen();
  draw();
}

const draw = () => byId("floor").querySelector(".draft")?.setAttribute("points", pointsOf(draft));

// Outline and trays by clicks, the last one on the first point or a double click; keep-outs and rows by dragging.
function begun(event) {
  if (event.button || tool === "move") return;
  event.preventDefault();
  if (tool === "outline" || tool === "tray") clicked(at(event), event.detail > 1);
  else dragged(event);
}

function clicked(point, last) {
  const closes = draft.length > 2 && Math.hypot(point[0] - draft[0][0], point[1] - draft[0][1]) <= 1.5 * number("grid");
  if (tool === "outline" && closes) { const corners_mm = draft; draft = []; step({ do: "outline", corners_mm }, "outline drawn"); return; }
  if (tool === "tray" && last && draft.length > 1) {
    const path_mm = draft;
    draft = [];
    step({ do: "add", kind: "tray", table: { path_mm, width_mm: 300, height_mm: 100 } }, "tray added");
    return;
  }
  draft.push(point);
  draw();
}

function dragged(event) {
  const [ax, ay] = at(event);
  const box = (now) => { const [bx, by] = at(now); return [Math.min(ax, bx), Math.min(ay, by), Math.abs(bx - ax), Math.abs(by - ay)]; };
  const move = (now) => { const [x, y, wide, deep] = box(now); draft = [[x, y], [x + wide, y], [x + wide, y + deep], [x, y + deep], [x, y]]; draw(); };
  const end = (now) => {
    for (const [name, own] of Object.entries(listeners)) window.removeEventListener(name, own);
    draft = [];
    const [x, y, wide, deep] = box(now);
    if (now.type !== "pointerup" || !wide || (tool !== "row" && !deep)) { draw(); return; }
    if (tool === "row") {
      const names = new Set((state.data.row ?? []).map(({ name }) => name)), name = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((each) => !names.has(each)) ?? `row ${names.size + 1}`;
      step({ do: "add", kind: "row", table: { name, first_mm: [x + 300, ay], count: Math.max(1, Math.floor(wide / 600)) } }, `row ${name} added`);
    } else step({ do: "add", kind: "obstacle", table: { kind: "keep-out", at_mm: [x, y], size_mm: [wide, deep] } }, "keep-out added");
  };
  const listeners = { pointermove: move, pointerup: end, pointercancel: end };
  for (const [name, own] of Object.entries(listeners)) window.addEventListener(name, own);
}

async function look() {
  const { work, cabinets: found, quantities } = await get("/api/rooms/plan");
  message(work.error || (work.running ? `${work.title}: ${work.progress.stage ?? "starts"} …` : `${work.title}: planned`), Boolean(work.error));
  if (work.running) { setTimeout(() => perform(look), 400); return; }
  if (!found) return;
  cabinets = found;
  byId("keep").disabled = false;
  refresh(state);
  const rows = Object.entries(quantities).map(([name, { unit, values }]) => element("tr", {}, element("th", { scope: "row" }, name.replaceAll("_", " ")), ...values.map((value) => element("td", {}, value === null ? "" : typeof value === "number" ? value.toLocaleString("en-US") : String(value))), element("td", {}, unit)));
  byId("found").replaceChildren(element("p", {}, `${found.length} cabinets; figures of the plan, and here`), element("table", {}, element("tbody", {}, rows)));
}

async function upload(file) {
  const form = new FormData();
  form.append("file", file);
  const response = await fetch("/api/rooms/drawing", { method: "POST", headers: { "X-Planner": me.csrf }, body: form });
  const found = await response.json();
  if (!response.ok) throw new Error(found.problems.map(({ message: text, remedy }) => `${text}; ${remedy}`).join("\n"));
  refresh(found);
  message(`read ${file.name}`);
}

async function start() {
  await begin();
  refresh(await get("/api/rooms"));
  for (const button of document.querySelectorAll("[data-tool]")) button.addEventListener("click", () => {
    tool = button.dataset.tool;
    draft = [];
    draw();
    for (const each of document.querySelectorAll("[data-tool]")) each.setAttribute("aria-pressed", String(each === button));
    message({ outline: "Click the corners; end on the first one.", tray: "Click the points; end with a double click.", row: "Drag along the row.", "keep-out": "Drag a rectangle.", move: "Drag rows, trays and obstacles." }[tool]);
  });
  const on = (id, click) => byId(id).addEventListener("click", click);
  on("new", () => { chosen = null; view = [-2000, -14000, 20000, 16000]; byId("found").replaceChildren(); step({ do: "new" }, "a new room: draw its outline"); });
  on("undo", () => step({ do: "undo" }));
  on("redo", () => step({ do: "redo" }));
  on("fill", () => step({ do: "fill", cold_mm: number("cold_mm"), hot_mm: number("hot_mm"), margin_mm: number("margin_mm") }, "filled with rows"));
  on("columns", () => step({ do: "columns", at_mm: [number("column_x"), number("column_y")], size_mm: [number("column_size"), number("column_size")], pitch_mm: [number("column_pitch"), number("column_pitch")], count: [number("column_across"), number("column_along")] }, "columns added"));
  on("save", () => perform(async () => { const { saved } = await send("/api/rooms/save", {}); message(`saved as ${saved}`); }));
  on("plan", () => perform(async () => { await send("/api/rooms/plan", {}); await look(); }));
  on("keep", () => perform(async () => { const { saved } = await send("/api/rooms/plan/save", {}); message(`saved as ${saved}`); }));
  byId("drawing").addEventListener("change", ({ target }) => { if (target.files.length) perform(() => upload(target.files[0])); });
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input")) return;
    event.preventDefault();
    const button = byId(event.shiftKey ? "redo" : "undo");
    if (!button.disabled) button.click();
  });
  message("Drag rows, trays and obstacles, or begin a new room.");
}

start().catch((error) => message(error.message, true));
