"""Placement of routers in cabinets and of cabinets in slots; one file per algorithm."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Gt

from planner.core import registry
from planner.core.checking import checked
from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.core.reading import arguments
from planner.design.placement import bound
from planner.design.placement.model import layout as layout_module
from planner.design.placement.model.cost import Objective, SlotCost, Weights, link_cost
from planner.design.placement.model.endpoint_cost import EndpointCost
from planner.design.placement.model.endpoints import place_endpoints_apart, require_slots
from planner.design.placement.model.examine import examine as examine
from planner.design.placement.model.layout import Layout
from planner.design.placement.model.phased import Phasing
from planner.design.placement.model.problem import PlacementProblem
from planner.design.placement.model.spread import Spread, limits
from planner.design.placement.model.variants import Rules, Total, Variant, best_variant, variants, with_totals
from planner.design.placement.packing import PLAIN, Interior, fit
from planner.design.placement.packing.cabinets.packing import restacked
from planner.design.placement.search.front import front as _front
from planner.design.placement.search.shorter import shorter
from planner.domain.model import Catalog, Placement, Topology
from planner.hall.floor import Lengths

__all__ = ["Phasing", "PlacementProblem", "SlotCost", "Spread", "Weights", "place", "problem"]

_AS_GIVEN = ("identity", "manual", "random")
"""Algorithms whose layout is kept as it is."""

Sets = tuple[tuple[int, ...], ...]
Groups = Literal["required", "preferred", "ignored"]


@checked()
def place(
    topology: Topology,
    catalog: Catalog,
    lengths: Lengths,
    *,
    seed: int,
    progress: Progress = silent,
    side_by_side: Callable[..., Iterable[Any]] = map,
    phasing: Phasing | None = None,
    algorithm: str = "auto",
    objective: Objective = "price",
    groups: Literal[Groups, "auto"] = "auto",
    group_price: Annotated[int, Ge(0)] = 0,
    packing: str = "auto",
    panel_ports: Annotated[int, Ge(1)] | None = None,
    separate: Sets = (),
    spread: tuple[Spread, ...] = (),
    endpoints: Literal["auto", "together", "apart"] = "auto",
    interior: Interior = PLAIN,
    layout: Path | None = None,
    longest_mm: Annotated[int, Gt(0)] | None = None,
    front: Annotated[int, Ge(0)] = 0,
    bounds: bool = True,
    drafts: Annotated[int, Ge(0)] = 4,
    **parameters: Any,
) -> Placement:
    """Pack the routers into cabinets and place the cabinets.

    Parameters
    ----------
    topology, catalog, lengths, seed, progress, side_by_side, phasing
        Supplied by the flow; with several phases the topology is that of the last one.
    algorithm
        Placement algorithm (see ``planner list placement``), or a dotted module name.
    objective
        Cost of a link or endpoint cable between two slots: the price of the cheapest cable of sufficient length plus labor,
        its run length, its minimum power, its minimum delay, or a table ``[placement.objective]``
        with a weight for each.
    groups
        Whether keeping a group in one cabinet is required, preferred or ignored; see `planner.design.placement.packing.fit`.
        ``"auto"``: the algorithm ``auto`` tries all and keeps the cheapest; other algorithms use ``"required"``.
    group_price
        With preferred groups: penalty for each pair of routers of one group in different cabinets, in the unit of the objective.
    packing
        Packing method (see ``planner list packing``), or ``"auto"`` for the method that suits the network; the algorithm ``auto``
        also tries others.
    panel_ports
        Maximum number of link ports in one cabinet, such as the ports of its patch panel. By default no limit.
    separate
        Sets of routers of which no two may share a cabinet.
    spread
        Sets of routers of which only a limited number may share a cabinet, see `planner.design.placement.Spread`.
    endpoints
        ``"together"``: endpoint boxes share the cabinet of their router. ``"apart"``: they get separate cabinets on slots that
        the routers leave free, placed to minimize the objective. ``"auto"``: the algorithm ``auto`` tries both and keeps the
        cheaper; other algorithms use ``"together"``.
    interior
        Arrangement inside each cabinet: position of routers, cable managers, reserved units, power feeds; see
        `planner.design.placement.packing.Interior`.
    layout
        File with a table of routers and slots, the initial layout, and optionally routers that must stay; or with slots and rack
        units of all devices. By default none.
    longest_mm
        Soft limit of the run length of links in mm; avoiding longer links has priority over the objective. By default no limit.
    front
        Number of points to compute on the Pareto front of cost and longest link, for the report.
    bounds
        Whether to compute a lower bound of the objective.
    drafts
        Maximum number of cable plans with which the flow chooses rack units that lower the price of cables; where trays are full,
        other units may change routes, and another plan is made only to save a ten-thousandth of the price. With 0 devices stay in
        the units of the packing, and cables are planned once.
    **parameters
        Parameters of the algorithm; see ``planner list placement``.

    Raises
    ------
    InputError
        When there is no such algorithm, its parameters are invalid, or the layout is invalid.
    Infeasible
        When the room cannot hold the network; the message names the binding limit and the smallest changes that help.
    """
    run = registry.function("placement", algorithm)
    checked = arguments(run, data=parameters, owner=algorithm, given=registry.KINDS["placement"].given)

    def pose(rules: Rules) -> Variant:
        of_network = partial(
            problem,
            catalog=catalog,
            lengths=lengths,
            objective=objective,
            groups=rules.groups,
            group_price=group_price,
            packing=rules.packing,
            panel_ports=panel_ports,
            separate=separate,
            spread=spread,
            endpoints=rules.endpoints,
            interior=interior,
            longest_mm=longest_mm,
            seed=seed,
        )
        if phasing is None:
            posed = of_network(topology, layout=layout)
        else:
            posed = phasing.posed(lambda network, known: of_network(network, layout=known), rules.groups)
        if rules.endpoints == "together":
            return Variant(rules, posed, lambda placed, progress=silent: placed)
        require_slots(topology, catalog, lengths.room, posed.packing.cabinet_count, interior)
        return Variant(rules, posed, partial(_with_separate_endpoints, topology, catalog, lengths, objective, interior))

    rules = Rules(groups, packing, endpoints)
    total = Total(topology if phasing is None else phasing.flow, catalog, lengths, objective)
    if algorithm == "auto":
        found = variants(rules.choices(topology, group_price), pose)
        chosen, placed = best_variant(found, total, run, seed=seed, progress=progress, **checked)
    else:
        chosen = pose(rules.settled)
        placed = run(chosen.posed, seed=seed, progress=progress, **checked)
    posed, placed = chosen.posed, replace(placed, longest_mm=longest_mm)
    if algorithm not in _AS_GIVEN:
        placed = shorter(posed, placed)
    further: dict[str, Callable[[], Any]] = {}
    if front:
        cost_within = partial(link_cost, catalog, lengths, objective, interior=interior)
        further["front"] = partial(_front, posed, placed, cost_within, front, seed=seed, progress=progress)
    if bounds:
        further["bound"] = partial(bound.best, posed, progress=progress)
    applied = side_by_side if len(further) > 1 else map
    found_by = dict(zip(further, applied(lambda work: work(), further.values()), strict=True))
    placed = replace(placed, front=found_by["front"]) if front else placed
    placed = posed.with_bound(placed, found_by.get("bound"))
    return with_totals(chosen.finish(placed, progress=progress), total)


def _with_separate_endpoints(
    topology: Topology,
    catalog: Catalog,
    lengths: Lengths,
    objective: Objective,
    interior: Interior,
    placed: Placement,
    progress: Progress = silent,
) -> Placement:
    """Place the endpoints of a network with placed routers in separate cabinets."""
    placed = place_endpoints_apart(topology, catalog, lengths, placed, objective=objective, interior=interior, progress=progress)
    return restacked(catalog, interior, placed, topology.router_count, lengths.room)


@checked()
def problem(
    topology: Topology,
    catalog: Catalog,
    lengths: Lengths,
    *,
    objective: Objective = "price",
    groups: Groups = "required",
    group_price: int = 0,
    packing: str = "auto",
    panel_ports: int | None = None,
    separate: Sets = (),
    spread: tuple[Spread, ...] = (),
    endpoints: Literal["together", "apart"] = "together",
    interior: Interior = PLAIN,
    layout: Path | Layout | None = None,
    longest_mm: int | None = None,
    seed: int = 0,
) -> PlacementProblem:
    """Pack the routers and return the placement problem; see `place` for the parameters."""
    if group_price and groups != "preferred":
        raise InputError(Problem("group_price", f"has no effect if groups are {groups}", 'write groups = "preferred"'))
    given = layout_module.read(layout, topology, lengths.room) if isinstance(layout, Path) else layout
    given = layout_module.with_fixed(given, topology, lengths.room)
    spreads = limits(topology, spread)
    packed = fit(
        topology,
        lengths.room,
        catalog,
        groups=groups,
        method=packing,
        panel_ports=panel_ports,
        apart=(*separate, *(subset for limit in spreads for subset in limit.subsets())),
        layout=given,
        endpoints=endpoints,
        interior=interior,
        seed=seed,
    )
    # Endpoints in separate cabinets are not part of the problem.
    topology = packed.topology
    grouped = topology.group.shape[1] > 0
    kin = topology.group[:, 0] if groups == "required" and grouped else np.zeros(topology.router_count, np.int64)
    return PlacementProblem(
        topology=topology,
        room=lengths.room,
        packing=packed,
        cost=link_cost(catalog, lengths, objective, longest_mm, interior),
        swap_class=_swap_class(topology, kin, panel_ports, [*separate, *(limit.routers for limit in spreads)]),
        fixed=np.zeros(topology.router_count, bool) if given is None else given.fixed,
        start=packed.slot_of[packed.cabinet_of],
        missing=None if given is None else np.flatnonzero(given.slot < 0),
        groups_stay=groups == "required" and grouped,
        apart_price=group_price if grouped else 0,
        constant=topology.endpoint_count and topology.endpoint_count * EndpointCost(catalog, lengths, objective, interior).inside,
    )


def _swap_class(topology: Topology, kin: np.ndarray, panel_ports: int | None, sets: Iterable[tuple[int, ...]]) -> np.ndarray:
    """Return the swap class of each router, int64 (R,): swapping routers of one class keeps all limits.

    Routers of one class belong to the same `sets`, so a swap does not change the number of members in a cabinet.
    """
    member = np.zeros((topology.router_count, 0), bool)
    for routers in sets:
        member = np.column_stack([member, np.isin(np.arange(topology.router_count), routers)])
    ports = topology.degree if panel_ports is not None else np.zeros_like(kin)
    return np.unique(np.column_stack([kin, topology.endpoints_of, ports, member]), axis=0, return_inverse=True)[1].ravel()
