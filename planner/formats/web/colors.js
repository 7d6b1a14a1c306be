// Colors of the theme: the variables of the style sheet, read once per theme.

import { cables, room, scene } from "./plan.js";

// Colors of the cables of a verified fabric by their state.
const STATES = { right: "good", wrong: "alarm", dark: "active-copper", unknown: "muted", "not compared": "rule" };

// The style class of a medium, and the variable with its color.
export const mediumClass = (name) => name.replaceAll(" ", "-");

export function paletteOf(style) {
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = new Set([
    "paper",
    "text",
    "muted",
    "floor",
    "tile",
    "over",
    "tray",
    "slot-edge",
    "cabinet-edge",
    "cable",
    "chosen",
    ...Object.values(scene ? scene.styles : {}).flatMap(({ fill, stroke }) => [fill, stroke]),
    ...Object.values(scene ? scene.types : {}).map(([color]) => color),
  ]);
  const ramp = (name) => [name, read(`ramp-${name}`).split(/\s+/).map(channels)];
  return {
    ...Object.fromEntries([...names].filter((name) => name).map((name) => [name, read(name)])),
    ramps: Object.fromEntries(["fill", "power", "heat", "cables", "load"].map(ramp)),
    states: Object.fromEntries(Object.entries(STATES).map(([name, color]) => [name, read(color)])),
    media: Object.fromEntries((cables ? cables.media : []).map((name) => [name, read(mediumClass(name))])),
    fills: Array.from({ length: scene ? scene.fill_steps.length + 1 : 0 }, (_, step) => read(`tray-${step}`)),
    series: [1, 2, 3, 4, 5, 6, 0].map((n) => read(`series-${n}`)),
  };
}
const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
export function mixed(ramp, share) {
  const place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1),
    low = Math.min(Math.floor(place), ramp.length - 2);
  return ramp[low].map((from, n) => Math.round(from + (place - low) * (ramp[low + 1][n] - from)));
}
export const css = (rgb) => `rgb(${rgb.join(" ")})`;
export const hex = (rgb) => `#${rgb.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
export const textOn = (color, palette) => {
  const dark = (shade) => {
    const [r, g, b] = channels(shade);
    return 0.299 * r + 0.587 * g + 0.114 * b <= 140;
  };
  return [palette.text, palette.paper].find((candidate) => dark(candidate) !== dark(color));
};
export const MAX_TAGS = 12;
export const shareOfDesign = (segment) => room.segment_fill[segment] / room.design_fill;

// The color of a cabinet in a layer.
export function cabinetColor(palette, layer, cabinet) {
  if (layer === "use") return palette[scene.styles[scene.use[cabinet]].fill];
  if (layer === "none") return palette[scene.styles.cabinet.fill];
  const share = scene.shades[layer].share[cabinet];
  return share > 1 ? palette.over : hex(mixed(palette.ramps[layer], share));
}
