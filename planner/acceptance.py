"""What is wrong with a study beyond its text: everything that catalog, network and room show is found before work begins."""

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
"""The stages that only read: nothing is written before all of them are accepted."""


def problems(run: Run) -> list[Problem]:
    """Return what is wrong with the sections of a study whose catalog, network and room are read.

    What needs one of these that could not be read is left out.
    """
    found: list[Problem] = []
    for section, check in _checks(run):
        try:
            check()
        except InputError as error:
            found += error.located(run.study.file, section, run.study.lines).problems
    return found


def _checks(run: Run) -> Iterator[tuple[str, Callable[[], Any]]]:
    """A check of each section that can be made."""
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
