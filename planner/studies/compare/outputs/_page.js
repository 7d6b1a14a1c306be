// The theme follows the system setting until the button changes it.
const root = document.documentElement;
root.classList.toggle("dark", matchMedia("(prefers-color-scheme: dark)").matches);
document.getElementById("theme").addEventListener("click", () => root.classList.toggle("dark"));

// A click on the head of a column sorts its table: numbers by value, what has none last; a second click turns it round.
const valueOf = (row, column) => {
  const cell = row.cells[column];
  return cell.classList.contains("number")
    ? cell.dataset.value === undefined
      ? null
      : Number(cell.dataset.value)
    : cell.textContent;
};
const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a - b);
for (const table of document.querySelectorAll(".sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) =>
    head.firstChild.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows].map((row) => [valueOf(row, column), row]);
      rows.sort(([a], [b]) => (a === null || b === null ? (a === null) - (b === null) : (down ? -1 : 1) * compare(a, b)));
      table.tBodies[0].append(...rows.map(([, row]) => row));
    }),
  );
}
