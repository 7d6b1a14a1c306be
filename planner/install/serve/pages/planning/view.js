// Pan and zoom of a drawing: wheel, two fingers, drags of what cannot be moved, and buttons.

import { element } from "/static/web/elements.js";

const CLOSEST = 40;

// The point of a pointer in the units of a drawing.
export function pointOf(svg, event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [x, y];
}

// Calls functions while a pointer is held down: `move` with each event, `end` with the last one.
export function held(move, end) {
  const listeners = { pointermove: move, pointerup: last, pointercancel: last };
  function last(event) {
    for (const [name, own] of Object.entries(listeners)) window.removeEventListener(name, own);
    end(event);
  }
  for (const [name, own] of Object.entries(listeners)) window.addEventListener(name, own);
}

export class View {
  // `box` is [left, top, width, height] of the whole drawing.
  constructor(holder) {
    Object.assign(this, { holder, pointers: new Map(), svg: null, whole: null, box: null });
    const button = (text, label, click) => element("button", { type: "button", "aria-label": label, title: label, click }, text);
    this.buttons = element(
      "div",
      { class: "zoom" },
      button("+", "Zoom in", () => this.zoom(1.4)),
      button("−", "Zoom out", () => this.zoom(1 / 1.4)),
      button("⤢", "Show all", () => this.fit()),
    );
    holder.addEventListener(
      "wheel",
      (event) => {
        if (!this.svg) return;
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), pointOf(this.svg, event));
      },
      { passive: false },
    );
    holder.addEventListener("pointerdown", (event) => this.down(event));
  }

  // Shows a drawing; the view stays where the drawing is as large as before.
  show(svg, whole) {
    const same = this.whole && this.whole.every((length, n) => Math.abs(length - whole[n]) < 1);
    this.svg = svg;
    this.whole = whole;
    if (!same) this.box = whole;
    this.apply();
    this.holder.replaceChildren(svg, this.buttons);
  }

  apply() {
    this.svg.setAttribute("viewBox", this.box.join(" "));
  }
  fit() {
    this.box = this.whole;
    this.apply();
  }

  zoom(factor, [x, y] = [this.box[0] + this.box[2] / 2, this.box[1] + this.box[3] / 2]) {
    const [left, top, wide, high] = this.box,
      limited = Math.min(Math.max(wide / factor, this.whole[2] / CLOSEST), 1.5 * this.whole[2]) / wide;
    this.box = [x - (x - left) * limited, y - (y - top) * limited, wide * limited, high * limited];
    this.apply();
  }

  // Drags that nothing else took move the view; a second pointer zooms.
  down(event) {
    if (event.defaultPrevented || event.button || event.target.closest("button")) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.pointers.size > 1) return;
    held(
      (at) => this.moved(at),
      (at) => {
        this.pointers.delete(at.pointerId);
        this.pointers.clear();
      },
    );
  }

  moved(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const here = [event.clientX, event.clientY];
    if (this.pointers.size > 1) {
      const [, other] = [...this.pointers].find(([id]) => id !== event.pointerId),
        apart = ([x, y]) => Math.hypot(x - other[0], y - other[1]) || 1;
      const middle = { clientX: (here[0] + other[0]) / 2, clientY: (here[1] + other[1]) / 2 };
      this.zoom(apart(here) / apart(before), pointOf(this.svg, middle));
    } else {
      const [a, b] = [pointOf(this.svg, { clientX: before[0], clientY: before[1] }), pointOf(this.svg, event)];
      this.box = [this.box[0] - b[0] + a[0], this.box[1] - b[1] + a[1], this.box[2], this.box[3]];
      this.apply();
    }
    this.pointers.set(event.pointerId, here);
  }
}
