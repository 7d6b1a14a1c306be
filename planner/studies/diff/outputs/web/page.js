"use strict";

// Layers of both floors are switched together.
for (const box of document.querySelectorAll("#layers input")) {
  box.addEventListener("change", () => {
    for (const floor of ["old", "new"]) {
      const group = document.getElementById(`${floor}-${box.dataset.layer}`);
      if (group) group.style.display = box.checked ? "" : "none";
    }
  });
}

// All tables show the rows that contain every word of the filter.
const filter = document.getElementById("filter");
const matches = document.getElementById("matches");
filter.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const details of document.querySelectorAll("details")) {
    let own = 0;
    for (const row of details.querySelectorAll("tbody tr")) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      own += row.hidden ? 0 : 1;
    }
    details.hidden = own === 0;
    if (words.length > 0) details.open = own > 0;
    shown += own;
  }
  matches.textContent = words.length > 0 ? `${shown.toLocaleString("en-US")} rows` : "";
});

// The wheel with Ctrl zooms, dragging moves, a double click resets.
for (const drawing of document.querySelectorAll(".drawing svg")) {
  const whole = drawing.viewBox.baseVal;
  const home = [whole.x, whole.y, whole.width, whole.height];
  const show = (x, y, width, height) => drawing.setAttribute("viewBox", [x, y, width, height].join(" "));
  const place = (event) => {
    const box = drawing.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  drawing.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const view = drawing.viewBox.baseVal;
      const [across, down] = place(event);
      const width = Math.min(home[2], Math.max(home[2] / 40, view.width * Math.exp(event.deltaY / 300)));
      const height = (width * home[3]) / home[2];
      show(view.x + across * (view.width - width), view.y + down * (view.height - height), width, height);
    },
    { passive: false },
  );
  drawing.addEventListener("pointermove", (event) => {
    if (!(event.buttons & 1)) return;
    const view = drawing.viewBox.baseVal;
    const step = view.width / drawing.getBoundingClientRect().width;
    show(view.x - event.movementX * step, view.y - event.movementY * step, view.width, view.height);
  });
  drawing.addEventListener("dblclick", () => show(...home));
}
