// Events and their exchange with the server: recorded on the phone at once, sent in batches until the server has them; what others recorded comes back.

import { Clock, uuid } from "./clock.js";
import { Fold, isLater, registerOf } from "./fold.js";
import { get, me, post, postFile } from "../crew/request.js";

// Own events and photos are kept after they were sent: a journal that is restored from a copy may lack them.
const BATCH = 200,
  POLL_MS = 3000,
  LONGEST_WAIT_MS = 30_000,
  KEPT = 2000,
  KEPT_PHOTOS = 30,
  FINDINGS_MS = 15_000;

export class Sync extends EventTarget {
  constructor(storage, facts, member) {
    super();
    Object.assign(this, {
      storage,
      facts,
      member,
      fold: new Fold(),
      clock: new Clock(),
      queue: new Map(),
      photos: new Map(),
      sentPhotos: [],
      log: [],
      refused: [],
      conflicts: [],
      findingsAt: 0,
      cards: { cards: [], clock: 0 },
      seq: 0,
      mark: "",
      seen: 0,
      full: "",
      phone: "",
      trouble: "",
      contact: 0,
      wait_ms: 0,
      busy: null,
    });
  }
  async start() {
    const { storage } = this;
    const kept = await storage.get("meta", "sync");
    if (kept)
      Object.assign(this, {
        seq: kept.seq,
        mark: kept.mark ?? "",
        seen: kept.seen,
        phone: kept.phone,
        clock: new Clock(kept.clock),
      });
    this.phone ||= uuid();
    // Rows have other numbers in another revision of the plan: the server carries all values over.
    if (kept && kept.revision !== this.facts.revision) {
      this.seq = 0;
      await storage.clear("registers");
    }
    for (const register of await storage.all("registers")) this.fold.take(register);
    for (const event of await storage.all("queue")) this.queue.set(event.id, event);
    for (const photo of await storage.all("photos")) {
      if (photo.hash && !photo.again) this.sentPhotos.push(photo);
      else this.photos.set(photo.id, photo);
    }
    this.log = (await storage.all("log")).sort((a, b) => b.clock - a.clock);
    this.refused = await storage.all("refused");
    this.cards = (await storage.get("meta", "cards")) ?? this.cards;
    // Memory of an earlier start may be behind the queue.
    for (const event of this.queue.values()) this.clock.last = Math.max(this.clock.last, event.clock);
    this.remember();
    for (const name of ["online", "focus"]) addEventListener(name, () => this.exchange(true));
    document.addEventListener("visibilitychange", () => document.hidden || this.exchange(true));
    this.loop();
  }
  get waiting() {
    return this.queue.size + this.photos.size;
  }
  remember() {
    return this.storage.set("sync", {
      revision: this.facts.revision,
      seq: this.seq,
      mark: this.mark,
      seen: this.seen,
      phone: this.phone,
      clock: { last: this.clock.last, offset: this.clock.offset },
    });
  }
  // Numbers of the rows whose values changed; null for all.
  changed(rows) {
    this.dispatchEvent(new CustomEvent("change", { detail: rows }));
  }

  // -- recording --------------------------------------------------------------------------------

  // Whether what an event or a photo names is what this revision has: cables have other numbers in others, devices their names.
  isOfPlan({ plan, end }) {
    return end === "device" || plan === this.facts.revision;
  }
  // Records a value: it counts on this phone from now on, and is on its disk when the promise is kept.
  async record({ id = uuid(), plan = this.facts.revision, row, end = "", field, value, undoes = "" }) {
    const now = new Date(),
      before = this.value(row, end, field);
    const event = {
      id,
      plan,
      phone: this.phone,
      clock: this.clock.next(),
      seen: this.seen,
      written: written(now),
      row,
      end,
      field,
      value,
      undoes,
      crew: this.member.crew,
      before: before ? before.value : "",
      at: now.getTime(),
    };
    this.queue.set(event.id, event);
    this.changed([row]);
    await this.storage.put("queue", [event]);
    await this.remember();
    this.exchange(true);
    return event;
  }
  // A photo is kept until the server has it; then its event, which names it by its hash, follows.
  async recordPhoto(row, end, blob) {
    const photo = { id: uuid(), plan: this.facts.revision, row, end, blob, at: Date.now() };
    this.photos.set(photo.id, photo);
    this.changed([row]);
    await this.storage.put("photos", [photo]);
    this.exchange(true);
  }
  // Takes an own event back; refused where somebody has recorded another value since.
  async undo(event) {
    const last = this.value(event.row, event.end, event.field);
    if (last && last.id !== event.id)
      throw new Error(`${last.crew || "somebody"} has recorded “${last.value || "nothing"}” since`);
    return this.record({ ...event, id: uuid(), value: event.before, undoes: event.id });
  }
  // The last value of a field, with own events that wait.
  value(row, end, field) {
    let found = this.fold.value(row, end, field);
    for (const event of this.queue.values()) {
      if (
        this.isOfPlan(event) &&
        event.row === row &&
        event.end === end &&
        event.field === field &&
        (!found || isLater(event, found))
      )
        found = registerOf(event);
    }
    return found;
  }
  // All values about a row of the schedule, with own events that wait.
  registers(row) {
    const found = new Map();
    for (const register of this.fold.of(row)) found.set(register.key, register);
    for (const event of this.queue.values()) {
      const register = event.row === row && this.isOfPlan(event) ? registerOf(event) : null;
      if (register && (!found.has(register.key) || isLater(register, found.get(register.key)))) found.set(register.key, register);
    }
    return [...found.values()];
  }
  // Own events, the last one first; those that wait are among them.
  get own() {
    return [...this.queue.values(), ...this.log].sort((a, b) => b.clock - a.clock);
  }

  // -- exchange with the server -----------------------------------------------------------------

  async loop() {
    for (;;) {
      if (!document.hidden || this.waiting) await this.exchange();
      await new Promise((resolve) => setTimeout(resolve, Math.max(POLL_MS, this.wait_ms)));
    }
  }
  // Sends what waits, then requests what is new; one at a time, and once more where something came up meanwhile.
  async exchange(again = false) {
    if (this.busy) {
      this.again ||= again;
      return this.busy;
    }
    this.busy = this.attempt().finally(() => {
      this.busy = null;
    });
    await this.busy;
    if (this.again) {
      this.again = false;
      return this.exchange();
    }
    return undefined;
  }
  async attempt() {
    const before = this.trouble;
    try {
      if (!this.member.csrf) Object.assign(this.member, await me());
      await this.sendEvents();
      await this.receive();
      await this.sendPhotos();
      await this.sendEvents();
      this.trouble = "";
      this.wait_ms = 0;
      this.contact = Date.now();
    } catch (error) {
      this.status = error.status;
      this.trouble = error.status === 0 ? "offline" : error.message;
      this.wait_ms = error.wait_s * 1000 || Math.min(LONGEST_WAIT_MS, 2 * this.wait_ms || POLL_MS);
    }
    if (this.trouble !== before) this.changed([]);
  }
  // A photo for which the server has no room waits; events go on.
  async sendPhotos() {
    const before = this.full;
    this.full = "";
    await this.sendEachPhoto();
    if (this.full !== before) this.changed([]);
  }
  async sendEachPhoto() {
    for (const photo of [...this.photos.values()]) {
      let answer;
      try {
        answer = await postFile("/api/install/photo", photo.blob);
      } catch (error) {
        if (error.status === 507) {
          this.full = error.message;
          return;
        }
        if (![400, 413, 415].includes(error.status)) throw error;
        await this.refuse({ ...photo, blob: null, field: "photo", value: "" }, error.message);
        await this.dropPhoto(photo);
        continue;
      }
      // Its event has the id of the photo: it is recorded once, even if this is interrupted here.
      const isKnown = photo.hash || this.own.some(({ id }) => id === photo.id);
      if (!isKnown)
        await this.record({ id: photo.id, plan: photo.plan, row: photo.row, end: photo.end, field: "photo", value: answer.id });
      await this.keepPhoto({ ...photo, hash: answer.id, again: false });
    }
  }
  async keepPhoto(photo) {
    await this.storage.put("photos", [photo]);
    this.photos.delete(photo.id);
    this.sentPhotos = [photo, ...this.sentPhotos];
    await this.storage.delete(
      "photos",
      this.sentPhotos.splice(KEPT_PHOTOS).map(({ id }) => id),
    );
    this.changed([photo.row]);
  }
  async dropPhoto(photo) {
    this.photos.delete(photo.id);
    await this.storage.delete("photos", [photo.id]);
    this.changed([photo.row]);
  }
  async sendEvents() {
    let size = BATCH;
    while (this.queue.size) {
      const batch = [...this.queue.values()].sort((a, b) => a.clock - b.clock).slice(0, size);
      let answer;
      try {
        answer = await post("/api/install/events", { events: batch.map(sent) });
      } catch (error) {
        if (error.status !== 413 || size === 1) throw error;
        size = Math.ceil(size / 2);
        continue;
      }
      await this.settle(batch, answer);
    }
  }
  // The server has a batch, but for the events that it refuses; those with a clock too far ahead get another one and go again.
  async settle(batch, { clock, refused = [] }) {
    const reasons = new Map(refused.map((each) => [each.id, each])),
      late = batch.filter(({ id }) => reasons.get(id)?.retry);
    if (late.length) {
      this.clock.restart(clock);
      for (const event of late) event.clock = this.clock.next();
      await this.storage.put("queue", late);
    } else {
      this.clock.adopt(clock);
    }
    const gone = batch.filter((event) => !late.includes(event)),
      known = gone.filter(({ id }) => !reasons.has(id));
    for (const event of known) event.received = clock;
    const registers = known
      .filter((event) => this.isOfPlan(event))
      .map(registerOf)
      .filter((register) => this.fold.take(register));
    await this.storage.put("registers", registers);
    await this.storage.put("log", known);
    const ids = new Set(known.map(({ id }) => id));
    this.log = [...known, ...this.log.filter(({ id }) => !ids.has(id))].sort((a, b) => b.clock - a.clock);
    await this.storage.delete(
      "log",
      this.log.splice(KEPT).map(({ id }) => id),
    );
    for (const event of gone) {
      this.queue.delete(event.id);
      if (reasons.has(event.id)) await this.refuse(event, reasons.get(event.id).problem);
    }
    await this.storage.delete(
      "queue",
      gone.map(({ id }) => id),
    );
    await this.remember();
    this.changed(gone.map(({ row }) => row));
    if (late.length && late.length === batch.length && (this.retries = (this.retries || 0) + 1) > 3) {
      this.retries = 0;
      throw new Error("the server refuses the clock of this phone");
    }
  }
  async refuse(event, problem) {
    const entry = { ...event, problem };
    this.refused.push(entry);
    await this.storage.put("refused", [entry]);
  }
  async dismiss(id) {
    this.refused = this.refused.filter((each) => each.id !== id);
    await this.storage.delete("refused", [id]);
    this.changed([]);
  }
  async receive() {
    const address = `/api/install/events?after=${this.seq}&mark=${this.mark}`;
    let answer = await get(address),
      { whole } = answer;
    if (answer.other_journal) await this.sendAgain();
    // What is recorded while the pages come is later than the first of them.
    const { seen, seq, mark } = answer,
      later = seq !== this.seq || whole;
    for (;;) {
      if (answer.plan !== this.facts.revision) {
        this.dispatchEvent(new Event("revision"));
        return;
      }
      this.clock.adopt(answer.clock);
      if (later) await this.replace({ ...answer, whole });
      if (!answer.next) break;
      [answer, whole] = [await get(`${address}&page=${encodeURIComponent(answer.next)}`), false];
    }
    [this.seq, this.mark, this.seen] = [seq, mark, seen];
    if (later) await this.remember();
    if (later || Date.now() - this.findingsAt > FINDINGS_MS) await this.receiveFindings();
  }
  // The journal was restored from a copy, or is another one: it takes again what this phone recorded, and knows what it has.
  async sendAgain() {
    const events = this.log.filter(({ id }) => !this.queue.has(id)),
      photos = this.sentPhotos.map((photo) => ({ ...photo, again: true }));
    await this.storage.put("queue", events);
    await this.storage.put("photos", photos);
    for (const event of events) this.queue.set(event.id, event);
    for (const photo of photos) this.photos.set(photo.id, photo);
    this.sentPhotos = [];
    this.changed([]);
    this.dispatchEvent(new Event("restored"));
  }
  // What the server has of a cable or device is all that there is of it, but for own events that wait.
  async replace({ whole, event_columns: columns, events, status_columns: known, cables, devices }) {
    const about = cables
      .map((cells) => cells[known.indexOf("cable")])
      .flatMap((number) => this.facts.cables.get(number)?.rows ?? [])
      .map(({ number }) => number)
      .concat(Object.keys(devices));
    const cell = Object.fromEntries(columns.map((name, n) => [name, n]));
    const register = (row, cells) =>
      registerOf({
        row,
        ...Object.fromEntries(["end", "field", "value", "clock", "phone", "id", "crew"].map((name) => [name, cells[cell[name]]])),
      });
    const registers = events
      .map((cells) => register(cells[cell.cable], cells))
      .concat(Object.entries(devices).flatMap(([name, values]) => values.map((cells) => register(name, cells))));
    if (whole) {
      this.fold = new Fold();
      await this.storage.clear("registers");
    } else {
      await this.storage.delete(
        "registers",
        about.flatMap((row) => this.fold.drop(row)),
      );
    }
    for (const each of registers) this.fold.take(each);
    await this.storage.put("registers", registers);
    this.changed(whole ? null : about);
  }
  // Where two crews recorded different values, and the work cards of the last verification.
  async receiveFindings() {
    const [{ conflicts }, cards] = await Promise.all([get("/api/board"), get("/api/verify/cards")]);
    const isNew = JSON.stringify([conflicts, cards]) !== JSON.stringify([this.conflicts, this.cards]);
    [this.conflicts, this.cards, this.findingsAt] = [conflicts, cards, Date.now()];
    if (!isNew) return;
    await this.storage.set("cards", cards);
    this.changed([]);
  }
}

const two = (number) => String(number).padStart(2, "0");
const written = (now) =>
  `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())} ${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`;
const sent = ({ id, plan, phone, clock, seen, written: wall, row, end, field, value, undoes }) => ({
  id,
  plan,
  phone,
  clock,
  seen,
  written: wall,
  ...(end === "device" ? { device: row } : { cable: row }),
  end,
  field,
  value,
  undoes,
});
