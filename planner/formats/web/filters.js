// Filters and colors of cables: network, install stage, crew, medium.

import { cables, medium, plan, tasksOf, work } from "./plan.js";

const taskOf = (cable) => work.task[cable];

export const stageOf = (task) => work.stage_names[work.stage[task]];
const crewOf = (task) => String(work.crew[task] + 1);

// What a cable belongs to; the names are those of the address.
export const TRAITS = {
  medium: { title: "medium", names: cables ? cables.media : [], of: (cable) => medium(cable) },
  network: { title: "network", names: plan.networks ? plan.networks.network : [], of: (cable) => cables.network[cable] },
  stage: { title: "stage", names: work ? work.stage_names : [], of: (cable) => stageOf(taskOf(cable)), ofTask: stageOf },
  verification: {
    title: "verification",
    names: plan.verification ? plan.verification.states : [],
    of: (cable) => plan.verification.states[plan.verification.state[cable]],
  },
  crew: {
    title: "crew",
    names: work ? Array.from({ length: work.crews }, (_, n) => String(n + 1)) : [],
    of: (cable) => crewOf(taskOf(cable)),
    ofTask: crewOf,
  },
};
for (const [name, { names }] of Object.entries(TRAITS)) if (!cables || !names.length) delete TRAITS[name];

export const FILTERS = Object.fromEntries(
  Object.entries(TRAITS).filter(([name, { names }]) => name !== "medium" && names.length > 1),
);

export const filtersOf = (layers) => Object.keys(FILTERS).filter((name) => layers[name] !== "all");

// The cables of the list that pass the filters; one over panels passes those of its trunk and of its jumpers.
export function filtered(list, layers) {
  const names = filtersOf(layers),
    ofTasks = names.filter((name) => FILTERS[name].ofTask),
    others = names.filter((name) => !FILTERS[name].ofTask);
  if (!names.length) return list;
  const installs = (task) => ofTasks.every((name) => FILTERS[name].ofTask(task) === layers[name]);
  return list.filter(
    (cable) =>
      others.every((name) => FILTERS[name].of(cable) === layers[name]) && (!ofTasks.length || tasksOf(cable).some(installs)),
  );
}
export const filterWords = (layers) =>
  filtersOf(layers)
    .map((name) => `${FILTERS[name].title} ${layers[name]}`)
    .join(", ");

// The kinds that a trait distinguishes on the floor, in their order; where there are many, those with few cables share the last color.
const MAX_COLORS = 6;
export function colorsOf(trait, list, palette) {
  const number = new Map();
  for (const cable of list) {
    const name = TRAITS[trait].of(cable);
    number.set(name, (number.get(name) || 0) + 1);
  }
  const found = TRAITS[trait].names.filter((name) => number.has(name));
  const shown =
    found.length > MAX_COLORS ? [...found].sort((a, b) => number.get(b) - number.get(a)).slice(0, MAX_COLORS - 1) : found;
  const color = (name, n) =>
    trait === "medium" ? palette.media[name] : trait === "verification" ? palette.states[name] : palette.series[n];
  const kinds = found
    .filter((name) => shown.includes(name))
    .map((name, n) => ({ name: trait === "crew" ? `crew ${name}` : name, color: color(name, n), cables: number.get(name) }));
  const place = new Map(found.filter((name) => shown.includes(name)).map((name, n) => [name, n]));
  if (shown.length < found.length)
    kinds.push({
      name: `${found.length - shown.length} others`,
      color: palette.muted,
      cables: list.length - kinds.reduce((sum, { cables: own }) => sum + own, 0),
    });
  return { kinds, of: (cable) => place.get(TRAITS[trait].of(cable)) ?? kinds.length - 1 };
}
