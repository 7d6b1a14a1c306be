// Work cards of the last verification: plugs to move, cables to remove, to add or to revive.

import { button, element, facts, link } from "../crew/elements.js";
import { AS_PLANNED } from "./fold.js";
import { grouped, plural } from "./site.js";

const KINDS = { remove: "Remove the cable", add: "Add the cable", revive: "The link is dark: check the cable" };

// A move is done once the plug was recorded in its own port after the scan.
export function isDone(site, card) {
  const last = card.kind === "move" ? site.sync.value(card.cable, card.end, "plugged") : null;
  return Boolean(last) && last.value === AS_PLANNED && last.clock > site.sync.cards.clock;
}

export function moveList(site, act) {
  const { cards } = site.sync.cards,
    left = cards.filter((card) => !isDone(site, card)),
    own = site.crew ? left.filter(({ crew }) => !crew || crew === site.crew) : left;
  if (!cards.length) return element("p", { class: "empty" }, "The last verification requires no moves.");
  return [
    element(
      "p",
      { class: "note" },
      `${plural(cards.length, "card")} of the last verification, ${grouped(left.length)} left${own.length < left.length ? `, ${grouped(own.length)} of them for this crew` : ""}. Keep their order.`,
    ),
    own.map((card) => (card.kind === "move" ? moveCard(site, card, act) : otherCard(card))),
  ];
}

function moveCard(site, card, act) {
  const place = [card.cabinet, card.unit].filter(Boolean).join(", "),
    other = card.to_device !== card.device;
  return element(
    "section",
    { class: "movecard", "data-card": card.card, "aria-label": `Move ${card.card}` },
    element("h2", {}, `Move ${card.card}: `, element("span", {}, place)),
    element(
      "p",
      { class: "step-of-move" },
      `${card.device} `,
      element("b", {}, card.from_port),
      " → ",
      other ? `${card.to_device} ` : "",
      element("b", {}, card.to_port),
    ),
    facts(
      ["label on the plug", element("b", {}, card.label)],
      ["first", card.hold ? "pull it and hold it until the last move of its cycle" : ""],
      ["to", other ? [card.to_cabinet, card.to_unit].filter(Boolean).join(", ") : ""],
      ["certainty", card.certainty],
      ["another label?", card.otherwise],
    ),
    element(
      "p",
      { class: "bar" },
      link(`Cable ${card.cable}`, `#cable=${card.cable}&end=${card.end}`, { class: "button" }),
      button(
        "Moved",
        () =>
          act.set(
            site.facts.numbered(card.cable),
            "plugged",
            card.end,
            AS_PLANNED,
            `${card.end.toUpperCase()} moved to its port`,
            card.cable,
            true,
          ),
        { class: "main", id: `moved-${card.card}` },
      ),
    ),
  );
}

function otherCard(card) {
  return element(
    "section",
    { class: "movecard", "data-card": card.card },
    element("h2", {}, `${card.card}: ${KINDS[card.kind] ?? card.kind}`),
    element(
      "ul",
      { class: "plainlist" },
      card.ends.map((end) => element("li", {}, end)),
    ),
    card.cable ? link(`Cable ${card.cable}`, `#cable=${card.cable}`, { class: "button" }) : null,
  );
}
