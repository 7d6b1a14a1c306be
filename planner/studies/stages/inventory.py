"""The stage `inventory`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

from planner.core.errors import InputError, Problem
from planner.core.section import Section
from planner.design.inventory import inventory
from planner.design.inventory.kept_names import kept_names
from planner.design.inventory.replaced import of_one_network
from planner.design.inventory.several import several
from planner.design.inventory.tables import (
    between,
    cabinet_sets,
    checked_cabinets,
    checked_networks,
    checked_nodes,
    networks,
    nodes,
)
from planner.domain.model import Inventory
from planner.domain.parts import Row
from planner.studies.old_plans import read
from planner.studies.stage import Run, Stage
from planner.studies.stages.catalog import devices_of, join, rows_of
from planner.studies.stages.topology import SECTION, bare, endpoints, placed


def _inventory(run: Run) -> Inventory:
    study, keep = run.study, run.arguments("keep")
    old = read(keep["plan"]) if keep else None
    if not study.networks:
        found = inventory(run.topology, run.catalog)
        if old is None:
            return found
        found = replace(found, names=kept_names(found, old.devices, old.inventory))
        try:
            own = of_one_network(found, old.parts(keep["replace"]), devices_of(run), join(run), _joining(run))
        except InputError as error:
            raise error.located(study.file, lines=study.lines) from None
        stated = {row.id for row in run.catalog.rows}
        return replace(own, rows=tuple(row for row in own.rows if row.id not in stated))
    graph = cache(partial(bare, run))
    return several(
        study.networks,
        study.nodes,
        [run.of(number).topology for number in range(len(study.networks))],
        [endpoints(run, number) for number in range(len(study.networks))],
        placed(run, graph),
        devices_of(run),
        join(run),
        _joining(run),
        wanted=None if old is None else old.parts(keep["replace"]),
    )


def _joining(run: Run) -> dict[str, Row]:
    """Return the catalog rows that cables are made of, by id."""
    return {part.id: part for kind in ("cable", "breakout", "transceiver", "fiber") for part in rows_of(run, kind)}


def _between(sections: Mapping[str, Any]) -> list[Problem]:
    return [*between(sections)] if "network" in sections else []


STAGES = (
    Stage(
        record=Inventory,
        run=_inventory,
        rank=35,
        reads=("placement", "keep"),
        is_input=True,
        seeded=False,
        tables=(
            Section("network", (networks,), optional=True, is_list=True, finish=lambda given: checked_networks(given, SECTION)),
            Section("node", (nodes,), optional=True, is_list=True, finish=checked_nodes),
            Section("cabinets", (cabinet_sets,), optional=True, is_list=True, finish=checked_cabinets),
        ),
        between=_between,
        of_all_networks=("topology",),
        attached_needs=("topology", "catalog", "room"),
    ),
)
