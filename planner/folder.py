"""Where a plan's stages are stored: a folder with a file for each, of which no death spoils anything."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Any, Protocol

from planner import provenance, storage
from planner.errors import InputError
from planner.record import Record
from planner.stages import Stage, stages
from planner.study import Study


class Store(Protocol):
    """Where finished stages are kept, so that they need not be made again."""

    def find(self, name: str, stage: Stage, key: str) -> Record | None:
        """Return the record that was kept under a key, if any."""

    def keep(self, name: str, record: Record, key: str, seconds: float) -> None:
        """Keep the record of a stage that took so long."""


class Folder:
    """The store of one plan: a folder with a file for each stage, and ``provenance.json``.

    A record is written before the note about it, each under a temporary name. A process that dies between the two leaves a
    record that differs from its note: `planner.flow.restore` refuses it, and the next run makes it again. Notes of stages
    that a run has not reached stay as long as all before them came out as noted; afterwards they move to ``earlier``, where
    the next run still finds them but no report does.
    """

    def __init__(self, out: Path, study: Study, resume: bool) -> None:
        self.out, self.study = out, study
        origin = provenance.read(out) if resume else {}
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
        if record.fingerprint != before["fingerprint"]:
            return None
        self._enter(name, before)
        return record

    def keep(self, name: str, record: Record, key: str, seconds: float) -> None:
        entry = {
            "fingerprint": record.fingerprint,
            "key": key if getattr(record, "complete", True) else "",
            "seconds": round(seconds, 3),
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
        self._enter(name, entry)
        if self.unwritten is not None:
            self.unwritten[name] = record
        else:
            storage.save(record, self.out / f"{name}.npz")
            self.note()

    def open(self) -> None:
        """Begin to write: the study is accepted."""
        records, self.unwritten = self.unwritten or {}, None
        for name, record in records.items():
            storage.save(record, self.out / f"{name}.npz")
        if records:
            self.note()

    def close(self) -> None:
        """Note that the stages that were not reached are no part of the plan."""
        self.valid = {}
        self.note()

    def note(self) -> None:
        """Store what is known about the plan so far."""
        stages = {name: entry for name, entry in self.valid.items() if name not in self.stages} | self.stages
        content = {
            "study": provenance.expanded(self.study),
            "stages": stages,
            "earlier": {name: entry for name, entry in self.earlier.items() if name not in stages},
            "plan": provenance.fingerprint(stages),
            **provenance.versions(),
        }
        storage.write_json(content, self.out / "provenance.json")

    def _enter(self, name: str, entry: dict[str, Any]) -> None:
        self.stages[name] = entry
        before = self.valid.get(name, {})
        if any(entry[part] != before.get(part) for part in ("key", "fingerprint")):
            self.valid = {}


class ReadOnlyFolder(Folder):
    """A plan's folder that is only read."""

    def keep(self, name: str, record: Record, key: str, seconds: float) -> None:
        pass
