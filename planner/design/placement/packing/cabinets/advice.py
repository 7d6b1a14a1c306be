"""Remedies for infeasible packings: the smallest single changes, each found by repeated packing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from planner.design.placement.packing.cabinets.attempt import Packed, attempt
from planner.design.placement.packing.cabinets.request import Request

_MAX_CHANGES = 4
"""Maximum number of reported changes."""
_FACTOR = 20
"""Maximum factor by which a limit is raised."""
_POWER_STEP_MW = 100_000
_LOAD_STEP_G = 1000
_THOROUGH_STEPS = 3
_FEW = 2000


@dataclass(frozen=True)
class Change:
    """A change that makes the packing feasible: description, value, relative size, and the changed request."""

    text: str
    value: int
    share: float
    request: Request


def advice(request: Request) -> list[Change]:
    """Return the smallest single changes that make the packing feasible, relatively smallest first."""
    changes = [change for search in (_slots, _slot_power, _floor_load, _cabinet, _limits, _network) for change in search(request)]
    return sorted(changes, key=lambda change: change.share)[:_MAX_CHANGES]


def _slots(request: Request) -> Iterator[Change]:
    """Yield a number of additional slots like the strongest one."""
    slots = request.slots
    like = max(range(slots.count), key=lambda s: (slots.large(request.catalog.cabinet)[s], slots.power_mw[s], slots.load_g[s]))
    kind = f"{slots.power_mw[like] / 1e6:.1f} kW and {slots.load_g[like] / 1e3:.0f} kg"

    def changed(count: int) -> Request:
        return replace(request, slots=slots.extended(count, like))

    yield from _change(request, 0, 2 * len(request.members), changed, lambda n: f"{n} more slots of {kind}", slots.count)


def _slot_power(request: Request) -> Iterator[Change]:
    power = request.slots.power_mw

    def changed(steps: int) -> Request:
        return replace(request, slots=replace(request.slots, power_mw=np.maximum(power, steps * _POWER_STEP_MW)))

    low = int(power.min()) // _POWER_STEP_MW
    yield from _change(
        request, low, _FACTOR * int(power.max()) // _POWER_STEP_MW, changed,
        lambda n: f"slots with at least {n * _POWER_STEP_MW / 1e6:.1f} kW", int(power.min()) / _POWER_STEP_MW, raised=True,
    )  # fmt: skip


def _floor_load(request: Request) -> Iterator[Change]:
    load = request.slots.load_g

    def changed(steps: int) -> Request:
        return replace(request, slots=replace(request.slots, load_g=np.maximum(load, steps * _LOAD_STEP_G)))

    low = int(load.min()) // _LOAD_STEP_G
    yield from _change(
        request, low, _FACTOR * int(load.max()) // _LOAD_STEP_G, changed,
        lambda n: f"a floor that carries at least {n * _LOAD_STEP_G / 1e3:.0f} kg a slot", int(load.min()) / _LOAD_STEP_G,
        raised=True,
    )  # fmt: skip


def _cabinet(request: Request) -> Iterator[Change]:
    cabinet = request.catalog.cabinet

    def with_cabinet(**facts: Any) -> Request:
        return replace(request, catalog=replace(request.catalog, cabinet=replace(cabinet, **facts)))

    units = cabinet.units
    yield from _change(
        request,
        units,
        2 * units,
        lambda n: with_cabinet(units=n),
        lambda n: f"a cabinet with at least {n} units",
        units,
        raised=True,
    )
    kg = cabinet.load_g // _LOAD_STEP_G
    yield from _change(
        request, kg, _FACTOR * kg, lambda n: with_cabinet(load_g=n * _LOAD_STEP_G),
        lambda n: f"a cabinet that carries at least {n} kg", cabinet.load_g / _LOAD_STEP_G, raised=True,
    )  # fmt: skip
    if not request.slots.large(cabinet).all():
        width, depth = request.slots.smallest_mm
        smaller = with_cabinet(width_mm=min(width, cabinet.width_mm), depth_mm=min(depth, cabinet.depth_mm))
        share = max(cabinet.width_mm / width, cabinet.depth_mm / depth) - 1
        if _fits(smaller):
            yield Change(f"a cabinet of at most {width} x {depth} mm", width, share, smaller)


def _limits(request: Request) -> Iterator[Change]:
    """Yield changes of limits of the room or the study per cabinet."""
    routers, ports = request.slots.routers, request.panel_ports
    if routers is not None:
        yield from _change(
            request, routers, _FACTOR * routers, lambda n: replace(request, slots=replace(request.slots, routers=n)),
            lambda n: f"at least {n} routers allowed in a cabinet", routers, raised=True,
        )  # fmt: skip
    if request.catalog.pdu is not None:
        pdus = request.interior.pdus_per_feed
        yield from _change(
            request, pdus, _FACTOR * pdus, lambda n: replace(request, interior=replace(request.interior, pdus_per_feed=n)),
            lambda n: f"at least {n} PDUs of each feed in a cabinet", pdus, raised=True,
        )  # fmt: skip
    if ports is not None:
        yield from _change(
            request, ports, _FACTOR * max(ports, int(request.topology.degree.max())), lambda n: replace(request, panel_ports=n),
            lambda n: f"at least {n} panel ports a cabinet", max(ports, 1), raised=True,
        )  # fmt: skip


def _network(request: Request) -> Iterator[Change]:
    """Yield a smaller number of endpoints or routers."""
    topology = request.topology
    largest = int(topology.endpoints_of.max(initial=0))

    def fewer_endpoints(less: int) -> Request:
        # Endpoints are ordered by router: keep the first ones of each.
        start = np.searchsorted(topology.endpoint_router, topology.endpoint_router)
        stays = np.arange(topology.endpoint_count) - start < largest - less
        return replace(request, topology=replace(topology, endpoint_router=topology.endpoint_router[stays]))

    if largest:
        yield from _change(
            request, 0, largest, fewer_endpoints, lambda n: f"at most {largest - n} endpoints per router", largest,
            value=lambda n: largest - n,
        )  # fmt: skip
    count = len(request.members)
    if request.layout is None and not request.apart:
        yield from _change(
            request, 0, count - 1, lambda n: replace(request, members=request.members[: count - n]),
            lambda n: f"a network of at most {count - n} such routers", count, value=lambda n: count - n,
        )  # fmt: skip


def _change(
    request: Request,
    low: int,
    high: int,
    changed: Callable[[int], Request],
    text: Callable[[int], str],
    whole: float,
    *,
    raised: bool = False,
    value: Callable[[int], int] = int,
) -> Iterator[Change]:
    """Yield the smallest number above `low`, and at most `high`, that makes the packing feasible, if any."""
    if high <= low or not _fits(changed(high)):
        return
    bad = low
    while high - bad > 1:
        middle = (bad + high) // 2
        bad, high = (bad, middle) if _fits(changed(middle)) else (middle, high)
    if not (request.alike and not request.apart) and len(request.members) <= _FEW:
        # A thorough method may need slightly less than the fast one.
        method = "groups" if request.whole_groups and not request.apart else "partition"
        for _ in range(_THOROUGH_STEPS):
            if high - 1 <= low or not _fits(replace(changed(high - 1), method=method), fast=False):
                break
            high -= 1
    yield Change(text(high), value(high), (high - whole if raised else high) / max(whole, 1), changed(high))


def _fits(request: Request, fast: bool = True) -> bool:
    return isinstance(attempt(request, fast), Packed)
