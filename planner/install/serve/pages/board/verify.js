// The fabric as found: discovery files are uploaded, findings and work cards are listed; the cards are on the phones.

import { button, byId, element, link } from "../crew/elements.js";
import { get, post, postForm } from "../crew/request.js";
import { grouped } from "./sections.js";

const FIRST = 20;

let mayAccept = false;

export async function startVerify(section, accepts) {
  mayAccept = accepts;
  section.hidden = false;
  byId("upload").replaceChildren(
    element(
      "p",
      { class: "note" },
      "Output of ibnetdiscover, iblinkinfo, ibdiagnet, LLDP and others; files of one scan together.",
    ),
    element(
      "form",
      { class: "grid", submit: send },
      element("label", {}, "Files", element("input", { id: "verify-files", type: "file", multiple: true, required: true })),
      element("button", { class: "main", id: "verify-send" }, "Verify"),
    ),
    element("p", { id: "verify-note", role: "status", class: "note" }),
  );
  const { cards } = await get("/api/verify/cards");
  byId("findings").replaceChildren(...cardLists(cards));
}

async function send(event) {
  event.preventDefault();
  const form = new FormData(),
    note = byId("verify-note");
  for (const file of byId("verify-files").files) form.append("files", file);
  note.textContent = "Comparing the fabric with the plan …";
  try {
    const found = await postForm("/api/verify", form);
    note.textContent = "";
    byId("findings").replaceChildren(...shown(found));
  } catch (error) {
    note.textContent = error.message;
  }
}

async function accept() {
  const note = byId("verify-note");
  try {
    const { accepted } = await post("/api/verify/accept", { cables: "right" });
    note.textContent = `${grouped(accepted)} cables accepted.`;
  } catch (error) {
    note.textContent = error.message;
  }
}

function shown({ findings, cards, right, planned, identity }) {
  return [
    element(
      "div",
      { class: `banner ${findings.length ? "" : "good"}`, id: "verdict" },
      element(
        "b",
        {},
        findings.length
          ? `${grouped(findings.length)} findings, ${grouped(cards.length)} work cards. `
          : "The fabric is as planned. ",
      ),
      `${grouped(right)} of ${grouped(planned)} links are right; ${grouped(Object.keys(identity).length)} devices identified.`,
    ),
    right && mayAccept ? button("Accept the cables that are right", accept, { id: "accept" }) : null,
    findings.length
      ? element(
          "ul",
          { class: "plainlist", id: "finding-list" },
          findings.slice(0, FIRST).map((each) =>
            element(
              "li",
              {},
              element("b", {}, `${each.kind}: `),
              each.text,
              each.cables.slice(0, 4).map((number) => [" ", link(`cable ${number}`, `/install#cable=${number}`)]),
            ),
          ),
        )
      : null,
    findings.length > FIRST ? element("p", { class: "note" }, `and ${grouped(findings.length - FIRST)} more`) : null,
    ...cardLists(cards),
  ].filter(Boolean);
}

const words = (card) =>
  card.kind === "move"
    ? `${card.device} ${card.from_port} → ${card.to_device === card.device ? "" : `${card.to_device} `}${card.to_port}, label ${card.label}${card.hold ? " (pull it and hold it)" : ""}`
    : `${card.kind}: ${card.ends.join(" – ")}`;

// Work cards by cabinet, those of the last verification.
function cardLists(cards) {
  const cabinets = new Map();
  for (const card of cards) cabinets.set(card.cabinet ?? "", [...(cabinets.get(card.cabinet ?? "") ?? []), card]);
  if (!cards.length) return [];
  return [
    element("h3", {}, `Work cards of the last verification: ${grouped(cards.length)}`),
    element("p", { class: "note" }, "Phones show them under Cables, Moves."),
    ...Array.from(cabinets, ([cabinet, own]) =>
      element(
        "section",
        { class: "movecard" },
        element("h3", {}, cabinet ? `Cabinet ${cabinet}` : "Cables"),
        element(
          "ul",
          { class: "plainlist" },
          own.map((card) => element("li", { "data-card": card.card }, element("b", {}, `${card.card} `), words(card))),
        ),
      ),
    ),
    button("Print", () => print()),
  ];
}
