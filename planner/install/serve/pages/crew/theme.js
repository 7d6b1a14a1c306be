// Light or dark before the first paint: as chosen on this device, else as the system.
"use strict";
{
  const prefers = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try {
    chosen = localStorage.getItem("planner-theme");
  } catch {
    /* some browsers forbid it */
  }
  const set = (dark) => document.documentElement.classList.toggle("dark", dark);
  set(chosen ? chosen === "dark" : prefers.matches);
  prefers.addEventListener("change", () => set(prefers.matches));
  addEventListener("click", (event) => {
    if (!event.target.closest("#theme")) return;
    const dark = document.documentElement.classList.toggle("dark");
    try {
      localStorage.setItem("planner-theme", dark ? "dark" : "light");
    } catch {
      /* then it applies until the page closes */
    }
  });
}
