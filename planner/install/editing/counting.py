"""The full count: the stages of `planner run` on places that were edited by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from planner.core import registry
from planner.core.progress import Progress, silent
from planner.core.reading import parameters
from planner.design.placement import given, place
from planner.design.placement.given import Places
from planner.domain.model import Placement, Plan
from planner.hall.floor import Lengths
from planner.studies import pipeline
from planner.studies.stage import Study
from planner.studies.stages import stages

BASIS = ("cables", "panels", "latency", "near_misses")
"""Stages whose records a session needs to start."""

COUNTED = (*BASIS, "bundlings", "work", "bill", "cooling", "violations")
"""Stages of a full count; reports, failures and simulations are left to `planner run`."""


def before_places(study: Study) -> set[str]:
    """Return the stages whose records do not depend on places: moves leave them as they are."""
    found: set[str] = set()
    for name, stage in stages(study).items():
        if name != "placement" and found >= set(stage.needs):
            found.add(name)
    return found


def of_all_networks(study: Study, wanted: Iterable[str]) -> list[str]:
    """Return the stages of all networks of a study for some names; a name means the stages of that name of all networks."""
    chosen = set(wanted)
    return [name for name in stages(study) if name.partition("@")[0] in chosen]


def as_given(study: Study) -> dict[str, Any]:
    """Return the section ``[placement]`` for places given by hand, without what only a search has."""
    accepted = {name for function in (place, registry.function("placement", "manual")) for name in parameters(function)}
    kept = {name: each for name, each in study.sections["placement"].items() if name in accepted}
    return kept | {"algorithm": "manual", "layout": None}


def placement(study: Study, plan: Plan, lengths: Lengths, places: Places) -> Placement:
    """Return the placement of a plan with all devices in some places, with its objective."""
    run = {name: arguments for name, arguments in study.sections["placement"].items() if name != "layout"}
    return given.placement(places, plan.topology, plan.inventory, plan.catalog, lengths, **run)


def counted(
    study: Study,
    plan: Plan,
    lengths: Lengths,
    places: Places,
    wanted: Iterable[str] = COUNTED,
    *,
    progress: Progress = silent,
) -> Plan:
    """Return the plan with all devices in some places, by the stages of `planner run`.

    Parameters
    ----------
    plan
        A plan of the study, of which all records are used that do not depend on places.
    wanted
        Names of stages; each means the stages of that name of all networks.

    Raises
    ------
    Infeasible
        When nothing fits.
    """
    stay = before_places(study)
    records = {name: each for name, each in pipeline.records_of(plan).items() if name in stay}
    todo = of_all_networks(study, wanted)
    by_hand = replace(study, sections=study.sections | {"placement": as_given(study)})
    return pipeline.follow(by_hand, records | {"placement": placement(study, plan, lengths, places)}, todo, progress=progress)
