// How the scene is drawn into a canvas.

import { cabinetColor, css, MAX_TAGS, mixed, textOn } from "./colors.js";
import { chordEnds, FONT, NARROWEST, SHALLOWEST } from "./floor.js";
import { cabinets, cables, highestOf, room, scene } from "./plan.js";
import { nameOf } from "./selection.js";
import { drawFound } from "./verification.js";

const cabinetNamed = new Map(cabinets ? Array.from(cabinets.names, (name, n) => [name, n]) : []);

// Names of slots without what all names of their row begin with; numbers stay whole.
const shortName = new Map();
for (let row = 0; room && row < room.row_names.length; row++) {
  const names = room.slot_names.filter((_, slot) => room.slot_row[slot] === row);
  let same = 0;
  while (names.length > 1 && same < names[0].length && names.every((name) => name[same] === names[0][same])) same++;
  while (same > 0 && /\d/.test(names[0][same - 1])) same--;
  for (const name of names) shortName.set(name, name.slice(same) || name);
}
const longest = {};
const MIN_NAME = 8;

// Draws one frame: `at` converts room coordinates to pixels, `scale` is pixels per millimeter.
export class Drawing {
  constructor(context, at, scale, size, palette) {
    Object.assign(this, { context, at, scale, size, palette });
  }

  all(layers, shown) {
    const { context, size, palette } = this;
    context.fillStyle = palette.paper;
    context.fillRect(0, 0, ...size);
    context.lineJoin = "round";
    for (const [name, pitch, groups] of scene.layers) {
      if (pitch && pitch * this.scale < 7) continue;
      if (name === "cabinets") this.cabinets(groups, layers.cabinets);
      else if (layers.trays === "fill" || (name !== "fill" && (layers.trays === "plain" || name !== "trays")))
        this.groups(groups);
    }
    if (shown.base) this.cables(layers, shown.base, shown);
    this.labels(layers, []);
    drawFound(this, layers);
  }

  // What changes with the selection, over the rest.
  selection(layers, shown) {
    this.context.lineJoin = "round";
    if (shown.chosen) this.cables(layers, shown.chosen, shown);
    this.marks(shown.marked);
    this.markedNames(shown.marked);
  }

  // Shapes of one layer: one path per kind.
  groups(groups) {
    for (const group of groups) {
      const [kind, closed, aside] = group,
        style = scene.styles[kind];
      this.path(group, aside ? scene.aside_pt : 0);
      this.paint(style, closed ? this.palette[style.fill] : "");
      if (style.hatch) this.hatch(group, style);
    }
  }

  path([, closed, , points, start], shift = 0, only = null) {
    const { context } = this;
    context.beginPath();
    for (let n = only ?? 0; n < (only === null ? start.length - 1 : only + 1); n++) {
      for (let corner = start[n]; corner < start[n + 1]; corner++) {
        const [x, y] = this.at(points[2 * corner], points[2 * corner + 1]);
        if (corner === start[n]) context.moveTo(x + shift, y + shift);
        else context.lineTo(x + shift, y + shift);
      }
      if (closed) context.closePath();
    }
  }

  // Fills and strokes the path; lines become thinner where cabinets are small.
  paint(style, fill) {
    const { context, palette } = this;
    if (fill) {
      context.fillStyle = fill;
      context.fill();
    }
    if (!style.stroke) return;
    context.strokeStyle = palette[style.stroke];
    context.lineWidth = Math.min(style.weight_pt * 1.25, Math.max(0.6, 0.25 * NARROWEST * this.scale || 1));
    context.setLineDash(style.dash_pt.map((length) => length * 1.6));
    context.stroke();
    context.setLineDash([]);
  }

  hatch(group, style) {
    const { context } = this,
      [, , , points, start] = group;
    for (let n = 0; n + 1 < start.length; n++) {
      const corners = Array.from({ length: start[n + 1] - start[n] }, (_, k) =>
        this.at(points[2 * (start[n] + k)], points[2 * (start[n] + k) + 1]),
      );
      const xs = corners.map(([x]) => x),
        ys = corners.map(([, y]) => y);
      const [left, right, top, low] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      if (right < 0 || low < 0 || left > this.size[0] || top > this.size[1]) continue;
      context.save();
      this.path(group, 0, n);
      context.clip();
      context.beginPath();
      if (style.hatch === "crossed") {
        context.moveTo(left, low);
        context.lineTo(right, top);
        context.moveTo(left, top);
        context.lineTo(right, low);
      } else if (style.hatch === "level")
        for (let y = top + 4; y < low; y += 5) {
          context.moveTo(left, y);
          context.lineTo(right, y);
        }
      else
        for (let x = left - (low - top); x < right; x += 7) {
          context.moveTo(x, low);
          context.lineTo(x + low - top, top);
        }
      context.strokeStyle = this.palette[style.stroke];
      context.lineWidth = 0.6;
      context.stroke();
      context.restore();
    }
  }

  // Cabinets in the colors of the chosen layer.
  cabinets(groups, layer) {
    const style = scene.styles.cabinet;
    for (const group of groups) {
      for (let n = 0; n + 1 < group[4].length; n++) {
        const [x, y, width, height] = this.box(cabinets.slot[n]);
        if (!this.visible(x, y, width, height)) continue;
        this.path(group, 0, n);
        this.paint(style, cabinetColor(this.palette, layer, n));
      }
      const over = { ...style, hatch: "crossed" },
        shares = scene.shades[layer]?.share;
      if (shares && shares.some((share) => share > 1))
        for (let n = 0; n < shares.length; n++)
          if (shares[n] > 1) this.hatch([group[0], true, false, group[3], group[4].slice(n, n + 2)], over);
    }
  }

  // Names, where they fit; those of cabinets in one style, see `naming`.
  labels({ cabinets: layer, trays }, taken) {
    const style = this.naming();
    for (const label of scene.labels) {
      const [shade, limit, bold, together] = scene.types[label.kind],
        [x, y] = this.at(...label.at);
      const [width, height] = label.space.map((length) => length * this.scale);
      if (!this.visible(x, y, Math.max(width, 200), Math.max(height, 40))) continue;
      // Figures of trays would cover those of cabinets.
      if (label.kind === "figures" && (trays !== "fill" || scene.shades[layer])) continue;
      if (together) this.slotName(label, layer, style, taken);
      else if (!width) this.tag(label, x, y, this.palette[shade], taken);
      else {
        const color = label.on && scene.styles[label.on].fill === "solid" ? this.palette.paper : this.palette[shade];
        this.write(label.text, x, y, width - 8, height - 2, limit * 1.7, color, false, bold ? "600" : "") ||
          this.write(label.text, x, y, height - 8, width - 2, limit * 1.7, color, true);
      }
    }
  }

  slotName(label, layer, { size, upright, short, sparse }, taken) {
    const cabinet = cabinetNamed.get(label.text) ?? -1,
      name = short ? shortName.get(label.text) : label.text;
    const [x, y] = this.at(...(upright || short ? label.upright : label.at));
    if (cabinet < 0 && (upright || short)) return;
    if (sparse) {
      if (cabinet >= 0)
        this.tag({ text: name, anchor: [0, 0], size, gap: [14, 4] }, ...this.at(...label.upright), this.palette.text, taken);
      return;
    }
    const color = cabinet < 0 ? this.palette.muted : textOn(cabinetColor(this.palette, layer, cabinet), this.palette);
    const space = label.space[1] * this.scale,
      weight = cabinet < 0 ? "" : "600";
    this.write(
      name,
      x,
      y,
      Infinity,
      size,
      upright || short ? size : Math.min(size, Math.max(space, MIN_NAME)),
      color,
      upright,
      weight,
    );
    const mark = cabinet < 0 || upright || short || !scene.shades[layer] ? "" : scene.shades[layer].marks[cabinet];
    if (mark) this.write(mark, x, y - 1.15 * space, label.space[0] * this.scale - 4, 0.75 * space, Math.min(size, 12), color);
  }

  // How the names of cabinets are written at this scale: all level, all upright, all without what a row has in common, or those in full
  // that do not touch each other.
  naming() {
    this.context.font = `600 10px ${FONT}`;
    const widest = (names) => Math.max(1, ...Array.from(names, (name) => this.context.measureText(name).width)) / 10;
    longest.full ??= widest(room.slot_names);
    longest.short ??= widest(shortName.values());
    const [wide, deep] = [NARROWEST * this.scale, SHALLOWEST * this.scale];
    const fitting = (along, across, length) => Math.min(14, across - 2, Math.floor((2 * (along - 4)) / length) / 2);
    const level = fitting(wide, deep, longest.full),
      turned = fitting(deep, wide, longest.full),
      short = fitting(wide + 3, deep, longest.short);
    if (level >= MIN_NAME) return { size: level };
    if (turned >= MIN_NAME) return { size: Math.min(turned, 11), upright: true };
    if (short >= MIN_NAME) return { size: short, short: true };
    return { size: 10, sparse: true };
  }

  // Writes a text where it fits, at least 8 pixels high; returns whether it fits.
  write(text, x, y, width, height, limit, color, upright = false, weight = "") {
    const { context } = this;
    const measure = (size) => {
      context.font = `${weight} ${size}px ${FONT}`;
      return context.measureText(text).width;
    };
    let size = Math.min(limit, height);
    if (size < 8) return false;
    if (measure(size) > width) size = Math.floor(((size * width) / measure(size)) * 2) / 2;
    if (size < 8) return false;
    measure(size);
    context.fillStyle = color;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.save();
    context.translate(x, y);
    if (upright) context.rotate(-Math.PI / 2);
    context.fillText(text, 0, 0);
    context.restore();
    return true;
  }

  // A text next to its place that stays readable over lines; left out where it would cover another.
  tag({ text, anchor: [across, up], size = 11, gap: [aside, above] = [0, 0] }, x, y, color, taken = null) {
    const { context } = this;
    context.font = `600 ${size}px ${FONT}`;
    const width = context.measureText(text).width + 6,
      left = x - (width * (across + 1)) / 2,
      top = y - 6 + up * 8;
    if (taken) {
      if (taken.some(([a, b, c]) => left < a + c + aside && a < left + width + aside && Math.abs(top - b) < 13 + above)) return;
      taken.push([left, top, width]);
    }
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.lineWidth = 4;
    context.strokeStyle = this.palette.floor;
    context.strokeText(text, left + 3, top + 6);
    context.fillStyle = color;
    context.fillText(text, left + 3, top + 6);
  }

  box(slot) {
    const [x, y] = this.at(room.slot_xy[2 * slot], room.slot_xy[2 * slot + 1]);
    return [x, y, room.slot_size[2 * slot] * this.scale, room.slot_size[2 * slot + 1] * this.scale];
  }

  visible(x, y, width, height) {
    return x + width / 2 >= 0 && y + height / 2 >= 0 && x - width / 2 <= this.size[0] && y - height / 2 <= this.size[1];
  }

  segmentEnds(segment) {
    const shift = room.segment_aside[segment] ? scene.aside_pt : 0;
    return [0, 1].flatMap((end) => {
      const node = room.segments[2 * segment + end];
      const [x, y] = this.at(room.node_xyz[3 * node], room.node_xyz[3 * node + 1]);
      return [x + shift, y + shift];
    });
  }

  stroke(lines, color, width) {
    const { context } = this;
    context.beginPath();
    for (const [x, y, u, v] of lines) {
      context.moveTo(x, y);
      context.lineTo(u, v);
    }
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke();
  }

  cables(layers, set, shown) {
    this.context.lineCap = "round";
    if (layers.lines === "straight") this.straight(set, shown);
    else this.along(set, shown);
    this.context.lineCap = "butt";
  }

  // Straight from cabinet to cabinet, parallel cables side by side; one stroke per color.
  straight({ list, kinds, of, load }, shown) {
    const buckets = Array.from({ length: kinds.length + 8 }, () => []);
    for (const cable of list) {
      const ends = this.chord(cable),
        own = load ? load(cable) : null;
      if (ends) buckets[own === null ? of(cable) : kinds.length + Math.min(7, Math.floor(8 * shown.share(own)))].push(ends);
    }
    const { context, palette } = this;
    // With thousands of cables each is faint, and the busiest are visible.
    const dense = list.length > 400,
      faint = Math.max(0.15, Math.sqrt(400 / list.length));
    context.globalAlpha = dense ? 0.4 * faint : 0.9;
    kinds.forEach(({ color }, n) => this.stroke(buckets[n], load ? palette.tray : color, dense ? 0.8 : 1.4));
    for (let step = 0; step < 8; step++) {
      context.globalAlpha = dense ? Math.min(0.9, (0.3 + 0.2 * step) * faint) : 0.95;
      this.stroke(buckets[kinds.length + step], css(mixed(palette.ramps.load, step / 7)), dense ? 0.6 + step * 0.12 : 1.6);
    }
    context.globalAlpha = 1;
  }

  chord(cable) {
    const a = cables.cabinet[2 * cable],
      b = cables.cabinet[2 * cable + 1];
    if (a === b) return null;
    const [ax, ay, bx, by] = chordEnds(cable, a, b);
    return [...this.at(ax, ay), ...this.at(bx, by)];
  }

  // Along the trays: width grows with the number of shown cables in a segment, of which each kind has its share, side by side.
  along({ kinds, load, flow, drops, highest }, shown) {
    const { palette } = this;
    // Limited, so that a tray does not hide the cabinets below it.
    const widest = Math.max(1.5, (kinds.length > 1 ? 0.6 : 0.4) * NARROWEST * this.scale);
    const width = (number) =>
      Math.min((kinds.length > 1 ? 3 : 1.5) + (kinds.length > 1 ? 9 : 6) * Math.sqrt(number / highest), widest);
    const loaded = (sum) => (sum.loaded ? css(mixed(palette.ramps.load, shown.share(sum.load / sum.loaded))) : palette.tray);
    for (const [cabinet, node, sum] of drops) {
      const slot = cabinets.slot[cabinet];
      const ends = [
        ...this.at(room.slot_xy[2 * slot], room.slot_xy[2 * slot + 1]),
        ...this.at(room.node_xyz[3 * node], room.node_xyz[3 * node + 1]),
      ];
      this.stroke([ends], load ? loaded(sum) : kinds[sum.by.indexOf(highestOf(sum.by))].color, Math.min(width(sum.number), 3));
    }
    for (const [segment, sum] of flow) {
      const ends = this.segmentEnds(segment),
        wide = width(sum.number);
      if (load || kinds.length === 1) this.stroke([ends], load ? loaded(sum) : kinds[0].color, wide);
      else this.bands(ends, wide, sum, kinds);
    }
  }

  bands([x, y, u, v], wide, { number, by }, kinds) {
    const length = Math.hypot(u - x, v - y);
    if (!length) return;
    // The same order from left to right, whichever end comes first.
    const turn = x < u || (x === u && y < v) ? 1 : -1,
      [across, up] = [(-turn * (v - y)) / length, (turn * (u - x)) / length];
    let from = -wide / 2;
    for (const [kind, cablesHere] of by.entries()) {
      if (!cablesHere) continue;
      const own = (wide * cablesHere) / number,
        shift = from + own / 2;
      this.stroke(
        [[x + across * shift, y + up * shift, u + across * shift, v + up * shift]],
        kinds[kind].color,
        Math.max(own, 0.7),
      );
      from += own;
    }
  }

  // Names of the selection above its cabinets where not all have theirs.
  markedNames({ cabinets: numbers }) {
    const taken = [];
    if (numbers.length > MAX_TAGS || !this.naming().sparse) return;
    for (const cabinet of numbers) {
      const [x, y, , height] = this.box(cabinets.slot[cabinet]);
      this.tag({ text: nameOf("cabinet", cabinet), anchor: [0, -1] }, x, y - height / 2 - 3, this.palette.chosen, taken);
    }
  }

  marks(marked) {
    const { context, palette } = this;
    for (const cabinet of marked.cabinets) {
      const [x, y, width, height] = this.box(cabinets.slot[cabinet]);
      context.strokeStyle = palette.chosen;
      context.lineWidth = 3;
      context.strokeRect(x - width / 2 - 2, y - height / 2 - 2, width + 4, height + 4);
    }
    for (const segment of marked.segments) {
      const [x, y, u, v] = this.segmentEnds(segment),
        across = Math.hypot(u - x, v - y) || 1;
      const [dx, dy] = [(-(v - y) / across) * 6, ((u - x) / across) * 6];
      context.beginPath();
      context.moveTo(x + dx, y + dy);
      context.lineTo(u + dx, v + dy);
      context.lineTo(u - dx, v - dy);
      context.lineTo(x - dx, y - dy);
      context.closePath();
      context.strokeStyle = palette.chosen;
      context.lineWidth = 2;
      context.stroke();
    }
  }
}
