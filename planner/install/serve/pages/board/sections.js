// Sections of the board.

import { bar, button, element, link } from "../crew/elements.js";

const FIRST = 12;
const FIELDS = { label_ok: "label", length_mm: "length", serial: "serial number", loss_db: "loss" };
export const grouped = (number) => Number(number).toLocaleString("en-US");
export const hours = (seconds) =>
  seconds === null || seconds === undefined
    ? "—"
    : seconds >= 360
      ? `${(seconds / 3600).toFixed(1)} h`
      : `${Math.round(seconds / 60)} min`;
const begun = ({ steps }) => (steps.pulled ?? 0) + (steps["one end"] ?? 0);
const percent = (share) => `${Math.round(100 * share)} %`;

const progress = (share) =>
  bar(
    [
      ["done", share.done],
      ["part", begun(share)],
      ["bad", share.wrong + share.blocked],
    ],
    share.cables,
    `${grouped(share.done)} of ${grouped(share.cables)} installed`,
  );
const tile = (name, number, bad = false) =>
  element("div", { class: `tile ${bad && number ? "bad" : ""}` }, element("b", {}, grouped(number)), element("span", {}, name));

export function whole({ whole: share, counts, equipment, last }) {
  const { steps } = share;
  return [
    element(
      "h1",
      {},
      element("span", { id: "installed" }, `${grouped(share.done)} of ${grouped(share.cables)}`),
      " cables installed",
    ),
    element(
      "p",
      { class: "note" },
      share.done === share.cables
        ? "Everything is installed."
        : share.finish_s
          ? `Time to finish at the pace of the crews: ${hours(share.finish_s)} of work.`
          : "Time to finish: known after the first cables.",
      last ? ` Last event ${new Date(last / 1000).toLocaleString("sv-SE")}.` : "",
    ),
    progress(share),
    element(
      "p",
      { class: "note", id: "equipment" },
      `Devices: ${grouped(equipment.installed)} of ${grouped(equipment.devices)} installed, ${grouped(equipment.serials)} with a serial number.`,
    ),
    element(
      "div",
      { class: "tiles" },
      tile("planned", steps.planned),
      tile("pulled", steps.pulled),
      tile("one end", steps["one end"]),
      tile("both ends", steps["both ends"]),
      tile("link up", steps["link up"]),
      tile("tested", steps.tested),
      tile("accepted", steps.accepted),
      tile("blocked", share.blocked, true),
      tile("wrong", share.wrong, true),
      tile("conflicts", counts.conflicts, true),
    ),
  ];
}

function table(heads, rows) {
  return element(
    "table",
    {},
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        heads.map(([words, number]) => element("th", { class: number ? "number" : "", scope: "col" }, words)),
      ),
    ),
    element("tbody", {}, rows),
  );
}

export function shareTable(head, shares) {
  if (!shares.length) return element("p", { class: "note" }, "None.");
  return table(
    [[head], ["installed", true], ["pulled", true], ["one end", true], ["blocked", true], ["wrong", true], ["left", true]],
    shares.map((share) =>
      element(
        "tr",
        { "data-name": share.name },
        element("th", { scope: "row" }, share.name, progress(share)),
        ...[
          `${grouped(share.done)} of ${grouped(share.cables)}`,
          grouped(share.steps.pulled),
          grouped(share.steps["one end"]),
          grouped(share.blocked),
          grouped(share.wrong),
          hours(share.finish_s),
        ].map((text, n) => element("td", { class: `number ${[3, 4].includes(n) && text !== "0" ? "bad" : ""}` }, text)),
      ),
    ),
  );
}

// Planned crews with what is left of their tasks, then the pace of everybody who has recorded something.
export function crewTable({ planned_crews: crews, crews: paces, work_order: ordered }) {
  return [
    crews.length ? shareTable("planned crew", crews) : null,
    paces.length ? element("h3", {}, "Pace") : element("p", { class: "note" }, "No crew has recorded anything yet."),
    paces.length
      ? table(
          [["crew"], ["cables", true], ["time", true], ["pace", true]],
          paces.map((pace) =>
            element(
              "tr",
              { "data-crew": pace.crew },
              element("th", { scope: "row" }, pace.crew),
              ...[
                grouped(pace.cables),
                hours(pace.active_s),
                pace.speed && ordered
                  ? `${percent(pace.speed)} of planned`
                  : pace.cables && pace.active_s
                    ? `${((3600 * pace.cables) / pace.active_s).toFixed(0)} cables/h`
                    : "—",
              ].map((text) => element("td", { class: "number" }, text)),
            ),
          ),
        )
      : null,
  ]
    .filter(Boolean)
    .reduce((holder, node) => {
      holder.append(node);
      return holder;
    }, element("div"));
}

// `give`: hands the tasks over; null for those who may not.
export function moved({ replan: replanned }, give) {
  if (!replanned || !replanned.moved.length) return [];
  const slow = Object.entries(replanned.finish_s).sort((a, b) => b[1] - a[1])[0][0];
  return [
    element("h3", {}, "Tasks that another crew should take"),
    element(
      "p",
      {},
      `Crew ${slow} needs ${hours(replanned.before_s)}; with these tasks moved all are finished after ${hours(replanned.after_s)}.`,
    ),
    element(
      "ul",
      { class: "plainlist" },
      replanned.moved.map((each) =>
        element(
          "li",
          {},
          link(`Task ${each.task}`, `/install#task=${each.task}`),
          ` (${each.stage}): crew ${each.from_crew} to crew ${each.to_crew}, ${grouped(each.cables)} cables, ${hours(each.work_s)} of planned work`,
        ),
      ),
    ),
    give
      ? button(
          "Give these tasks to these crews",
          () => give(Object.fromEntries(replanned.moved.map((each) => [each.task, each.to_crew]))),
          { id: "give" },
        )
      : null,
    element("p", { id: "given", class: "note", role: "status" }),
  ].filter(Boolean);
}

export function attention({ counts, wrong, blocked, devices, conflicts, unmatched, relabeled, plan_problem: problem }) {
  const cable = (number) => (number ? link(`Cable ${number}`, `/install#cable=${number}`) : element("b", {}, "Unknown cable"));
  const lists = [
    ["Wrong", "wrong", wrong.map(([number, texts]) => [cable(number), `: ${texts.join("; ")}`])],
    ["Blocked", "blocked", blocked.map(([number, text]) => [cable(number), `: ${text}`])],
    [
      "Blocked devices",
      "devices",
      devices.map(([name, text]) => [link(name, `/install#device=${encodeURIComponent(name)}`), `: ${text}`]),
    ],
    [
      "Two crews recorded different values; the last one counts",
      "conflicts",
      conflicts.map((each) => [
        cable(each.cable),
        ` ${FIELDS[each.field] ?? each.field}${each.end ? ` of end ${each.end.toUpperCase()}` : ""}: “${each.lost_value || "nothing"}” of ${each.lost_crew}, then “${each.value || "nothing"}” of ${each.crew}`,
      ]),
    ],
    [
      "New labels needed",
      "relabeled",
      relabeled.map(([number, installed, planned]) => [cable(number), `: ${installed.join(" and ")} → ${planned.join(" and ")}`]),
    ],
    [
      "Recorded for cables that the plan no longer has",
      "unmatched",
      unmatched.map(([number, target, reason]) => [`${number ? `cable ${number}, ` : ""}${target}: ${reason}`]),
    ],
  ].filter(([, , items]) => items.length);
  const refused = problem
    ? [
        element(
          "div",
          { class: "banner", id: "plan-problem" },
          element("b", {}, "The plan in its folder is not shown, but the one before: "),
          problem,
        ),
      ]
    : [];
  if (!lists.length) return [...refused, element("p", { class: "note" }, "Nothing is wrong, blocked or in conflict.")];
  return refused.concat(
    lists.map(([title, name, items]) =>
      element(
        "section",
        { "data-list": name },
        element("h3", {}, `${title}: ${grouped(counts[name])}`),
        element(
          "ul",
          { class: "plainlist" },
          items.slice(0, FIRST).map((words) => element("li", {}, words)),
        ),
        items.length > FIRST
          ? element(
              "details",
              { id: `more-${name}` },
              element("summary", {}, `${grouped(items.length - FIRST)} more`),
              element(
                "ul",
                { class: "plainlist" },
                items.slice(FIRST).map((words) => element("li", {}, words)),
              ),
            )
          : null,
        counts[name] > items.length
          ? element("p", { class: "note" }, `The first ${grouped(items.length)} of ${grouped(counts[name])}.`)
          : null,
      ),
    ),
  );
}
