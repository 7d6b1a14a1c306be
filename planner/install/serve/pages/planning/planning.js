// Planning: the floor, the chosen cabinet, figures and what every step changes.

import { begin, get, mayChange, opened, send } from "./api.js";
import { Background } from "./background.js";
import { cabinetView } from "./cabinet.js";
import { changeView, figuresTable, missesView, rulesView } from "./figures.js";
import { Floor } from "./floor.js";
import { offerAfter, watch } from "./newer.js";
import { Variants } from "./variants.js";
import { pointOf } from "./view.js";
import { byId, element } from "/static/web/elements.js";

let plan,
  state,
  floor,
  variants,
  background,
  delta = null,
  best = null,
  waiting = Promise.resolve();

const message = (text, bad = false) => {
  byId("message").textContent = text;
  byId("message").className = bad ? "bad" : "";
};

function failed(error) {
  message(error.message, true);
  return offerAfter(error, message);
}

// Requests one after the other, so that the answers arrive in the order of the steps.
function perform(request) {
  waiting = waiting.then(request).catch((error) => failed(error));
  return waiting;
}

const step = (path, content) =>
  perform(async () => {
    const began = performance.now(),
      found = await send(path, content);
    delta = found.delta;
    best = null;
    refresh(await advanced(found));
    message(`${delta.title} (${Math.round(performance.now() - began)} ms)`);
  });
const moves = (...list) => step("/api/planning/moves", { moves: list });

// The state after a step; where somebody else made steps meanwhile it is read again.
async function advanced({ since, state: status, delta: { trays }, moved, fixtures }) {
  if (since !== state.version) return get("/api/planning/state");
  const { slot, unit, fill_percent: fill } = state,
    touched = new Set(fixtures.slots);
  moved.device.forEach((device, n) => {
    slot[device] = moved.slot[n];
    unit[device] = moved.unit[n];
  });
  for (const [segment, , percent] of trays) fill[segment] = percent;
  return {
    ...status,
    slot,
    unit,
    fill_percent: fill,
    fixtures: [...state.fixtures.filter(([, at]) => !touched.has(at)), ...fixtures.rows],
  };
}

const actions = {
  mayChange,
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
  if (focused)
    byId("chosen")
      .querySelector(`[data-device="${CSS.escape(focused)}"]`)
      ?.focus({ preventScroll: true });
}

function refresh(next) {
  state = next;
  floor.show(state, best);
  floor.showTrays(state, ...(delta?.routes ?? [[], []]));
  showCabinet(floor.chosen);
  byId("figures").replaceChildren(...figuresTable(plan.currency, state.figures, delta?.before));
  byId("change").replaceChildren(...[...changeView(delta), ...rulesView(state)].filter(Boolean));
  byId("undo").disabled = !mayChange() || !state.done.length;
  byId("redo").disabled = !mayChange() || !state.undone.length;
  byId("undo").title = `Undo ${state.done.at(-1) ?? ""} (Ctrl+Z)`;
  byId("redo").title = `Redo ${state.undone.at(-1) ?? ""} (Ctrl+Shift+Z)`;
  variants.show(state);
  if (state.work?.running) background.poll();
  showMisses();
}

// Near misses follow the figures, which do not wait for them.
async function showMisses() {
  const { version } = state,
    found = await get("/api/planning/near-misses").catch(() => null);
  if (!found || version !== state.version) return;
  byId("misses-title").textContent = `Near misses (${found.count.toLocaleString("en-US")})`;
  byId("near-misses").replaceChildren(
    ...missesView(plan.currency, found, mayChange(), (number, by) => step("/api/planning/near-misses", { number, by })).filter(
      Boolean,
    ),
  );
}

function saving(kind, title) {
  const click = () =>
    perform(async () => {
      message("saving …");
      const { saved } = await send("/api/planning/save", { as: kind });
      message(`saved as ${saved}`);
      variants.show(await get("/api/planning/variants"));
    });
  return element("button", { id: `save-${kind}`, type: "button", disabled: !mayChange(), click }, title);
}

async function start() {
  await begin();
  [plan, state] = [await get("/api/planning/floor"), await get("/api/planning/state")];
  document.title = `Planning: ${plan.title}`;
  byId("title").textContent = opened ? `${plan.title}: what if ${opened}` : plan.title;
  byId("back").hidden = !opened;
  floor = new Floor(byId("floor"), plan, actions);
  variants = new Variants(byId("more-variants"), plan.currency, { perform, step, message, mayChange });
  background = new Background(byId("background"), plan, {
    perform,
    step,
    message,
    mayChange,
    keepResult: (name) => variants.keepResult(name),
    counted: (whole) => {
      delta = null;
      refresh(whole);
    },
    best: (places) => {
      if (best !== places) {
        best = places;
        floor.show(state, best);
      }
    },
  });
  byId("saving").replaceChildren(saving("layout", "Layout"), saving("study", "Study"), saving("keep", "As built"));
  byId("undo").addEventListener("click", () => step("/api/planning/undo", {}));
  byId("redo").addEventListener("click", () => step("/api/planning/redo", {}));
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input")) return;
    event.preventDefault();
    const button = byId(event.shiftKey ? "redo" : "undo");
    if (!button.disabled) button.click();
  });
  refresh(state);
  message(
    mayChange()
      ? "Drag a cabinet, or choose one and use the arrow keys."
      : "You may look, and change nothing: the foreman makes a planner's link.",
  );
  watch(message);
}

start().catch(failed);
