"""Numbers as text: thousands separated by commas, one unit per kind of quantity."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from planner.model import Plan
from planner.quantities import Network, networks
from planner.report._names import is_named, network_title, networks_with

SPACE = "\u00a0"
"""Between a number and its unit: a no-break space."""

COMMON_UNITS = {
    "mm": (1000, 3, "m"),
    "µm": (1000, 1, "mm"),
    "µm²": (1_000_000, 0, "mm²"),
    "mW": (1_000_000, 3, "kW"),
    "g": (1000, 1, "kg"),
    "ps": (1000, 1, "ns"),
    "%": (1, 1, "%"),
    "cents": (100, 2, ""),
    "phits/cycle/endpoint": (1, 3, "phits/cycle/endpoint"),
}
"""Units on paper and on the web page: divisor from the unit of files, decimals, and the unit."""


def grouped(number: float, decimals: int = 0) -> str:
    """Return a number with commas between thousands.

    Examples
    --------
    >>> grouped(13300)
    '13,300'
    """
    return f"{number:,.{decimals}f}"


def meters(length_mm: int) -> str:
    """Return a length in meters, exact to the millimeter, without the unit."""
    return grouped(length_mm / 1000, 3)


def trimmed(number: float, decimals: int = 3) -> str:
    """Return a number without trailing zeros: 0.5, 3, 1.25."""
    text = grouped(number, decimals)
    return text.rstrip("0").rstrip(".") if "." in text else text


def runs(numbers: Sequence[int]) -> str:
    """Return ascending numbers as ranges.

    Examples
    --------
    >>> runs([1, 2, 3, 7, 9, 10])
    '1–3, 7, 9–10'
    """
    breaks = [0, *(place for place, (low, high) in enumerate(pairwise(numbers), 1) if high != low + 1), len(numbers)]
    ends = [(numbers[start], numbers[end - 1]) for start, end in pairwise(breaks) if end > start]
    return ", ".join(f"{low}" if low == high else f"{low}–{high}" for low, high in ends)


def money(cents: int) -> str:
    """Return an amount with two decimals, without the currency."""
    return grouped(cents / 100, 2)


def readable(name: str, plan: Plan) -> str:
    """Return a quantity of the plan in a common unit, or "" where the plan lacks it."""
    entry = plan.quantities.get(name)
    return "" if entry is None else _with_unit(entry["value"], entry["unit"], plan)


def _with_unit(number: Any, unit: str, plan: Plan) -> str:
    if unit == "cents":
        return f"{money(number)}{SPACE}{plan.bill.currency}"
    factor, decimals, written = COMMON_UNITS.get(unit, (1, 0 if isinstance(number, int) else 3, unit))
    return f"{grouped(number / factor, decimals)}{SPACE}{written}".rstrip(SPACE)


Group = tuple[str, list[tuple[str, str]]]

_KEY_FIGURES = (
    ("Network", (
        ("routers", "routers"), ("endpoints", "endpoints"), ("links between routers", "links"),
        ("links per router, max.", "radix"), ("diameter", "diameter"), ("mean hops", "mean_hops"),
    )),
    ("Floor", (
        ("cabinets", "cabinets"), ("slots in the room", "slots"), ("fullest tray segment", "fullest_tray_percent"),
        ("gap to lower bound", "placement_gap_percent"),
    )),
    ("Cables", (
        ("cables", "cables"), ("copper", "cables_copper"), ("active copper", "cables_active_copper"),
        ("optical", "cables_optical"), ("between cabinets", "cables_between_cabinets"), ("bundles", "bundles"),
        ("run length", "run_mm"), ("stock length", "stock_mm"), ("longest run", "longest_run_mm"),
    )),
    ("Bill and power", (
        ("cost", "cost_cents"), ("cost per endpoint", "cost_per_endpoint_cents"), ("typical power", "power_mw"),
        ("power per endpoint", "power_per_endpoint_mw"), ("mass", "mass_g"),
    )),
    ("Performance", (
        ("mean delay between routers", "delay_mean_ps"), ("maximum delay between routers", "delay_worst_ps"),
        ("throughput", "throughput"),
    )),
    ("Design rules", (("errors", "errors"), ("warnings", "warnings"))),
)  # fmt: skip


_OF_ONE_NETWORK = ("cost_per_endpoint_cents", "power_per_endpoint_mw")
"""Figures of the whole plan by endpoint of the first network."""


def key_figures(plan: Plan) -> list[Group]:
    """Return the figures of the cover by subject; those that the plan lacks are left out."""
    groups = []
    if is_named(plan) and plan.inventory is not None:
        groups = [("Networks", [(one.name, _size(one)) for one in networks(plan)]), *_performance(plan)]
    for subject, entries in _KEY_FIGURES:
        if groups and is_named(plan):
            if subject in ("Network", "Performance"):
                continue
            entries = tuple(entry for entry in entries if entry[1] not in _OF_ONE_NETWORK)
        found = [(label, readable(name, plan)) for label, name in entries if name in plan.quantities]
        if found:
            groups.append((subject, found))
    return groups


def _size(network: Network) -> str:
    return f"{grouped(network.routers)} routers, {grouped(network.links)} links, {grouped(network.endpoints)} ports"


def _performance(plan: Plan) -> list[Group]:
    """Return the figures of each network whose delays are known."""
    wanted = ("diameter", "mean_hops", "delay_mean_ps", "delay_worst_ps", "throughput")
    labels = {name: label for _, entries in _KEY_FIGURES for label, name in entries if name in wanted}
    found = []
    for one in networks_with(plan, "latency") if plan.latency is not None else []:
        if one.topology.link_count:
            own = wanted if one.network == plan.of_section("simulation").network else wanted[:-1]
            rows = [(labels[name], readable(name, one)) for name in own if name in one.quantities]
            found.append((network_title(one, "Performance"), rows))
    return found
