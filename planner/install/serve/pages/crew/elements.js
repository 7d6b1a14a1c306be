// Elements of these pages: those of the plan's own page, and more. Text is always text, never markup.

import { byId, element, shape } from "../web/elements.js";

export { byId, element, shape };
export const button = (text, act, options = {}) => element("button", { type: "button", click: act, ...options }, text);
export const link = (text, href, options = {}) => element("a", { href, ...options }, text);
export const facts = (...rows) =>
  element(
    "dl",
    { class: "facts" },
    rows
      .filter((row) => row && row[1] !== "" && row[1] !== null && row[1] !== undefined)
      .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
  );

// Shares of a whole as a bar; what is not named is empty.
export function bar(parts, whole, title) {
  let at = 0;
  const boxes = parts.map(([name, number]) => {
    const width = (100 * number) / Math.max(whole, 1);
    at += width;
    return shape("rect", { class: `share ${name}`, x: at - width, y: 0, width, height: 8 });
  });
  return shape(
    "svg",
    { class: "shares", viewBox: "0 0 100 8", preserveAspectRatio: "none", role: "img", "aria-label": title },
    boxes,
  );
}

// Replaces what an element shows; text that is being written, open parts and the focus stay, by their ids.
export function show(holder, nodes) {
  const focused = holder.contains(document.activeElement) ? document.activeElement.id : "";
  const range = focused && ["INPUT", "TEXTAREA"].includes(document.activeElement.tagName) ? caret(document.activeElement) : null;
  const texts = Array.from(holder.querySelectorAll("input[id]:not([type=file]), textarea[id]"), (input) => [
    input.id,
    input.value,
    input.defaultValue,
  ]);
  const open = new Set(Array.from(holder.querySelectorAll("details[open][id]"), ({ id }) => id));
  holder.replaceChildren(...nodes.flat(Infinity).filter(Boolean));
  for (const details of holder.querySelectorAll("details[id]")) details.open ||= open.has(details.id);
  for (const [id, value, before] of texts) if (value !== before && byId(id)) byId(id).value = value;
  const again = focused && byId(focused);
  if (!again) return;
  again.focus({ preventScroll: true });
  if (range) again.setSelectionRange(...range);
}
function caret(input) {
  try {
    return input.selectionStart === null ? null : [input.selectionStart, input.selectionEnd];
  } catch {
    return null;
  }
}
