"""The flow: the only place that knows the order of the stages; storage, resuming, provenance."""

from __future__ import annotations

import hashlib
import json
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from planner import provenance, quantities, storage
from planner.bill import bill
from planner.cabling import cable
from planner.catalog import select
from planner.check import check
from planner.errors import InputError, Problem, suggestion
from planner.floor import Lengths, room
from planner.latency import latency
from planner.model import (
    Bill,
    CablePlan,
    Catalog,
    Latency,
    Placement,
    Plan,
    Room,
    SimulationResult,
    Topology,
    Violations,
)
from planner.placement import place
from planner.progress import Progress, silent
from planner.record import Record, plain
from planner.simulation import simulate
from planner.study import Study, load
from planner.topology import build


@dataclass(frozen=True)
class Stage:
    """One stage: the record it makes, the records it needs, the study sections it reads."""

    record: type[Record]
    needs: tuple[str, ...]
    sections: tuple[str, ...]
    run: Callable[[_Run], Record]
    stored: bool = True


@dataclass
class _Run:
    """What a run knows so far."""

    study: Study
    progress: Progress
    executor: Any
    records: dict[str, Record] = field(default_factory=dict)
    stages: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.records[name]
        except KeyError:
            raise AttributeError(name) from None

    def arguments(self, section: str) -> dict[str, Any]:
        return self.study.sections.get(section, {})

    @property
    def lengths(self) -> Lengths:
        return Lengths(self.room, self.catalog.cabinet, self.study.slack)


def _select(run: _Run) -> Catalog:
    arguments = run.arguments("catalog")
    return select(**arguments | {"files": tuple(str(run.study.base / file) for file in arguments["files"])})


def _place(run: _Run) -> Placement:
    return place(run.topology, run.catalog, run.lengths, seed=run.study.seed, progress=run.progress, **run.arguments("placement"))


def _cable(run: _Run) -> CablePlan:
    return cable(run.topology, run.catalog, run.placement, run.lengths, progress=run.progress, **run.arguments("cabling"))


def _simulate(run: _Run) -> SimulationResult:
    return simulate(
        run.topology,
        run.cables.delay_ps,
        router_delay_ps=run.catalog.router.delay_ps,
        rate_gbps=run.catalog.router.rate_gbps,
        seed=run.study.seed,
        progress=run.progress,
        executor=run.executor,
        **run.arguments("simulation"),
    )


STAGES = {
    # Catalogs and rooms are files that may change, and quick to read: they are read on every run.
    "catalog": Stage(Catalog, (), ("catalog",), _select, stored=False),
    "topology": Stage(Topology, (), ("topology",), lambda r: build(**r.arguments("topology"))),
    "room": Stage(
        Room,
        ("topology",),
        ("room",),
        lambda r: room(base=r.study.base, routers=r.topology.router_count, **r.arguments("room")),
        stored=False,
    ),
    "placement": Stage(Placement, ("topology", "catalog", "room"), ("placement", "slack"), _place),
    "cables": Stage(CablePlan, ("topology", "catalog", "room", "placement"), ("cabling", "slack"), _cable),
    "bill": Stage(
        Bill, ("topology", "catalog", "placement", "cables"), (), lambda r: bill(r.topology, r.catalog, r.placement, r.cables)
    ),
    "latency": Stage(
        Latency,
        ("topology", "catalog", "cables"),
        (),
        lambda r: latency(r.topology, r.catalog, r.cables, seed=r.study.seed, progress=r.progress),
    ),
    "simulation": Stage(SimulationResult, ("topology", "catalog", "cables"), ("simulation",), _simulate),
    "violations": Stage(
        Violations,
        ("topology", "catalog", "room", "placement", "cables", "bill"),
        (),
        lambda r: check(Plan(r.study.name, r.study.title, {}, **r.records)),
    ),
}
"""In order. A stage is skipped when the key made of all its inputs equals the stored one."""


def run(
    study: Study | str | Path,
    *,
    out: Path | str | None = None,
    until: str | None = None,
    progress: Progress = silent,
    executor: Any = None,
    resume: bool = True,
) -> Plan:
    """Run a study, store every stage as it finishes, and write its reports.

    Parameters
    ----------
    study
        A study, or the path of a study file or of its folder.
    out
        Folder of the results; by default the study's own folder.
    until
        Name of the last stage to run (see `STAGES`); no reports are written then.
    progress
        Called while stages work.
    executor
        Anything with ``map``, such as a process pool, for independent parts of a stage. The
        results do not depend on it.
    resume
        Whether stored stages with equal inputs are taken over.

    Raises
    ------
    InputError
        When the study, its catalogs or its room are wrong; nothing is written then.
    Infeasible
        When nothing fits; finished stages are kept.
    """
    if not isinstance(study, Study):
        study = load(study)
    if until is not None and until not in STAGES:
        raise InputError(Problem("until", f"there is no stage {until!r}", suggestion(until, STAGES)))
    out = study.base if out is None else Path(out)
    state = _Run(study, progress, executor)
    before = provenance.read(out).get("stages", {}) if resume else {}
    for name, stage in STAGES.items():
        if name != "simulation" or "simulation" in study.sections:
            _advance(state, name, stage, out, before)
            if name != "catalog":
                _keep(state, out)
        if name == until:
            return plan_of(state, out)
    plan = plan_of(state, out)
    if out.resolve() != study.base.resolve():
        provenance.write_study(plan.study, out / "study.toml")
    storage.write_json(plan.quantities, out / "quantities.json")
    storage.write_json({"checked": plan.violations.checked, "items": plan.violations.items}, out / "violations.json")
    write_reports(plan, out, study.sections["report"]["formats"], progress)
    return plan


def write_reports(plan: Plan, out: Path, formats: tuple[str, ...], progress: Progress = silent) -> list[Path]:
    """Write the reports of a plan, each to ``<name>.<format>``; return their paths."""
    from planner import report

    paths = []
    for number, name in enumerate(formats):
        progress("report", number, len(formats), format=name)
        paths.append(report.write(plan, out, name))
    progress("report", len(formats), len(formats))
    return paths


def restore(folder: Path | str) -> Plan:
    """Return the plan that `run` stored in a folder.

    Raises
    ------
    InputError
        When the folder holds no plan, or a damaged one.
    """
    folder = Path(folder)
    origin = provenance.read(folder)
    if "study" not in origin:
        raise InputError(Problem("", "holds no plan", f"run planner run {folder} first", str(folder)))
    records = {}
    for name, stage in STAGES.items():
        if name in origin["stages"]:
            records[name] = storage.restore(stage.record, folder / f"{name}.npz")
    study = origin["study"]
    plan = Plan(study["name"], study["title"], study, **records, provenance=origin)
    return replace(plan, quantities=quantities.measure(plan))


def plan_of(state: _Run, out: Path) -> Plan:
    """Gather what has been made so far."""
    study = provenance.expanded(state.study)
    plan = Plan(study["name"], study["title"], study, **state.records, provenance=provenance.read(out))
    return replace(plan, quantities=quantities.measure(plan))


def _advance(state: _Run, name: str, stage: Stage, out: Path, before: dict[str, Any]) -> None:
    """Take the stage's record from the store, or make and store it."""
    path = out / f"{name}.npz"
    key = _key(state, name, stage)
    if stage.stored and before.get(name, {}).get("key") == key and path.is_file():
        try:
            record = storage.restore(stage.record, path)
        except InputError:
            record = None
        if record is not None and record.fingerprint == before[name]["fingerprint"]:
            state.records[name] = record
            state.stages[name] = before[name]
            state.progress(name, 1, 1, stored=True)
            return
    started = time.perf_counter()
    state.progress(name, 0, 0)
    try:
        record = stage.run(state)
    except InputError as error:
        section = stage.sections[0] if stage.sections else ""
        raise error.located(state.study.file, section, state.study.lines) from None
    state.records[name] = record
    state.progress(name, 1, 1)
    # Nothing is written before catalog, topology and room have all been accepted.
    if "room" in state.records:
        for made in ("catalog", "topology", "room") if name == "room" else (name,):
            storage.save(state.records[made], out / f"{made}.npz")
    state.stages[name] = {
        "fingerprint": record.fingerprint,
        "key": key if getattr(record, "complete", True) else "",
        "seconds": round(time.perf_counter() - started, 3),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _keep(state: _Run, out: Path) -> None:
    """Store what is known about the run so far."""
    if "room" not in state.records:
        return
    content = {
        "study": provenance.expanded(state.study),
        "stages": state.stages,
        "plan": provenance.fingerprint(state.records),
        **provenance.versions(),
    }
    storage.write_json(content, out / "provenance.json")


def _key(state: _Run, name: str, stage: Stage) -> str:
    sections = {s: plain(state.study.slack if s == "slack" else state.arguments(s)) for s in stage.sections}
    inputs = {need: state.records[need].fingerprint for need in stage.needs}
    files = {str(path): _digest(path) for s in stage.sections for path in state.arguments(s).values() if isinstance(path, Path)}
    text = json.dumps([name, provenance.source(), state.study.seed, sections, inputs, files], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
