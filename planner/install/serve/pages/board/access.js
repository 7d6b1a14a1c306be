// Links of the crews: made, shown once with their code, listed, revoked.

import { button, byId, element, show } from "../crew/elements.js";
import { get, post, remove } from "../crew/request.js";

const ROLES = {
  crew: "crew: records",
  viewer: "viewer: reads only",
  planner: "planner: moves devices",
  foreman: "foreman: everything",
};
const HOURS = { 12: "12 hours", 24: "a day", 120: "5 days", 336: "2 weeks", 2160: "90 days" };
const options = (choices) => Object.entries(choices).map(([value, words]) => element("option", { value }, words));

// `authority`: whether phones have a certificate to install before they open a link.
export function startAccess(section, authority) {
  section.hidden = false;
  byId("new-link").replaceChildren(
    element(
      "form",
      { class: "grid", submit: make },
      element(
        "label",
        {},
        "Name of the crew",
        element("input", { id: "link-crew", required: true, maxlength: 40, autocomplete: "off", placeholder: "crew 1" }),
      ),
      element("label", {}, "Role", element("select", { id: "link-role" }, options(ROLES))),
      element("label", {}, "Valid for", element("select", { id: "link-hours" }, options(HOURS))),
      element("button", { class: "main", id: "make-link" }, "Make a link"),
    ),
    element("div", { id: "made-link", role: "status" }),
    ...(authority
      ? [
          element(
            "details",
            { id: "authority" },
            element("summary", {}, "Certificate for the phones"),
            element(
              "div",
              { class: "made" },
              element("img", { class: "qr", alt: "QR code of the certificate", src: "/api/access/authority.svg" }),
              element(
                "div",
                {},
                element("p", {}, "Install it once on every phone, before its first link."),
                element("p", {}, element("a", { href: "/authority.crt", class: "url" }, "Certificate")),
              ),
            ),
          ),
        ]
      : []),
  );
  list();
}

async function make(event) {
  event.preventDefault();
  const holder = byId("made-link");
  try {
    const made = await post("/api/access", {
      crew: byId("link-crew").value.trim(),
      role: byId("link-role").value,
      hours: Number(byId("link-hours").value),
    });
    holder.replaceChildren(
      element(
        "div",
        { class: "made" },
        code(made.qr),
        element(
          "div",
          {},
          element("p", {}, element("b", {}, `Link of ${made.crew}`), ", shown this once. Open it on the phone by its camera:"),
          element("p", {}, element("a", { href: made.url, id: "link-url", class: "url" }, made.url)),
          button("Done", () => holder.replaceChildren()),
        ),
      ),
    );
    byId("link-crew").value = "";
  } catch (error) {
    holder.replaceChildren(element("p", { class: "bad" }, error.message));
  }
  list();
}

// The picture of the code is drawn by the server; it is shown as a picture, and never read as markup.
const code = (svg) =>
  element("img", {
    class: "qr",
    alt: "QR code of the link",
    src: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })),
  });

async function list() {
  const { links } = await get("/api/access").catch(() => ({ links: [] })),
    now = Date.now() * 1000;
  const state = (each) =>
    each.revoked
      ? "revoked"
      : each.expires < now
        ? "ended"
        : `until ${new Date(each.expires / 1000).toLocaleString("sv-SE").slice(0, 16)}`;
  show(byId("links"), [
    links.length
      ? element(
          "table",
          {},
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              ["crew", "role", "valid", ""].map((words) =>
                element("th", { scope: "col" }, words || element("span", { class: "hidden" }, "revoke")),
              ),
            ),
          ),
          element(
            "tbody",
            {},
            links.map((each) =>
              element(
                "tr",
                { "data-key": each.key, class: each.revoked || each.expires < now ? "over" : "" },
                element("th", { scope: "row" }, each.crew),
                element("td", {}, each.role),
                element("td", {}, state(each)),
                element(
                  "td",
                  {},
                  each.revoked || each.expires < now
                    ? ""
                    : button("Revoke", () => revoke(each.key), { "aria-label": `Revoke the link of ${each.crew}` }),
                ),
              ),
            ),
          ),
        )
      : element("p", { class: "note" }, "No crew has a link yet."),
  ]);
}

async function revoke(key) {
  try {
    await remove(`/api/access/${encodeURIComponent(key)}`);
  } catch (error) {
    byId("made-link").replaceChildren(element("p", { class: "bad" }, error.message));
  }
  list();
}
