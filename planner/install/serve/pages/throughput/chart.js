// Delay over offered load as SVG: the model's curves, its saturation with the expected range, and points from packets.

import { element, shape } from "../crew/elements.js";

const HEIGHT = 340,
  LEFT = 78,
  RIGHT = 16,
  TOP = 16,
  BOTTOM = 46;

// A round step with at largest six of them up to a value.
function step(largest) {
  const power = 10 ** Math.floor(Math.log10(largest / 6));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => largest / each <= 6);
}

// As wide as the space for it, so that letters keep their size.
export function chart(found, unit, space) {
  const width = Math.min(900, Math.max(330, space)),
    across = (load) => LEFT + load * (width - LEFT - RIGHT);
  const known = found.delay_p99.concat(found.delay_mean, found.packets?.delay_mean ?? []).filter((value) => value !== null);
  const each = step(Math.max(1, ...known) * unit.factor),
    largest = each * Math.ceil((Math.max(1, ...known) * unit.factor * 1.02) / each);
  const up = (delay) => HEIGHT - BOTTOM - (delay / largest) * (HEIGHT - TOP - BOTTOM);
  const at = (value) => up(value * unit.factor);
  const curve = (name) =>
    found.offered
      .map((load, n) => (found[name][n] === null ? null : `${across(load).toFixed(1)},${at(found[name][n]).toFixed(1)}`))
      .filter(Boolean)
      .join(" ");
  const decimals = each < 1 ? 1 : 0,
    count = Math.round(largest / each);
  const marks = Array.from({ length: count + 1 }, (_, n) => [
    shape("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: up(n * each), y2: up(n * each) }),
    shape(
      "text",
      { x: LEFT - 8, y: up(n * each) + 4, "text-anchor": "end" },
      (n * each).toLocaleString("en", { maximumFractionDigits: decimals }),
    ),
  ]);
  const loads = [0, 0.2, 0.4, 0.6, 0.8, 1].map((load) =>
    shape("text", { x: across(load), y: HEIGHT - BOTTOM + 19, "text-anchor": "middle" }, load.toFixed(1)),
  );
  const [low, high] = found.range,
    inside = { y: TOP, height: HEIGHT - TOP - BOTTOM };
  const points =
    found.packets?.offered.map((load, n) =>
      shape("circle", { class: "packet", cx: across(load), cy: at(found.packets.delay_mean[n]), r: 4.5 }),
    ) ?? [];
  return shape(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: "img",
      "aria-label": "Delay over offered load; the table below has the same figures",
    },
    shape("rect", { class: "range", x: across(low), width: Math.max(0, across(high) - across(low)), ...inside }),
    marks,
    loads,
    shape("line", { class: "axis", x1: LEFT, x2: width - RIGHT, y1: up(0), y2: up(0) }),
    shape("line", {
      class: "saturation",
      x1: across(found.saturation),
      x2: across(found.saturation),
      y1: TOP,
      y2: HEIGHT - BOTTOM,
    }),
    shape("polyline", { class: "mean", points: curve("delay_mean") }),
    shape("polyline", { class: "tail", points: curve("delay_p99") }),
    points,
    shape(
      "text",
      { x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 8, "text-anchor": "middle" },
      width < 480 ? "offered load" : "offered load, phits per cycle and endpoint",
    ),
    shape(
      "text",
      {
        x: 16,
        y: (TOP + HEIGHT - BOTTOM) / 2,
        "text-anchor": "middle",
        transform: `rotate(-90 16 ${(TOP + HEIGHT - BOTTOM) / 2})`,
      },
      `delay, ${unit.name}`,
    ),
  );
}

export function key(found) {
  const line = (name) =>
    shape("svg", { class: "chart", viewBox: "0 0 34 12" }, shape("line", { class: name, x1: 0, x2: 34, y1: 6, y2: 6 }));
  const parts = [
    ["mean", "mean delay"],
    ["tail", "99th percentile"],
    ["saturation", "saturation, with its expected range"],
  ].map(([name, text]) => element("span", {}, line(name), text));
  if (found.packets)
    parts.push(
      element(
        "span",
        {},
        shape("svg", { class: "chart", viewBox: "0 0 34 12" }, shape("circle", { class: "packet", cx: 17, cy: 6, r: 4.5 })),
        "mean delay of simulated packets",
      ),
    );
  return element("div", { class: "key" }, parts);
}
