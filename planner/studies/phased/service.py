"""Service while the crew works: the network of each window of a change between two plans, simulated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.core.errors import Infeasible
from planner.core.progress import Progress, silent
from planner.domain.model import Plan, Topology
from planner.network.growth import Step, Windows, step, up, windows
from planner.network.growth.naming import chosen
from planner.simulation import simulate
from planner.simulation.fluid import flow_model
from planner.simulation.given import network_given
from planner.studies.phased.steps import before_of

BEFORE, AFTER = "before", "after"
"""Names of the networks of both plans."""


@dataclass(frozen=True, eq=False)
class Change:
    """A change of the network of a plan into that of another one.

    Attributes
    ----------
    old, new
        The plans.
    step
        What stays, is moved and is added; routers have the numbers of the old plan, new ones come last.
    row
        Link of the new plan that each link of the step's new network is, int64 (L,).
    windows
        The windows of work.
    """

    old: Plan
    new: Plan
    step: Step
    row: np.ndarray
    windows: Windows


@dataclass(frozen=True, eq=False)
class Service:
    """The network of one window.

    Attributes
    ----------
    name
        ``before``, the number of the window, or ``after``.
    network
        Links that are up, and the routers that they join; new routers have no endpoints until the work is done.
    delay_ps
        Delay of each cable, links first, then endpoints, int64 (L+H,).
    out
        Cables that are out.
    """

    name: str
    network: Topology
    delay_ps: np.ndarray
    out: int


def change_of(old: Plan, new: Plan, *, ends_down: int = 1, cables_down: int = 40) -> Change:
    """Return the change of the network of one plan into that of another, whose routers have the same names.

    Parameters
    ----------
    old, new
        Plans of one network each.
    ends_down, cables_down
        Limits of the windows of work, see `planner.network.growth.windows`.

    Raises
    ------
    Infeasible
        When the new plan lacks a router of the old one, or installed routers get other endpoints.
    """
    order = _order(old, new)
    target = chosen(new.topology, order)
    number = np.argsort(order)
    ends = np.sort(number[new.topology.links], axis=1)
    row = np.lexsort((ends[:, 1], ends[:, 0]))
    change = step(old.topology, target)
    if (target.endpoints_of[: old.topology.router_count] != old.topology.endpoints_of).any():
        raise Infeasible("installed routers have other endpoints in the new plan; simulate both plans by themselves")
    before = None if old.cables is None or new.cables is None else before_of(old, new, change.moved, row[change.added])
    work = windows(change, ends_down=ends_down, cables_down=cables_down, before=before)
    return Change(old, new, change, row, work)


def _order(old: Plan, new: Plan) -> np.ndarray:
    """Return the routers of the new plan, those of the old one first and in its order, int64 (R,)."""
    count = old.topology.router_count
    if old.inventory is None or new.inventory is None:
        if new.topology.router_count < count:
            raise Infeasible(f"{new.topology.router_count:,} routers are fewer than {count:,}")
        return np.arange(new.topology.router_count)
    names, others = (plan.inventory.names[plan.inventory.routers(0)].tolist() for plan in (old, new))
    place = {name: router for router, name in enumerate(others)}
    if missing := [name for name in names if name not in place]:
        raise Infeasible(
            f"{len(missing):,} of {count:,} routers are not in the new plan, such as {missing[0]}; "
            "windows are those of a network that grows by the names of its devices"
        )
    own = np.array([place[name] for name in names], np.int64)
    return np.concatenate([own, np.setdiff1d(np.arange(len(others)), own)])


def services(change: Change, numbers: Iterable[int] | None = None) -> Iterator[Service]:
    """Yield the network before the work, in each window, and after it.

    Parameters
    ----------
    numbers
        Windows; by default all.
    """
    old, new = (_delays(plan) for plan in (change.old, change.new))
    links = change.step.old.link_count
    yield Service(BEFORE, change.step.old, old, 0)
    for number in range(change.windows.count + 1) if numbers is None else numbers:
        found = up(change.step, change.windows, number, endpoints="installed")
        own = np.where(found.new_link >= 0, new[change.row[found.new_link]], old[found.old_link])
        out = int((change.windows.moved == number).sum()) if number else 0
        yield Service(str(number), found.network, np.concatenate([own, old[links:]]), out)
    yield Service(AFTER, change.new.topology, new, 0)


def _delays(plan: Plan) -> np.ndarray:
    return network_given(plan.topology, plan.cables, plan.inventory, seed=0)["delay_ps"]


Row = dict[str, Any]
"""Figures of one window by name: ``window``, ``routers``, ``links``, ``out``, ``saturation``, and lists by load."""


def simulated(
    change: Change,
    settings: Mapping[str, Any],
    *,
    seed: int,
    numbers: Iterable[int] | None = None,
    model: bool = False,
    progress: Progress = silent,
    executor: Any = None,
) -> Iterator[Row]:
    """Yield the figures of the network before the work, in each window, and after it.

    Parameters
    ----------
    settings
        Arguments of `planner.simulation.simulate`, or of the flow-level model.
    model
        Whether the flow-level model estimates them.

    Raises
    ------
    InputError
        When a network cannot be simulated so, such as for a routing that needs the coordinates of its family.
    """
    base = network_given(change.old.topology, change.old.cables, change.old.inventory, seed=seed)
    last = network_given(change.new.topology, change.new.cables, change.new.inventory, seed=seed)
    for each in services(change, numbers):
        given = dict(last if each.name == AFTER else base) | {"topology": each.network, "delay_ps": each.delay_ps}
        row: Row = {"window": each.name, "routers": each.network.router_count, "links": each.network.link_count, "out": each.out}
        if model:
            given.pop("owner", None)
            estimate = flow_model(**given, **settings)
            cycle = estimate.cycle_ps or 0.0
            accepted = np.minimum(estimate.offered, estimate.saturation)
            yield row | _figures(estimate.offered, accepted, estimate.delay_mean, cycle) | {"saturation": estimate.saturation}
        else:
            result = simulate(**given, progress=progress, executor=executor, **settings)
            if not result.complete:
                raise KeyboardInterrupt
            found = _figures(result.offered, result.accepted, result.delay_mean, result.cycle_ps or 0.0)
            yield row | found | {"saturation": result.saturation_throughput}


def _figures(offered: np.ndarray, accepted: np.ndarray, delay: np.ndarray, cycle_ps: float) -> Row:
    """Return the figures by load; delays are in nanoseconds where the cycle time is known, None where there is none."""
    factor = cycle_ps / 1000 if cycle_ps else 1.0
    return {
        "offered": [float(load) for load in offered],
        "accepted": [float(load) for load in accepted],
        "delay": [float(each) * factor if each == each else None for each in delay],
        "unit": "ns" if cycle_ps else "cycles",
    }
