// The fabric as found: state of the planned cables, links that the plan lacks, moves and findings.

import { element } from "./elements.js";
import { elevation } from "./elevation.js";
import { filtered, filtersOf, filterWords } from "./filters.js";
import { grouped } from "./numbers.js";
import { all, cabinets, plan, plural } from "./plan.js";
import { address, deviceLink, link, nameOf } from "./selection.js";
import { action, cableList, facts, heading } from "./widgets.js";

const { verification } = plan;
const LAYER = "verification";

const target = (move) => (move.device === move.to_device ? move.to : `${move.to_name} ${move.to}`);
const step = (move) => `${move.device_name} ${move.from} → ${target(move)}`;

// Whether an object with these cables passes the filters; one without a known cable passes where none is set.
function passes(own, layers) {
  if (!filtersOf(layers).length) return true;
  return (
    filtered(
      own.filter((cable) => cable >= 0),
      layers,
    ).length > 0
  );
}

function rowsOf(items, shown, word, layers, row) {
  const words = filterWords(layers);
  return {
    note:
      shown.length === items.length
        ? plural(items.length, word)
        : `${grouped(shown.length)} of ${plural(items.length, word)}: ${words}`,
    items: shown,
    row,
  };
}

export function moveRows(layers) {
  const { moves } = verification,
    shown = all(moves.length).filter((n) => passes([moves[n].cable], layers));
  return rowsOf(moves, shown, "plug move", layers, (n) => {
    const move = moves[n];
    return {
      kind: "move",
      title: grouped(move.order),
      text: step(move),
      about: `${move.hold ? "pull and hold · " : ""}${move.label}`,
      group: `${move.cabinet < 0 ? "no cabinet" : `cabinet ${nameOf("cabinet", move.cabinet)}`}${move.crew ? `, crew ${move.crew}` : ""}`,
    };
  });
}

export function findingRows(layers) {
  const { findings } = verification,
    shown = all(findings.length).filter((n) => passes(findings[n].cables, layers));
  shown.sort((a, b) => (findings[a].kind === findings[b].kind ? a - b : findings[a].rank - findings[b].rank));
  return rowsOf(findings, shown, "finding", layers, (n) => ({
    kind: "finding",
    title: "",
    text: findings[n].text,
    about: findings[n].moves.length ? `moves ${findings[n].moves.join(", ")}` : "",
    group: findings[n].kind,
  }));
}

export function movePage({ n }) {
  const { moves } = verification,
    move = moves[n];
  const port = (device, number, name, printed) =>
    device < 0 ? `${name} : ${printed}` : [deviceLink(device, number), ` : ${printed}`];
  return [
    ...heading(`Move ${grouped(move.order)}`, move.cabinet < 0 ? "no cabinet" : link("cabinet", move.cabinet), move.unit),
    element(
      "div",
      { class: "acts" },
      n > 0 ? action(`← move ${grouped(moves[n - 1].order)}`, address("move", n - 1)) : null,
      n + 1 < moves.length ? action(`move ${grouped(moves[n + 1].order)} →`, address("move", n + 1)) : null,
    ),
    facts(
      ["from", port(move.device, move.from_port, move.device_name, move.from)],
      ["to", port(move.to_device, move.to_port, move.to_name, move.to)],
      ["label on the plug", element("b", {}, move.label)],
      ["first", move.hold ? "pull it and hold it until the last move of its cycle" : ""],
      ["cable", move.cable < 0 ? "" : [link("cable", move.cable), ` end ${move.end.toUpperCase()}`]],
      ["certainty", move.certainty],
      ["crew", move.crew ? String(move.crew) : ""],
    ),
    move.otherwise ? element("p", { class: "note" }, move.otherwise) : null,
    move.device < 0 || move.cabinet < 0
      ? null
      : [
          element("h3", {}, `Location in ${nameOf("cabinet", move.cabinet)}`),
          elevation(move.cabinet, move.device, move.from_port),
        ],
  ];
}

export function findingPage({ n }) {
  const finding = verification.findings[n],
    number = new Map(verification.moves.map(({ order }, at) => [order, at]));
  const own = finding.moves.filter((order) => number.has(order));
  return [
    ...heading(finding.kind, "finding"),
    element("p", {}, finding.text),
    own.length
      ? facts(["moves", own.flatMap((order, at) => [at ? ", " : "", link("move", number.get(order), String(order))])])
      : null,
    finding.cables.length ? [element("h3", {}, "Cables"), cableList(finding.cables)] : null,
  ];
}

// What the overview shows.
export function verificationSummary() {
  if (!verification) return null;
  const { findings, moves } = verification,
    rows = verification.facts.filter(([, words]) => words);
  return [
    element(
      "div",
      { class: `verdict${findings.length ? " bad" : ""}` },
      findings.length
        ? `${plural(findings.length, "finding")} in the fabric, ${plural(moves.length, "plug move")}. `
        : "The fabric is as planned. ",
      moves.length ? element("a", { href: "#view=tables&table=moves" }, "Show the moves") : "",
    ),
    facts(...rows.map(([name, words]) => [name || "\u00a0", words])),
  ];
}

// -- on the floor -----------------------------------------------------------------------------

const HEAD = 9;

// Links as found that the plan lacks, moves between cabinets as arrows, and the number of moves inside each cabinet.
export function drawFound(drawing, layers) {
  if (!verification || layers.cables !== LAYER || !["all", "wrong"].includes(layers[LAYER] ?? "all")) return;
  const { context, palette } = drawing,
    color = palette.states.wrong;
  const middle = (cabinet) => drawing.box(cabinets.slot[cabinet]).slice(0, 2);
  const between = verification.links.filter(({ a, b }) => a >= 0 && b >= 0 && a !== b);
  context.setLineDash([5, 4]);
  drawing.stroke(
    between.map(({ a, b }) => [...middle(a), ...middle(b)]),
    color,
    1.6,
  );
  context.setLineDash([]);
  const inside = new Map();
  for (const move of verification.moves) {
    if (move.cabinet < 0) continue;
    if (move.to_cabinet < 0 || move.to_cabinet === move.cabinet) inside.set(move.cabinet, (inside.get(move.cabinet) || 0) + 1);
    else arrow(context, middle(move.cabinet), middle(move.to_cabinet), palette.chosen);
  }
  for (const [cabinet, number] of inside) badge(drawing, cabinet, number);
}

// Bent to its right, so that moves there and back are apart.
function arrow(context, [x, y], [u, v], color) {
  const length = Math.hypot(u - x, v - y) || 1,
    [across, up] = [(u - x) / length, (v - y) / length],
    bend = Math.min(30, length / 5);
  const [p, q] = [(x + u) / 2 - up * bend, (y + v) / 2 + across * bend],
    end = Math.hypot(u - p, v - q) || 1,
    [dx, dy] = [(u - p) / end, (v - q) / end];
  context.beginPath();
  context.moveTo(x, y);
  context.quadraticCurveTo(p, q, u - dx * HEAD, v - dy * HEAD);
  context.strokeStyle = context.fillStyle = color;
  context.lineWidth = 2.2;
  context.stroke();
  context.beginPath();
  context.moveTo(u, v);
  context.lineTo(u - dx * HEAD - dy * 4.5, v - dy * HEAD + dx * 4.5);
  context.lineTo(u - dx * HEAD + dy * 4.5, v - dy * HEAD - dx * 4.5);
  context.fill();
}

// A number at the edge of a cabinet.
function badge(drawing, cabinet, number) {
  const { context, palette } = drawing,
    [x, y, width, height] = drawing.box(cabinets.slot[cabinet]),
    words = grouped(number);
  if (!drawing.visible(x, y, width, height)) return;
  const [cx, cy] = [x, y - height / 2];
  context.font = "600 11px system-ui, sans-serif";
  const radius = Math.max(9, context.measureText(words).width / 2 + 4);
  context.beginPath();
  context.arc(cx, cy, radius, 0, 2 * Math.PI);
  context.fillStyle = palette.chosen;
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = palette.paper;
  context.stroke();
  context.fillStyle = palette.paper;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(words, cx, cy + 0.5);
}

// The entries of the legend.
export function foundLegend(layers, palette, stroke) {
  if (!verification || layers.cables !== LAYER) return null;
  const entry = (color, style, words) =>
    element("li", {}, element("i", { class: "line", style: `background:none;height:0;border-top:${style} ${color}` }), words);
  return [
    "Fabric as found",
    entry(palette.states.wrong, "2px dashed", `${plural(verification.links.length, "link")} that the plan lacks`),
    stroke(palette.chosen, 2.5, `${plural(verification.moves.length, "plug move")}: arrows between cabinets, numbers within`),
  ];
}
