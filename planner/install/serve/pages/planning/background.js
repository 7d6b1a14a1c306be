// Long work in the background: full counts, searches for better layouts, and what-if plans.

import { get, send } from "./api.js";
import { element } from "/static/web/elements.js";
import { grouped } from "/static/web/numbers.js";
import { priceOf, sidesTable } from "./figures.js";

const SWITCHES = [
  ["tray_width_percent", "Width of all trays, %", "number"],
  ["design_fill", "Design fill of trays, %", "share"],
  ["max_fill", "Maximum fill of trays, %", "share"],
  ["keep_free", "Share of trays kept free, %", "share"],
  ["row_without_power", "Row without power", "choice"],
  ["router", "Other router part", "choice"],
  ["bundling", "Other bundling", "choice"],
];

export class Background {
  // `actions`: perform(request), step(path, content), message(text), counted(state), best(places), keepResult(name), mayChange().
  constructor(holder, plan, actions) {
    Object.assign(this, {
      plan,
      actions,
      found: element("div", { id: "found" }),
      progress: element("p", { id: "progress", class: "note", role: "status" }),
      value: element("span", {}),
    });
    const may = actions.mayChange(),
      button = (id, text, click) => element("button", { id, type: "button", click, disabled: !may }, text);
    const usable = SWITCHES.filter(([key, , kind]) => kind !== "choice" || plan.choices[key].length);
    this.field = element(
      "select",
      { id: "switch", "aria-label": "Switch", change: () => this.showValue() },
      usable.map(([key, title]) => element("option", { value: key }, title)),
    );
    this.variant = element("input", {
      id: "result-name",
      "aria-label": "Name of the what-if plan",
      placeholder: "name",
      maxlength: "80",
    });
    this.keeping = element(
      "div",
      { class: "buttons", hidden: true },
      this.variant,
      button("keep-result", "Keep as a variant", () => this.keep()),
    );
    this.bestButton = button("best", "Take the best", () => actions.step("/api/planning/improve/best", {}));
    this.stopButton = button("stop", "Stop", () => this.stop());
    this.stopButton.disabled = this.bestButton.disabled = true;
    holder.replaceChildren(
      element(
        "div",
        { class: "buttons" },
        button("count", "Full count", () => this.start("count")),
        button("improve", "Improve from here", () => this.start("improve")),
        this.stopButton,
        this.bestButton,
      ),
      element(
        "div",
        { class: "buttons" },
        this.field,
        this.value,
        button("what-if", "What if", () => this.whatIf()),
      ),
      this.progress,
      this.found,
      this.keeping,
    );
    this.showValue();
  }

  showValue() {
    const key = this.field.value,
      kind = SWITCHES.find(([name]) => name === key)[2];
    const input =
      kind === "choice"
        ? element(
            "select",
            { id: "switch-value", "aria-label": "Value of the switch" },
            this.plan.choices[key].map((each) => element("option", {}, each)),
          )
        : element("input", {
            id: "switch-value",
            type: "number",
            min: "0",
            value:
              key === "tray_width_percent" ? "150" : key === "keep_free" ? "20" : String(Math.round(100 * this.plan.design_fill)),
            "aria-label": "Value of the switch",
          });
    this.value.replaceChildren(input);
  }

  start(kind, content = {}) {
    return this.actions.perform(async () => {
      this.found.replaceChildren();
      this.keeping.hidden = true;
      await send(`/api/planning/${kind}`, content);
      await this.look();
    });
  }

  whatIf() {
    const key = this.field.value,
      kind = SWITCHES.find(([name]) => name === key)[2],
      text = this.value.firstChild.value;
    return this.start("what-if", { [key]: kind === "choice" ? text : kind === "share" ? Number(text) / 100 : Number(text) });
  }

  stop() {
    return this.actions.perform(async () => {
      await send("/api/planning/improve", undefined, "DELETE");
      await this.look();
    });
  }
  keep() {
    return this.actions.keepResult(this.variant.value).then(() => {
      this.keeping.hidden = true;
    });
  }

  poll() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.actions.perform(() => this.look()), 400);
  }

  async look() {
    const { work, adopted, places, state } = await get("/api/planning/improve");
    if (!work) return;
    const { progress, best, running } = work;
    const at = progress.stage
      ? `${progress.round ? `round ${progress.round}, ` : ""}${progress.stage} ${grouped(progress.done)} of ${grouped(progress.total)}`
      : "";
    this.progress.textContent = [
      `${work.title}: ${running ? "running" : "ended"}`,
      at,
      best.round ? `best ${priceOf(this.plan.currency, best.price_cents)}` : "",
      work.error,
    ]
      .filter(Boolean)
      .join("; ");
    this.stopButton.disabled = !running || !this.actions.mayChange();
    this.bestButton.disabled = !places || !this.actions.mayChange();
    this.actions.best(places);
    if (adopted) {
      this.actions.counted(state);
      this.actions.message("counted in full");
    }
    if (running) this.poll();
    else if (work.kind === "what-if" && !work.error) await this.showResult();
  }

  async showResult() {
    const sides = await get("/api/planning/what-if");
    this.found.replaceChildren(
      element(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Figures now, and of the what-if plan" },
        sidesTable(sides),
      ),
    );
    this.variant.value = sides.work.title;
    this.keeping.hidden = false;
  }
}
