// Libraries of the page, unpacked when a view first needs them.

import { byId, element } from "./elements.js";

const unpackedTexts = new Map();

// The source of a library: text that was compressed and written in base64.
function sourceOf(id) {
  if (!unpackedTexts.has(id)) {
    const bytes = Uint8Array.from(atob(byId(id).textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    unpackedTexts.set(id, new Response(stream).text());
  }
  return unpackedTexts.get(id);
}

const addressOf = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));

// A library that is an ES module; its imports are given as [text in its source, address].
export async function moduleOf(id, imports = []) {
  let text = await sourceOf(id);
  for (const [name, address] of imports) text = text.replaceAll(name, JSON.stringify(address));
  return addressOf(text);
}

export async function runLibrary(id) {
  document.head.append(element("script", {}, await sourceOf(id)));
}
