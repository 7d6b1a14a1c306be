// The frame of a cabinet with its rack units.

import { shape } from "./elements.js";

export const UNIT = 15;
export const LEFT = 24;

// The upper edge of a box from its lowest unit and its height in units.
export const topOf = (units, unit, size) => (units - unit - size + 1) * UNIT;

export function frameOf(units, width, label) {
  const height = units * UNIT;
  const drawing = shape("svg", {
    class: "elevation",
    viewBox: `0 0 ${LEFT + width} ${height + 2}`,
    role: "group",
    "aria-label": label,
  });
  drawing.append(shape("rect", { class: "frame", x: LEFT, y: 0.5, width: width - 1, height: height + 1 }));
  for (let unit = 1; unit <= units; unit++) {
    const y = topOf(units, unit, 1);
    drawing.append(shape("line", { class: "tick", x1: LEFT, x2: LEFT + width - 1, y1: y + 1, y2: y + 1 }));
    if (unit === 1 || unit % 2 === 0) drawing.append(shape("text", { class: "number", x: LEFT - 5, y: y + 11.5 }, String(unit)));
  }
  return drawing;
}

export const shortened = (text, limit) => (text.length > limit ? `${text.slice(0, Math.max(limit - 1, 1))}…` : text);
