// Search by any part of a name or label, case-insensitive.

import { change, choose } from "./address.js";
import { byId, element } from "./elements.js";
import { FILTERS } from "./filters.js";
import { cables, plan } from "./plan.js";
import { address, KINDS } from "./selection.js";

// All names and labels, and these in lower case; made when the box is first used.
let searched = null;
function groups() {
  if (searched) return searched;
  const numbered = ["cable", "bundle", "task", "move", "finding"];
  searched = Object.entries(KINDS)
    .filter(([kind]) => kind !== "segment")
    .map(([kind, { word, names }]) => ({
      kind,
      word,
      texts: numbered.includes(kind) ? names.map((name) => `${word} ${name}`) : names,
    }));
  if (cables) {
    searched.push(
      { kind: "cable", word: "label, first end", texts: cables.label_a },
      { kind: "cable", word: "label, second end", texts: cables.label_b },
    );
  }
  if (plan.trunks) searched.push({ kind: "bundle", word: "trunk", texts: Array.from(plan.trunks.trunk), of: plan.trunks.bundle });
  for (const [name, { title, names }] of Object.entries(FILTERS))
    searched.push({ kind: name, word: "filter", texts: names.map((each) => `${title} ${each}`) });
  for (const group of searched) group.folded = group.texts.map((text) => text.toLowerCase());
  return searched;
}

const MAX_HITS = 8;

// The best hits: exact matches first, then prefixes, then substrings; a few of each group.
function hitsOf(query) {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return [];
  const hits = [];
  for (const { kind, word, texts, folded, of } of groups()) {
    const own = [[], [], []];
    for (let n = 0; n < folded.length; n++) {
      const at = folded[n].indexOf(wanted);
      if (at < 0) continue;
      const rank = folded[n] === wanted ? 0 : at === 0 ? 1 : 2;
      if (own[rank].length < MAX_HITS)
        own[rank].push({ kind, n: of ? of[n] : n, word, text: texts[n], at, length: wanted.length, rank });
    }
    hits.push(...own.flat().slice(0, MAX_HITS));
  }
  return hits.sort((a, b) => a.rank - b.rank).slice(0, 2 * MAX_HITS);
}

export function startSearch() {
  const input = byId("query"),
    list = byId("hits");
  let hits = [],
    chosen = 0;
  const show = () => {
    list.hidden = !input.value.trim();
    input.setAttribute("aria-expanded", String(!list.hidden));
    list.replaceChildren(
      ...hits.map(({ text, word, at, length }, place) =>
        element(
          "li",
          {
            role: "option",
            id: `hit-${place}`,
            "aria-selected": String(place === chosen),
            pointerdown: (event) => {
              event.preventDefault();
              take(place);
            },
          },
          element("span", {}, text.slice(0, at), element("mark", {}, text.slice(at, at + length)), text.slice(at + length)),
          element("span", {}, word),
        ),
      ),
    );
    if (!hits.length) list.append(element("li", { class: "none" }, "No name or label contains this text."));
    else list.children[chosen].scrollIntoView({ block: "nearest" });
    if (hits.length) input.setAttribute("aria-activedescendant", `hit-${chosen}`);
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const take = (place) => {
    if (!hits[place]) return;
    const { kind, n } = hits[place];
    input.value = "";
    close();
    input.blur();
    if (kind in FILTERS) change(kind, FILTERS[kind].names[n], "all");
    else choose(address(kind, n).slice(1), true);
  };
  input.addEventListener("input", () => {
    hits = hitsOf(input.value);
    chosen = 0;
    show();
  });
  input.addEventListener("focus", () => {
    groups();
    if (input.value.trim()) show();
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (hits.length) chosen = (chosen + (event.key === "ArrowDown" ? 1 : hits.length - 1)) % hits.length;
      show();
    } else if (event.key === "Escape") {
      input.value = "";
      input.blur();
      event.stopPropagation();
    }
  });
  byId("search").addEventListener("submit", (event) => {
    event.preventDefault();
    take(chosen);
  });
}
