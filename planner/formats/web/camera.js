// The canvas: pan, zoom, frames. The picture moves immediately and is redrawn when the movement stops.

import { LAYERS } from "./address.js";
import { paletteOf } from "./colors.js";
import { Drawing } from "./drawing.js";
import { byId } from "./elements.js";
import { FONT, legendOf, markedOf, shownOf, tipOf, under } from "./floor.js";
import { cabinets, lengthUnit, plan, room, scene } from "./plan.js";

export class Floor {
  constructor(canvas, choose) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.picture = document.createElement("canvas");
    this.choose = choose;
    this.layers = LAYERS;
    this.drawn = null;
    this.slow = 0;
    this.frames = this.scenes = 0;
    this.bounds = [...scene.low_mm, ...scene.high_mm];
    this.theme();
    this.shown = shownOf(null, LAYERS, this.palette);
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.listen();
  }

  theme() {
    this.palette = paletteOf(getComputedStyle(document.documentElement));
  }

  show(thing, layers) {
    this.layers = layers;
    const before = this.key;
    this.thing = thing;
    this.shown = shownOf(thing, layers, this.palette);
    this.key = JSON.stringify([layers, this.palette.paper, this.shown.base !== null]);
    byId("legend").replaceChildren(...legendOf(layers, this.shown, this.palette));
    // Without other layers the picture stays; only the selection is drawn over it.
    if (this.key === before) this.request();
    else this.redraw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height || this.printed) return;
    const first = !this.size,
      whole = first || this.isWhole;
    this.size = [width, height];
    this.ratio = window.devicePixelRatio || 1;
    [this.canvas.width, this.canvas.height] = [width * this.ratio, height * this.ratio].map(Math.round);
    if (whole) this.fit();
    this.redraw();
  }

  fit(box = this.bounds, limit = Infinity) {
    const [left, low, right, high] = box,
      margin = 36;
    const fitting = Math.min(
      (this.size[0] - 2 * margin) / Math.max(right - left, 1),
      (this.size[1] - 2 * margin) / Math.max(high - low, 1),
    );
    this.x = (left + right) / 2;
    this.y = (low + high) / 2;
    this.scale = Math.min(fitting, limit);
    this.isWhole = box === this.bounds;
    this.redraw();
  }

  // Bring a selection into view: without a change of scale where it is seen already, except on a phone, which zooms to it.
  reveal(thing, closer) {
    this.resize();
    const box = this.boxOf(thing);
    if (!this.size || box[0] > box[2]) return;
    const [ax, ay] = this.at(box[0], box[3]),
      [bx, by] = this.at(box[2], box[1]);
    const wider = [box[0] - 2000, box[1] - 2000, box[2] + 2000, box[3] + 2000];
    if (closer) this.fit([box[0] - 900, box[1] - 900, box[2] + 900, box[3] + 900], 0.09);
    else if (Math.min(ax, ay) < 0 || bx > this.size[0] || by > this.size[1]) this.fit(wider, Math.max(this.scale, 0.02));
  }

  // The rectangle that holds the cabinets of a selection, and its trays.
  boxOf(thing) {
    const { cabinets: numbers, segments } = markedOf(thing),
      box = [Infinity, Infinity, -Infinity, -Infinity];
    const hold = (x, y) => {
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    };
    for (const cabinet of numbers) hold(room.slot_xy[2 * cabinets.slot[cabinet]], room.slot_xy[2 * cabinets.slot[cabinet] + 1]);
    for (const segment of segments)
      for (const end of [0, 1]) {
        const node = room.segments[2 * segment + end];
        hold(room.node_xyz[3 * node], room.node_xyz[3 * node + 1]);
      }
    return box;
  }

  at(x, y) {
    return [(x - this.x) * this.scale + this.size[0] / 2, (this.y - y) * this.scale + this.size[1] / 2];
  }

  zoom(factor, px = this.size[0] / 2, py = this.size[1] / 2) {
    const dx = px - this.size[0] / 2,
      dy = py - this.size[1] / 2,
      before = this.scale;
    this.scale = Math.min(Math.max(before * factor, 0.0005), 1.5);
    this.x += dx / before - dx / this.scale;
    this.y -= dy / before - dy / this.scale;
    this.move();
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.move();
  }

  move() {
    this.isWhole = false;
    this.request();
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.redraw(), 120);
  }

  redraw() {
    this.drawn = null;
    this.request();
  }

  request() {
    this.wanted ||= requestAnimationFrame(() => {
      this.wanted = 0;
      this.frame();
    });
  }

  frame() {
    if (!this.size) return;
    // Draw a margin of a quarter view, so that a moved picture has no blank edge at first.
    const margin = this.size.map((length) => Math.round(length / 4));
    if (!this.drawn || this.slow < 10 || this.bare(margin)) this.scene(margin);
    const { context, drawn, ratio } = this,
      grown = this.scale / drawn.scale;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.palette.paper;
    context.fillRect(0, 0, ...this.size);
    const [x, y] = this.at(drawn.x, drawn.y);
    const [width, height] = [0, 1].map((n) => (this.size[n] + 2 * margin[n]) * grown);
    context.drawImage(this.picture, x - width / 2, y - height / 2, width, height);
    new Drawing(context, this.at.bind(this), this.scale, this.size, this.palette).selection(this.layers, this.shown);
    this.ruler(context);
    Object.assign(this.canvas.dataset, {
      frames: ++this.frames,
      center: `${Math.round(this.x)},${Math.round(this.y)}`,
      scale: this.scale.toPrecision(4),
    });
  }

  bare(margin) {
    const { drawn } = this,
      grown = this.scale / drawn.scale;
    const away = [Math.abs(this.x - drawn.x) * this.scale, Math.abs(this.y - drawn.y) * this.scale];
    return away.some((far, n) => far + this.size[n] / 2 > (this.size[n] / 2 + margin[n]) * grown) || grown > 3;
  }

  scene(margin) {
    const { picture, ratio } = this,
      size = this.size.map((length, n) => length + 2 * margin[n]);
    const began = performance.now();
    [picture.width, picture.height] = size.map((length) => Math.round(length * ratio));
    this.paint(picture.getContext("2d"), size, ratio, this.palette);
    this.drawn = { x: this.x, y: this.y, scale: this.scale };
    this.slow = performance.now() - began;
    this.canvas.dataset.scenes = ++this.scenes;
    this.canvas.dataset.sceneMs = this.slow.toFixed(1);
  }

  paint(context, size, ratio, palette) {
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const at = (x, y) => [(x - this.x) * this.scale + size[0] / 2, (this.y - y) * this.scale + size[1] / 2];
    new Drawing(context, at, this.scale, size, palette).all(this.layers, this.shown);
  }

  // A scale bar at the lower edge.
  ruler(context) {
    // In feet the bar has whole feet.
    const unit = plan.feet ? lengthUnit : 1,
      longest = 140 / this.scale / unit,
      power = 10 ** Math.floor(Math.log10(longest));
    const length = [5, 2, 1].map((step) => step * power).find((step) => step <= longest);
    const width = length * unit * this.scale,
      x = this.size[0] - 60 - width,
      y = this.size[1] - 18;
    context.strokeStyle = context.fillStyle = this.palette.text;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, y - 5);
    context.lineTo(x, y);
    context.lineTo(x + width, y);
    context.lineTo(x + width, y - 5);
    context.stroke();
    context.font = `11px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "bottom";
    context.fillText(plan.feet ? `${length} ft` : length >= 1000 ? `${length / 1000} m` : `${length} mm`, x + width / 2, y - 4);
  }

  listen() {
    const { canvas } = this,
      pointers = new Map();
    let traveled = 0;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, place(event));
      traveled = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const here = place(event),
        before = pointers.get(event.pointerId);
      if (!before) {
        this.hover(...here);
        return;
      }
      traveled += Math.abs(here[0] - before[0]) + Math.abs(here[1] - before[1]);
      if (pointers.size === 2) {
        const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
        const apart = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]) || 1;
        this.zoom(apart(here) / apart(before), (here[0] + other[0]) / 2, (here[1] + other[1]) / 2);
      } else if (traveled > 4) {
        canvas.classList.add("moving");
        this.tip(null);
        this.pan(here[0] - before[0], here[1] - before[1]);
      }
      pointers.set(event.pointerId, here);
    });
    const lift = (event) => {
      const down = pointers.delete(event.pointerId);
      canvas.classList.remove("moving");
      if (down && event.type === "pointerup" && traveled <= 4) this.choose(this.under(...place(event)));
    };
    canvas.addEventListener("pointerup", lift);
    canvas.addEventListener("pointercancel", lift);
    canvas.addEventListener("pointerleave", () => this.tip(null));
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), ...place(event));
      },
      { passive: false },
    );
    canvas.addEventListener("dblclick", (event) => this.zoom(2, ...place(event)));
  }

  under(x, y) {
    return under(new Drawing(null, this.at.bind(this), this.scale, this.size, this.palette), this.layers, this.shown, x, y);
  }

  hover(x, y) {
    const thing = this.under(x, y);
    this.canvas.classList.toggle("over", thing !== null);
    this.tip(thing ? tipOf(thing, this.layers) : null, x, y);
  }

  tip(text, x = 0, y = 0) {
    const tip = byId("tip");
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    tip.style.left = `${Math.max(4, Math.min(x + 14, this.size[0] - tip.offsetWidth - 8))}px`;
    tip.style.top = `${y + 18 + tip.offsetHeight > this.size[1] ? y - tip.offsetHeight - 8 : y + 18}px`;
  }

  // Print: the same view at twice the resolution or more, in the light theme.
  print(palette) {
    if (!this.size) return;
    const ratio = Math.max(2, this.ratio),
      screen = [this.palette, this.shown];
    this.printed = true;
    [this.palette, this.shown] = [palette, shownOf(this.thing, this.layers, palette)];
    byId("legend").replaceChildren(...legendOf(this.layers, this.shown, palette));
    [this.canvas.width, this.canvas.height] = this.size.map((length) => Math.round(length * ratio));
    this.paint(this.context, this.size, ratio, palette);
    new Drawing(this.context, this.at.bind(this), this.scale, this.size, palette).selection(this.layers, this.shown);
    this.ruler(this.context);
    [this.palette, this.shown] = screen;
  }
}
