"""Checks of a study that need its catalog, network and room, made before any computation starts."""

from __future__ import annotations

from collections.abc import Mapping

from planner.core.errors import InputError, Problem
from planner.design import cabling
from planner.domain.model import PATCHING
from planner.studies.stage import Missing, Run
from planner.studies.stages import stages
from planner.studies.study import PROJECT, REPORT, reports


def problems(run: Run) -> list[Problem]:
    """Return all problems in the sections of a study after reading catalog, network and room.

    Checks that need an input that could not be read are skipped.
    """
    checks = [
        (stage.sections[0], stage.examine, stage.network) for stage in stages(run.study).values() if stage.examine is not None
    ]
    if run.study.physical:
        checks += [(REPORT, _reports, 0), (PROJECT, _project, 0)]
    found: list[Problem] = []
    for section, check, network in checks:
        try:
            check(run.of(network))
        except Missing:
            continue
        except InputError as error:
            found += error.located(run.study.file, section, run.study.lines).problems
    return found


def _reports(run: Run) -> None:
    from planner import formats

    known_stages = (*cabling.STAGES, PATCHING)
    known: Mapping[str, tuple[str, ...]] = {"stage": known_stages, "network": tuple(filter(None, run.study.network_names))}
    if "room" in run.records:
        known = {"cabinet": run.room.slot_names, "row": run.room.row_names, **known}
    formats.examine(reports(run.arguments(REPORT)), known, run.arguments("work")["crews"])


def _project(run: Run) -> None:
    from planner import formats

    formats.examine_older_plan(run.arguments(PROJECT).get("since"))
