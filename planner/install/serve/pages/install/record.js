// What this phone recorded: what waits, what was refused, and the last events, each of which can be taken back.

import { button, element, facts, link } from "../crew/elements.js";
import { GROWS } from "./fold.js";
import { addressOfDevice } from "./lists.js";
import { clockTime, grouped, plural } from "./site.js";

const FIRST = 60;

export function recordPage(site, act) {
  const { sync, member } = site,
    own = sync.own;
  return [
    element("h1", {}, "Recorded on this phone"),
    element(
      "p",
      { class: "note", id: "connection" },
      sync.trouble === "offline"
        ? "No connection. What you record is kept and sent later."
        : sync.trouble ||
            `Connected; ${sync.waiting ? `${plural(sync.waiting, "event")} not there yet.` : "all events are at the server."}`,
    ),
    sync.storage.lasts
      ? null
      : element(
          "div",
          { class: "banner bad" },
          "This browser keeps nothing for this page: do not close it before all events are sent.",
        ),
    sync.full ? element("div", { class: "banner bad" }, element("b", {}, "Photos wait: "), element("span", {}, sync.full)) : null,
    sync.waiting
      ? element(
          "p",
          {},
          button("Send now", () => sync.exchange(true), { id: "send", class: "wide" }),
        )
      : null,
    sync.refused.length ? element("h2", { class: "group" }, "Not accepted") : null,
    element(
      "ul",
      { class: "recorded" },
      sync.refused.map((event) =>
        element(
          "li",
          {},
          element("span", {}, named(sync, event), ` ${words(event)}`, element("small", {}, event.problem)),
          button("Understood", () => sync.dismiss(event.id)),
        ),
      ),
    ),
    element("h2", { class: "group" }, own.length ? "The last events" : "Nothing is recorded on this phone yet."),
    element(
      "ul",
      { class: "recorded" },
      own.slice(0, FIRST).map((event) =>
        element(
          "li",
          {},
          element(
            "span",
            {},
            named(sync, event),
            ` ${words(event)}`,
            element("small", {}, `${clockTime(event.clock)}${sync.queue.has(event.id) ? ", waiting" : ""}`),
          ),
          GROWS.has(event.field) || !isLast(sync, event)
            ? null
            : button("Undo", () => act.undo(event), {
                "aria-label": `Undo ${words(event)} of ${event.end === "device" ? event.row : `cable ${event.row}`}`,
              }),
        ),
      ),
    ),
    facts(
      ["crew", member.crew],
      ["role", member.role],
      ["phone", sync.phone.slice(0, 8)],
      ["plan", site.facts.name],
      ["values known", grouped([...sync.fold.rows.values()].reduce((sum, each) => sum + each.size, 0))],
      ["start without a connection", offlineStart()],
    ),
  ];
}

const named = (sync, event) =>
  event.end === "device"
    ? link(event.row, addressOfDevice({ name: event.row }))
    : sync.isOfPlan(event)
      ? link(`Cable ${event.row}`, `#cable=${event.row}`)
      : `Cable ${event.row} of an earlier revision`;
const isLast = (sync, event) => sync.isOfPlan(event) && sync.value(event.row, event.end, event.field)?.id === event.id;
const NAMES = { label_ok: "label", length_mm: "length", serial: "serial number", asset_tag: "asset tag" };
const words = ({ end, field, value, undoes }) =>
  `${end && end !== "device" ? `end ${end.toUpperCase()} ` : ""}${NAMES[field] ?? field}${field === "photo" ? "" : `: ${value || "cleared"}`}${undoes ? " (undo)" : ""}`;

function offlineStart() {
  if (!("serviceWorker" in navigator)) return "needs TLS";
  return navigator.serviceWorker.controller ? "ready" : "not yet";
}
