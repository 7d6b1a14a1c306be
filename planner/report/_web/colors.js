// Colors of the theme, and the quantities that they show.

// The colors for drawing, read once per theme.
function paletteOf(style) {
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const ramp = (name) => read(name).split(/\s+/).map(channels);
  const names = ["paper", "text", "muted", "rule", "floor", "tile", "outline", "cold", "hot", "mixed", "door", "solid", "unit", "keep-out", "opening", "slot", "slot-edge", "cabinet-edge", "use-router", "use-endpoint", "use-both", "tray", "cable", "chosen", "accent"];
  return { ...Object.fromEntries(names.map((name) => [name, read(name)])), ramp: ramp("ramp"), trayRamp: ramp("tray-ramp"), loadRamp: ramp("load-ramp") };
}
const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
function mixed(ramp, share) {
  const place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1), low = Math.min(Math.floor(place), ramp.length - 2);
  return ramp[low].map((from, n) => Math.round(from + (place - low) * (ramp[low + 1][n] - from)));
}
const css = (rgb) => `rgb(${rgb.join(" ")})`;
const textOn = (rgb) => (0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] > 140 ? "#12181d" : "#ffffff");
const asRgb = (color) => (color.startsWith("#") ? channels(color) : [255, 255, 255]);

const ZONES = { "cold aisle": "cold", "hot aisle": "hot", "mixed aisle": "mixed", column: "solid", wall: "solid", "cooling unit": "unit", "keep-out": "keep-out", door: "door", penetration: "opening" };
const MAX_TAGS = 12;
const FILL_STEPS = [[0.25, 1.6], [0.5, 2.6], [0.75, 3.6], [1, 4.8], [Infinity, 6.4]];
const fillStep = (share) => FILL_STEPS.findIndex(([limit]) => share <= limit + 1e-9);
const shareOfDesign = (segment) => room.segment_fill[segment] / room.design_fill;

function useOf(cabinet) {
  const routers = cabinets.routers[cabinet] > 0, endpoints = cabinets.endpoints[cabinet] > 0;
  return routers && endpoints ? "use-both" : endpoints ? "use-endpoint" : "use-router";
}
// The layer of a name that colors cabinets by a figure, undefined for the other choices.
const layerOf = (name) => plan.layers.find((layer) => layer.name === name);
