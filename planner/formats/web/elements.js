// Elements of the page.

// Text is always text, never markup.
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}
export function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}
function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    // As an attribute it would be inline code, which a server's policy refuses.
    else if (key === "style") node.style.cssText = value;
    else if (value !== null && value !== false && value !== undefined) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== ""),
  );
  return node;
}
export const byId = (id) => document.getElementById(id);
