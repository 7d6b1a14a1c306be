// Variants, what-if plans, improvements, full counts, saving.

import { get, send } from "./api.js";
import { byId, element } from "./elements.js";
import { figuresOf } from "./panel.js";

const SWITCHES = [
  ["tray_width_percent", "Tray width in %", "number"], ["design_fill", "Design fill, 0 to 1", "number"], ["max_fill", "Maximum fill, 0 to 1", "number"],
  ["keep_free", "Share kept free", "number"], ["row_without_power", "Row without power", "text"], ["router", "Other router part", "text"], ["bundling", "Other bundling", "text"],
];

// `actions`: perform(request), refresh(state), message(text), best(places), may.
export class Work {
  constructor(holder, currency, actions) {
    Object.assign(this, { actions, currency, found: element("div", { id: "found" }), list: element("select", { id: "variants", "aria-label": "Variant" }), progress: element("p", { id: "progress", class: "note" }) });
    const { may } = actions, button = (id, text, click) => element("button", { id, click, disabled: !may }, text);
    this.name = element("input", { id: "variant-name", "aria-label": "Name of the new variant", placeholder: "name", maxlength: "80" });
    this.field = element("select", { id: "switch", "aria-label": "Switch" }, SWITCHES.map(([key, title]) => element("option", { value: key }, title)));
    this.value = element("input", { id: "switch-value", "aria-label": "Value of the switch" });
    holder.replaceChildren(
      element("h2", {}, "Variants"),
      element("div", { class: "buttons" }, this.name, button("keep", "Keep", () => this.keep())),
      element("div", { class: "buttons" }, this.list, button("take", "Go to", () => this.take()), element("button", { id: "compare", click: () => this.compare() }, "Compare with now")),
      element("h2", {}, "In the background"),
      element("div", { class: "buttons" }, button("count", "Full count", () => this.start("count")), button("improve", "Improve from here", () => this.start("improve")), button("stop", "Stop", () => this.stop()), button("best", "Take the best", () => this.best())),
      element("div", { class: "buttons" }, this.field, this.value, button("what-if", "What if", () => this.whatIf())),
      this.progress, this.found,
      element("h2", {}, "Save"),
      element("div", { class: "buttons" }, ...[["layout", "Layout"], ["study", "Study"], ["keep", "As built"]].map(([kind, title]) => button(`save-${kind}`, title, () => this.save(kind)))),
    );
  }

  show(state) {
    const chosen = this.list.value;
    this.list.replaceChildren(element("option", { value: "start" }, "start of the plan"), ...state.variants.map((name) => element("option", { value: name }, name)));
    if (chosen) this.list.value = chosen;
    if (state.work?.running) this.poll();
  }

  async keep() {
    await this.actions.perform(async () => {
      const { variants } = await send("/api/planning/variants", { name: this.name.value });
      this.show({ variants });
      this.actions.message(`kept as ${this.name.value}`);
      this.name.value = "";
    });
  }

  take() { return this.actions.step("/api/planning/variants", { name: this.list.value, take: true }); }
  best() { return this.actions.step("/api/planning/improve/best", {}); }

  async compare() {
    await this.actions.perform(async () => {
      const found = await get(`/api/planning/variants?a=${encodeURIComponent(this.list.value)}&b=now`);
      const kinds = Object.entries(found.cables).map(([kind, number]) => `${number.toLocaleString("en-US")} ${kind}`).join(", ");
      this.showQuantities(`Cables: ${kinds}; ${found.actions.toLocaleString("en-US")} actions of the crew`, found.quantities);
    });
  }

  showQuantities(text, quantities) {
    const rows = Object.entries(quantities).map(([name, { unit, values }]) => element("tr", {}, element("th", { scope: "row" }, name.replaceAll("_", " ")), ...values.map((value) => element("td", {}, value === null ? "" : typeof value === "number" ? value.toLocaleString("en-US") : String(value))), element("td", {}, unit)));
    this.found.replaceChildren(element("p", {}, text), rows.length ? element("table", {}, element("tbody", {}, rows)) : element("p", { class: "note" }, "all figures are equal"));
  }

  async start(kind, content = {}) {
    await this.actions.perform(async () => {
      await send(`/api/planning/${kind}`, content);
      this.kind = kind;
      this.poll();
    });
  }

  whatIf() {
    const key = this.field.value, kind = SWITCHES.find(([name]) => name === key)[2];
    return this.start("what-if", { [key]: kind === "number" ? Number(this.value.value) : this.value.value });
  }

  async stop() { await this.actions.perform(async () => { await send("/api/planning/improve", undefined, "DELETE"); await this.look(); }); }

  poll() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.actions.perform(() => this.look()), 400);
  }

  async look() {
    const { work, adopted, places, state } = await get("/api/planning/improve");
    if (!work) return;
    const { progress, best } = work, [, , price] = figuresOf(this.currency)[1];
    this.progress.textContent = [`${work.title}: ${work.running ? "running" : "ended"}`, progress.stage ? `${progress.round ? `round ${progress.round}, ` : ""}${progress.stage} ${progress.done} of ${progress.total}` : "", best.round ? `best ${price(best.price_cents)}` : "", work.error].filter(Boolean).join("; ");
    this.actions.best(places);
    if (adopted) { this.actions.refresh(state); this.actions.message("counted in full"); }
    if (work.running) this.poll();
    else if (work.kind === "what-if" && !work.error) {
      const found = await get("/api/planning/what-if");
      this.showQuantities(`What if ${found.work.title}: now, and then`, found.quantities);
    }
  }

  async save(kind) {
    await this.actions.perform(async () => {
      this.actions.message("saving …");
      const { saved } = await send("/api/planning/save", { as: kind });
      this.actions.message(`saved as ${saved}`);
      byId("message").dataset.saved = saved;
    });
  }
}
