// Libraries of the page, unpacked when a view first needs them.

import { byId, element } from "./elements.js";

const unpackedTexts = new Map();

// What was compressed and written in base64.
export function inflated(base64) {
  const letters = atob(base64),
    bytes = new Uint8Array(letters.length);
  for (let n = 0; n < letters.length; n++) bytes[n] = letters.charCodeAt(n);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
}

// The source of a library.
function sourceOf(id) {
  if (!unpackedTexts.has(id)) unpackedTexts.set(id, inflated(byId(id).textContent).text());
  return unpackedTexts.get(id);
}

const addressOf = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));

// A library that is an ES module; its imports are given as [text in its source, address]. Those of a server have addresses.
export async function moduleOf(id, imports = []) {
  if (byId(id).dataset.address) return byId(id).dataset.address;
  let text = await sourceOf(id);
  for (const [name, address] of imports) text = text.replaceAll(name, JSON.stringify(address));
  return addressOf(text);
}

export async function runLibrary(id) {
  const src = byId(id).dataset.address;
  if (src) {
    await new Promise((resolve, reject) => document.head.append(element("script", { src, load: resolve, error: reject })));
    return;
  }
  document.head.append(element("script", {}, await sourceOf(id)));
}
