// Colors of the theme: the variables of the style sheet, read once per theme.

function paletteOf(style) {
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = new Set(["paper", "text", "muted", "floor", "over", "tray", "cable", "chosen", ...Object.values(scene ? scene.styles : {}).flatMap(({ fill, stroke }) => [fill, stroke]), ...Object.values(scene ? scene.types : {}).map(([color]) => color)]);
  const ramp = (name) => [name, read(`ramp-${name}`).split(/\s+/).map(channels)];
  return { ...Object.fromEntries([...names].filter((name) => name).map((name) => [name, read(name)])), ramps: Object.fromEntries(["fill", "power", "heat", "load"].map(ramp)) };
}
const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
function mixed(ramp, share) {
  const place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1), low = Math.min(Math.floor(place), ramp.length - 2);
  return ramp[low].map((from, n) => Math.round(from + (place - low) * (ramp[low + 1][n] - from)));
}
const css = (rgb) => `rgb(${rgb.join(" ")})`;
const hex = (rgb) => `#${rgb.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
const textOn = (color, palette) => {
  const dark = (shade) => { const [r, g, b] = channels(shade); return 0.299 * r + 0.587 * g + 0.114 * b <= 140; };
  return [palette.text, palette.paper].find((candidate) => dark(candidate) !== dark(color));
};
const MAX_TAGS = 12;
const shareOfDesign = (segment) => room.segment_fill[segment] / room.design_fill;
