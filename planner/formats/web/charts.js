// Charts, drawn by Bokeh; the library is loaded when they are first shown.

import { paletteOf } from "./colors.js";
import { byId, element } from "./elements.js";
import { FONT } from "./floor.js";
import { runLibrary } from "./libraries.js";
import { grouped } from "./numbers.js";
import {
  all,
  cables,
  count,
  highestOf,
  lengthName,
  lengthUnit,
  medium,
  money,
  once,
  plan,
  simulation,
  stockName,
} from "./plan.js";
import { mediumKey } from "./widgets.js";

let library = null;
const loaded = () => (library ||= runLibrary("charts-library"));

const MEDIUM_COLORS = () => paletteOf(getComputedStyle(document.documentElement)).media;

export async function showCharts() {
  const view = byId("charts"),
    theme = document.documentElement.className;
  if (view.dataset.theme === theme && view.children.length) return;
  view.dataset.theme = theme;
  const cards = [
    cables && count.cables
      ? card(
          "Cable lengths",
          `Run lengths of ${grouped(count.cables)} cables; dashed: stock lengths.`,
          runLengths,
          mediumKey(all(count.cables)),
        )
      : null,
    cables && count.cables
      ? card("Stock lengths", "Cables by stock length and medium.", stockLengths, mediumKey(all(count.cables)))
      : null,
    plan.bill && plan.bill.categories.length
      ? card("Cost by category", `${money(plan.bill.categories.reduce((sum, [, cents]) => sum + cents, 0))} in total.`, costs)
      : null,
    simulation && simulation.offered.length
      ? card(
          "Packet delay by offered load",
          `Traffic ${simulation.traffic}, routing ${simulation.routing}. Hollow: saturated; the delay grows with the measured time.`,
          delays,
          keyOf(["accent", "mean"], ["chosen", "99th percentile"]),
        )
      : null,
    simulation && simulation.offered.length
      ? card(
          "Accepted load",
          "Dashed: offered load. Hollow: saturated.",
          accepted,
          keyOf(["accent", "accepted"], ["muted", "offered"]),
        )
      : null,
  ].filter((made) => made);
  view.replaceChildren(...cards.map(({ node }) => node));
  if (!cards.length) view.append(element("p", { class: "empty" }, "This plan has no charts: the study stopped too early."));
  if (plan.bill && !simulation)
    view.append(element("p", { class: "empty" }, "Not simulated: no charts of delay and accepted load."));
  if (!cards.length) return;
  await loaded();
  for (const { target, draw } of cards) if (target.isConnected) Bokeh.Plotting.show(draw(), target);
}

function card(title, note, draw, key = null) {
  const target = element("div", { class: "chart" });
  return {
    node: element("article", { class: "card" }, element("h2", {}, title), element("p", { class: "note" }, note), key, target),
    target,
    draw,
  };
}

const keyOf = (...entries) =>
  element(
    "div",
    { class: "key" },
    ...entries.map(([color, words]) => element("span", {}, element("i", { style: `background:var(--${color})` }), words)),
  );

function figure(x, y, options = {}, tooltips = []) {
  const { Plotting, HoverTool, DataRange1d } = Bokeh;
  const style = getComputedStyle(document.documentElement),
    read = (name) => style.getPropertyValue(`--${name}`).trim();
  const made = Plotting.figure({
    height: 300,
    sizing_mode: "stretch_width",
    tools: "pan,box_zoom,wheel_zoom,reset,save",
    toolbar_location: "right",
    output_backend: "svg",
    x_range: new DataRange1d({ start: 0 }),
    y_range: new DataRange1d({ start: 0 }),
    ...options,
  });
  made.toolbar.autohide = true;
  made.toolbar.logo = null;
  made.toolbar.active_scroll = null;
  if (tooltips.length) made.add_tools(new HoverTool({ tooltips }));
  made.background_fill_alpha = made.border_fill_alpha = 0;
  made.outline_line_color = null;
  for (const axis of [...made.xaxes, ...made.yaxes]) {
    Object.assign(axis, {
      axis_label_text_font: FONT,
      axis_label_text_font_style: "normal",
      axis_label_text_font_size: "12px",
      axis_label_text_color: read("muted"),
      major_label_text_font: FONT,
      major_label_text_font_size: "12px",
      major_label_text_color: read("muted"),
      axis_line_color: read("rule"),
      major_tick_line_color: read("rule"),
      minor_tick_line_color: null,
    });
  }
  made.xaxes[0].axis_label = x;
  made.yaxes[0].axis_label = y;
  for (const grid of [...made.xgrids, ...made.ygrids]) grid.grid_line_color = read("faint");
  return { made, read };
}

function usedMedia() {
  const present = new Set(all(count.cables).map(medium));
  return cables.media.filter((name) => present.has(name));
}

// A round step for about the wanted number of bins.
function roundStep(highest, bins) {
  const smallest = highest / bins,
    power = 10 ** Math.floor(Math.log10(smallest || 1));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= smallest) || 1;
}

function runLengths() {
  const highest = highestOf(cables.run_mm) / lengthUnit || 1,
    step = roundStep(highest, 40),
    bins = Math.ceil(highest / step + 1e-9);
  const { made, read } = figure(`run length (${lengthName})`, "cables", {}, [
    ["medium", "@name"],
    ["run length", `@left{0.00} to @right{0.00} ${lengthName}`],
    ["cables", "@number"],
  ]);
  const below = new Array(bins).fill(0),
    colors = MEDIUM_COLORS();
  for (const name of usedMedia()) {
    const counts = new Array(bins).fill(0);
    for (let n = 0; n < count.cables; n++)
      if (medium(n) === name) counts[Math.min(bins - 1, Math.floor(cables.run_mm[n] / lengthUnit / step))]++;
    const bottom = below.slice(),
      top = below.map((low, n) => low + counts[n]);
    const source = new Bokeh.ColumnDataSource({
      data: {
        left: all(bins).map((n) => n * step),
        right: all(bins).map((n) => (n + 1) * step),
        bottom,
        top,
        number: counts,
        name: all(bins).map(() => name),
      },
    });
    made.quad({
      left: { field: "left" },
      right: { field: "right" },
      bottom: { field: "bottom" },
      top: { field: "top" },
      source,
      fill_color: colors[name],
      line_color: read("paper"),
      line_width: 0.5,
    });
    top.forEach((high, n) => {
      below[n] = high;
    });
  }
  for (const stock of once(cables.stock_mm)) {
    if (stock / lengthUnit <= highest * 1.15)
      made.add_layout(
        new Bokeh.Span({
          location: stock / lengthUnit,
          dimension: "height",
          line_color: read("muted"),
          line_dash: [4, 4],
          line_width: 1,
        }),
      );
  }
  return made;
}

function stockLengths() {
  const lengths = once(cables.stock_mm),
    names = lengths.map(stockName),
    place = new Map(lengths.map((mm, n) => [mm, n]));
  const { made } = figure(
    plan.feet ? "stock length" : "stock length (m)",
    "cables",
    { x_range: new Bokeh.FactorRange({ factors: names }) },
    [
      ["medium", "@name"],
      ["length", plan.feet ? "@x" : "@x m"],
      ["cables", "@number"],
    ],
  );
  const below = new Array(lengths.length).fill(0),
    colors = MEDIUM_COLORS();
  for (const name of usedMedia()) {
    const counts = new Array(lengths.length).fill(0);
    for (let n = 0; n < count.cables; n++) if (medium(n) === name) counts[place.get(cables.stock_mm[n])]++;
    const source = new Bokeh.ColumnDataSource({
      data: {
        x: names,
        bottom: below.slice(),
        top: below.map((low, n) => low + counts[n]),
        number: counts,
        name: names.map(() => name),
      },
    });
    made.vbar({
      x: { field: "x" },
      bottom: { field: "bottom" },
      top: { field: "top" },
      width: 0.7,
      source,
      fill_color: colors[name],
      line_color: null,
    });
    counts.forEach((number, n) => {
      below[n] += number;
    });
  }
  return made;
}

function costs() {
  const parts = [...plan.bill.categories].reverse(),
    names = parts.map(([name]) => name);
  const highest = Math.max(...parts.map(([, cents]) => cents / 100));
  const [unit, word] = highest >= 2e6 ? [1e6, "million "] : highest >= 2e3 ? [1e3, "thousand "] : [1, ""];
  const { made, read } = figure(`cost (${word}${plan.bill.unit})`, null, { y_range: new Bokeh.FactorRange({ factors: names }) }, [
    ["category", "@y"],
    ["cost", "@written"],
  ]);
  const source = new Bokeh.ColumnDataSource({
    data: { y: names, right: parts.map(([, cents]) => cents / 100 / unit), written: parts.map(([, cents]) => money(cents)) },
  });
  made.hbar({ y: { field: "y" }, right: { field: "right" }, height: 0.65, source, fill_color: read("accent"), line_color: null });
  return made;
}

const curve = (x, y) =>
  x
    .map((load, n) => [load, y[n], simulation.saturated[n] === 1])
    .filter(([, value]) => Number.isFinite(value))
    .sort((a, b) => a[0] - b[0]);

function addCurve(made, read, points, color, name, dash = []) {
  const source = new Bokeh.ColumnDataSource({
    data: {
      x: points.map(([x]) => x),
      y: points.map(([, y]) => y),
      fill: points.map(([, , hollow]) => (hollow ? read("paper") : color)),
      name: points.map(() => name),
    },
  });
  made.line({ x: { field: "x" }, y: { field: "y" }, source, line_color: color, line_width: 2, line_dash: dash });
  made.scatter({
    x: { field: "x" },
    y: { field: "y" },
    source,
    size: 7,
    fill_color: { field: "fill" },
    line_color: color,
    line_width: 1.5,
  });
}

function delays() {
  const loads = Array.from(simulation.offered);
  const curves = [
    ["mean", curve(loads, simulation.delay_mean_ns), "accent"],
    ["99th percentile", curve(loads, simulation.delay_p99_ns), "chosen"],
  ];
  // Delays of saturated points would flatten the curve.
  const steady = curves.flatMap(([, points]) => points.filter(([, , hollow]) => !hollow).map(([, y]) => y)),
    every = curves.flatMap(([, points]) => points.map(([, y]) => y));
  const end = Math.min(steady.length ? 1.5 * Math.max(...steady) : Infinity, 1.08 * Math.max(...every, 1));
  const { made, read } = figure(
    "offered load (phits/cycle/endpoint)",
    "packet delay (ns)",
    { y_range: new Bokeh.Range1d({ start: 0, end }) },
    [
      ["", "@name"],
      ["offered", "@x"],
      ["delay", "@y{0.0} ns"],
    ],
  );
  for (const [name, points, color] of curves) addCurve(made, read, points, read(color), name);
  return made;
}

function accepted() {
  const loads = Array.from(simulation.offered),
    end = 1.05 * Math.max(...loads, ...simulation.accepted);
  const range = () => new Bokeh.Range1d({ start: 0, end });
  const { made, read } = figure(
    "offered load (phits/cycle/endpoint)",
    "accepted load (phits/cycle/endpoint)",
    { x_range: range(), y_range: range() },
    [
      ["", "@name"],
      ["offered", "@x"],
      ["accepted", "@y{0.000}"],
    ],
  );
  made.line({ x: [0, end], y: [0, end], line_color: read("muted"), line_dash: [4, 4] });
  addCurve(made, read, curve(loads, Array.from(simulation.accepted)), read("accent"), "accepted");
  return made;
}
