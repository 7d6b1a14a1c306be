// Finding a cable by its number, or by its code.

import { button, byId, element } from "../crew/elements.js";
import { parsed } from "./facts.js";
import { addressOf, addressOfDevice, cableRow, deviceRow } from "./lists.js";
import { hasCamera, scanLive, scanPhoto } from "./scan.js";

const FEW = 6;
let digits = "",
  end = "",
  name = "";

export function findPage(site, again) {
  const press = (key) => {
    if (key === "⌫") [digits, end] = end ? [digits, ""] : [digits.slice(0, -1), ""];
    else if (key === "A" || key === "B") end = end === key.toLowerCase() ? "" : key.toLowerCase();
    else if (digits.length < 7) digits += key;
    again();
  };
  const cable = digits ? site.facts.numbered(Number(digits)) : null,
    others = digits ? beginning(site, digits, cable) : [];
  const key = (text) =>
    button(text, () => press(text), {
      id: `key-${text}`,
      class: text.toLowerCase() === end ? "key on" : "key",
      "aria-label": text === "⌫" ? "Delete the last digit" : null,
      "aria-pressed": text === "A" || text === "B" ? String(text.toLowerCase() === end) : null,
    });
  return [
    element("h1", { class: "hidden" }, "Find a cable"),
    element(
      "form",
      {
        id: "number-form",
        submit: (event) => {
          event.preventDefault();
          take(site, `${digits}${end}`);
        },
      },
      element("label", { for: "number", class: "note" }, "Number on the label, with the end where it is printed: 137 A"),
      element("input", {
        id: "number",
        class: "display",
        value: `${digits}${end ? ` ${end.toUpperCase()}` : ""}`,
        inputmode: "none",
        autocomplete: "off",
        "aria-describedby": "found",
        input: (event) => {
          const found = /^(\d{0,7}) ?([ab]?)/i.exec(event.target.value.trim()) ?? ["", "", ""];
          [digits, end] = [found[1], found[2].toLowerCase()];
          again();
        },
      }),
      element(
        "div",
        { id: "found", "aria-live": "polite" },
        digits && !cable ? element("p", { class: "empty" }, others.length ? "" : `The plan has no cable ${digits}.`) : null,
      ),
      element(
        "div",
        { class: "keypad" },
        ["1", "2", "3", "A", "4", "5", "6", "B", "7", "8", "9", "⌫"].map(key),
        key("0"),
        element(
          "button",
          { id: "open", class: "key main", disabled: !cable },
          cable ? `Open ${cable.number}${end ? ` ${end.toUpperCase()}` : ""}` : "Open",
        ),
      ),
    ),
    cable || others.length
      ? element(
          "ul",
          { class: "rows" },
          cable ? cableRow(site, cable, end) : null,
          others.map((each) => cableRow(site, each)),
        )
      : null,
    deviceSearch(site, again),
    codes(site),
  ];
}

// Devices by a part of their name, or by a serial number or asset tag that was recorded.
function deviceSearch(site, again) {
  const words = name.toLowerCase(),
    found = [];
  if (words)
    for (const device of site.facts.devices.values()) {
      const { serial, tag } = site.statusOfDevice(device);
      if ([device.name, serial, tag].some((text) => text.toLowerCase().includes(words)) && found.push(device) === FEW) break;
    }
  return element(
    "form",
    {
      class: "line wide",
      submit: (event) => {
        event.preventDefault();
        const device = site.facts.named(name) ?? (found.length === 1 ? found[0] : null);
        if (device) location.hash = addressOfDevice(device);
      },
    },
    element("label", { for: "device-name" }, "Device: name, serial number or asset tag"),
    element("input", {
      id: "device-name",
      value: name,
      maxlength: 100,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      input: (event) => {
        name = event.target.value.trim();
        event.target.defaultValue = event.target.value;
        again();
      },
    }),
    element("button", { class: "save", id: "open-device" }, "Open"),
    found.length
      ? element(
          "ul",
          { class: "rows found" },
          found.map((device) => deviceRow(site, device)),
        )
      : words
        ? element("p", { class: "empty" }, "The plan has no such device.")
        : null,
  );
}

const beginning = (site, start, cable) =>
  site.facts.list.filter((each) => each !== cable && String(each.number).startsWith(start)).slice(0, cable ? 2 : 4);

// Opens what a label names; returns what is wrong with it.
export function take(site, text) {
  const found = parsed(text),
    device = site.facts.named(found?.device ?? text);
  if (device) {
    location.hash = addressOfDevice(device);
    return "";
  }
  if (found?.device) return `the plan has no device ${found.device.slice(0, 60)}`;
  if (!found) return `“${text.slice(0, 60)}” is not the code of a cable`;
  if (found.task) {
    location.hash = `#task=${found.task}`;
    return "";
  }
  const cable = site.facts.numbered(found.cable);
  if (!cable) return `the plan has no cable ${found.cable}`;
  [digits, end] = ["", ""];
  location.hash = addressOf(cable, found.end);
  return "";
}

function codes(site) {
  const report = (text) => {
    if (byId("scan-note")) byId("scan-note").textContent = text;
  };
  return element(
    "section",
    { class: "codes", "aria-label": "Codes" },
    element("h2", { class: "group" }, "Code on the label"),
    element("p", { class: "note" }, "The camera app of the phone opens the code, too."),
    hasCamera() ? button("Camera", () => scanLive((text) => take(site, text), report), { id: "live", class: "wide" }) : null,
    element("label", { class: "button wide", for: "code-photo" }, "Photo of the code"),
    element("input", {
      id: "code-photo",
      class: "hidden",
      type: "file",
      accept: "image/*",
      capture: "environment",
      change: async (event) => {
        const [file] = event.target.files;
        event.target.value = "";
        if (!file) return;
        report("Reading the code …");
        report(await scanPhoto(file, (text) => take(site, text)));
      },
    }),
    element("p", { id: "scan-note", class: "note", role: "status" }),
    element("video", { id: "camera", hidden: true, muted: true, playsinline: true, "aria-label": "Picture of the camera" }),
  );
}
