"""Placement: routers into cabinets, cabinets into slots; one file per algorithm."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from planner import registry
from planner.floor import Lengths
from planner.model import Catalog, Placement, Topology
from planner.placement._packing import pack
from planner.placement._problem import PlacementProblem
from planner.pricelist import price_list
from planner.progress import Progress, silent
from planner.reading import arguments


def place(
    topology: Topology,
    catalog: Catalog,
    lengths: Lengths,
    *,
    seed: int,
    progress: Progress = silent,
    algorithm: str = "anneal",
    objective: Literal["price", "length"] = "price",
    groups: Literal["together", "free"] = "together",
    **parameters: Any,
) -> Placement:
    """Pack the routers into cabinets and place the cabinets.

    Parameters
    ----------
    topology, catalog, lengths, seed, progress
        Supplied by the flow.
    algorithm
        File name of the algorithm, or a dotted name of your own.
    objective
        What a link between two slots costs: the price of the cheapest cable that is long enough,
        with the labour to lay it, or its run length.
    groups
        Whether a group that fits into one cabinet must stay there; see `planner.placement._packing.pack`.
    **parameters
        Parameters of the algorithm; see ``planner list placement``.

    Raises
    ------
    InputError
        When there is no such algorithm or its parameters are not valid.
    Infeasible
        When the room cannot hold the network; the message names the limit that binds.
    """
    run = registry.function("placement", algorithm)
    checked = arguments(run, data=parameters, owner=algorithm, given=registry.KINDS["placement"].given)
    return run(problem(topology, catalog, lengths, objective, groups), seed=seed, progress=progress, **checked)


def problem(topology: Topology, catalog: Catalog, lengths: Lengths, objective: str, groups: str) -> PlacementProblem:
    """Pack, and return the problem that is left for the algorithms."""
    packing = pack(topology, lengths.room, catalog, groups)
    endpoints = topology.endpoints_of
    kin = topology.group[:, 0] if groups == "together" and topology.group.shape[1] else np.zeros_like(endpoints)
    return PlacementProblem(
        topology=topology,
        room=lengths.room,
        packing=packing,
        slots=packing.usable,
        cost=link_cost(catalog, lengths, objective),
        unit="cents" if objective == "price" else "mm",
        swap_class=np.unique(np.column_stack([kin, endpoints]), axis=0, return_inverse=True)[1].ravel(),
    )


def link_cost(catalog: Catalog, lengths: Lengths, objective: str) -> np.ndarray:
    """Return what a link between two slots costs, int64 (S, S), for a router at the top of each cabinet."""
    units = catalog.router.units
    run = lengths.slot_run_mm(catalog.cabinet.units - units + 1 - units, units)
    if objective == "length":
        return run
    labour = catalog.labour
    cost = price_list(catalog.link_assemblies).price_of(run)
    between = ~np.eye(len(run), dtype=bool)
    cost += np.where(between, labour.between_cabinets_cents, labour.in_cabinet_cents)
    return cost + run * labour.pull_cents_per_m // 1000
