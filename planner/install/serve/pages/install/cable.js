// A cable: both ends, the buttons, and what was recorded.

import { button, element, facts, link } from "../crew/elements.js";
import { AS_PLANNED } from "./fold.js";
import { placeOf, plugName } from "./facts.js";
import { addressOfDevice } from "./lists.js";
import { WORDS, photoLine, recorded, remarkForm, typed } from "./notes.js";
import { openProblem } from "./problem.js";

export function cablePage(site, number, end, act) {
  const cable = site.facts.numbered(number);
  if (!cable)
    return [
      element("h1", {}, `Cable ${number}`),
      element("p", { class: "empty" }, "The plan has no cable of this number. "),
      element("p", { class: "empty" }, link("Find another one", "#find")),
    ];
  const status = site.status(cable);
  return [
    trail(site, cable),
    element(
      "h1",
      {},
      `Cable ${cable.number} `,
      element("span", { class: `step ${status.done ? "done" : ""}`, id: "step" }, status.step),
    ),
    element(
      "p",
      { class: "note" },
      [cable.part, cable.length, cable.stage].filter(Boolean).join(" · "),
      cable.task ? [" · ", link(`task ${cable.task}`, `#task=${cable.task}`)] : "",
    ),
    banners(site, cable, status, act),
    element(
      "div",
      { class: "ends" },
      cable.plugs.map((plug, n) => endCard(cable, status, plug, n, end)),
    ),
    buttons(site, cable, status, end, act),
    neighbors(site, cable, status),
    more(site, cable, status, act),
    history(site, cable, act),
  ];
}

function trail(site, cable) {
  // A cable that was found by its number is one of its task.
  if (!site.context) site.followOwn(cable);
  return element("p", { class: "steps" }, link(`‹ ${site.context.title}`, site.context.address, { id: "back" }));
}

function banners(site, cable, status, act) {
  const words = ({ end, field, value, crew, lost_value: lost, lost_crew: other }) =>
    `${field.replace("_", " ")}${end ? ` ${end.toUpperCase()}` : ""}: “${lost || "nothing"}” of ${other}, then “${value || "nothing"}” of ${crew}. The last one counts; record what is right.`;
  return [
    status.blocked
      ? element(
          "div",
          { class: "banner bad" },
          element("b", {}, "Blocked: "),
          element("span", {}, status.blocked),
          button("Work can go on", () => act.clear(cable, "blocked"), { id: "unblock" }),
        )
      : null,
    status.wrong.map((text) => element("div", { class: "banner bad" }, element("b", {}, "Wrong: "), element("span", {}, text))),
    site
      .conflictsOf(cable)
      .map((conflict) =>
        element(
          "div",
          { class: "banner conflict" },
          element("b", {}, "Two crews differ, "),
          element("span", {}, words(conflict)),
        ),
      ),
    site.sync.refused
      .filter((event) => site.sync.isOfPlan(event) && site.facts.rows.get(event.row) === cable)
      .map((event) =>
        element(
          "div",
          { class: "banner bad" },
          element("b", {}, "Not accepted: "),
          element("span", {}, `${WORDS[event.field] ?? event.field}, ${event.problem}`),
          button("Understood", () => site.sync.dismiss(event.id)),
        ),
      ),
  ];
}

function endCard(cable, status, plug, n, chosen) {
  const { place } = plug,
    name = plugName(cable, plug),
    register = status.ends[n];
  return element(
    "section",
    { class: `end${plug.end === chosen ? " chosen" : ""}${register ? " in" : ""}`, "aria-label": `End ${name}` },
    element("h2", {}, `End ${name}`, plug.end === chosen ? element("small", {}, " this one") : ""),
    element("b", { class: "label" }, breakable(place.label || `${place.device} ${place.port}`)),
    facts(["cabinet", placeOf(place)], ["device", place.device], ["port", element("b", {}, place.port)], ["panel", place.panel]),
  );
}

// Long labels break after their marks.
const breakable = (text) => text.split(/(?<=[/.:_-])/).flatMap((part) => [part, element("wbr")]);

function buttons(site, cable, status, end, act) {
  const big = (id, words, done, press, style = "") =>
    button(done ? `✓ ${words}` : words, press, {
      id,
      class: `big ${style} ${done ? "done" : ""}`,
      "aria-pressed": String(Boolean(done)),
    });
  return element(
    "div",
    { class: "buttons", role: "group", "aria-label": "Record" },
    big("pulled", "Pulled", status.pulled, () => act.set(cable, "pulled", "", "yes", "Pulled")),
    cable.plugs.map((plug, n) => {
      const name = plugName(cable, plug),
        register = status.ends[n],
        elsewhere = register && register.value !== AS_PLANNED;
      return button(
        elsewhere ? `${name} in another port` : register ? `✓ ${name} is in` : `${name} in`,
        () => act.set(cable, "plugged", plug.end, AS_PLANNED, `${name} in`, plug.row),
        {
          id: `in-${name.toLowerCase()}`,
          class: `big ${elsewhere ? "bad" : register ? "done" : plug.end === end ? "main" : ""}`,
          "aria-pressed": String(Boolean(register)),
        },
      );
    }),
    big(
      "tested",
      status.tested === "fail" ? "Test failed" : "Tested",
      status.tested === "pass",
      () => act.set(cable, "tested", "", "pass", "Tested"),
      status.tested === "fail" ? "bad" : "",
    ),
    button("Problem", () => openProblem(site, cable, end, act), { id: "problem", class: "big problem" }),
  );
}

function neighbors(site, cable, status) {
  const { context } = site;
  const at = context.numbers.indexOf(cable.number),
    rest = context.numbers.filter((number) => number !== cable.number && !site.status(site.facts.cables.get(number)).done);
  const after = rest.find((number) => context.numbers.indexOf(number) > at) ?? rest[0],
    before = context.numbers[at - 1];
  return element(
    "nav",
    { class: "neighbors", "aria-label": `Cables of ${context.title}` },
    before === undefined ? element("span") : link(`‹ ${before}`, `#cable=${before}`, { id: "previous", class: "button" }),
    after === undefined
      ? element("span", { class: "note" }, `Nothing is left in ${context.title}.`)
      : link(`Next: ${after} ›`, `#cable=${after}`, { id: "next", class: `button ${status.done ? "main" : ""}` }),
  );
}

function more(site, cable, status, act) {
  const line = (id, words, field, options, more) =>
    typed(id, words, status.value(field), (value) => act.set(cable, field, "", value, words), options, more);
  const label = (end) =>
    element(
      "div",
      { class: "line" },
      element("span", {}, `Label ${end.toUpperCase()}`),
      element(
        "span",
        { class: "pair" },
        ["yes", "no"].map((value) =>
          button(
            value === "yes" ? "right" : "wrong",
            () => act.set(cable, "label_ok", end, value, `Label ${end.toUpperCase()} ${value === "yes" ? "right" : "wrong"}`),
            { id: `label-${end}-${value}`, "aria-pressed": String(status.value("label_ok", end) === value) },
          ),
        ),
      ),
    );
  const length = status.value("length_mm"),
    meters = {
      scale: (text) => (text ? String(Math.round(Number(text) * 1000)) : ""),
      shown: length ? String(Number(length) / 1000) : "",
    };
  const planned =
    cable.crew && site.crewOf(cable) !== cable.crew ? `${site.crewOf(cable)}, planned ${cable.crew}` : cable.crew || "";
  return element(
    "details",
    { id: "more" },
    element("summary", {}, "Label, serial number, length, remark, photo"),
    ["a", "b"].map(label),
    line("serial", "Serial number", "serial", { maxlength: 64 }, { code: true }),
    line(
      "length",
      "Actual length (m)",
      "length_mm",
      { type: "number", step: "0.001", min: "0.001", max: "9999", inputmode: "decimal" },
      meters,
    ),
    line("loss", "Loss (dB)", "loss_db", { type: "number", step: "0.001", min: "-99", max: "99", inputmode: "decimal" }),
    remarkForm((value) => act.set(cable, "remark", "", value, "Remark")),
    photoLine((file) => act.photo(cable, file)),
    facts(["route", cable.route], ["trunk", cable.trunk], ["medium", cable.medium], ["crew", planned]),
    element(
      "p",
      { class: "choices" },
      devicesOf(cable).map((name) => link(`Device ${name}`, addressOfDevice({ name }), { class: "button" })),
      link("Show it on the floor", `/#cable=${cable.number}`, { class: "button" }),
    ),
    site.member.role === "foreman" && !status.accepted
      ? button("Accept as it is", () => act.set(cable, "accepted", "", "yes", "Accepted"), { id: "accept" })
      : null,
  );
}

const devicesOf = (cable) => [...new Set(cable.plugs.map(({ place }) => place.device))];

function history(site, cable, act) {
  const isOwn = (photo) => site.sync.isOfPlan(photo) && site.facts.rows.get(photo.row) === cable;
  return recorded(site, site.valuesOf(cable), isOwn, act, ({ field, end, row }) => act.clear(cable, field, end, row));
}
