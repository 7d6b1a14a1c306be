// The page of a crew. The address holds what is shown; everything that is recorded goes through `act`.

import { button, byId, element, link, show } from "../crew/elements.js";
import { Failed, get, me } from "../crew/request.js";
import { cablePage } from "./cable.js";
import { devicePage } from "./device.js";
import { Facts, parsed } from "./facts.js";
import { findPage } from "./find.js";
import { GROWS } from "./fold.js";
import { listPage, stagePage, taskPage } from "./lists.js";
import { recordPage } from "./record.js";
import { Site } from "./site.js";
import { openStorage } from "./storage.js";
import { Sync } from "./sync.js";

const LARGEST_PHOTO = 1600,
  FIRST_MS = 2500,
  CLICK_MS = 350;
let site = null,
  due = false,
  held = false;

// -- what is recorded -------------------------------------------------------------------------

const act = {
  // `again`: also where the value is the same, since it was found to be another one.
  async set(about, field, end, value, words, row = about.number ?? about.name, again = false) {
    const before = site.sync.value(row, end, field);
    if (!again && before && before.value === value) {
      notify(`${words}: recorded already by ${before.crew || "this phone"}.`);
      return;
    }
    const event = await site.sync.record({ row, end, field, value });
    notify(`${titleOf(event)}: ${value ? words : `${words} cleared`}.`, GROWS.has(field) ? null : event);
  },
  clear(cable, field, end = "", row = cable.number) {
    const ends = field === "blocked" ? ["", "a", "b"] : [end];
    return Promise.all(
      ends
        .filter((each) => site.sync.value(row, each, field)?.value)
        .map((each) => act.set(cable, field, each, "", field.replace("_", " "), row)),
    );
  },
  async undo(event) {
    try {
      await site.sync.undo(event);
      notify(`${titleOf(event)}: taken back.`);
    } catch (error) {
      notify(`Not taken back: ${error.message}.`);
    }
  },
  async photo(about, file, end = "") {
    const row = about.number ?? about.name;
    await site.sync.recordPhoto(row, end, await smaller(file));
    notify(`${titleOf({ row, end })}: photo.`);
  },
};

// What an event is about, in words.
const titleOf = ({ row, end }) => (end === "device" ? row : `Cable ${site.facts.numbered(row)?.number ?? row}`);

// A photo of a size that passes through a poor connection.
async function smaller(file) {
  try {
    const picture = await createImageBitmap(file),
      scale = Math.min(1, LARGEST_PHOTO / Math.max(picture.width, picture.height));
    const canvas = element("canvas", { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), "image/jpeg", 0.8));
  } catch {
    return file;
  }
}

function notify(text, event = null) {
  byId("notice").replaceChildren(element("span", {}, text), event ? button("Undo", () => act.undo(event), { id: "undo" }) : "");
  byId("notice").hidden = false;
}

// -- what is shown ----------------------------------------------------------------------------

const wantedNow = () => new URLSearchParams(location.hash.slice(1));

function nodes(wanted) {
  const number = (key) => Number(wanted.get(key)) || 0;
  if (wanted.has("cable")) {
    // Codes of labels write number and end together: 137A.
    const { cable = 0, end = "" } = parsed(wanted.get("cable")) ?? {};
    return cablePage(site, cable, wanted.get("end") ?? end, act);
  }
  if (wanted.has("device")) return devicePage(site, wanted.get("device"), act);
  if (wanted.has("task")) return taskPage(site, number("task"), draw);
  if (wanted.has("stage")) return stagePage(site, wanted.get("stage"), draw);
  if (wanted.has("find")) return findPage(site, draw);
  if (wanted.has("record")) return recordPage(site, act);
  return listPage(site, wanted, draw, act);
}

function draw() {
  due = false;
  const wanted = wantedNow();
  show(byId("page"), nodes(wanted));
  const part = wanted.has("find") ? "find" : wanted.has("record") ? "record" : "lists";
  for (const tab of document.querySelectorAll("#tabs a")) {
    if (tab.dataset.part === part) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  drawSync();
}

function drawSync() {
  const { sync } = site,
    chip = byId("sync"),
    offline = sync.trouble === "offline";
  chip.className = sync.refused.length || (sync.trouble && !offline) ? "bad" : sync.waiting || offline ? "waits" : "done";
  byId("sync-words").textContent = sync.refused.length
    ? `${sync.refused.length} not accepted`
    : `${offline ? "offline" : sync.trouble ? "trouble" : ""}${sync.waiting ? `${sync.trouble ? ", " : ""}${sync.waiting} waiting` : sync.trouble ? "" : "all sent"}`;
  byId("trouble").hidden = !sync.trouble || offline;
  byId("trouble").textContent =
    sync.status === 401
      ? "This link has ended or was revoked. Open the link of your crew again: what you recorded is kept and sent then."
      : sync.trouble;
}

// Once per frame, however much has changed; not while a finger is down: the button below it would be another one.
function drawSoon() {
  if (due) return;
  due = true;
  requestAnimationFrame(drawUnlessHeld);
}
function drawUnlessHeld() {
  if (held) return;
  if (wantedNow().has("find")) {
    due = false;
    drawSync();
  } else {
    draw();
  }
}
function startTouch() {
  const release = () => {
    held = false;
    if (due) drawUnlessHeld();
  };
  addEventListener(
    "pointerdown",
    () => {
      held = true;
    },
    { capture: true },
  );
  // What a click does by itself, such as sending a form, comes first.
  addEventListener("click", () => setTimeout(release));
  // A touch that scrolls, or ends elsewhere, is no click.
  for (const name of ["pointerup", "pointercancel"])
    addEventListener(name, () => setTimeout(release, CLICK_MS), { capture: true });
}

function follow() {
  byId("notice").hidden = true;
  byId("dialog").close();
  draw();
  scrollTo(0, 0);
  // Readers of the screen begin at the heading of what is new.
  const heading = document.querySelector("#page h1");
  if (heading) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}

// -- keys -------------------------------------------------------------------------------------

const CLICKS = {
  i: "#installed",
  p: "#pulled",
  a: "#page [id^='in-a']",
  b: "#page [id^='in-b']",
  t: "#tested",
  x: "#problem",
  n: "#next",
  v: "#previous",
  u: "#undo",
  Escape: "#back",
};

function startKeys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("dialog").open) return;
    const writes = event.target.closest("input, select, textarea"),
      wanted = wantedNow();
    if (wanted.has("find") && !writes && /^[\dab]$|^Backspace$/i.test(event.key)) {
      event.preventDefault();
      byId(`key-${event.key === "Backspace" ? "⌫" : event.key.toUpperCase()}`).click();
      return;
    }
    if (writes) return;
    if (event.key === "/" || event.key === "f") {
      event.preventDefault();
      location.hash = "#find";
      return;
    }
    if (event.key === "l") {
      location.hash = "#";
      return;
    }
    const found = event.key in CLICKS && document.querySelector(CLICKS[event.key]);
    if (found) {
      event.preventDefault();
      found.click();
    }
  });
}

// -- start ------------------------------------------------------------------------------------

// Facts and the member of the last time, where there is no connection.
async function known(storage, name, load) {
  try {
    const fresh = await load();
    await storage.set(name, fresh);
    return fresh;
  } catch (error) {
    const kept = error instanceof Failed && error.status === 0 ? await storage.get("meta", name) : null;
    // The secret for what is written is requested at the first contact.
    if (kept) return { ...kept, csrf: "" };
    throw error;
  }
}

async function start() {
  const storage = await openStorage();
  let member, content;
  try {
    member = { ...(await known(storage, "me", me)) };
    content = await known(storage, "cables", () => get("/api/install/cables"));
  } catch (error) {
    show(byId("page"), [
      element("h1", {}, "Not available"),
      element(
        "p",
        { class: "empty", role: "alert" },
        error.status === 401 ? "Open the link of your crew again, or get one from the foreman." : error.message,
      ),
      link("Try again", "/install", { class: "button" }),
    ]);
    return;
  }
  const facts = new Facts(content),
    sync = new Sync(storage, facts, member);
  site = new Site(facts, sync, member);
  byId("plan").textContent = facts.name;
  byId("crew").textContent = member.crew;
  document.title = `${facts.name}: installation`;
  sync.addEventListener("change", drawSoon);
  sync.addEventListener("revision", () => location.reload());
  sync.addEventListener("restored", () =>
    notify("The journal was restored from a copy: what this phone recorded is sent again."),
  );
  addEventListener("hashchange", follow);
  startKeys();
  startTouch();
  await sync.start();
  // What others have recorded is shown at once where the server answers soon.
  await Promise.race([sync.exchange(), new Promise((resolve) => setTimeout(resolve, FIRST_MS))]);
  draw();
  document.body.dataset.ready = "yes";
  if (isSecureContext && "serviceWorker" in navigator) startWorker();
}

// Where the page is secure, it starts without a connection too.
async function startWorker() {
  try {
    // Another version of the program brings another worker, and with it all files of this page.
    if (navigator.serviceWorker.controller) navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    await navigator.serviceWorker.register("/static/install/worker.js", { scope: "/" });
    await navigator.serviceWorker.ready;
    document.body.dataset.offline = "ready";
  } catch (error) {
    document.body.dataset.offline = `no: ${error.message}`;
  }
}

start();
