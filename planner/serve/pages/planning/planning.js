// Planning: the floor, the chosen cabinet, figures and what every step changes.

import { begin, get, me, send } from "./api.js";
import { cabinetView } from "./cabinet.js";
import { byId, pointOf } from "./elements.js";
import { Floor } from "./floor.js";
import { changeView, figuresTable, rulesView } from "./panel.js";
import { Work } from "./work.js";

let plan, state, floor, work, delta = null, best = null, waiting = Promise.resolve();

const message = (text, bad = false) => {
  byId("message").textContent = text;
  byId("message").className = bad ? "bad" : "";
};

// Requests one after the other, so that the answers arrive in the order of the steps.
function perform(request) {
  waiting = waiting.then(request).catch((error) => message(error.message, true));
  return waiting;
}

const step = (path, content) => perform(async () => {
  const began = performance.now(), found = await send(path, content);
  delta = found.delta;
  best = null;
  refresh(found.state);
  message(`${delta.title} (${Math.round(performance.now() - began)} ms)`);
});
const moves = (...list) => step("/api/planning/moves", { moves: list });

const actions = {
  grip: () => byId("grip").value,
  choose: (slot) => showCabinet(slot),
  moveCabinet: (from, to) => moves({ kind: "cabinet", what: plan.slots.name[from], to: plan.slots.name[to] }),
  moveRow: (from, to) => moves({ kind: "row", what: plan.rows[from], to: plan.rows[to] }),
  moveDevice: (what, slot, unit) => moves({ kind: "device", what, to: plan.slots.name[slot], unit }),
  pin: (kind, what) => moves({ kind, what }),
  // The slot of the cabinet under the pointer, -1 for none.
  slotUnder: (event) => {
    const { left, right, top, bottom } = byId("floor").getBoundingClientRect();
    const inside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
    return inside ? floor.slotAt(pointOf(floor.svg, event), 300) : -1;
  },
};

function showCabinet(slot) {
  const focused = document.activeElement?.getAttribute?.("data-device");
  byId("chosen").replaceChildren(...(slot >= 0 ? cabinetView(plan, state, slot, actions) : []));
  if (focused) byId("chosen").querySelector(`[data-device="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

function refresh(next) {
  state = next;
  floor.show(state, best);
  const segments = (place) => [...new Set((delta?.cables ?? []).flatMap(({ route }) => (route[0].join() === route[1].join() ? [] : route[place])))];
  const over = state.broken.some(({ rule }) => rule === "trays_within_fill") ? state.fill_percent.flatMap((percent, segment) => (percent > 40 ? [segment] : [])) : [];
  floor.drawTrays(over, segments(0), segments(1));
  showCabinet(floor.chosen);
  byId("figures").replaceChildren(...figuresTable(plan.currency, state.figures, delta?.before));
  byId("change").replaceChildren(...[changeView(delta), rulesView(state, state.near_misses, (number, by) => step("/api/planning/near-misses", { number, by }))].flat().filter(Boolean));
  const may = me.role === "planner" || me.role === "foreman";
  byId("undo").disabled = !may || !state.done.length;
  byId("redo").disabled = !may || !state.undone.length;
  work.show(state);
}

async function start() {
  await begin();
  [plan, state] = [await get("/api/planning/floor"), await get("/api/planning/state")];
  document.title = `Planning: ${plan.title}`;
  byId("title").textContent = plan.title;
  floor = new Floor(byId("floor"), plan, actions);
  work = new Work(byId("more"), plan.currency, {
    perform, step, message, refresh, may: me.role === "planner" || me.role === "foreman",
    best: (places) => { best = places; floor.show(state, best); },
  });
  byId("undo").addEventListener("click", () => step("/api/planning/undo", {}));
  byId("redo").addEventListener("click", () => step("/api/planning/redo", {}));
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input")) return;
    event.preventDefault();
    const button = byId(event.shiftKey ? "redo" : "undo");
    if (!button.disabled) button.click();
  });
  refresh(state);
  message("Drag a cabinet, or choose one and use the arrow keys.");
}

start().catch((error) => message(error.message, true));
