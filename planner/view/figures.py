"""Numbers as text: thousands separated by commas, one unit per kind of quantity."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from planner.core.units import SPACE as SPACE
from planner.core.units import grouped as grouped
from planner.core.units import named, stock_named, system
from planner.core.units import trimmed as trimmed
from planner.domain.model import Plan
from planner.domain.model.bill import BillLine, PurchaseLine
from planner.domain.quantities import Network, networks
from planner.view.names import is_named, network_title, networks_with


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


def described(line: BillLine | PurchaseLine) -> str:
    """Return what a line of the bill is, with its stock length in the units in use."""
    end = f", {line.stock_mm / 1000:g} m"
    if not line.stock_mm or not line.description.endswith(end):
        return line.description
    return f"{line.description.removesuffix(end)}, {stock_named(line.stock_mm, ' ')}"


def readable(name: str, plan: Plan) -> str:
    """Return a quantity of the plan in a common unit, or "" where the plan lacks it."""
    entry = plan.quantities.get(name)
    if entry is None:
        return ""
    kind = "mW heat" if name.startswith(_HEAT) and entry["unit"] == "mW" else entry["unit"]
    return _with_unit(entry["value"], kind, plan)


_HEAT = ("heat_", "hottest_")
"""First words of the names of powers that are heat."""


def _with_unit(number: Any, kind: str, plan: Plan) -> str:
    if kind == "cents":
        return f"{money(number)}{SPACE}{plan.bill.currency}"
    if kind not in system().units:
        return f"{grouped(number, 0 if isinstance(number, int) else 3)}{SPACE}{kind}".rstrip(SPACE)
    return named(number, kind).rstrip(SPACE)


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
    groups: list[Group] = []
    hidden: tuple[str, ...] = ()
    if is_named(plan) and plan.inventory is not None:
        groups = [("Networks", [(one.name, _size(one)) for one in networks(plan)]), *_performance(plan)]
    for subject, entries in _KEY_FIGURES:
        if groups and is_named(plan):
            if subject in ("Network", "Performance"):
                continue
            hidden = _OF_ONE_NETWORK
        found = [(label, readable(name, plan)) for label, name in entries if name in plan.quantities and name not in hidden]
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
