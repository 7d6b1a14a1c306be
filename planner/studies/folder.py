"""Storage of a plan's stages: a folder with one file per stage that stays consistent if a process is killed."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path
from typing import Any, Protocol

from planner.core import storage, version
from planner.core.errors import InputError
from planner.core.record import Record
from planner.domain import stored
from planner.studies.stage import Stage, Study
from planner.studies.stages import stages

_PROCESSES = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
"""Processes that may have computed a stage; a forked one shares the memory of this one."""

_MB = 2**20 if sys.platform == "darwin" else 2**10
"""A megabyte in the unit in which the system states the peak of memory: bytes on macOS, kilobytes on Linux."""


class Store(Protocol):
    """Storage of finished stages for reuse."""

    def find(self, name: str, stage: Stage, key: str) -> Record | None:
        """Return the record stored under a key, if any."""

    def reuse(self, name: str) -> None:
        """Note that the record found for a stage is part of the plan; `find` may have run in another process."""

    def keep(self, name: str, record: Record, key: str, seconds: float) -> None:
        """Store the record of a stage and its run time."""


class Folder:
    """The store of one plan: a folder with a file for each stage, and ``provenance.json``.

    A record is written before its entry in ``provenance.json``, each atomically. If a process is killed between the two, record
    and entry differ: `planner.domain.stored.restore` rejects the plan, and the next run recomputes the stage. Entries of stages
    that a run has not reached remain valid as long as all earlier stages are unchanged; otherwise they move to ``earlier``, where
    only the next run looks them up.
    """

    def __init__(self, out: Path, study: Study, resume: bool) -> None:
        self.out, self.study = out, study
        origin = stored.provenance(out) if resume else {}
        known, before = stages(study), origin.get("stages", {})
        self.valid = {name: before[name] for name in known if name in before}
        self.earlier = origin.get("earlier", {}) | before
        self.stages: dict[str, dict[str, Any]] = {}
        self.unwritten: dict[str, Record] | None = {}

    def find(self, name: str, stage: Stage, key: str) -> Record | None:
        before, path = self.earlier.get(name, {}), self.out / f"{name}.npz"
        if before.get("key") != key or not path.is_file():
            return None
        try:
            record = storage.restore(stage.record, path)
        except InputError:
            return None
        return record if record.fingerprint == before["fingerprint"] else None

    def reuse(self, name: str) -> None:
        self._enter(name, self.earlier[name])

    def keep(self, name: str, record: Record, key: str, seconds: float) -> None:
        entry = {
            "fingerprint": record.fingerprint,
            "key": key if getattr(record, "complete", True) else "",
            "seconds": round(seconds, 3),
            "peak_mb": max(resource.getrusage(whose).ru_maxrss for whose in _PROCESSES) // _MB,
        }
        self._enter(name, entry)
        if self.unwritten is not None:
            self.unwritten[name] = record
        else:
            storage.save(record, self.out / f"{name}.npz")
            self.note()

    def open(self) -> None:
        """Start writing; call once the study has been checked."""
        records, self.unwritten = self.unwritten or {}, None
        for name, record in records.items():
            storage.save(record, self.out / f"{name}.npz")
        if records:
            self.note()

    def close(self) -> None:
        """Remove stages that were not reached from the plan."""
        self.valid = {}
        self.note()

    def note(self) -> None:
        """Write ``provenance.json``."""
        stages = {name: entry for name, entry in self.valid.items() if name not in self.stages} | self.stages
        content = {
            "file": self._study_file(),
            "study": self.study.expanded(),
            "stages": stages,
            "earlier": {name: entry for name, entry in self.earlier.items() if name not in stages},
            "plan": stored.fingerprint(stages),
            **version.versions(),
        }
        storage.write_json(content, self.out / "provenance.json")

    def _study_file(self) -> str:
        """Return the path of the study relative to the folder; empty where it is not from a file."""
        try:
            return Path(os.path.relpath(self.study.file, self.out)).as_posix() if self.study.file else ""
        except ValueError:
            # On another drive.
            return ""

    def _enter(self, name: str, entry: dict[str, Any]) -> None:
        self.stages[name] = entry
        before = self.valid.get(name, {})
        if any(entry[part] != before.get(part) for part in ("key", "fingerprint")):
            self.valid = {}


class ReadOnlyFolder(Folder):
    """A plan's folder that is read and never written."""

    def keep(self, name: str, record: Record, key: str, seconds: float) -> None:
        pass
