// What is typed or photographed about a cable or a device, and what was recorded about it.

import { button, byId, element, link } from "../crew/elements.js";
import { Failed } from "../crew/request.js";
import { AS_PLANNED, GROWS } from "./fold.js";
import { readText } from "./scan.js";
import { clockTime, plural } from "./site.js";

export const WORDS = {
  pulled: "Pulled",
  plugged: "In",
  label_ok: "Label",
  serial: "Serial number",
  asset_tag: "Asset tag",
  length_mm: "Actual length",
  tested: "Test",
  loss_db: "Loss",
  blocked: "Blocked",
  installed: "Installed",
  remark: "Remark",
  photo: "Photo",
  accepted: "Accepted",
  link: "Link",
  finding: "Finding",
  crew: "Given to crew",
};

// A line with a value that is saved when it has changed; `scale` makes the value of the field from the text. With `code` the text
// may come from a code on a photo.
export function typed(id, words, before, save, options = {}, { scale = (text) => text, shown = before, code = false } = {}) {
  return element(
    "form",
    {
      class: "line",
      submit: (event) => {
        event.preventDefault();
        const input = event.target.querySelector("input"),
          value = scale(input.value.trim());
        input.defaultValue = input.value;
        if (value !== before) save(value);
      },
    },
    element("label", { for: id }, words),
    element("input", { id, value: shown, autocomplete: "off", ...options }),
    element("button", { class: "save" }, "Save"),
    code ? codeOf(id, words) : null,
  );
}

function codeOf(id, words) {
  // Meanwhile the page may have been drawn again, with other elements.
  const report = (text) => {
    if (byId(`${id}-note`)) byId(`${id}-note`).textContent = text;
  };
  return [
    element(
      "label",
      { class: "button code", for: `${id}-code` },
      element("span", { class: "hidden" }, `${words}: `),
      "Photo of its code",
    ),
    element("input", {
      id: `${id}-code`,
      class: "hidden",
      type: "file",
      accept: "image/*",
      capture: "environment",
      change: async (event) => {
        const [file] = event.target.files;
        event.target.value = "";
        if (!file) return;
        report("Reading the code …");
        try {
          const text = await readText(file),
            input = byId(id);
          if (!input) return;
          input.value = text.slice(0, input.maxLength);
          input.focus();
          report("Check it, then save it.");
        } catch (error) {
          report(error instanceof Failed && error.status === 0 ? "No connection: type it instead." : error.message);
        }
      },
    }),
    element("small", { id: `${id}-note`, role: "status", class: "code-note" }),
  ];
}

export function remarkForm(save) {
  return element(
    "form",
    {
      class: "line wide",
      submit: (event) => {
        event.preventDefault();
        const input = event.target.querySelector("textarea"),
          value = input.value.trim();
        input.value = input.defaultValue = "";
        if (value) save(value);
      },
    },
    element("label", { for: "remark" }, "Remark"),
    element("textarea", { id: "remark", rows: 2, maxlength: 2000 }),
    element("button", { class: "save" }, "Save"),
  );
}

export function photoLine(take) {
  return element(
    "div",
    { class: "line" },
    element("label", { for: "photo" }, "Photo"),
    element("input", {
      id: "photo",
      type: "file",
      accept: "image/*",
      capture: "environment",
      change: (event) => {
        const [file] = event.target.files;
        if (file) take(file);
        event.target.value = "";
      },
    }),
  );
}

// Last values of all fields, with who recorded them and when; own ones can be taken back.
export function recorded(site, registers, isPhoto, act, clear) {
  const rows = registers.filter(({ value }) => value).sort((a, b) => b.clock - a.clock);
  const photos = [...site.sync.photos.values()].filter((photo) => !photo.again && isPhoto(photo));
  if (!rows.length && !photos.length) return null;
  const own = new Map(site.sync.own.filter((event) => site.sync.isOfPlan(event)).map((event) => [event.id, event]));
  return [
    element("h2", { class: "group" }, "Recorded"),
    element(
      "ul",
      { class: "recorded" },
      photos.length
        ? element(
            "li",
            {},
            element(
              "span",
              {},
              plural(photos.length, "photo"),
              " waiting",
              site.sync.full ? element("small", { class: "bad" }, site.sync.full) : "",
            ),
          )
        : null,
      rows.map((register) => {
        const { end, field } = register,
          event = own.get(register.id),
          waits = site.sync.queue.has(register.id),
          side = end === "device" ? "" : end.toUpperCase();
        return element(
          "li",
          {},
          element(
            "span",
            {},
            element("b", {}, `${side ? `${side} ` : ""}${WORDS[field] ?? field} `),
            valueOf(register),
            element("small", {}, `${register.crew || "this phone"}, ${clockTime(register.clock)}${waits ? ", waiting" : ""}`),
          ),
          GROWS.has(field) || field === "crew" || register.crew === "fabric"
            ? null
            : button(event ? "Undo" : "Clear", () => (event ? act.undo(event) : clear(register)), {
                "aria-label": `${event ? "Undo" : "Clear"} ${WORDS[field] ?? field} ${side}`.trim(),
              }),
        );
      }),
    ),
  ];
}

function valueOf({ field, value }) {
  if (field === "photo") return link("open", `/api/install/photo/${value}`, { target: "_blank", rel: "noopener" });
  if (field === "length_mm") return `${Number(value) / 1000} m`;
  if ((field === "plugged" && value === AS_PLANNED) || (value === "yes" && field !== "label_ok")) return "";
  return element("span", { class: "value" }, value);
}
