// How the scene is drawn into a canvas.

const LAYERS = { cabinets: "use", trays: "fill", cables: "chosen", lines: "trays", network: "all", load: "" };

const cabinetNamed = new Map(cabinets ? Array.from(cabinets.names, (name, n) => [name, n]) : []);

// Draws one frame: `at` converts room coordinates to pixels, `scale` is pixels per millimeter.
class Drawing {
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
      else if (layers.trays === "fill" || name !== "fill" && (layers.trays === "plain" || name !== "trays")) this.groups(groups);
    }
    this.cables(layers, shown);
    this.labels(layers);
    this.marks(shown.marked);
  }

  // Shapes of one layer: one path per kind.
  groups(groups) {
    for (const group of groups) {
      const [kind, closed, aside] = group, style = scene.styles[kind];
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
    if (fill) { context.fillStyle = fill; context.fill(); }
    if (!style.stroke) return;
    context.strokeStyle = palette[style.stroke];
    context.lineWidth = Math.min(style.weight_pt * 1.25, Math.max(0.6, 0.25 * NARROWEST * this.scale || 1));
    context.setLineDash(style.dash_pt.map((length) => length * 1.6));
    context.stroke();
    context.setLineDash([]);
  }

  hatch(group, style) {
    const { context } = this, [, , , points, start] = group;
    for (let n = 0; n + 1 < start.length; n++) {
      const corners = Array.from({ length: start[n + 1] - start[n] }, (_, k) => this.at(points[2 * (start[n] + k)], points[2 * (start[n] + k) + 1]));
      const xs = corners.map(([x]) => x), ys = corners.map(([, y]) => y);
      const [left, right, top, low] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      if (right < 0 || low < 0 || left > this.size[0] || top > this.size[1]) continue;
      context.save();
      this.path(group, 0, n);
      context.clip();
      context.beginPath();
      if (style.hatch === "crossed") { context.moveTo(left, low); context.lineTo(right, top); context.moveTo(left, top); context.lineTo(right, low); }
      else if (style.hatch === "level") for (let y = top + 4; y < low; y += 5) { context.moveTo(left, y); context.lineTo(right, y); }
      else for (let x = left - (low - top); x < right; x += 7) { context.moveTo(x, low); context.lineTo(x + low - top, top); }
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
        this.paint(style, this.cabinetColor(layer, n));
      }
      const over = { ...style, hatch: "crossed" }, shares = scene.shades[layer]?.share;
      if (shares && shares.some((share) => share > 1)) for (let n = 0; n < shares.length; n++) if (shares[n] > 1) this.hatch([group[0], true, false, group[3], group[4].slice(n, n + 2)], over);
    }
  }

  cabinetColor(layer, cabinet) {
    if (layer === "use") return this.palette[scene.styles[scene.use[cabinet]].fill];
    if (layer === "none") return this.palette[scene.styles.cabinet.fill];
    const share = scene.shades[layer].share[cabinet];
    return share > 1 ? this.palette.over : hex(mixed(this.palette.ramps[layer], share));
  }

  // Names, where they fit; those of slots all at one size, or none.
  labels({ cabinets: layer, trays }) {
    const taken = [], fits = this.nameSize();
    for (const label of scene.labels) {
      const [shade, limit, bold, together] = scene.types[label.kind], [x, y] = this.at(...label.at);
      const [width, height] = label.space.map((length) => length * this.scale);
      if (!this.visible(x, y, Math.max(width, 200), Math.max(height, 40))) continue;
      // Figures of trays would cover those of cabinets.
      if (label.kind === "figures" && (trays !== "fill" || scene.shades[layer])) continue;
      if (together) this.slotName(label, layer, fits, x, y);
      else if (!width) this.tag(label, x, y, this.palette[shade], taken);
      else {
        const color = label.on && scene.styles[label.on].fill === "solid" ? this.palette.paper : this.palette[shade];
        this.write(label.text, x, y, width - 8, height - 2, limit * 1.7, color, false, bold ? "600" : "") || this.write(label.text, x, y, height - 8, width - 2, limit * 1.7, color, true);
      }
    }
  }

  slotName(label, layer, fits, x, y) {
    const cabinet = cabinetNamed.get(label.text) ?? -1, space = label.space[1] * this.scale;
    const color = cabinet < 0 ? this.palette.muted : textOn(this.cabinetColor(layer, cabinet), this.palette);
    if (fits < 8) return;
    this.write(label.text, x, y, Infinity, fits, Math.min(fits, space), color, false, cabinet < 0 ? "" : "600");
    const mark = cabinet < 0 || !scene.shades[layer] ? "" : scene.shades[layer].marks[cabinet];
    if (mark) this.write(mark, x, y - 1.15 * space, label.space[0] * this.scale - 4, 0.75 * space, Math.min(fits, 12), color);
  }

  // The size at which the longest name fits the narrowest cabinet: all have names, or none.
  nameSize() {
    this.context.font = `600 10px ${FONT}`;
    this.longest ??= Math.max(1, ...Array.from(room.slot_names, (name) => this.context.measureText(name).width)) / 10;
    return Math.min(14, Math.floor((2 * (NARROWEST * this.scale - 4)) / this.longest) / 2);
  }

  // Writes a text where it fits, at least 8 pixels high; returns whether it fits.
  write(text, x, y, width, height, limit, color, upright = false, weight = "") {
    const { context } = this;
    const measure = (size) => { context.font = `${weight} ${size}px ${FONT}`; return context.measureText(text).width; };
    let size = Math.min(limit, height);
    if (size < 8) return false;
    if (measure(size) > width) size = Math.floor((size * width) / measure(size) * 2) / 2;
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
  tag({ text, anchor: [across, up] }, x, y, color, taken = null) {
    const { context } = this;
    context.font = `600 11px ${FONT}`;
    const width = context.measureText(text).width + 6, left = x - (width * (across + 1)) / 2, top = y - 6 + up * 8;
    if (taken) {
      if (taken.some(([a, b, c]) => left < a + c && a < left + width && Math.abs(top - b) < 13)) return;
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
    for (const [x, y, u, v] of lines) { context.moveTo(x, y); context.lineTo(u, v); }
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke();
  }

  cables(layers, shown) {
    const { context } = this;
    if (!shown.cables.length) return;
    context.lineCap = "round";
    if (layers.lines === "straight") this.straight(layers, shown);
    else this.along(layers, shown);
  }

  // Straight from cabinet to cabinet, parallel cables side by side; one stroke per color.
  straight(layers, shown) {
    const buckets = Array.from({ length: 9 }, () => []);
    for (const cable of shown.cables) {
      const ends = this.chord(cable);
      if (!ends) continue;
      const load = layers.cables === "load" ? loadOf(cable, shown.point) : null;
      buckets[load === null ? 8 : Math.min(7, Math.floor(8 * shown.share(load)))].push(ends);
    }
    const { context, palette } = this;
    // With thousands of cables each is faint, and the busiest are visible.
    const dense = shown.cables.length > 400, faint = Math.max(0.15, Math.sqrt(400 / shown.cables.length));
    context.globalAlpha = dense ? 0.4 * faint : 0.9;
    this.stroke(buckets[8], layers.cables === "load" ? palette.tray : layers.cables === "all" ? palette.cable : palette.chosen, dense ? 0.8 : 1.4);
    for (let step = 0; step < 8; step++) {
      context.globalAlpha = dense ? Math.min(0.9, (0.3 + 0.2 * step) * faint) : 0.95;
      this.stroke(buckets[step], css(mixed(palette.ramps.load, step / 7)), dense ? 0.6 + step * 0.12 : 1.6);
    }
    context.globalAlpha = 1;
  }

  chord(cable) {
    const a = cables.cabinet[2 * cable], b = cables.cabinet[2 * cable + 1];
    if (a === b) return null;
    const [ax, ay, bx, by] = chordEnds(cable, a, b);
    return [...this.at(ax, ay), ...this.at(bx, by)];
  }

  // Along the trays: width grows with the number of shown cables in a segment.
  along(layers, shown) {
    const { context, palette } = this, { flow, drops, highest } = shown;
    const byLoad = layers.cables === "load", plain = layers.cables === "all" ? palette.cable : palette.chosen;
    // Limited, so that a tray does not hide the cabinets below it.
    const widest = Math.max(1.5, 0.4 * NARROWEST * this.scale);
    const width = (cablesHere) => Math.min(1.5 + 6 * Math.sqrt(cablesHere / highest), widest);
    const color = (sum, loaded) => (byLoad ? (loaded ? css(mixed(palette.ramps.load, shown.share(sum / loaded))) : palette.tray) : plain);
    for (const [cabinet, node, cablesHere, sum, loaded] of drops) {
      const slot = cabinets.slot[cabinet];
      const ends = [...this.at(room.slot_xy[2 * slot], room.slot_xy[2 * slot + 1]), ...this.at(room.node_xyz[3 * node], room.node_xyz[3 * node + 1])];
      this.stroke([ends], color(sum, loaded), Math.min(width(cablesHere), 3));
    }
    for (const [segment, [cablesHere, sum, loaded]] of flow) this.stroke([this.segmentEnds(segment)], color(sum, loaded), width(cablesHere));
    context.lineCap = "butt";
  }

  marks(marked) {
    const { context, palette } = this;
    for (const cabinet of marked.cabinets) {
      const [x, y, width, height] = this.box(cabinets.slot[cabinet]);
      context.strokeStyle = palette.chosen;
      context.lineWidth = 3;
      context.strokeRect(x - width / 2 - 2, y - height / 2 - 2, width + 4, height + 4);
      if (marked.cabinets.length <= MAX_TAGS && this.nameSize() < 8) this.tag({ text: nameOf("cabinet", cabinet), anchor: [0, -1] }, x, y - height / 2 - 3, palette.chosen);
    }
    for (const segment of marked.segments) {
      const [x, y, u, v] = this.segmentEnds(segment), across = Math.hypot(u - x, v - y) || 1;
      const [dx, dy] = [(-(v - y) / across) * 6, ((u - x) / across) * 6];
      context.beginPath();
      context.moveTo(x + dx, y + dy); context.lineTo(u + dx, v + dy); context.lineTo(u - dx, v - dy); context.lineTo(x - dx, y - dy);
      context.closePath();
      context.strokeStyle = palette.chosen;
      context.lineWidth = 2;
      context.stroke();
    }
  }
}
