"""Checks of a study that need its catalog, network and room, made before any computation starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from planner import cabling, latency, placement
from planner.catalog import rows
from planner.errors import InputError, Problem
from planner.simulation import examine
from planner.stages import Run, catalog_files, network_arguments
from planner.study import SIMULATIONS, reports

INPUTS = ("catalog", "topology", "room")
"""Stages that only read input; nothing is written before they succeed."""


def problems(run: Run) -> list[Problem]:
    """Return all problems in the sections of a study after reading catalog, network and room.

    Checks that need an input that could not be read are skipped.
    """
    found: list[Problem] = []
    for section, check in _checks(run):
        try:
            check()
        except InputError as error:
            found += error.located(run.study.file, section, run.study.lines).problems
    return found


def _checks(run: Run) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield section and check for all inputs that are available."""
    known = run.records
    if {"topology", "room"} <= known.keys():
        yield "placement", lambda: placement.examine(run.topology, run.room, **run.arguments("placement"))
        if "catalog" in known:
            yield "cabling", lambda: cabling.examine(run.topology, run.catalog, run.room, **run.arguments("cabling"))
    if run.study.physical:
        yield "latency", lambda: latency.examine(run.arguments("latency")["fec"], rows("delay_model", catalog_files(run)))
        yield "report", lambda: _reports(run)
    if "topology" in known and ("catalog" in known or not run.study.physical):
        for section, check in (("simulation", examine.simulation), ("workload", examine.workload)):
            if section in SIMULATIONS and section in run.study.sections:
                yield (
                    section,
                    lambda section=section, check=check: check(
                        **network_arguments(run), seed=run.study.seed, **run.arguments(section)
                    ),
                )


def _reports(run: Run) -> None:
    from planner import report

    known: Mapping[str, tuple[str, ...]] = {"stage": cabling.STAGES}
    if "room" in run.records:
        known = {"cabinet": run.room.slot_names, "row": run.room.row_names, **known}
    report.examine(reports(run.arguments("report")), known, run.arguments("work")["crews"])
