"""Endpoints as the ranks of a parallel program, and the lines that ns-3 simulators take for links."""

from __future__ import annotations

import warnings

import numpy as np

from planner.core.errors import PlannerWarning
from planner.domain.model import Plan
from planner.view.selection import cables_of, named


def ranks(plan: Plan, role: str) -> np.ndarray:
    """Return the connections of the endpoints of nodes with a role, by node, then by port: one rank each, int64 (N,).

    Raises
    ------
    InputError
        When the plan has no cables, or no device of this role is attached to its network.
    """
    cables_of(plan)
    inventory = plan.inventory
    rows = np.arange(inventory.connection_count)[inventory.endpoints(plan.network)]
    rows = rows[~inventory.is_router[inventory.ends[rows, 1]]]
    device = inventory.ends[rows, 1]
    roles = np.array(inventory.role_names)[inventory.role[device]]
    if len(rows):
        named("role", role, sorted(set(roles.tolist())))
    order = np.lexsort((plan.cables.port[rows, 1], device))
    return rows[order][roles[order] == role]


def numbers(plan: Plan, chosen: np.ndarray, first_router: int) -> np.ndarray:
    """Return the numbers of both ends of each rank's connection, then of each link, int64 (N,2).

    Ranks are numbered from 0, routers from `first_router`.
    """
    inventory = plan.inventory
    first = inventory.routers(plan.network).start
    routers = inventory.ends[chosen, 0] - first + first_router
    hosts = np.column_stack([np.arange(len(chosen)), routers])
    return np.concatenate([hosts, inventory.ends[inventory.links(plan.network)] - first + first_router])


def lines(plan: Plan, chosen: np.ndarray, ends: np.ndarray, routers: bool) -> list[str]:
    """Return ``source target rate delay error`` for each rank's connection, then for each pair of linked routers.

    ns-3 keeps one link of a pair, the last one: parallel links are written as one, with the sum of their rates and the delay of
    the longest, and a warning reports it. With `routers`, each cable has half the delay of the routers at its ends too, so that a
    path has that of each of its routers.
    """
    inventory, made = plan.inventory, plan.cables
    links = inventory.links(plan.network)
    rows = np.concatenate([chosen, np.arange(links.start, links.stop)])
    rates = inventory.rates_gbps(plan.network)[rows - inventory.connections(plan.network).start]
    delay_ps = made.delay_ps[rows].astype(np.int64)
    if routers:
        own = np.array([getattr(part, "delay_ps", 0) for part in inventory.parts])[inventory.part[inventory.ends[rows]]]
        delay_ps += np.where(inventory.is_router[inventory.ends[rows]], own, 0).sum(axis=1) // 2
    merged: dict[frozenset[int], tuple[int, int, int, int]] = {}
    for a, b, rate, delay in np.column_stack([ends, rates, delay_ps]).tolist():
        first, second, together, longest = merged.get(frozenset((a, b)), (a, b, 0, 0))
        merged[frozenset((a, b))] = first, second, together + rate, max(longest, delay)
    if len(merged) < len(ends):
        words = f"{len(ends) - len(merged):,} parallel links are merged, with the sum of the rates: ns-3 keeps one link of a pair"
        warnings.warn(words, PlannerWarning, stacklevel=4)
    return [f"{a} {b} {rate}Gbps {milliseconds(delay)} 0\n" for a, b, rate, delay in merged.values()]


def milliseconds(delay_ps: int) -> str:
    """Return a delay as ns-3 reads it.

    >>> milliseconds(5000), milliseconds(1_000_000_000), milliseconds(0)
    ('0.000005ms', '1ms', '0ms')
    """
    whole, rest = divmod(delay_ps, 1_000_000_000)
    return f"{whole}.{rest:09d}".rstrip("0").rstrip(".") + "ms"
