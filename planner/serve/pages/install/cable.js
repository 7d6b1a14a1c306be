// A cable: both ends, the buttons, and what was recorded.

import { button, element, facts, link } from "../crew/elements.js";
import { AS_PLANNED, GROWS } from "./fold.js";
import { placeOf } from "./facts.js";
import { openProblem } from "./problem.js";
import { clockTime, plural } from "./site.js";

const WORDS = { pulled: "Pulled", plugged: "In", label_ok: "Label", serial: "Serial number", length_mm: "Actual length", tested: "Test", loss_db: "Loss", blocked: "Blocked", remark: "Remark", photo: "Photo", accepted: "Accepted", link: "Link", finding: "Finding" };

export function cablePage(site, number, end, act) {
  const cable = site.facts.numbered(number);
  if (!cable) return [element("h1", {}, `Cable ${number}`), element("p", { class: "empty" }, "The plan has no cable of this number. "), element("p", { class: "empty" }, link("Find another one", "#find"))];
  const status = site.status(cable);
  return [
    trail(site, cable),
    element("h1", {}, `Cable ${cable.number} `, element("span", { class: `step ${status.done ? "done" : ""}`, id: "step" }, status.step)),
    element("p", { class: "note" }, [cable.part, cable.length, cable.stage].filter(Boolean).join(" · "), cable.task ? [" · ", link(`task ${cable.task}`, `#task=${cable.task}`)] : ""),
    banners(site, cable, status, act),
    element("div", { class: "ends" }, cable.plugs.map((plug, n) => endCard(cable, status, plug, n, end))),
    buttons(site, cable, status, end, act),
    neighbors(site, cable, status),
    more(site, cable, status, act),
    history(site, cable, status, act),
  ];
}

// The name of a plug: "A", or where an end has several "B2".
export function plugName(cable, plug) {
  const own = cable.plugs.filter(({ end }) => end === plug.end);
  return `${plug.end.toUpperCase()}${own.length > 1 ? own.indexOf(plug) + 1 : ""}`;
}

function trail(site, cable) {
  // A cable that was found by its number is one of its task.
  if (!site.context) site.followOwn(cable);
  return element("p", { class: "steps" }, link(`‹ ${site.context.title}`, site.context.address, { id: "back" }));
}

function banners(site, cable, status, act) {
  const words = ({ end, field, value, crew, lost_value: lost, lost_crew: other }) => `${field.replace("_", " ")}${end ? ` ${end.toUpperCase()}` : ""}: “${lost || "nothing"}” of ${other}, then “${value || "nothing"}” of ${crew}. The last one counts; record what is right.`;
  return [
    status.blocked ? element("div", { class: "banner bad" }, element("b", {}, "Blocked: "), element("span", {}, status.blocked), button("Work can go on", () => act.clear(cable, "blocked"), { id: "unblock" })) : null,
    status.wrong.map((text) => element("div", { class: "banner bad" }, element("b", {}, "Wrong: "), element("span", {}, text))),
    site.conflictsOf(cable).map((conflict) => element("div", { class: "banner conflict" }, element("b", {}, "Two crews differ, "), element("span", {}, words(conflict)))),
    site.sync.refused.filter((event) => site.sync.isOfPlan(event) && site.facts.rows.get(event.row) === cable).map((event) => element("div", { class: "banner bad" }, element("b", {}, "Not accepted: "), element("span", {}, `${WORDS[event.field] ?? event.field}, ${event.problem}`), button("Understood", () => site.sync.dismiss(event.id)))),
  ];
}

function endCard(cable, status, plug, n, chosen) {
  const { place } = plug, name = plugName(cable, plug), register = status.ends[n];
  return element("section", { class: `end${plug.end === chosen ? " chosen" : ""}${register ? " in" : ""}`, "aria-label": `End ${name}` },
    element("h2", {}, `End ${name}`, plug.end === chosen ? element("small", {}, " this one") : ""),
    element("b", { class: "label" }, breakable(place.label || `${place.device} ${place.port}`)),
    facts(["cabinet", placeOf(place)], ["device", place.device], ["port", element("b", {}, place.port)], ["panel", place.panel]));
}

// Long labels break after their marks.
const breakable = (text) => text.split(/(?<=[/.:_-])/).flatMap((part) => [part, element("wbr")]);

function buttons(site, cable, status, end, act) {
  const big = (id, words, done, press, style = "") => button(done ? `✓ ${words}` : words, press, { id, class: `big ${style} ${done ? "done" : ""}`, "aria-pressed": String(Boolean(done)) });
  return element("div", { class: "buttons", role: "group", "aria-label": "Record" },
    big("pulled", "Pulled", status.pulled, () => act.set(cable, "pulled", "", "yes", "Pulled")),
    cable.plugs.map((plug, n) => {
      const name = plugName(cable, plug), register = status.ends[n], elsewhere = register && register.value !== AS_PLANNED;
      return button(elsewhere ? `${name} in another port` : register ? `✓ ${name} is in` : `${name} in`, () => act.set(cable, "plugged", plug.end, AS_PLANNED, `${name} in`, plug.row), { id: `in-${name.toLowerCase()}`, class: `big ${elsewhere ? "bad" : register ? "done" : plug.end === end ? "main" : ""}`, "aria-pressed": String(Boolean(register)) });
    }),
    big("tested", status.tested === "fail" ? "Test failed" : "Tested", status.tested === "pass", () => act.set(cable, "tested", "", "pass", "Tested"), status.tested === "fail" ? "bad" : ""),
    button("Problem", () => openProblem(site, cable, end, act), { id: "problem", class: "big problem" }));
}

function neighbors(site, cable, status) {
  const { context } = site;
  const at = context.numbers.indexOf(cable.number), rest = context.numbers.filter((number) => number !== cable.number && !site.status(site.facts.cables.get(number)).done);
  const after = rest.find((number) => context.numbers.indexOf(number) > at) ?? rest[0], before = context.numbers[at - 1];
  return element("nav", { class: "neighbors", "aria-label": `Cables of ${context.title}` },
    before === undefined ? element("span") : link(`‹ ${before}`, `#cable=${before}`, { id: "previous", class: "button" }),
    after === undefined ? element("span", { class: "note" }, `Nothing is left in ${context.title}.`) : link(`Next: ${after} ›`, `#cable=${after}`, { id: "next", class: `button ${status.done ? "main" : ""}` }));
}

function more(site, cable, status, act) {
  const typed = (id, words, field, end, options, scale = (text) => text, shown = status.value(field, end)) => element("form", { class: "line", submit: (event) => {
    event.preventDefault();
    const input = event.target.querySelector("input"), value = scale(input.value.trim());
    input.defaultValue = input.value;
    if (value !== status.value(field, end)) act.set(cable, field, end, value, words);
  } }, element("label", { for: id }, words), element("input", { id, value: shown, autocomplete: "off", ...options }), element("button", { class: "save" }, "Save"));
  const label = (end) => element("div", { class: "line" }, element("span", {}, `Label ${end.toUpperCase()}`), element("span", { class: "pair" }, ["yes", "no"].map((value) => button(value === "yes" ? "right" : "wrong", () => act.set(cable, "label_ok", end, value, `Label ${end.toUpperCase()} ${value === "yes" ? "right" : "wrong"}`), { id: `label-${end}-${value}`, "aria-pressed": String(status.value("label_ok", end) === value) }))));
  const length = status.value("length_mm");
  return element("details", { id: "more" }, element("summary", {}, "Label, serial number, length, remark, photo"),
    ["a", "b"].map(label),
    typed("serial", "Serial number", "serial", "", { maxlength: 64 }),
    typed("length", "Actual length (m)", "length_mm", "", { type: "number", step: "0.001", min: "0.001", max: "9999", inputmode: "decimal" }, (text) => (text ? String(Math.round(Number(text) * 1000)) : ""), length ? String(Number(length) / 1000) : ""),
    typed("loss", "Loss (dB)", "loss_db", "", { type: "number", step: "0.001", min: "-99", max: "99", inputmode: "decimal" }),
    element("form", { class: "line wide", submit: (event) => {
      event.preventDefault();
      const input = event.target.querySelector("textarea"), value = input.value.trim();
      input.value = input.defaultValue = "";
      if (value) act.set(cable, "remark", "", value, "Remark");
    } }, element("label", { for: "remark" }, "Remark"), element("textarea", { id: "remark", rows: 2, maxlength: 2000 }), element("button", { class: "save" }, "Save")),
    element("div", { class: "line" }, element("label", { for: "photo" }, "Photo"), element("input", { id: "photo", type: "file", accept: "image/*", capture: "environment", change: (event) => { const [file] = event.target.files; if (file) act.photo(cable, file); event.target.value = ""; } })),
    facts(["route", cable.route], ["trunk", cable.trunk], ["medium", cable.medium], ["crew", cable.crew || ""]),
    element("p", {}, link("Show it on the floor", `/#cable=${cable.number}`, { class: "button" })),
    site.member.role === "foreman" && !status.accepted ? button("Accept as it is", () => act.set(cable, "accepted", "", "yes", "Accepted"), { id: "accept" }) : null);
}

// Last values of all fields, with who recorded them and when; own ones can be taken back.
function history(site, cable, status, act) {
  const rows = site.valuesOf(cable).filter(({ value }) => value).sort((a, b) => b.clock - a.clock);
  const photos = [...site.sync.photos.values()].filter((photo) => site.sync.isOfPlan(photo) && site.facts.rows.get(photo.row) === cable);
  if (!rows.length && !photos.length) return null;
  const own = new Map(site.sync.own.filter((event) => site.sync.isOfPlan(event)).map((event) => [event.id, event]));
  const text = ({ field, value }) => (field === "photo" ? link("open", `/api/install/photo/${value}`, { target: "_blank", rel: "noopener" }) : field === "length_mm" ? `${Number(value) / 1000} m` : field === "plugged" && value === AS_PLANNED ? "" : value === "yes" && field !== "label_ok" ? "" : element("span", { class: "value" }, value));
  return [element("h2", { class: "group" }, "Recorded"), element("ul", { class: "recorded" },
    photos.length ? element("li", {}, element("span", {}, plural(photos.length, "photo"), " waiting")) : null,
    rows.map((register) => {
      const { end } = register, event = own.get(register.id), waits = site.sync.queue.has(register.id);
      return element("li", {}, element("span", {}, element("b", {}, `${end ? `${end.toUpperCase()} ` : ""}${WORDS[register.field] ?? register.field} `), text(register), element("small", {}, `${register.crew || "this phone"}, ${clockTime(register.clock)}${waits ? ", waiting" : ""}`)),
        GROWS.has(register.field) || register.crew === "fabric" ? null : button(event ? "Undo" : "Clear", () => (event ? act.undo(event) : act.clear(cable, register.field, end, register.row)), { "aria-label": `${event ? "Undo" : "Clear"} ${WORDS[register.field] ?? register.field} ${end.toUpperCase()}` }));
    }))];
}
