// Lists of cables: by task, by cabinet, by stage, and those with a problem.

import { bar, button, element, link } from "../crew/elements.js";
import { placeOf } from "./facts.js";
import { isDone, moveList } from "./moves.js";
import { grouped, plural } from "./site.js";

const FIRST = 40;
const LISTS = { tasks: "Tasks", moves: "Moves", cabinet: "Cabinet", devices: "Devices", stages: "Stages", problems: "Problems" };
let shown = FIRST,
  shownFor = "",
  all = false;

export const addressOf = (cable, end = "") => `#cable=${cable.number}${end ? `&end=${end}` : ""}`;

export function listPage(site, wanted, again, act) {
  const { facts, sync } = site,
    has = { tasks: facts.tasks.size, moves: sync.cards.cards.length },
    known = Object.keys(LISTS).filter((name) => !(name in has) || has[name]);
  const name = known.includes(wanted.get("list")) ? wanted.get("list") : wanted.has("cabinet") ? "cabinet" : known[0];
  if (shownFor !== wanted.toString()) [shown, shownFor] = [FIRST, wanted.toString()];
  const counted = {
    problems: problems(site).length + blockedDevices(site).length,
    moves: sync.cards.cards.filter((card) => !isDone(site, card)).length,
  };
  const tabs = element(
    "nav",
    { class: "tabs", "aria-label": "Lists" },
    known.map((each) =>
      link(each in counted ? `${LISTS[each]} ${grouped(counted[each])}` : LISTS[each], `#list=${each}`, {
        "aria-current": each === name ? "page" : null,
      }),
    ),
  );
  const content = {
    tasks: taskList,
    moves: () => moveList(site, act),
    cabinet: cabinetList,
    devices: deviceList,
    stages: stageList,
    problems: problemList,
  }[name];
  return [
    element("h1", { class: "hidden" }, name === "devices" ? "Devices" : `Cables by ${name}`),
    tabs,
    content(site, wanted, again),
  ];
}

export const problems = (site) =>
  site.facts.list.filter((cable) => {
    const status = site.status(cable);
    return status.blocked || status.wrong.length || site.conflictsOf(cable).length;
  });

const blockedDevices = (site) => [...site.facts.devices.values()].filter((device) => site.statusOfDevice(device).blocked);

// The first rows of a list, and a button for more.
function limited(items, row, again) {
  return [
    element("ul", { class: "rows" }, items.slice(0, shown).map(row)),
    items.length > shown
      ? button(
          `Show more: ${grouped(shown)} of ${grouped(items.length)}`,
          () => {
            shown += 5 * FIRST;
            again();
          },
          { id: "more-rows", class: "wide" },
        )
      : null,
  ];
}

function openOnly(number, again) {
  return element(
    "label",
    { class: "check" },
    element("input", {
      type: "checkbox",
      id: "finished",
      checked: all,
      change: (event) => {
        all = event.target.checked;
        again();
      },
    }),
    `finished ones too (${grouped(number)})`,
  );
}

const MARKS = { planned: "○", pulled: "◔", "one end": "◑", "both ends": "●", "link up": "●", tested: "✔", accepted: "✔" };

export function cableRow(site, cable, near = "") {
  const status = site.status(cable),
    [row] = cable.rows,
    bad = status.blocked || status.wrong.length || site.conflictsOf(cable).length;
  const sides = near === "b" ? [row.b, row.a] : [row.a, row.b];
  const from = near
    ? `${sides[0].unit ? `unit ${sides[0].unit}, ` : ""}${sides[0].device} ${sides[0].port}`
    : `${row.a.device} ${row.a.port}`;
  return element(
    "li",
    {},
    link(
      [
        element(
          "span",
          { class: `mark ${bad ? "bad" : status.done ? "done" : ""}`, "aria-hidden": "true" },
          bad ? "!" : MARKS[status.step],
        ),
        element("b", {}, `${cable.number}${near ? ` ${near.toUpperCase()}` : ""}`),
        element(
          "span",
          { class: "text" },
          `${from} → ${sides[1].device} ${sides[1].port}`,
          element(
            "small",
            {},
            near ? `to ${placeOf(sides[1])} · ${cable.length}` : `${placeOf(row.a)} → ${placeOf(row.b)} · ${cable.length}`,
          ),
        ),
        element(
          "small",
          { class: bad ? "bad" : "" },
          status.blocked ? "blocked" : status.wrong.length ? "wrong" : bad ? "conflict" : status.step,
        ),
      ],
      addressOf(cable, near),
      { class: "row" },
    ),
  );
}

function taskList(site, wanted, again) {
  const { facts, crew } = site,
    mine = crew && wanted.get("crew") !== "all";
  const tasks = [...facts.tasks.values()].filter((task) => !mine || crewsOf(site, task).includes(crew)),
    left = (task) => task.cables.filter((cable) => !site.status(cable).done).length;
  const open = tasks.filter(left),
    listed = all ? tasks : open;
  return [
    crew
      ? element(
          "p",
          { class: "bar" },
          link(`Tasks of crew ${crew}`, "#list=tasks", { "aria-current": mine ? "page" : null }),
          link("of all crews", "#list=tasks&crew=all", { "aria-current": mine ? null : "page" }),
        )
      : null,
    listed.length ? null : element("p", { class: "empty" }, "No task is left here."),
    limited(
      listed,
      (task) => {
        const number = left(task);
        return element(
          "li",
          {},
          link(
            [
              element(
                "span",
                { class: `mark ${number ? "" : "done"}`, "aria-hidden": "true" },
                number ? (number < task.cables.length ? "◑" : "○") : "●",
              ),
              element("b", {}, `Task ${task.task}`),
              element(
                "span",
                { class: "text" },
                task.places,
                element(
                  "small",
                  {},
                  `${task.stage}${mine ? (task.crew === crew ? "" : `, given by the foreman, planned for crew ${task.crew}`) : `, crew ${crewsOf(site, task).join(" and ")}`}`,
                ),
              ),
              element("small", {}, number ? `${grouped(number)} of ${grouped(task.cables.length)} left` : "done"),
            ],
            `#task=${task.task}`,
            { class: task === open[0] ? "row first" : "row" },
          ),
        );
      },
      again,
    ),
    openOnly(tasks.length - open.length, again),
  ];
}

// Crews of what is left of a task, else of the work order.
function crewsOf(site, task) {
  const found = [...new Set(task.cables.filter((cable) => !site.status(cable).done).map((cable) => site.crewOf(cable)))];
  return found.length ? found.sort((a, b) => a - b) : [task.crew];
}

// The cabinet at which the crew is: chosen once for the lists of cables and of devices.
function cabinetChoice(site, wanted, list) {
  const { facts } = site,
    names = [...facts.cabinets.keys()].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  let name = wanted.get("cabinet");
  if (!name)
    try {
      name = sessionStorage.getItem("planner-cabinet");
    } catch {
      /* then none is chosen yet */
    }
  const choose = element(
    "select",
    {
      id: "cabinet",
      change: (event) => {
        location.hash = `#list=${list}&cabinet=${encodeURIComponent(event.target.value)}`;
      },
    },
    element("option", { value: "", selected: !name }, "choose"),
    names.map((each) => element("option", { value: each, selected: each === name }, each)),
  );
  const chosen = element("p", { class: "bar" }, element("label", { for: "cabinet" }, "My cabinet"), choose);
  if (!facts.cabinets.has(name))
    return { chosen: [chosen, name ? element("p", { class: "empty" }, `The plan has no cabinet ${name}.`) : null] };
  try {
    sessionStorage.setItem("planner-cabinet", name);
  } catch {
    /* it is chosen again then */
  }
  return { chosen, name };
}

function cabinetList(site, wanted, again) {
  const { facts } = site,
    { chosen, name } = cabinetChoice(site, wanted, "cabinet");
  if (!name) return chosen;
  const own = site.inOrder(facts.cabinets.get(name)),
    open = own.filter((cable) => !site.status(cable).done),
    listed = all ? own : open;
  site.follow(`cabinet ${name}`, `#list=cabinet&cabinet=${encodeURIComponent(name)}`, open);
  const near = (cable) => (cable.rows[0].a.cabinet === name ? "a" : "b");
  const count = facts.stages
    .map((stage) => [stage, listed.filter((cable) => cable.stage === stage)])
    .filter(([, cables]) => cables.length);
  return [
    chosen,
    element("p", { class: "note" }, `${plural(open.length, "cable")} left of ${grouped(own.length)}, next by stage`),
    count.map(([stage, cables]) => [
      element("h2", { class: "group" }, `${stage}: ${grouped(cables.length)}`),
      limited(cables, (cable) => cableRow(site, cable, near(cable)), again),
    ]),
    openOnly(own.length - open.length, again),
  ];
}

export const addressOfDevice = (device) => `#device=${encodeURIComponent(device.name)}`;

export function deviceRow(site, device) {
  const status = site.statusOfDevice(device),
    words = status.blocked ? "blocked" : status.installed ? "installed" : "planned";
  return element(
    "li",
    {},
    link(
      [
        element(
          "span",
          { class: `mark ${status.blocked ? "bad" : status.installed ? "done" : ""}`, "aria-hidden": "true" },
          status.blocked ? "!" : status.installed ? "●" : "○",
        ),
        element(
          "b",
          { class: "text" },
          device.name,
          element("small", {}, [placeOf(device), device.role, status.serial || status.tag].filter(Boolean).join(" · ")),
        ),
        element("small", { class: status.blocked ? "bad" : "" }, words),
      ],
      addressOfDevice(device),
      { class: "row device" },
    ),
  );
}

function deviceList(site, wanted, again) {
  const { facts } = site,
    { chosen, name } = cabinetChoice(site, wanted, "devices");
  if (!name) return chosen;
  const own = facts.standingIn(name),
    open = own.filter((device) => {
      const status = site.statusOfDevice(device);
      return !status.installed || !status.serial || status.blocked;
    }),
    listed = all ? own : open;
  return [
    chosen,
    element(
      "p",
      { class: "note" },
      `${plural(open.length, "device")} of ${grouped(own.length)} left to install, or without a serial number; the highest unit first`,
    ),
    listed.length
      ? limited(listed, (device) => deviceRow(site, device), again)
      : element("p", { class: "empty" }, "Nothing is left in this cabinet."),
    openOnly(own.length - open.length, again),
  ];
}

function stageList(site) {
  const { facts } = site;
  return element(
    "ul",
    { class: "rows" },
    facts.stages.map((stage) => {
      const own = facts.list.filter((cable) => cable.stage === stage),
        done = own.filter((cable) => site.status(cable).done).length,
        bad = own.filter((cable) => site.status(cable).blocked || site.status(cable).wrong.length).length;
      return element(
        "li",
        {},
        link(
          [
            element(
              "b",
              { class: "text" },
              stage,
              bar(
                [
                  ["done", done],
                  ["bad", bad],
                ],
                own.length,
                `${grouped(done)} of ${grouped(own.length)} cables installed`,
              ),
            ),
            element("small", {}, `${grouped(done)} of ${grouped(own.length)}`),
          ],
          `#stage=${encodeURIComponent(stage)}`,
          { class: "row wide" },
        ),
      );
    }),
  );
}

function problemList(site, wanted, again) {
  const found = site.inOrder(problems(site)),
    devices = blockedDevices(site);
  site.follow("problems", "#list=problems", found);
  if (!found.length && !devices.length) return element("p", { class: "empty" }, "Nothing is wrong or blocked.");
  return [
    limited(found, (cable) => cableRow(site, cable), again),
    devices.length
      ? element(
          "ul",
          { class: "rows" },
          devices.map((device) => deviceRow(site, device)),
        )
      : null,
  ];
}

export function taskPage(site, number, again) {
  const task = site.facts.tasks.get(number);
  if (!task) return [element("h1", {}, `Task ${number}`), element("p", { class: "empty" }, "The plan has no such task.")];
  return group(
    site,
    [`Task ${number}`, `#task=${number}`],
    `${task.places}. ${task.stage}, crew ${crewsOf(site, task).join(" and ")}`,
    "#list=tasks",
    task.cables,
    again,
  );
}

export function stagePage(site, stage, again) {
  const own = site.inOrder(site.facts.list.filter((cable) => cable.stage === stage));
  return group(
    site,
    [stage, `#stage=${encodeURIComponent(stage)}`],
    `Install stage, ${plural(own.length, "cable")}`,
    "#list=stages",
    own,
    again,
  );
}

function group(site, [title, address], about, back, cables, again) {
  const open = cables.filter((cable) => !site.status(cable).done),
    listed = all ? cables : open;
  site.follow(title, address, open);
  return [
    element("p", { class: "steps" }, link("‹ all", back)),
    element("h1", {}, title),
    element("p", { class: "note" }, about),
    listed.length
      ? limited(listed, (cable) => cableRow(site, cable), again)
      : element("p", { class: "empty" }, "All cables are installed."),
    openOnly(cables.length - open.length, again),
  ];
}
