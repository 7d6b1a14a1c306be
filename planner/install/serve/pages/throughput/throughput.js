// Throughput and delay of the plan's networks: every choice is answered by the flow-level model at once.

import { byId, element, facts } from "../crew/elements.js";
import { get, me } from "../crew/request.js";
import { chart, key } from "./chart.js";

const fields = ["network", "routing", "traffic"];
let requested = 0;

const spoken = (name) => name.replaceAll("_", " ");
function fill(field, values, chosen) {
  byId(field).replaceChildren(...values.map(([value, text]) => element("option", { value, selected: value === chosen }, text)));
}

function shown(found) {
  const unit = found.cycle_ns ? { name: "ns", factor: found.cycle_ns } : { name: "cycles", factor: 1 };
  const number = (value, decimals = 0) =>
    value === null ? "–" : value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const hasDelays = found.delay_mean.some((value) => value !== null);
  const rows = found.offered
    .map((load, n) => [
      load.toFixed(2),
      number(found.delay_mean[n] && found.delay_mean[n] * unit.factor),
      number(found.delay_p99[n] && found.delay_p99[n] * unit.factor),
      n,
    ])
    .filter(([, mean]) => mean !== "–");
  return [
    facts(
      ["Saturation throughput", `about ${found.saturation.toFixed(3)} phits per cycle and endpoint`],
      [
        "Expected range",
        `${found.range[0].toFixed(3)} to ${found.range[1].toFixed(3)}, by the errors measured on other networks`,
      ],
      ["Limited by", found.limited_by],
      ["Mean hops between routers", found.mean_hops === null ? "" : found.mean_hops.toFixed(2)],
    ),
    found.advice.map((each) => element("p", { class: "advice" }, `Simulate packets before you rely on this: ${each}.`)),
    hasDelays && chart(found, unit, byId("found").clientWidth),
    hasDelays && key(found),
    hasDelays &&
      element(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of delays" },
        element(
          "table",
          {},
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              ["Offered load", `Mean delay, ${unit.name}`, `99th percentile, ${unit.name}`].map((text) =>
                element("th", { scope: "col" }, text),
              ),
            ),
          ),
          element(
            "tbody",
            {},
            rows.map(([load, mean, tail]) =>
              element("tr", {}, element("td", {}, load), element("td", {}, mean), element("td", {}, tail)),
            ),
          ),
        ),
      ),
    element(
      "p",
      { class: "note" },
      "These are estimates of a model, with the delays of the planned cables. planner simulate runs packets.",
    ),
  ]
    .flat(Infinity)
    .filter(Boolean);
}

// A large network may take longer than a request; the server goes on, and keeps what it found.
async function estimated(query, isWanted) {
  for (let left = 10; ; left--) {
    try {
      return await get(`/api/throughput/curve?${query}`);
    } catch (error) {
      if (!isWanted() || !left || (error.status !== 0 && error.status !== 503)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

async function answer() {
  const own = ++requested,
    query = new URLSearchParams(fields.map((field) => [field, byId(field).value]));
  byId("message").textContent = "Estimating …";
  byId("found").classList.add("old");
  try {
    const found = await estimated(query, () => own === requested);
    if (own !== requested) return;
    byId("message").textContent = `Estimated: ${spoken(query.get("routing"))} routing, ${spoken(query.get("traffic"))} traffic.`;
    byId("found").replaceChildren(...shown(found));
  } catch (error) {
    if (own !== requested) return;
    byId("message").textContent = error.message;
    byId("found").replaceChildren();
  }
  byId("found").classList.remove("old");
}

async function begin() {
  try {
    const [user, choices] = await Promise.all([me(), get("/api/throughput")]);
    byId("plan").textContent = user.name || "Throughput";
    const { networks, routings, patterns, chosen } = choices;
    fill(
      "network",
      networks.map(({ name, routers, endpoints }) => [
        name,
        `${name}: ${routers.toLocaleString("en")} routers, ${endpoints.toLocaleString("en")} endpoints`,
      ]),
      chosen.network,
    );
    byId("of-network").hidden = networks.length < 2;
    fill(
      "routing",
      routings.map((name) => [name, spoken(name)]),
      chosen.routing,
    );
    fill(
      "traffic",
      patterns.map((name) => [name, spoken(name)]),
      chosen.traffic,
    );
    for (const field of fields) byId(field).addEventListener("change", answer);
    await answer();
  } catch (error) {
    byId("message").textContent = "";
    byId("trouble").textContent = error.message;
    byId("trouble").hidden = false;
  }
}
byId("requested").addEventListener("submit", (event) => event.preventDefault());
begin();
