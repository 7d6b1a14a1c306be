"""All stages in order; each file declares one or two, and joins a function of another package to the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from planner.core.errors import CheckFailed, InputError, Problem, suggestion
from planner.core.section import Section
from planner.studies.stage import Stage, Study


def _declared() -> list[Stage]:
    """Return the stages that the files of this folder declare."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__")
    found = [stage for name in names for stage in import_module(f"{__name__}.{name}").STAGES]
    return [replace(stage, needs=stage.record.needs) for stage in found]


def ordered(named: Mapping[str, Stage]) -> dict[str, Stage]:
    """Return stages by name, each after those that it needs; where needs leave the order open, by rank and in the given order.

    Raises
    ------
    CheckFailed
        When needs form a cycle, or a stage needs one that is not declared.
    """
    waiting = sorted(named, key=lambda name: named[name].rank)
    ordered: dict[str, Stage] = {}
    while waiting:
        ready = next((name for name in waiting if ordered.keys() >= set(named[name].needs)), None)
        if ready is None:
            raise CheckFailed(f"the needs of the stages {', '.join(waiting)} cannot be met")
        waiting.remove(ready)
        ordered[ready] = named[ready]
    return ordered


STAGES = ordered({stage.name: stage for stage in sorted(_declared(), key=lambda stage: stage.name)})
"""All stages in order; a stage is skipped when the key of all its inputs equals the stored key."""

SECTIONS: dict[str, Section] = {section.name: section for stage in STAGES.values() for section in stage.declared}
"""Sections of a study in order, each with the stage that declares it."""

NETWORK_STAGES = {
    name: replace(stage, needs=needs) for name, stage in STAGES.items() if (needs := stage.record.network_needs) is not None
}
"""Stages of a network study."""


def _of_networks(known: dict[str, Stage], study: Study) -> dict[str, Stage]:
    """Return the stages of a study with several networks: those of each network, with the name of the network after theirs."""
    several: dict[str, Stage] = {}
    names = study.network_names

    def seen_by(stage: Stage, number: int) -> Stage:
        mark = f"@{names[number]}" if number else ""
        needs = ((need, known[need].of_each_network) for need in stage.needs)
        return replace(stage, needs=tuple(need + mark if each else need for need, each in needs), network=number)

    for name, stage in known.items():
        if stage.of_each_network:
            several |= {name + (f"@{network}" if number else ""): seen_by(stage, number) for number, network in enumerate(names)}
        else:
            one = seen_by(stage, study.network_of(name) if stage.of_one_network else 0)
            others = tuple(f"{need}@{network}" for need in stage.of_all_networks for network in names[1:])
            several[name] = replace(one, needs=(*one.needs, *others))
    return ordered(several)


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
    for name, stage in known.items():
        needs = stage.needs if stage.attached_needs is None or not study.networks else stage.attached_needs
        known[name] = replace(stage, needs=(*needs, *known.keys() & {*stage.optional_needs}))
    if study.networks:
        known = _of_networks(known, study)
    wanted = tuple(wanted)
    if unknown := [name for name in wanted if name not in known]:
        raise InputError(Problem("", f"there is no stage {name!r}", suggestion(name, known)) for name in unknown)
    chosen = set(wanted or known)
    for name in reversed(known):
        if name in chosen:
            chosen |= set(known[name].needs)
    return {name: stage for name, stage in known.items() if name in chosen}
