// The address of the page holds its state: view, selection, layers and filters.

import { plan, scene } from "./plan.js";
import { KINDS } from "./selection.js";

export const LAYERS = {
  cabinets: plan.verification ? "none" : scene && scene.shades.cables ? "cables" : "use",
  trays: plan.verification ? "plain" : "fill",
  cables: plan.verification ? "verification" : "chosen",
  network: "all",
  stage: "all",
  crew: "all",
  verification: "all",
  lines: plan.verification ? "straight" : "trays",
  load: "",
};
export const state = {
  view: "floor",
  thing: null,
  layers: { ...LAYERS },
  table: "cables",
  only: false,
  list: "",
  section: "",
  face: "",
};

export const wantedNow = () => new URLSearchParams(location.hash.slice(1));

// Selecting an object replaces the one in the address and keeps layers and filters; the view too, unless nothing of it is seen there.
export function choose(thing, inSight = false) {
  const wanted = new URLSearchParams(thing);
  const gone = (key, value) =>
    key in KINDS ||
    ["path", "port", "face"].includes(key) ||
    (inSight && key === "view" && ["charts", "figures"].includes(value));
  for (const [key, value] of wantedNow()) if (!gone(key, value) && !wanted.has(key)) wanted.append(key, value);
  go(wanted);
}
export function change(key, value, usual) {
  const wanted = wantedNow();
  if (value === usual) wanted.delete(key);
  else wanted.set(key, value);
  go(wanted);
}
export function go(wanted) {
  location.hash = wanted.toString();
}
export function showInTable() {
  const wanted = wantedNow();
  wanted.set("view", "tables");
  wanted.delete("table");
  wanted.set("only", "1");
  go(wanted);
}
