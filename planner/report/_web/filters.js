// Filters and colors of cables: network, install stage, crew, medium.

import { cables, medium, plan } from "./plan.js";

const taskOf = (cable) => plan.work.task[cable];

// What a cable belongs to; the names are those of the address.
export const TRAITS = {
  medium: { title: "medium", names: cables ? cables.media : [], of: (cable) => medium(cable) },
  network: { title: "network", names: plan.networks ? plan.networks.network : [], of: (cable) => cables.network[cable] },
  stage: { title: "stage", names: plan.work ? plan.work.stage_names : [], of: (cable) => plan.work.stage_names[plan.work.stage[taskOf(cable)]] },
  crew: { title: "crew", names: plan.work ? Array.from({ length: plan.work.crews }, (_, n) => String(n + 1)) : [], of: (cable) => String(plan.work.crew[taskOf(cable)] + 1) },
};
for (const [name, { names }] of Object.entries(TRAITS)) if (!cables || !names.length) delete TRAITS[name];

export const FILTERS = Object.fromEntries(Object.entries(TRAITS).filter(([name, { names }]) => name !== "medium" && names.length > 1));

export const filtersOf = (layers) => Object.keys(FILTERS).filter((name) => layers[name] !== "all");

// The cables of the list that pass the filters.
export function filtered(list, layers) {
  const wanted = filtersOf(layers).map((name) => [FILTERS[name].of, layers[name]]);
  return wanted.length ? list.filter((cable) => wanted.every(([of, value]) => of(cable) === value)) : list;
}
export const filterWords = (layers) => filtersOf(layers).map((name) => `${FILTERS[name].title} ${layers[name]}`).join(", ");

// The kinds that a trait distinguishes on the floor, in their order; where there are many, those with few cables share the last color.
const MAX_COLORS = 6;
export function colorsOf(trait, list, palette) {
  const number = new Map();
  for (const cable of list) { const name = TRAITS[trait].of(cable); number.set(name, (number.get(name) || 0) + 1); }
  const found = TRAITS[trait].names.filter((name) => number.has(name));
  const shown = found.length > MAX_COLORS ? [...found].sort((a, b) => number.get(b) - number.get(a)).slice(0, MAX_COLORS - 1) : found;
  const color = (name, n) => (trait === "medium" ? palette.media[name] : palette.series[n]);
  const kinds = found.filter((name) => shown.includes(name)).map((name, n) => ({ name: trait === "crew" ? `crew ${name}` : name, color: color(name, n), cables: number.get(name) }));
  const place = new Map(found.filter((name) => shown.includes(name)).map((name, n) => [name, n]));
  if (shown.length < found.length) kinds.push({ name: `${found.length - shown.length} others`, color: palette.muted, cables: list.length - kinds.reduce((sum, { cables: own }) => sum + own, 0) });
  return { kinds, of: (cable) => place.get(TRAITS[trait].of(cable)) ?? kinds.length - 1 };
}
