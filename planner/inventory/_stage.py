"""The stage `inventory`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from planner.catalog._stage import devices_of, join, rows_of
from planner.errors import Problem
from planner.inventory import inventory
from planner.inventory.several import several
from planner.inventory.tables import (
    between,
    cabinet_sets,
    checked_cabinets,
    checked_networks,
    checked_nodes,
    networks,
    nodes,
)
from planner.model import Inventory
from planner.section import Section
from planner.stage import Run, Stage
from planner.topology._stage import SECTION, endpoints


def _inventory(run: Run) -> Inventory:
    study = run.study
    if not study.networks:
        return inventory(run.topology, run.catalog)
    interior = run.arguments("placement")["interior"]
    low, high = interior.span(run.catalog)
    units = high - low + 1 - run.room.existing.keep_free.of("units", run.catalog.cabinet.units)
    return several(
        study.networks,
        study.sections["node"]["node"],
        run.arguments("cabinets").get("cabinets", ()),
        [run.of(number).topology for number in range(len(study.networks))],
        [endpoints(run, number) for number in range(len(study.networks))],
        run.catalog,
        {name: replace(part, units=units) if part.freestanding else part for name, part in devices_of(run).items()},
        join(run),
        {part.id: part for kind in ("cable", "breakout", "transceiver", "fiber") for part in rows_of(run, kind)},
        units=units,
        power_mw=int(run.room.power_left_mw.max()),
    )


def _between(sections: Mapping[str, Any]) -> list[Problem]:
    return [*between(sections)] if "network" in sections else []


STAGES = (
    Stage(
        record=Inventory,
        run=_inventory,
        rank=35,
        needs=("topology", "catalog"),
        reads=("placement",),
        is_input=True,
        seeded=False,
        tables=(
            Section("network", (networks,), optional=True, is_list=True, finish=lambda given: checked_networks(given, SECTION)),
            Section("node", (nodes,), optional=True, is_list=True, finish=checked_nodes),
            Section("cabinets", (cabinet_sets,), optional=True, is_list=True, finish=checked_cabinets),
        ),
        between=_between,
        of_all_networks=("topology",),
        attached_needs=("room",),
    ),
)
