// A plan that was computed again while it is edited: a line below the head offers to open it.

import { get, mayChange, send } from "./api.js";
import { byId, element } from "/static/web/elements.js";

const POLL_MS = 15_000,
  RENEWED = "planner-renewed";

// Watches for another plan; the page shows what became of the moves once it has been loaded again.
export function watch(message) {
  const shown = sessionStorage.getItem(RENEWED);
  sessionStorage.removeItem(RENEWED);
  if (shown) message(shown);
  const poll = async () => {
    const found = await get("/api/planning/newer").catch(() => null);
    if (found?.newer) offer(message);
    else setTimeout(poll, POLL_MS);
  };
  setTimeout(poll, POLL_MS);
}

// After an error: where the server refused a request because of another plan, offers to open that.
export async function offerAfter(error, message) {
  if (error.isConflict && (await get("/api/planning/newer").catch(() => null))?.newer) offer(message);
}

function offer(message) {
  const holder = byId("newer");
  if (!holder.hidden) return;
  const open = async ({ target }) => {
    target.disabled = true;
    message("opening the new plan …");
    try {
      sessionStorage.setItem(RENEWED, words(await send("/api/planning/newer", {})));
      location.assign(location.pathname);
    } catch (error) {
      target.disabled = false;
      message(error.message, true);
    }
  };
  holder.hidden = false;
  holder.replaceChildren(
    element(
      "span",
      {},
      element("b", {}, "The plan was computed again."),
      " This page shows the one before: moves are no longer taken. The new plan keeps layouts as variants, as far as they fit.",
    ),
    element("button", { id: "open-newer", type: "button", click: open, disabled: !mayChange() }, "Open the new plan"),
  );
}

function words({ aside, carried, left }) {
  if (!aside) return "The new plan is open. Devices, room and places at the start are the same: all moves stay.";
  const kept = carried.length ? `kept as variants: ${carried.join(", ")}` : "no layout was kept";
  const lost = left.map(({ name, reason }) => `\n${name} does not fit: ${reason}`).join("");
  return `The new plan is open; ${kept}. Everything as it was is in ${aside}.${lost}`;
}
