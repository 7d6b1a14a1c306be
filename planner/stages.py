"""All stages, found in the folders that declare them, in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from planner.errors import CheckFailed, InputError, Problem, suggestion
from planner.section import Section
from planner.stage import Stage, Study


def _declared() -> list[Stage]:
    """Return the stages that the folders of this package declare."""
    files = sorted(Path(__file__).parent.glob("*/_stage.py"))
    return [stage for file in files for stage in import_module(f"planner.{file.parent.name}._stage").STAGES]


def ordered(declared: Iterable[Stage]) -> dict[str, Stage]:
    """Return stages by name, each after those that it needs; where needs leave the order open, by rank.

    Raises
    ------
    CheckFailed
        When needs form a cycle, or a stage needs one that is not declared.
    """
    waiting = sorted(declared, key=lambda stage: (stage.rank, stage.name))
    ordered: dict[str, Stage] = {}
    while waiting:
        ready = next((stage for stage in waiting if ordered.keys() >= set(stage.needs)), None)
        if ready is None:
            raise CheckFailed(f"the needs of the stages {', '.join(stage.name for stage in waiting)} cannot be met")
        waiting.remove(ready)
        ordered[ready.name] = ready
    return ordered


STAGES = ordered(_declared())
"""All stages in order; a stage is skipped when the key of all its inputs equals the stored key."""

SECTIONS: dict[str, Section] = {stage.section.name: stage.section for stage in STAGES.values() if stage.section is not None}
"""Sections of a study in order, each with the stage that declares it."""

NETWORK_STAGES = {
    name: replace(stage, needs=stage.network_needs) for name, stage in STAGES.items() if stage.network_needs is not None
}
"""Stages of a network study."""


def stages(study: Study, wanted: Iterable[str] = ()) -> dict[str, Stage]:
    """Return the stages of a study in order: all, or the wanted ones with their dependencies.

    Raises
    ------
    InputError
        When the study has no such stage.
    """
    known = STAGES if study.physical else NETWORK_STAGES
    known = {
        name: stage
        for name, stage in known.items()
        if stage.section is None or not stage.section.optional or stage.section.name in study.sections
    }
    wanted = tuple(wanted)
    if unknown := [name for name in wanted if name not in known]:
        raise InputError(Problem("", f"there is no stage {name!r}", suggestion(name, known)) for name in unknown)
    chosen = set(wanted or known)
    for name in reversed(known):
        if name in chosen:
            chosen |= set(known[name].needs)
    return {name: stage for name, stage in known.items() if name in chosen}
