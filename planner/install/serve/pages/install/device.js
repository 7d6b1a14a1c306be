// A device: where it is, the buttons, its serial number and asset tag, and what was recorded.

import { button, element, link } from "../crew/elements.js";
import { placeOf } from "./facts.js";
import { cableRow } from "./lists.js";
import { WORDS, photoLine, recorded, remarkForm, typed } from "./notes.js";
import { openDeviceProblem } from "./problem.js";
import { grouped } from "./site.js";

const FIRST = 12;

export function devicePage(site, name, act) {
  const device = site.facts.named(name);
  if (!device)
    return [
      element("h1", {}, `Device ${name}`),
      element("p", { class: "empty" }, "The plan has no device of this name. "),
      element("p", { class: "empty" }, link("Find another one", "#find")),
    ];
  const status = site.statusOfDevice(device),
    set = (field, words) => (value) => act.set(device, field, "device", value, words);
  return [
    element(
      "p",
      { class: "steps" },
      link(`‹ devices in ${device.cabinet}`, `#list=devices&cabinet=${encodeURIComponent(device.cabinet)}`, { id: "back" }),
    ),
    element(
      "h1",
      {},
      `${device.name} `,
      element(
        "span",
        { class: `step ${status.installed ? "done" : ""}`, id: "step" },
        status.installed ? "installed" : "planned",
      ),
    ),
    element("p", { class: "note" }, [placeOf(device), device.role, device.part].filter(Boolean).join(" · ")),
    status.blocked
      ? element(
          "div",
          { class: "banner bad" },
          element("b", {}, "Blocked: "),
          element("span", {}, status.blocked),
          button("Work can go on", () => act.set(device, "blocked", "device", "", "Blocked"), { id: "unblock" }),
        )
      : null,
    site.sync.refused
      .filter((event) => event.end === "device" && event.row === device.name)
      .map((event) =>
        element(
          "div",
          { class: "banner bad" },
          element("b", {}, "Not accepted: "),
          element("span", {}, `${WORDS[event.field] ?? event.field}, ${event.problem}`),
          button("Understood", () => site.sync.dismiss(event.id)),
        ),
      ),
    element(
      "div",
      { class: "buttons", role: "group", "aria-label": "Record" },
      button(status.installed ? "✓ Installed" : "Installed", () => act.set(device, "installed", "device", "yes", "Installed"), {
        id: "installed",
        class: `big ${status.installed ? "done" : ""}`,
        "aria-pressed": String(status.installed),
      }),
      button("Problem", () => openDeviceProblem(device, act), { id: "problem", class: "big problem" }),
    ),
    typed(
      "serial",
      "Serial number",
      status.serial,
      set("serial", "Serial number"),
      { maxlength: 64, autocapitalize: "characters" },
      { code: true },
    ),
    typed(
      "tag",
      "Asset tag",
      status.tag,
      set("asset_tag", "Asset tag"),
      { maxlength: 50, autocapitalize: "characters" },
      { code: true },
    ),
    remarkForm(set("remark", "Remark")),
    photoLine((file) => act.photo(device, file, "device")),
    cables(site, device),
    recorded(
      site,
      site.sync.registers(device.name),
      ({ row, end }) => end === "device" && row === device.name,
      act,
      ({ field }) => act.set(device, field, "device", "", WORDS[field]),
    ),
  ];
}

function cables(site, device) {
  const own = site.inOrder([...device.cables]),
    open = own.filter((cable) => !site.status(cable).done);
  if (!own.length) return null;
  site.follow(device.name, `#device=${encodeURIComponent(device.name)}`, open);
  const near = (cable) => (cable.rows.some((row) => row.a.device === device.name) ? "a" : "b");
  return [
    element("h2", { class: "group" }, `Cables: ${grouped(open.length)} of ${grouped(own.length)} left`),
    element(
      "ul",
      { class: "rows" },
      open.slice(0, FIRST).map((cable) => cableRow(site, cable, near(cable))),
    ),
    open.length > FIRST
      ? element(
          "p",
          { class: "note" },
          link(`All cables of cabinet ${device.cabinet}`, `#list=cabinet&cabinet=${encodeURIComponent(device.cabinet)}`),
        )
      : null,
  ];
}
