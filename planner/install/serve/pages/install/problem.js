// What can go wrong with a cable or a device: chosen, or written.

import { button, byId, element } from "../crew/elements.js";
import { AS_PLANNED } from "./fold.js";
import { plugName } from "./facts.js";

const REASONS = [
  "Cable is missing",
  "Cable is too short",
  "Cable is damaged",
  "Port is occupied",
  "Port is damaged",
  "No room in the tray",
  "Device is missing",
];
const DEVICE_REASONS = [
  "Device is missing",
  "Device is damaged",
  "Another model than planned",
  "Its unit is occupied",
  "Rails are missing",
  "No power",
];

const anotherReason = (block) =>
  element(
    "form",
    {
      class: "line wide",
      submit: (event) => {
        event.preventDefault();
        const text = byId("reason").value.trim();
        if (text) block(text);
      },
    },
    element("label", { for: "reason" }, "Another reason"),
    element("input", { id: "reason", maxlength: 500, autocomplete: "off" }),
    element("button", { class: "save" }, "Blocked"),
  );

export function openDeviceProblem(device, act) {
  const dialog = byId("dialog"),
    title = `Problem with ${device.name}`,
    close = () => dialog.close();
  const block = (reason) => {
    close();
    act.set(device, "blocked", "device", reason, "Blocked");
  };
  dialog.replaceChildren(
    element("h2", {}, title),
    element("h3", {}, "Work cannot go on"),
    element(
      "div",
      { class: "reasons" },
      DEVICE_REASONS.map((reason) => button(reason, () => block(reason))),
    ),
    anotherReason(block),
    button("Close", close, { id: "close", class: "wide" }),
  );
  dialog.setAttribute("aria-label", title);
  dialog.showModal();
}

export function openProblem(site, cable, end, act) {
  const dialog = byId("dialog"),
    title = `Problem with cable ${cable.number}`,
    close = () => dialog.close();
  const then = (work) => () => {
    close();
    work();
  };
  const block = (reason) => act.set(cable, "blocked", "", reason, "Blocked");
  dialog.replaceChildren(
    element("h2", {}, title),
    element("h3", {}, "Work cannot go on"),
    element(
      "div",
      { class: "reasons" },
      REASONS.map((reason) =>
        button(
          reason,
          then(() => block(reason)),
        ),
      ),
    ),
    anotherReason((text) => then(() => block(text))()),
    element("h3", {}, "A plug is in another port"),
    wrongPort(site, cable, end, (plug, value) =>
      then(() => act.set(cable, "plugged", plug.end, value, `${plugName(cable, plug)} in another port`, plug.row))(),
    ),
    element("h3", {}, "Something else"),
    element(
      "div",
      { class: "reasons" },
      button(
        "Test failed",
        then(() => act.set(cable, "tested", "", "fail", "Test failed")),
      ),
      ["a", "b"].map((each) =>
        button(
          `Label ${each.toUpperCase()} is wrong`,
          then(() => act.set(cable, "label_ok", each, "no", `Label ${each.toUpperCase()} wrong`)),
        ),
      ),
      button(
        "Remark or photo",
        then(() => {
          byId("more").open = true;
          byId("remark").focus();
        }),
      ),
    ),
    button("Close", close, { id: "close", class: "wide" }),
  );
  dialog.setAttribute("aria-label", title);
  dialog.showModal();
}

// Device and port where a plug is; those of the cabinet can be chosen.
function wrongPort(site, cable, end, record) {
  const plugs = [...cable.plugs].sort((a, b) => Number(b.end === end) - Number(a.end === end));
  const plugOf = () => plugs[byId("wrong-plug").selectedIndex];
  const ports = element("datalist", { id: "known-ports" });
  const fill = () => {
    const devices = site.facts.devicesIn(plugOf().place.cabinet),
      select = byId("wrong-device"),
      own = plugOf().place.device;
    select.replaceChildren(
      ...[...devices.keys()].map((name) => element("option", { value: name, selected: name === own }, name)),
    );
    list();
  };
  const list = () => {
    const known = site.facts.devicesIn(plugOf().place.cabinet).get(byId("wrong-device").value) ?? new Map();
    ports.replaceChildren(
      ...[...known]
        .sort(([a], [b]) => a - b)
        .map(([port, printed]) => element("option", { value: printed }, String(port) === printed ? "" : `number ${port}`)),
    );
  };
  const form = element(
    "form",
    {
      class: "grid",
      submit: (event) => {
        event.preventDefault();
        const device = byId("wrong-device").value,
          port = byId("wrong-port").value.trim(),
          plug = plugOf();
        const known = site.facts.devicesIn(plug.place.cabinet).get(device) ?? new Map();
        // The port as printed, else its number.
        const number =
          [...known].find(([, printed]) => printed === port)?.[0] ?? (/^[1-9]\d{0,5}$/.test(port) ? Number(port) : 0);
        byId("wrong-port").setCustomValidity(number ? "" : "Give the port as printed, or its number");
        if (!form.reportValidity()) return;
        record(plug, device === plug.place.device && number === plug.place.number ? AS_PLANNED : `${device} ${number}`);
      },
    },
    element(
      "label",
      {},
      "Plug",
      element(
        "select",
        { id: "wrong-plug", change: fill },
        plugs.map((plug) => element("option", {}, plugName(cable, plug))),
      ),
    ),
    element("label", {}, "Device", element("select", { id: "wrong-device", change: list })),
    element(
      "label",
      {},
      "Port",
      element("input", {
        id: "wrong-port",
        list: "known-ports",
        autocomplete: "off",
        required: true,
        input: (event) => event.target.setCustomValidity(""),
      }),
    ),
    ports,
    element("button", { class: "save", id: "save-port" }, "Save"),
  );
  queueMicrotask(fill);
  return form;
}
