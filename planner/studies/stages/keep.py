"""The stage `kept`."""

from __future__ import annotations

from dataclasses import replace

from planner.core.errors import InputError
from planner.core.section import Section
from planner.design.keep import keep, kept
from planner.design.keep.fits import shown
from planner.domain.model import Kept
from planner.hall.floor.existing.examine import examine
from planner.studies.old_plans import read
from planner.studies.stage import Run, Stage


def _kept(run: Run) -> Kept:
    given = dict(run.arguments("keep"))
    # The topology has grown already.
    given.pop("growth")
    found = kept(read(given.pop("plan")), run.inventory, run.room, **given)
    existing = run.room.existing
    try:
        # What must not move is checked like other devices that must not.
        examine(replace(run.room, existing=replace(existing, fixed=found.fixed)), run.catalog, run.inventory)
    except InputError as error:
        remedies = ((each, each.remedy.replace("from fixed", "by [keep] movable")) for each in error.problems)
        problems = [replace(each, place="plan", file="", remedy=remedy) for each, remedy in remedies]
        raise InputError(shown(problems, "places like these")) from None
    return found


STAGES = (
    Stage(
        record=Kept,
        run=_kept,
        rank=36,
        section=Section("keep", (keep,), optional=True),
        is_input=True,
        # The kept plan may be a folder, and is quick to read.
        stored=False,
        seeded=False,
    ),
)
