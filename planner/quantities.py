"""Every reported number: its name, unit, which way is better, what it means, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.model import MEDIA, Plan


@dataclass(frozen=True)
class Quantity:
    """A number that a plan reports.

    Attributes
    ----------
    better
        ``"lower"``, ``"higher"``, or "" for a plain fact.
    needs
        The records of the plan that it is made of, by field name of `planner.model.Plan`.
    of
        From the plan to the number; None where it has no meaning.
    """

    name: str
    unit: str
    better: str
    meaning: str
    needs: str
    of: Callable[[Plan], Any]


def measure(plan: Plan) -> dict[str, dict[str, Any]]:
    """Return ``{name: {"value": …, "unit": …}}`` of every quantity that the plan has."""
    measured = {}
    for quantity in QUANTITIES:
        if all(getattr(plan, record) is not None for record in quantity.needs.split()):
            value = quantity.of(plan)
            if value is not None:
                exact = not isinstance(value, float | np.floating)
                measured[quantity.name] = {"value": int(value) if exact else round(float(value), 6), "unit": quantity.unit}
    return measured


def tray_fill(plan: Plan) -> np.ndarray:
    """Share of each tray segment's cross-section that cables take, float64 (K,); 0 where there is no limit."""
    area = plan.room.segment_mm2
    return np.divide(plan.cables.fill_um2 / 1e6, area, out=np.zeros(len(area)), where=area > 0)


def between_cabinets(plan: Plan) -> np.ndarray:
    """Which cables leave their cabinet, bool (W,)."""
    return plan.cables.cabinet[:, 0] != plan.cables.cabinet[:, 1]


def _of_medium(medium: str) -> Callable[[Plan], int]:
    return lambda p: int((p.cables.of_assembly("medium") == medium).sum()) if p.cables.assemblies else 0


def _of_category(category: str) -> Callable[[Plan], int]:
    return lambda p: p.bill.cents(category)


def _mean_link_mm(plan: Plan) -> float | None:
    count = plan.topology.link_count
    return float(plan.cables.run_mm[:count].mean()) if count else None


def _per_endpoint(total: Callable[[Plan], int]) -> Callable[[Plan], float | None]:
    return lambda p: total(p) / p.topology.endpoint_count if p.topology.endpoint_count else None


def _sum_mm(lengths: np.ndarray) -> int:
    return int(lengths.sum(dtype=np.int64))


QUANTITIES: tuple[Quantity, ...] = (
    Quantity("routers", "", "", "routers", "topology", lambda p: p.topology.router_count),
    Quantity("endpoints", "", "", "endpoints", "topology", lambda p: p.topology.endpoint_count),
    Quantity("links", "", "", "links between routers", "topology", lambda p: p.topology.link_count),
    Quantity("radix", "", "lower", "most links of one router", "topology", lambda p: p.topology.degree.max(initial=0)),
    Quantity("diameter", "hops", "lower", "most hops between two routers", "latency", lambda p: len(p.latency.hop_histogram) - 1),
    Quantity("mean_hops", "hops", "lower", "mean hops between different routers", "latency", lambda p: p.latency.mean_hops),
    Quantity("cabinets", "", "lower", "cabinets", "placement", lambda p: p.placement.cabinet_count),
    Quantity("slots", "", "", "slots in the room", "room", lambda p: p.room.slot_count),
    Quantity("cables", "", "lower", "links and endpoint cables", "cables", lambda p: p.cables.cable_count),
    Quantity(
        "cables_between_cabinets", "", "lower", "cables that leave their cabinet", "cables", lambda p: between_cabinets(p).sum()
    ),
    *(Quantity(f"cables_{m.replace(' ', '_')}", "", "", f"cables of {m}", "cables", _of_medium(m)) for m in MEDIA),
    Quantity(
        "bundles", "", "lower", "pairs of cabinets that share cables", "cables", lambda p: p.cables.bundle.max(initial=-1) + 1
    ),
    Quantity("run_mm", "mm", "lower", "run length of all cables", "cables", lambda p: _sum_mm(p.cables.run_mm)),
    Quantity("stock_mm", "mm", "lower", "length of all cables as bought", "cables", lambda p: _sum_mm(p.cables.stock_mm)),
    Quantity("longest_run_mm", "mm", "lower", "longest run length", "cables", lambda p: p.cables.run_mm.max(initial=0)),
    Quantity("mean_link_mm", "mm", "lower", "mean run length of the links", "cables topology", _mean_link_mm),
    Quantity(
        "fullest_tray_percent",
        "%",
        "lower",
        "cables' share of the cross-section of the fullest tray segment",
        "cables room",
        lambda p: float(100 * tray_fill(p).max(initial=0)),
    ),
    Quantity("cost_cents", "cents", "lower", "the whole bill", "bill", lambda p: p.bill.cents()),
    *(
        Quantity(f"cost_{c}_cents", "cents", "lower", f"{c} on the bill", "bill", _of_category(c))
        for c in ("routers", "cabinets", "cables", "transceivers", "labour")
    ),
    Quantity(
        "cost_per_endpoint_cents",
        "cents",
        "lower",
        "the bill over the endpoints",
        "bill topology",
        _per_endpoint(lambda p: p.bill.cents()),
    ),
    Quantity(
        "power_mw", "mW", "lower", "typical power of routers and both ends of all cables", "bill", lambda p: p.bill.power_mw()
    ),
    Quantity(
        "power_per_endpoint_mw",
        "mW",
        "lower",
        "that power over the endpoints",
        "bill topology",
        _per_endpoint(lambda p: p.bill.power_mw()),
    ),
    Quantity("mass_g", "g", "lower", "mass of routers, empty cabinets and cables", "bill", lambda p: p.bill.mass_g()),
    Quantity(
        "delay_mean_ps",
        "ps",
        "lower",
        "mean delay between different routers, without load",
        "latency",
        lambda p: p.latency.mean_ps,
    ),
    Quantity("delay_worst_ps", "ps", "lower", "largest such delay", "latency", lambda p: p.latency.worst_ps),
    Quantity(
        "endpoint_delay_mean_ps",
        "ps",
        "lower",
        "mean delay between endpoints, without load",
        "latency",
        lambda p: p.latency.endpoint_mean_ps,
    ),
    Quantity("endpoint_delay_worst_ps", "ps", "lower", "largest such delay", "latency", lambda p: p.latency.endpoint_worst_ps),
    Quantity(
        "throughput",
        "phits/cycle/endpoint",
        "higher",
        "largest load that the simulation saw accepted",
        "simulation",
        lambda p: float(p.simulation.accepted.max(initial=0)),
    ),
    Quantity(
        "placement_objective",
        "",
        "lower",
        "cost of all links between their slots, in the unit of the placement",
        "placement",
        lambda p: p.placement.objective,
    ),
    Quantity(
        "placement_start_objective",
        "",
        "",
        "the same with the cabinets in order",
        "placement",
        lambda p: p.placement.start_objective,
    ),
    Quantity(
        "placement_lower_bound",
        "",
        "",
        "no layout under the same rules costs less",
        "placement",
        lambda p: p.placement.lower_bound or None,
    ),
    Quantity(
        "placement_gap_percent",
        "%",
        "lower",
        "what a better layout could save at most",
        "placement",
        lambda p: None if p.placement.gap is None else 100 * p.placement.gap,
    ),
    Quantity("errors", "", "lower", "broken design rules", "violations", lambda p: len(p.violations.errors)),
    Quantity(
        "warnings",
        "",
        "lower",
        "strained design rules",
        "violations",
        lambda p: len(p.violations.items) - len(p.violations.errors),
    ),
)
