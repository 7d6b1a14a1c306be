// Corners of the chosen thing: dragged, moved with the arrow keys, added in the middle of an edge, and removed.

import { shape } from "/static/web/elements.js";
import { held } from "/static/planning/view.js";
import { cornersOf } from "./things.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// `actions`: at(event), grid(), scale(), step(content, words).
export function handles(chosen, table, actions) {
  const { kind, name } = chosen,
    corners = kind === "outline" ? table.outline_mm : cornersOf(table),
    closed = kind !== "tray",
    size = actions.scale();
  const thing = kind === "outline" ? { kind } : { kind, name };
  const made = corners.map(([x, y], number) => corner([x, y], number));
  if (kind === "penetration") return made;
  const edges = closed ? corners.length : corners.length - 1;
  return [...Array.from({ length: edges }, (_, number) => middle(number)), ...made];

  function corner([x, y], number) {
    const node = shape("circle", {
      class: "corner",
      cx: x,
      cy: -y,
      r: size,
      "stroke-width": size / 3,
      tabindex: "0",
      role: "button",
      "data-corner": String(number),
      "aria-label": `Corner ${number + 1} at ${x}, ${y} mm`,
    });
    const move = (to) => actions.step({ do: "corner", ...thing, number, to_mm: to }, `moved corner ${number + 1}`);
    node.addEventListener("keydown", (event) => {
      const turn = ARROWS[event.key];
      if (turn) {
        event.preventDefault();
        event.stopPropagation();
        move([x + turn[0] * actions.grid(), y + turn[1] * actions.grid()]);
      }
      if (event.key === "Delete" || event.key === "Backspace") {
        event.preventDefault();
        event.stopPropagation();
        actions.step({ do: "remove_corner", ...thing, number }, `removed corner ${number + 1}`);
      }
    });
    node.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      event.preventDefault();
      event.stopPropagation();
      node.focus({ preventScroll: true });
      held(
        (at) => {
          const [a, b] = actions.at(at);
          node.setAttribute("cx", a);
          node.setAttribute("cy", -b);
        },
        (at) => {
          const to = actions.at(at);
          if (at.type === "pointerup" && (to[0] !== x || to[1] !== y)) move(to);
        },
      );
    });
    node.addEventListener("dblclick", (event) => {
      event.stopPropagation();
      actions.step({ do: "remove_corner", ...thing, number }, `removed corner ${number + 1}`);
    });
    return node;
  }

  function middle(number) {
    const [a, b] = [corners[number], corners[(number + 1) % corners.length]],
      at = [0, 1].map((axis) => Math.round((a[axis] + b[axis]) / 2));
    const add = () => actions.step({ do: "add_corner", ...thing, number, at_mm: at }, `added a corner after ${number + 1}`);
    const node = shape("circle", {
      class: "corner middle",
      cx: at[0],
      cy: -at[1],
      r: size * 0.7,
      tabindex: "0",
      role: "button",
      "aria-label": `Add a corner after corner ${number + 1}`,
    });
    node.addEventListener("pointerdown", (event) => {
      if (!event.button) {
        event.preventDefault();
        event.stopPropagation();
        add();
      }
    });
    node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        add();
      }
    });
    return node;
  }
}
