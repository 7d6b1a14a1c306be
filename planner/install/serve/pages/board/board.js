// The foreman's board: polls every three seconds, and shows what has changed.

import { byId, link, show } from "../crew/elements.js";
import { get, me, post } from "../crew/request.js";
import { startAccess } from "./access.js";
import { attention, crewTable, moved, shareTable, whole } from "./sections.js";
import { startVerify } from "./verify.js";

const POLL_MS = 3000;
let before = "",
  member = null;

async function poll() {
  try {
    member ??= await arrived();
    const board = await get("/api/board"),
      text = JSON.stringify({ ...board, clock: 0 });
    byId("trouble").hidden = true;
    if (text !== before) draw(board);
    before = text;
  } catch (error) {
    byId("trouble").hidden = false;
    byId("trouble").textContent =
      error.status === 401
        ? "This link has ended or was revoked."
        : error.status === 0
          ? "No connection; the board shows the state of the last contact."
          : error.message;
  }
}

async function arrived() {
  const found = await me();
  if (found.role === "foreman") {
    startAccess(byId("access"), found.authority);
    await startExports();
  }
  if (["planner", "foreman"].includes(found.role)) await startVerify(byId("verify"), found.role === "foreman");
  return found;
}

async function startExports() {
  const { exports } = await get("/api/board/exports");
  byId("exports").hidden = false;
  show(
    byId("export-links"),
    exports.map(([name, file, about]) =>
      link(about, `/api/board/exports/${name}`, { class: "button", download: file, id: `export-${name}` }),
    ),
  );
}

function draw(board) {
  byId("plan").textContent = board.name;
  document.title = `${board.name}: board`;
  show(byId("whole"), whole(board));
  show(byId("attention"), attention(board));
  show(byId("stages"), [shareTable("stage", board.stages)]);
  show(byId("rows"), [shareTable("row", board.rows)]);
  show(byId("crews"), [crewTable(board)]);
  show(byId("moved"), moved(board, member?.role === "foreman" ? give : null));
  document.body.dataset.ready = "yes";
}

// Phones of the crews show the tasks under their new crew from their next contact on.
async function give(tasks) {
  try {
    await post("/api/board/tasks", { tasks });
    await poll();
  } catch (error) {
    byId("given").textContent = error.message;
  }
}

addEventListener("visibilitychange", () => document.hidden || poll());
for (;;) {
  if (!document.hidden) await poll();
  await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
