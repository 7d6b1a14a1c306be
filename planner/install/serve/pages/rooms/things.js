// Shapes of what is in a room.

import { shape } from "/static/web/elements.js";

const TURN = { "+x": [1, 0], "-x": [-1, 0], "+y": [0, 1], "-y": [0, -1] };
export const KINDS = ["hall", "zone", "obstacle", "row", "slot", "penetration", "riser", "tray"];
export const pointsOf = (points) => points.map(([x, y]) => `${x},${-y}`).join(" ");

// Corners of an area, a tray or a hall; those of a rectangle from its lower left one on, none of rows and slots.
export function cornersOf(table) {
  const own = table.path_mm ?? table.outline_mm ?? table.corners_mm;
  if (own || !table.size_mm) return own ?? [];
  const [x, y] = table.at_mm,
    [wide, deep] = table.size_mm;
  return [
    [x, y],
    [x + wide, y],
    [x + wide, y + deep],
    [x, y + deep],
  ];
}

function rectangle([x, y], wide, deep) {
  return shape("rect", { x: x - wide / 2, y: -y - deep / 2, width: wide, height: deep });
}

function rowShapes(row) {
  const [dx, dy] = TURN[row.along ?? "+x"],
    across = dx !== 0,
    width = row.width_mm ?? 600;
  const pitch = row.pitch_mm ?? (row.gap_mm === undefined ? 600 : width + row.gap_mm),
    depth = row.depth_mm ?? 1200;
  const [wide, deep] = across ? [width, depth] : [depth, width],
    skip = new Set(row.skip ?? []),
    at = (place) => [row.first_mm[0] + dx * pitch * place, row.first_mm[1] + dy * pitch * place];
  const places = Array.from({ length: row.count }, (_, place) => place).filter((place) => !skip.has(place + 1));
  return [...places.map((place) => rectangle(at(place), wide, deep)), label([at(0)[0], at(0)[1] + deep / 4], row.name)];
}

const label = ([x, y], text, name = "") => shape("text", { class: name, x, y: -y + 80 }, text);

export function shapesOf(kind, table) {
  if (kind === "row") return rowShapes(table);
  if (kind === "slot")
    return [
      rectangle(table.at_mm, table.width_mm ?? 600, table.depth_mm ?? 1200),
      label([table.at_mm[0], table.at_mm[1] + (table.depth_mm ?? 1200) / 4], table.name),
    ];
  if (kind === "riser") return [rectangle(table.at_mm, table.width_mm, table.height_mm)];
  if (kind === "tray") return [shape("polyline", { points: pointsOf(table.path_mm), "stroke-width": table.width_mm })];
  const corners = cornersOf(table),
    [x, y] = corners.reduce(([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)], [Infinity, -Infinity]);
  return [
    shape("polygon", { points: pointsOf(corners) }),
    kind === "zone" || kind === "hall" ? label([x + 150, y - 330], table.name, "area") : null,
  ];
}
