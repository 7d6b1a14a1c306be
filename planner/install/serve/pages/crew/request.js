// Requests to the server, and what went wrong with them.

const PATIENCE_MS = 20_000;

// A request that failed: the status is 0 where no answer came.
export class Failed extends Error {
  constructor(status, problems = [], wait_s = 0) {
    super(
      problems
        .map(({ place, message, remedy }) => [[place, message].filter(Boolean).join(" "), remedy].filter(Boolean).join(": "))
        .join("; ") || (status ? `the server answers ${status}` : "no connection to the server"),
    );
    this.status = status;
    this.wait_s = wait_s;
  }
}

let csrf = "";

// Who this device is: {role, crew, plan, clock, csrf}.
export async function me() {
  const answer = await get("/api/me");
  csrf = answer.csrf;
  return answer;
}

export const get = (path) => request(path, {});
export const post = (path, content) =>
  request(path, { method: "POST", body: JSON.stringify(content), headers: { "Content-Type": "application/json" } });
export const postFile = (path, file) =>
  request(path, { method: "POST", body: file, headers: { "Content-Type": file.type || "application/octet-stream" } });
export const postForm = (path, form) => request(path, { method: "POST", body: form });
export const remove = (path) => request(path, { method: "DELETE" });

async function request(path, { method = "GET", body, headers = {} }, again = true) {
  const stop = new AbortController(),
    timer = setTimeout(() => stop.abort(), PATIENCE_MS);
  try {
    const own = method === "GET" ? headers : { ...headers, "X-Planner": csrf };
    const answer = await fetch(path, {
      method,
      body,
      headers: { Accept: "application/json", ...own },
      signal: stop.signal,
      credentials: "same-origin",
    });
    if (answer.ok) return answer.status === 204 ? {} : await answer.json();
    const problems = await answer.json().then(
      (content) => content.problems,
      () => [],
    );
    // The server was started again, and its secret is another one.
    if (answer.status === 403 && method !== "GET" && again) {
      const before = csrf;
      await me();
      if (csrf !== before) return await request(path, { method, body, headers }, false);
    }
    throw new Failed(answer.status, Array.isArray(problems) ? problems : [], Number(answer.headers.get("Retry-After")) || 0);
  } catch (error) {
    throw error instanceof Failed ? error : new Failed(0);
  } finally {
    clearTimeout(timer);
  }
}
