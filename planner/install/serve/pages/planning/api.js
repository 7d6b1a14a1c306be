// Requests to the server, and what it refuses. A page of a what-if plan names it in all its requests.

let csrf = "";
export let me = {};
export const opened = new URLSearchParams(location.search).get("plan") ?? "";
export const mayChange = () => me.role === "planner" || me.role === "foreman";

export class Refused extends Error {
  constructor(problems, status) {
    super(
      problems
        .map(({ place, message, remedy }) => [place, message].filter(Boolean).join(": ") + (remedy ? `; ${remedy}` : ""))
        .join("\n"),
    );
    // The rules refuse it, or the plan was computed again.
    this.isConflict = status === 409;
  }
}

async function answered(response) {
  const found = await response.json().catch(() => ({ problems: [{ place: "server", message: `answered ${response.status}` }] }));
  if (!response.ok) throw new Refused(found.problems ?? [{ message: `answered ${response.status}` }], response.status);
  return found;
}

function addressed(path) {
  if (!opened || !path.startsWith("/api/planning/")) return path;
  return `${path}${path.includes("?") ? "&" : "?"}plan=${encodeURIComponent(opened)}`;
}

export async function begin() {
  me = await get("/api/me");
  csrf = me.csrf ?? "";
  return me;
}
export const get = async (path) => answered(await fetch(addressed(path), { headers: { Accept: "application/json" } }));
export const send = async (path, content, method = "POST") =>
  answered(
    await fetch(addressed(path), {
      method,
      headers: { "Content-Type": "application/json", "X-Planner": csrf },
      body: content === undefined ? undefined : JSON.stringify(content),
    }),
  );
export const upload = async (path, form) =>
  answered(await fetch(path, { method: "POST", headers: { "X-Planner": csrf }, body: form }));
