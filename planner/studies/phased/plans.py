"""The plans of all phases: one placement, then each phase around what it shares with the next one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from planner.core import storage, version
from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.core.record import plain
from planner.design.placement import Phasing, place
from planner.domain.model import Placement, Plan
from planner.hall.floor import Lengths
from planner.network.growth import Growth
from planner.network.growth.ports import ordered_backward
from planner.studies import growing, pipeline
from planner.studies.phased import folders
from planner.studies.phased.networks import Networks, networks, union
from planner.studies.phased.reservations import reservations
from planner.studies.phased.steps import PhaseStep, steps_of
from planner.studies.stage import Study
from planner.studies.stages import stages
from planner.studies.study import load

PLACED, SUMMARY = "placement.npz", "phases.json"
"""Files of a study with phases: the placement of the last phase's devices, and the figures of all phases and steps."""


@dataclass(frozen=True, eq=False)
class Phases:
    """The plans of all phases.

    Attributes
    ----------
    study
        The study.
    growth
        The networks, and what each step moves.
    placed
        The placement of the last phase's devices for all phases; None for a study without room.
    plans
        Plan of each phase.
    alone
        Plan of each phase with the same network, alone in the empty room; empty where the study does not want them.
    """

    study: Study
    growth: Growth
    placed: Placement | None
    plans: tuple[Plan, ...]
    alone: tuple[Plan, ...]

    @property
    def name(self) -> str:
        """Name of the study."""
        return self.plans[-1].name.removesuffix(f"-{self.names[-1]}")

    @property
    def title(self) -> str:
        """Title of the study."""
        return self.plans[-1].title.removesuffix(f", {self.names[-1]}")

    @property
    def names(self) -> tuple[str, ...]:
        return self.growth.names

    @cached_property
    def steps(self) -> tuple[PhaseStep, ...]:
        """Each phase with what it changes and costs."""
        return steps_of(self.growth, self.plans, self.alone, self.study.growth)

    @property
    def cost_cents(self) -> int | None:
        """Price of all phases: the first one, and the change to each later one; None without bills."""
        return _total(step.cost_cents for step in self.steps)

    @property
    def alone_cents(self) -> int | None:
        """The same if each phase is planned alone; None where that was not planned."""
        return _total(step.alone_cents for step in self.steps)


def _total(cents: Iterator[int | None]) -> int | None:
    given = list(cents)
    return None if None in given else sum(each for each in given if each is not None)


def phased(
    study: Study | str | Path,
    *,
    out: Path | str | None = None,
    until: str | None = "bill",
    progress: Progress = silent,
    executor: Any = None,
    resume: bool = True,
) -> Phases:
    """Plan all phases of a study.

    Parameters
    ----------
    study
        A study with ``[[phase]]``, or its path.
    out
        Output folder, with a folder for each phase; by default a temporary one, which is removed.
    until
        Last stage of the computation of each plan (see `planner.studies.stages.STAGES`); None for complete plans with their
        reports.
    progress
        Progress callback: one entry for each phase of the machine.
    executor, resume
        As for `planner.studies.pipeline.run`.

    Raises
    ------
    InputError
        With the problems of all phases; nothing is written.
    Infeasible
        When the room cannot hold the last phase.
    """
    study = study if isinstance(study, Study) else load(study)
    if out is not None:
        _require_folders(study, Path(out))
    found = networks(study, progress=progress, executor=executor)
    with _folder(out) as folder:
        return _planned(study, found, folder, until, progress, executor, resume)


def _require_folders(study: Study, out: Path) -> None:
    """Require that no file has the name of a phase's folder."""
    problems = [
        Problem(f"phase.{number}.name", f"{name!r} is a file in {out}", "name the phase otherwise, or move the file")
        for number, name in enumerate(study.phases)
        if (out / name).exists() and not (out / name).is_dir()
    ]
    if problems:
        raise InputError(problems).located(study.file, lines=study.lines)


@contextmanager
def _folder(out: Path | str | None) -> Iterator[Path]:
    if out is not None:
        yield Path(out)
    else:
        with TemporaryDirectory() as name:
            yield Path(name)


def _planned(
    study: Study, found: Networks, out: Path, until: str | None, progress: Progress, executor: Any, resume: bool
) -> Phases:
    growth, names = found.growth, found.growth.names
    last = until if study.physical else (until if until in stages(study) else None)
    options = {"until": last, "executor": executor, "resume": resume}
    if not study.physical:
        only = [
            _run(folders.of_network(one, out / name, network), out / name, progress, name, options)
            for (name, one), network in zip(study.phases.items(), growth.networks, strict=True)
        ]
        return Phases(study, growth, None, tuple(only), ())
    placed = _together(study, found, out, progress, resume)
    slot = placed.slot[: growth.networks[-1].router_count]
    nets = ordered_backward(growth.networks, growth.steps, growth.windows)
    plans: list[Plan] = []
    for number in reversed(range(len(names))):
        name, folder = names[number], out / names[number]
        later = {each: out / each for each in names[number + 1 :]}
        existing = None
        if plans:
            given = study.phases[name].expanded()["room"].get("existing") or {}
            existing = reservations(growth, number, plans, given)
        own = folders.written(study.phases[name], folder, nets[number], slot, found.run.room, existing=existing, later=later)
        plans.insert(0, _run(own, folder, progress, name, options))
    alone = []
    if study.growth["alone"]:
        for name, network in zip(names, nets, strict=True):
            folder = out / growing.ALONE / name
            own = folders.alone(study.phases[name], folder, network)
            alone.append(_run(own, folder, progress, f"{name} alone", options | {"until": "bill"}))
    return Phases(study, growth, placed, tuple(plans), tuple(alone))


def _run(study: Study, folder: Path, progress: Progress, name: str, given: dict[str, Any]) -> Plan:
    """Run the study of a phase; its progress is one entry, in stages of the computation."""
    count = len(stages(study))
    started: dict[str, int] = {}

    def shown(stage: str, done: int, total: int, **facts: Any) -> None:
        started.setdefault(stage, len(started))
        progress(name, min(started[stage], count), count, now=stage)

    plan = pipeline.run(study, out=folder, progress=shown, **given)
    progress(name, count, count, now="done")
    return plan


def _together(study: Study, found: Networks, out: Path, progress: Progress, resume: bool) -> Placement:
    """Place the devices of the last phase for all phases, or take the stored placement of the same input."""
    run, growth = found.run, found.growth
    arguments = dict(run.arguments("placement")) | {"endpoints": "together", "front": 0}
    flow_of_all = union(growth, study.growth["weights"], arguments["objective"])
    slack = run.arguments("cabling")["slack"]
    inputs: list[Any] = [network.fingerprint for network in (*growth.networks, flow_of_all)]
    inputs += [run.room.fingerprint, run.catalog.fingerprint, version.source(), study.seed]
    text = json.dumps([inputs, plain(arguments), plain(slack)], sort_keys=True, default=str)
    key = hashlib.sha256(text.encode()).hexdigest()[:16]
    if resume and (stored := _stored(out, key)) is not None:
        progress("placement", 1, 1, stored=True)
        return stored
    lengths = Lengths(run.room, run.catalog.cabinet, slack)
    phasing = Phasing(growth.networks, flow_of_all)
    placed = place(growth.networks[-1], run.catalog, lengths, seed=study.seed, progress=progress, phasing=phasing, **arguments)
    out.mkdir(parents=True, exist_ok=True)
    storage.save(placed, out / PLACED)
    storage.write_json({"key": key if placed.complete else "", "fingerprint": placed.fingerprint}, out / "placement.json")
    return placed


def _stored(out: Path, key: str) -> Placement | None:
    """Return the stored placement with this key; None if there is none."""
    try:
        entry = json.loads((out / "placement.json").read_text(encoding="utf-8"))
        found = storage.restore(Placement, out / PLACED)
    except (OSError, ValueError, InputError):
        return None
    same = isinstance(entry, dict) and entry.get("key") == key and entry.get("fingerprint") == found.fingerprint
    return found if same else None
