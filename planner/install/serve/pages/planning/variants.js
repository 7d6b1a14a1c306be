// Variants: kept layouts, what-if plans and revisions; opened, compared side by side, and saved.

import { get, send } from "./api.js";
import { element } from "/static/web/elements.js";
import { grouped, SPACE } from "/static/web/numbers.js";
import { priceOf, sidesTable } from "./figures.js";

const NOW = "now",
  START = "start";
const TITLES = { [NOW]: "layout as it is now", [START]: "layout at the start" };

export class Variants {
  // `actions`: perform(request), step(path, content), message(text), mayChange().
  constructor(holder, currency, actions) {
    Object.assign(this, {
      currency,
      actions,
      chosen: new Set([NOW, START]),
      rows: element("tbody"),
      found: element("div", { id: "sides" }),
    });
    this.name = element("input", {
      id: "variant-name",
      "aria-label": "Name of the new variant",
      placeholder: "name of the layout as it is",
      maxlength: "80",
    });
    this.dialog = element(
      "dialog",
      { id: "side-by-side", "aria-label": "Plans side by side" },
      element("form", { method: "dialog" }, element("button", {}, "Close")),
      this.found,
    );
    const may = actions.mayChange();
    holder.replaceChildren(
      element(
        "div",
        { class: "buttons" },
        this.name,
        element("button", { id: "keep", type: "button", disabled: !may, click: () => this.keep() }, "Keep"),
      ),
      element("table", { id: "variants" }, this.rows),
      element(
        "div",
        { class: "buttons" },
        element("button", { id: "compare", type: "button", click: () => this.compare() }, "Side by side"),
      ),
      element("p", { class: "note" }, "Each is counted in full before it is compared; large plans take minutes."),
      this.dialog,
    );
  }

  show({ variants, revisions }) {
    const may = this.actions.mayChange(),
      button = (text, name, click) =>
        element("button", { type: "button", disabled: !may, "aria-label": `${text} ${name}`, click }, text);
    const rows = [
      ...[NOW, START].map((name) => [name, TITLES[name], []]),
      ...variants.map(({ name, kind }) => [
        name,
        name,
        [
          kind === "layout"
            ? button("Go to", name, () => this.take(name))
            : element("a", { class: "button", href: `/planning?plan=${encodeURIComponent(name)}` }, "Open"),
          button("Save", name, () => this.save(name)),
        ],
      ]),
      ...revisions.map((name) => [name, name, [element("span", { class: "note" }, "revision")]]),
    ];
    this.rows.replaceChildren(
      ...rows.map(([name, title, buttons]) =>
        element(
          "tr",
          { "data-variant": name },
          element(
            "th",
            { scope: "row" },
            element(
              "label",
              {},
              element("input", {
                type: "checkbox",
                checked: this.chosen.has(name),
                change: ({ target }) => this.choose(name, target.checked),
              }),
              " ",
              title,
            ),
          ),
          element("td", {}, element("div", { class: "buttons" }, buttons)),
        ),
      ),
    );
    for (const box of this.rows.querySelectorAll("input")) box.checked = this.chosen.has(box.closest("tr").dataset.variant);
  }

  choose(name, on) {
    if (on) this.chosen.add(name);
    else this.chosen.delete(name);
  }

  keep() {
    const name = this.name.value;
    return this.actions.perform(async () => {
      this.show(await send("/api/planning/variants", { do: "keep", name }));
      this.actions.message(`kept as ${name}`);
      this.name.value = "";
    });
  }

  // Keeps the last what-if plan under a name.
  keepResult(name) {
    return this.actions.perform(async () => {
      this.show(await send("/api/planning/variants", { do: "keep-result", name }));
      this.chosen.add(name);
      this.show(await get("/api/planning/variants"));
      this.actions.message(`kept as ${name}`);
    });
  }

  take(name) {
    return this.actions.step("/api/planning/variants", { do: "take", name });
  }

  save(name) {
    return this.actions.perform(async () => {
      const { saved } = await send("/api/planning/variants", { do: "save", name });
      this.actions.message(`saved as ${saved}`);
    });
  }

  compare() {
    return this.actions.perform(async () => {
      this.actions.message("counting …");
      const names = [...this.rows.querySelectorAll("tr")]
        .map((row) => row.dataset.variant)
        .filter((name) => this.chosen.has(name));
      const sides = await get(`/api/planning/side-by-side?names=${encodeURIComponent(JSON.stringify(names))}`),
        nodes = [element("h2", {}, "Side by side"), this.difference(names)];
      // The table has the words of the list, not the short names of the layouts.
      nodes.push(
        element(
          "div",
          { class: "scroll", tabindex: "0", role: "region", "aria-label": "Figures side by side" },
          sidesTable({ ...sides, names: sides.names.map((name) => TITLES[name] ?? name) }),
        ),
      );
      this.found.replaceChildren(...nodes.filter(Boolean));
      this.dialog.showModal();
      this.actions.message("counted");
    });
  }

  // What has to be done to get from one plan to the other.
  difference(names) {
    if (names.length !== 2) return null;
    const holder = element("p", { id: "difference", class: "note" }, "Difference: counting …"),
      address = (name) => encodeURIComponent(name);
    get(`/api/planning/variants?a=${address(names[0])}&b=${address(names[1])}`)
      .then((found) => {
        const kinds = Object.entries(found.cables)
          .map(([kind, number]) => `${grouped(number)}${SPACE}${kind}`)
          .join(", ");
        const price = found.cents === null ? "" : `; the change costs ${priceOf(this.currency, found.cents)}`;
        holder.textContent = [
          `From the first to the second: cables: ${kinds || "none"}; ${grouped(found.actions)} actions of the crew, ${grouped(found.reused)} cables used again${price}.`,
          ...found.notes,
        ].join(" ");
      })
      .catch((error) => {
        holder.textContent = error.message;
      });
    return holder;
  }
}
