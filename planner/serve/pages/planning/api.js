// Requests to the server, and what it refuses.

let csrf = "";
export let me = {};

export class Refused extends Error {
  constructor(problems) {
    super(problems.map(({ place, message, remedy }) => [place, message].filter(Boolean).join(": ") + (remedy ? `; ${remedy}` : "")).join("\n"));
  }
}

async function answered(response) {
  const found = await response.json().catch(() => ({ problems: [{ place: "server", message: `answered ${response.status}` }] }));
  if (!response.ok) throw new Refused(found.problems ?? [{ message: `answered ${response.status}` }]);
  return found;
}

export async function begin() {
  me = await get("/api/me");
  csrf = me.csrf ?? "";
  return me;
}
export const get = async (path) => answered(await fetch(path, { headers: { Accept: "application/json" } }));
export const send = async (path, content, method = "POST") =>
  answered(await fetch(path, { method, headers: { "Content-Type": "application/json", "X-Planner": csrf }, body: content === undefined ? undefined : JSON.stringify(content) }));
