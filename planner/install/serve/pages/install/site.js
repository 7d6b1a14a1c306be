// What the views show: statuses of the cables, lists of them, and who uses the page.

import { statusOf, statusOfDevice } from "./fold.js";

export class Site {
  constructor(facts, sync, member) {
    Object.assign(this, { facts, sync, member, statuses: new Map(), context: null });
    sync.addEventListener("change", ({ detail: rows }) => {
      if (rows === null) this.statuses.clear();
      else for (const row of rows) this.statuses.delete(facts.rows.get(row)?.number);
    });
  }
  status(cable) {
    let found = this.statuses.get(cable.number);
    if (!found) this.statuses.set(cable.number, (found = statusOf(cable, this.valuesOf(cable))));
    return found;
  }
  statusOfDevice(device) {
    return statusOfDevice(this.sync.registers(device.name));
  }
  // Crew that should install a cable: the one to which the foreman gave it, else that of the work order.
  crewOf(cable) {
    return Number(this.status(cable).value("crew")) || cable.crew;
  }
  valuesOf(cable) {
    return cable.rows.flatMap(({ number }) => this.sync.registers(number));
  }
  conflictsOf(cable) {
    return this.sync.conflicts.filter(({ cable: row }) => this.facts.rows.get(row) === cable);
  }
  // Number of the own crew in the work order; 0 where it has none.
  get crew() {
    const text = /^(?:crew)? *(\d{1,4})$/i.exec(this.member.crew ?? "");
    return text && this.facts.crews.includes(Number(text[1])) ? Number(text[1]) : 0;
  }
  inOrder(cables) {
    const place = new Map(this.facts.stages.map((name, n) => [name, n]));
    return [...cables].sort((a, b) => a.task - b.task || place.get(a.stage) - place.get(b.stage) || a.number - b.number);
  }
  // A list that the user came from: "next" follows it.
  follow(title, address, cables) {
    this.context = { title, address, numbers: cables.map(({ number }) => number) };
  }
  followOwn(cable) {
    const task = this.facts.tasks.get(cable.task);
    if (task) this.follow(`Task ${task.task}`, `#task=${task.task}`, task.cables);
    else
      this.follow(
        cable.stage,
        `#stage=${encodeURIComponent(cable.stage)}`,
        this.inOrder(this.facts.list.filter(({ stage }) => stage === cable.stage)),
      );
  }
}

export const grouped = (number) => Number(number).toLocaleString("en-US");
export const plural = (number, word) => `${grouped(number)} ${word}${number === 1 ? "" : "s"}`;
// "14:03" today, else with the date.
export function clockTime(clock_us) {
  const time = new Date(clock_us / 1000),
    now = new Date(),
    two = (number) => String(number).padStart(2, "0");
  const hours = `${two(time.getHours())}:${two(time.getMinutes())}`;
  return time.toDateString() === now.toDateString()
    ? hours
    : `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${hours}`;
}
