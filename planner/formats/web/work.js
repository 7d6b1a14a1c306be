// The work order: pages and lists of its tasks.

import { change } from "./address.js";
import { element } from "./elements.js";
import { FILTERS, filtersOf, filterWords, stageOf } from "./filters.js";
import { grouped, SPACE } from "./numbers.js";
import { all, cablesOf, count, lengthOf, plan, plural, work } from "./plan.js";
import { address, link, nameOf } from "./selection.js";
import { action, cableList, facts, heading } from "./widgets.js";

export const clock = (seconds) => {
  const day = Math.floor(seconds / work.shift_s),
    rest = Math.round((seconds - day * work.shift_s) / 60);
  return `day ${day + 1}, ${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}${SPACE}h`;
};
const hours = (seconds) => `${grouped(seconds / 3600, 1)}${SPACE}h`;
export const stageTitle = (task) => `${work.stage[task] + 1} ${stageOf(task)}`;
// Both ends of a task: a cabinet, or a frame of panels in the trays.
const endsOfTask = (task) =>
  [0, 1]
    .map((end) => {
      const [cabinet, frame] = [work.cabinet[2 * task + end], work.frame[2 * task + end]];
      return { cabinet, name: cabinet >= 0 ? nameOf("cabinet", cabinet) : frame >= 0 ? plan.panels.frame_names[frame] : "" };
    })
    .filter(({ name }, end, [first]) => name && (!end || name !== first.name));
export const placesOf = (task) =>
  endsOfTask(task)
    .map(({ name }) => name)
    .join(" → ");

// The tasks of the chosen stage and crew that install cables of the chosen network, in the order of work.
function tasksShown(layers) {
  const names = filtersOf(layers),
    ofTasks = names.filter((name) => FILTERS[name].ofTask),
    others = names.filter((name) => !FILTERS[name].ofTask);
  const has = (task) => cablesOf.task(task).some((cable) => others.every((name) => FILTERS[name].of(cable) === layers[name]));
  return all(count.tasks).filter(
    (task) => ofTasks.every((name) => FILTERS[name].ofTask(task) === layers[name]) && (!others.length || has(task)),
  );
}

export function taskPage({ n }) {
  const own = all(count.tasks).filter((task) => work.crew[task] === work.crew[n]),
    place = own.indexOf(n);
  const list = cablesOf.task(n),
    bundle = work.bundle[n];
  return [
    ...heading(
      `Task ${n + 1}`,
      filterLink("crew", String(work.crew[n] + 1), `crew ${work.crew[n] + 1}`),
      filterLink("stage", stageOf(n), `stage ${stageTitle(n)}`),
    ),
    element(
      "div",
      { class: "acts" },
      place > 0 ? action(`← task ${own[place - 1] + 1}`, address("task", own[place - 1])) : null,
      place + 1 < own.length ? action(`task ${own[place + 1] + 1} →`, address("task", own[place + 1])) : null,
    ),
    facts(
      [
        "from and to",
        endsOfTask(n).flatMap(({ cabinet, name }, k) => [k ? " → " : "", cabinet >= 0 ? link("cabinet", cabinet) : name]),
      ],
      [`${work.kind[n] === "trunk" ? "trunks" : work.kind[n]} to install`, grouped(work.pieces[n])],
      ["run length of all", lengthOf(work.run_mm[n])],
      ["begins", clock(work.start_s[n])],
      ["takes", `${grouped((work.end_s[n] - work.start_s[n]) / 60)}${SPACE}min`],
      ["bundle", bundle < 0 ? "" : link("bundle", bundle)],
    ),
    element("h3", {}, "Cables"),
    cableList(list),
  ];
}

// A link that sets a filter and keeps everything else.
function filterLink(name, value, words) {
  return name in FILTERS
    ? element(
        "button",
        { type: "button", class: "plainlink", title: `Show only ${words}`, click: () => change(name, value, "all") },
        words,
      )
    : words;
}

export function taskRows(layers) {
  const last = work.end_s.reduce((end, task) => Math.max(end, task), 0),
    tasks = tasksShown(layers);
  const note = `${plural(tasks.length, "task")}${tasks.length === count.tasks ? `, ${plural(work.crews, "crew")} of ${grouped(work.workers)}, done after ${hours(last)}` : ` of ${grouped(count.tasks)}: ${filterWords(layers)}`}`;
  return {
    note,
    items: tasks,
    row: (task) => ({
      kind: "task",
      title: `${task + 1}`,
      text: placesOf(task),
      about: `${plural(work.pieces[task], { cables: "cable", trunk: "trunk", jumpers: "jumper" }[work.kind[task]])} · crew ${work.crew[task] + 1} · ${clock(work.start_s[task])}`,
      group: `stage ${stageTitle(task)}`,
    }),
  };
}
