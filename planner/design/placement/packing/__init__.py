"""Packing of routers and endpoints into cabinets, and of cabinets onto slots that carry them; one file per method."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge

from planner.core import registry
from planner.core.checking import checked
from planner.core.errors import Infeasible, InputError, Problem
from planner.design.placement.model.layout import Layout
from planner.design.placement.packing.cabinets.interior import PLAIN, Interior
from planner.design.placement.packing.cabinets.packing import Packing
from planner.domain.model import Catalog, Room, Topology

__all__ = ["PLAIN", "Interior", "Packing", "fit"]


@checked()
def fit(
    topology: Topology,
    room: Room,
    catalog: Catalog,
    *,
    groups: Literal["required", "preferred", "ignored"] = "required",
    method: str = "auto",
    panel_ports: Annotated[int, Ge(0)] | None = None,
    apart: Iterable[Iterable[int]] = (),
    layout: Layout | None = None,
    endpoints: Literal["together", "apart"] = "together",
    interior: Interior = PLAIN,
    seed: int = 0,
) -> Packing:
    """Pack all routers and their endpoints, and give every cabinet a slot that carries it.

    Parameters
    ----------
    groups
        ``"required"``: a group of the finest level that fits into one cabinet is never split.
        ``"preferred"``: the same, if it needs no more cabinets; otherwise groups fill cabinets one after
        the other. ``"ignored"``: routers are packed by their links.
    method
        Packing method, a dotted module name, or ``"auto"`` for the method that suits the network.
    panel_ports
        Maximum number of link ports in one cabinet, such as the ports of its patch panel.
    apart
        Sets of routers of which no two may share a cabinet, such as those that must not fail together.
    layout
        Slots of some routers. Others first join their cabinets as long as there is space, then fill new
        ones on the remaining slots.
    endpoints
        ``"together"``: endpoints share the cabinet of their router. ``"apart"``: cabinets hold routers
        only, and the topology of the result has no endpoints.
    interior
        Arrangement inside cabinets: cable managers, reserved units, power feeds.

    Raises
    ------
    InputError
        When there is no such method, it does not support the rules, or `apart` contains unknown routers.
    Infeasible
        When no cabinet can hold a router, the room has too few slots that carry the cabinets, the cabinets leave fewer slots
        free than the reserve, or the layout violates a limit. The message names the binding limit, the shortfall, and the
        smallest single changes that help.

    Examples
    --------
    >>> from planner.domain import catalog
    >>> from planner.hall import floor
    >>> from planner.network import topology
    >>> parts = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300")
    >>> network = topology.build("slimfly", q=5, endpoints_per_router=4)
    >>> packing = fit(network, floor.room("hall-a", routers=50), parts)
    >>> packing.cabinet_count, packing.method
    (5, 'groups: groups must stay whole')
    """
    from planner.design.placement.packing.cabinets.advice import advice
    from planner.design.placement.packing.cabinets.attempt import Shortage, attempt, too_many_ports
    from planner.design.placement.packing.cabinets.request import Request
    from planner.design.placement.packing.cabinets.reserve import require_reserve
    from planner.design.placement.packing.cabinets.slots import Slots

    sets = tuple(tuple(int(router) for router in routers) for routers in apart)
    everyone = np.arange(topology.router_count)
    request = Request(
        topology, catalog, Slots.of(room, catalog, interior), everyone, groups, method, panel_ports, sets, layout, seed, interior
    )
    _check(request)
    if endpoints == "apart":
        # Endpoints need router ports in any cabinet.
        if reason := too_many_ports(request):
            raise Infeasible(reason)
        topology = replace(topology, endpoint_router=topology.endpoint_router[:0])
        request = replace(request, topology=topology)
    found = attempt(request)
    if isinstance(found, Shortage):
        changes = [change.text for change in advice(request)]
        help_ = f"; any one of these changes helps: {'; '.join(changes)}" if changes else ""
        raise Infeasible(found.reason + help_)
    require_reserve(room, len(found.slot))
    cabinet_of = np.empty(topology.router_count, np.int64)
    sizes = [len(members) for members in found.cabinets]
    cabinet_of[np.concatenate(found.cabinets)] = np.repeat(np.arange(len(sizes)), sizes)
    return Packing(topology, catalog, cabinet_of, found.slot, found.demand, found.allowed, found.method, interior)


def _check(request: Any) -> None:
    """Check the rules of a request, and whether its method supports them."""
    problems = []
    count = request.topology.router_count
    for number, routers in enumerate(request.apart):
        wrong = [router for router in routers if not 0 <= router < count]
        if wrong:
            problems.append(Problem(f"separate.{number}", f"there is no router {wrong[0]} in a network of {count}"))
    if request.method != "auto":
        known = inspect.signature(registry.function("packing", request.method)).parameters
        if request.whole_groups and request.method != "groups" and "whole" not in known:
            remedy = 'use groups, partition, exact or auto, or groups = "ignored"'
            problems.append(Problem("method", f"{request.method} cannot keep groups whole", remedy))
    if problems:
        raise InputError(problems)
