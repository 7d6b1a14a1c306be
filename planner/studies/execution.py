"""Execution of stages: each is loaded from the store or computed as soon as its needs are met."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, is_dataclass
from pathlib import Path
from typing import Any

from planner import kernels
from planner.core import version
from planner.core.errors import InputError
from planner.core.executors.forks import Forks
from planner.core.progress import Progress
from planner.core.record import Record, plain
from planner.core.registry import plugin_files
from planner.studies.folder import Store
from planner.studies.identity import digest
from planner.studies.stage import Run, Stage
from planner.studies.study import Study


def begun(study: Study, progress: Progress, executor: Any) -> Run:
    """Return the state of a run before its first stage; on forked processes progress comes from them."""
    if not isinstance(executor, Forks):
        return Run(study, progress, executor)
    return Run(study, executor.relayed(progress), executor, side_by_side=executor.map)


def advance_all(state: Run, todo: Mapping[str, Stage], store: Store | None, *, partial: bool = True) -> None:
    """Run the stages whose records are missing: on forked processes each as soon as those that it needs are finished.

    Raises
    ------
    KeyboardInterrupt
        Without `partial` also when a stage was interrupted and returned its best result.
    """
    missing = {name: stage for name, stage in todo.items() if name not in state.records}
    for name, found in _found(state, missing, store):
        _take(state, name, found, store)
        if not (partial or getattr(found.record, "complete", True)):
            raise KeyboardInterrupt


def _found(state: Run, missing: Mapping[str, Stage], store: Store | None) -> Iterator[tuple[str, _Found]]:
    """Yield the records of stages as they are finished; the caller takes each before the next one."""
    if not isinstance(state.executor, Forks):
        for name, stage in missing.items():
            yield name, _find(state, name, stage, store)
        return
    kernels.load()
    # The last of a long chain ends last, and stages late in order are mostly searches and simulations: both start early.
    behind: Counter[str] = Counter()
    for name in reversed(list(missing)):
        for need in missing[name].needs:
            behind[need] = max(behind[need], behind[name] + 1)
    first = sorted(missing, key=lambda name: (missing[name].last, -behind[name], -missing[name].rank))
    before = [name for name in first if not missing[name].last]
    needs = {name: before if missing[name].last else missing[name].needs for name in first}
    with closing(state.executor.following(lambda name: _find(state, name, missing[name], store), needs)) as outcomes:
        for name, outcome in outcomes:
            yield name, outcome.result()


def advance(state: Run, name: str, stage: Stage, store: Store | None) -> None:
    """Load the record of a stage from the store, or compute and store it."""
    _take(state, name, _find(state, name, stage, store), store)


@dataclass(frozen=True)
class _Found:
    """The record of a stage, loaded or computed, the key of its inputs, and the drafts that it computed for later stages."""

    record: Record
    key: str
    seconds: float = 0.0
    stored: bool = False
    drafts: Mapping[str, Record] = field(default_factory=dict)


def _find(state: Run, name: str, stage: Stage, store: Store | None) -> _Found:
    """Load the record of a stage, or compute it."""
    key = _key(state, name, stage) if store is not None else ""
    if store is not None and stage.stored and (record := store.find(name, stage, key)) is not None:
        state.progress(name, 1, 1, stored=True)
        return _Found(record, key, stored=True)
    started, known = time.perf_counter(), set(state.drafts)
    state.progress(name, 0, 0)
    try:
        record = stage.run(state.of(stage.network))
    except InputError as error:
        # Stages that read the tables of several networks name a place in full.
        tables = state.study.networks and stage.attached_needs
        section = stage.sections[0] if stage.sections and not tables else ""
        raise error.located(state.study.file, section, state.study.lines) from None
    state.progress(name, 1, 1)
    drafts = {place: each for place, each in state.drafts.items() if place not in known}
    return _Found(record, key, time.perf_counter() - started, drafts=drafts)


def _take(state: Run, name: str, found: _Found, store: Store | None) -> None:
    """Enter the record of a stage and its drafts, and store the record."""
    state.records[name] = found.record
    # Those of a forked process: the stages after it run in others.
    state.drafts.update(found.drafts)
    if found.stored and store is not None:
        store.reuse(name)
    elif store is not None:
        store.keep(name, found.record, found.key, found.seconds)


def _key(state: Run, name: str, stage: Stage) -> str:
    own = state.of(stage.network)
    # Nodes are attached, and their ports joined, as the rows of the catalog have it.
    names = (*stage.sections, *(("catalog",) if stage.attached_needs and state.study.networks else ()))
    sections = {name: plain(own.arguments(name)) for name in names}
    inputs = {need: state.records[need].fingerprint for need in stage.needs}
    files = {str(path): digest(path) for section in stage.sections for path in _paths(own.arguments(section))}
    files |= {module: digest(path) for module, path in plugin_files(sections).items()}
    if "catalog" in names:
        files |= {name: digest(state.study.base / name) for name in state.arguments("catalog")["files"]}
    text = json.dumps([name, version.source(), state.study.seed if stage.seeded else 0, sections, inputs, files], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _paths(given: Any) -> Iterator[Path]:
    """Yield the paths in the arguments of a section, including those of its elements."""
    if isinstance(given, dict):
        for value in given.values():
            yield from _paths(value)
    elif isinstance(given, tuple):
        for value in given:
            yield from _paths(value)
    elif is_dataclass(given):
        yield from _paths(vars(given))
    elif isinstance(given, Path):
        yield given
