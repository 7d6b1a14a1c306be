"""The stage `inventory`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from planner.catalog._stage import devices_of, join, rows_of
from planner.errors import InputError, Problem
from planner.inventory import inventory
from planner.inventory.built import Built
from planner.inventory.kept_names import kept_names
from planner.inventory.replaced import of_one_network
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
from planner.keep import Old, Replacement, read
from planner.model import Inventory
from planner.parts import Row
from planner.section import Section
from planner.stage import Run, Stage
from planner.topology._stage import SECTION, endpoints


def _inventory(run: Run) -> Inventory:
    study, keep = run.study, run.arguments("keep")
    old = read(keep["plan"]) if keep else None
    if not study.networks:
        found = inventory(run.topology, run.catalog)
        if old is None:
            return found
        found = replace(found, names=kept_names(found, old.devices, old.inventory))
        try:
            own = of_one_network(found, _parts(keep["replace"], old), devices_of(run), join(run), _joining(run))
        except InputError as error:
            raise error.located(study.file, lines=study.lines) from None
        stated = {row.id for row in run.catalog.rows}
        return replace(own, rows=tuple(row for row in own.rows if row.id not in stated))
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
        _joining(run),
        units=units,
        power_mw=int(run.room.power_left_mw.max()),
        built=None if old is None else Built(old.cabinets, old.far, old.inventory, keep["overflow"]),
        wanted=None if old is None else _parts(keep["replace"], old),
    )


def _joining(run: Run) -> dict[str, Row]:
    """Return the catalog rows that cables are made of, by id."""
    return {part.id: part for kind in ("cable", "breakout", "transceiver", "fiber") for part in rows_of(run, kind)}


def _parts(replacements: Sequence[Replacement], old: Old) -> dict[str, tuple[str, str]]:
    """Return the part of each device of a kept plan, or of the one that replaces it, and the place of its key."""
    built = {each.name: (each.part, "keep.plan") for each in old.devices.values() if each.part}
    return built | {
        name: (each.part, f"keep.replace.{number}.part") for number, each in enumerate(replacements) for name in each.devices
    }


def _between(sections: Mapping[str, Any]) -> list[Problem]:
    return [*between(sections)] if "network" in sections else []


STAGES = (
    Stage(
        record=Inventory,
        run=_inventory,
        rank=35,
        needs=("topology", "catalog"),
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
        attached_needs=("room",),
    ),
)
