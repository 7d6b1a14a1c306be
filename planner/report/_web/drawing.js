// How the floor is drawn into a canvas.

const LAYERS = { cabinets: "use", trays: "fill", cables: "chosen", lines: "trays", load: "" };

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
    this.ground();
    this.slots(layers.cabinets);
    if (layers.trays !== "none") this.trays(layers.trays);
    this.cables(layers, shown);
    if (count.slots) this.names(layers.cabinets);
    this.marks(shown.marked);
  }

  path(corners, closed = true) {
    const { context } = this;
    context.beginPath();
    for (let n = 0; n < corners.length; n += 2) context.lineTo(...this.at(corners[n], corners[n + 1]));
    if (closed) context.closePath();
  }

  ground() {
    const { context, palette } = this;
    this.path(room.outline);
    context.fillStyle = palette.floor;
    context.fill();
    context.save();
    context.clip();
    this.tiles();
    context.restore();
    for (const [kind, name, corners] of room.zones) {
      this.path(corners);
      context.fillStyle = palette[ZONES[kind] || "slot"];
      context.fill();
      if (!kind.endsWith("aisle")) {
        context.strokeStyle = palette.muted;
        context.lineWidth = 0.6;
        context.stroke();
      }
      this.zoneName(kind, name, corners);
    }
    context.strokeStyle = palette.outline;
    context.lineWidth = 1.5;
    for (const [, corners] of room.halls) { this.path(corners); context.stroke(); }
    this.path(room.outline);
    context.stroke();
  }

  tiles() {
    const step = room.tile_mm;
    if (step * this.scale < 7) return;
    const xs = room.outline.filter((_, n) => n % 2 === 0), ys = room.outline.filter((_, n) => n % 2 === 1);
    const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const { context } = this;
    context.beginPath();
    for (let x = left; x <= right; x += step) { context.moveTo(...this.at(x, bottom)); context.lineTo(...this.at(x, top)); }
    for (let y = bottom; y <= top; y += step) { context.moveTo(...this.at(left, y)); context.lineTo(...this.at(right, y)); }
    context.strokeStyle = this.palette.tile;
    context.lineWidth = 1;
    context.stroke();
  }

  zoneName(kind, name, corners) {
    const [width, height, x, y] = this.extent(corners);
    const aisle = kind.endsWith("aisle");
    const text = aisle ? `${kind} ${name}` : name || kind;
    const color = kind === "column" || kind === "wall" ? this.palette.paper : this.palette.muted;
    this.write(text, x, y, width - 8, height - 2, 11, color) || this.write(text, x, y, height - 8, width - 2, 11, color, true);
  }

  extent(corners) {
    let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let n = 0; n < corners.length; n += 2) {
      const [x, y] = this.at(corners[n], corners[n + 1]);
      left = Math.min(left, x); right = Math.max(right, x); low = Math.min(low, y); high = Math.max(high, y);
    }
    return [right - left, high - low, (left + right) / 2, (low + high) / 2];
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

  box(slot) {
    const [x, y] = this.at(room.slot_xy[2 * slot], room.slot_xy[2 * slot + 1]);
    return [x, y, room.slot_size[2 * slot] * this.scale, room.slot_size[2 * slot + 1] * this.scale];
  }

  visible(x, y, width, height) {
    return x + width / 2 >= 0 && y + height / 2 >= 0 && x - width / 2 <= this.size[0] && y - height / 2 <= this.size[1];
  }

  slots(layer) {
    const { context, palette } = this;
    for (let slot = 0; slot < count.slots; slot++) {
      const [x, y, width, height] = this.box(slot);
      if (!this.visible(x, y, width, height)) continue;
      const cabinet = cabinetInSlot[slot];
      const free = cabinet < 0, inset = free ? Math.min(1.5, width / 10) : 0;
      context.fillStyle = free ? palette.slot : this.cabinetColor(layer, cabinet);
      context.fillRect(x - width / 2 + inset, y - height / 2 + inset, width - 2 * inset, height - 2 * inset);
      context.strokeStyle = free ? palette["slot-edge"] : palette["cabinet-edge"];
      context.lineWidth = 0.8;
      context.setLineDash(free ? [3, 2] : []);
      context.strokeRect(x - width / 2 + inset, y - height / 2 + inset, width - 2 * inset, height - 2 * inset);
      context.setLineDash([]);
      if (!free && width > 6) this.front(x, y, width, height, room.slot_facing[slot]);
    }
  }

  cabinetColor(layer, cabinet) {
    if (layer === "use") return this.palette[useOf(cabinet)];
    const figure = layerOf(layer);
    return figure ? css(mixed(this.palette.ramp, figure.share[cabinet])) : this.palette.slot;
  }

  // A heavy line along the front.
  front(x, y, width, height, facing) {
    const { context } = this, [dx, dy] = { 0: [1, 0], 90: [0, -1], 180: [-1, 0], 270: [0, 1] }[facing] || [0, 0];
    const thick = Math.min(3, Math.max(1.5, width / 18));
    context.fillStyle = this.palette.outline;
    if (dx) context.fillRect(x + (dx * width) / 2 - (dx > 0 ? thick : 0), y - height / 2, thick, height);
    else if (dy) context.fillRect(x - width / 2, y + (dy * height) / 2 - (dy > 0 ? thick : 0), width, thick);
  }

  // The size at which the longest name fits the narrowest cabinet: all have names, or none.
  nameSize() {
    this.context.font = `600 10px ${FONT}`;
    this.longest ??= Math.max(1, ...Array.from(room.slot_names, (name) => this.context.measureText(name).width)) / 10;
    return Math.min(14, Math.floor((2 * (NARROWEST * this.scale - 4)) / this.longest) / 2);
  }

  names(layer) {
    const fits = this.nameSize();
    if (fits < 8) {
      this.rows();
      return;
    }
    for (let slot = 0; slot < count.slots; slot++) {
      const [x, y, width, height] = this.box(slot);
      if (!this.visible(x, y, width, height)) continue;
      const cabinet = cabinetInSlot[slot], name = room.slot_names[slot], size = Math.min(fits, height * 0.36);
      const color = cabinet < 0 ? "" : this.cabinetColor(layer, cabinet);
      const text = cabinet < 0 ? this.palette.muted : textOn(color.startsWith("rgb") ? color.match(/\d+/g).map(Number) : asRgb(color));
      this.write(name, x, y + height * 0.24, Infinity, size, size, text, false, cabinet < 0 ? "" : "600");
      const figure = layerOf(layer);
      if (cabinet < 0 || !figure) continue;
      this.write(figure.marks[cabinet], x, y - height * 0.22, width - 4, height * 0.3, Math.min(size, 12), text);
    }
  }

  // Names of the rows at their ends, while cabinets are too small for names.
  rows() {
    const { palette } = this, ends = new Map();
    for (let slot = 0; slot < count.slots; slot++) {
      const [x, y, width] = this.box(slot), row = room.slot_row[slot], [left, , right] = ends.get(row) || [Infinity, 0, -Infinity];
      ends.set(row, [Math.min(left, x - width / 2), y, Math.max(right, x + width / 2)]);
    }
    let last = Infinity;
    for (const [row, [left, y, right]] of [...ends].sort((a, b) => b[1][1] - a[1][1])) {
      if (last - y < 13) continue;
      last = y;
      this.tag(room.row_names[row], left - 7, y, "right", palette.text);
      this.tag(room.row_names[row], right + 7, y, "left", palette.text);
    }
  }

  // A text that stays readable over lines.
  tag(text, x, y, side, color) {
    const { context } = this;
    context.font = `600 11px ${FONT}`;
    context.textBaseline = "middle";
    context.textAlign = side;
    context.lineWidth = 4;
    context.strokeStyle = this.palette.floor;
    context.strokeText(text, x, y);
    context.fillStyle = color;
    context.fillText(text, x, y);
  }

  segmentEnds(segment) {
    const shift = ASIDE[segment] ? 4 : 0;
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

  trays(layer) {
    const { context, palette } = this;
    context.lineCap = "butt";
    const steps = [[], ...FILL_STEPS.map(() => [])];
    for (let segment = 0; segment < count.segments; segment++) {
      const free = layer !== "fill" || !cables || !(room.segment_mm2[segment] > 0);
      steps[free ? 0 : 1 + fillStep(shareOfDesign(segment))].push(this.segmentEnds(segment));
    }
    context.setLineDash([5, 3]);
    this.stroke(steps[0], palette.tray, 1.4);
    context.setLineDash([]);
    FILL_STEPS.forEach(([, width], step) => this.stroke(steps[step + 1], css(palette.trayRamp[step]), width));
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
      this.stroke(buckets[step], css(mixed(palette.loadRamp, step / 7)), dense ? 0.6 + step * 0.12 : 1.6);
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
    const color = (sum, loaded) => (byLoad ? (loaded ? css(mixed(palette.loadRamp, shown.share(sum / loaded))) : palette.tray) : plain);
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
      if (marked.cabinets.length <= MAX_TAGS && this.nameSize() < 8) this.tag(nameOf("cabinet", cabinet), x, y - height / 2 - 11, "center", palette.chosen);
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
