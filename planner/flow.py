"""The flow: the only place that knows the order of the stages; storage, resuming, provenance."""

from __future__ import annotations

import hashlib
import json
import resource
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from planner import provenance, quantities, storage
from planner.errors import InputError, Problem, suggestion
from planner.model import Plan
from planner.progress import Progress, silent
from planner.record import plain
from planner.stages import STAGES, Run, Stage
from planner.study import Study, load, reports


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
    state = Run(study, progress, executor)
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
    write_reports(plan, out, reports(study.sections["report"]), progress)
    return plan


def write_reports(plan: Plan, out: Path, chosen: Mapping[str, Mapping[str, Any]], progress: Progress = silent) -> list[Path]:
    """Write the reports of a plan, given as the options of each format; return the paths of the files."""
    from planner import report

    paths = []
    for number, (name, options) in enumerate(chosen.items()):
        for volume in report.volumes(plan, name, options):
            progress("report", number, len(chosen), format=name)
            paths.append(report.write(plan, out, name, **volume))
    progress("report", len(chosen), len(chosen))
    return paths


def report_paths(plan: Plan, out: Path) -> list[Path]:
    """Return the paths of the reports that a run writes."""
    from planner import report

    return [
        out / report.file_name(plan.name, name, volume)
        for name, options in reports(plan.study["report"]).items()
        for volume in report.volumes(plan, name, options)
    ]


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


def plan_of(state: Run, out: Path) -> Plan:
    """Gather what has been made so far."""
    study = provenance.expanded(state.study)
    plan = Plan(study["name"], study["title"], study, **state.records, provenance=provenance.read(out))
    return replace(plan, quantities=quantities.measure(plan))


def _advance(state: Run, name: str, stage: Stage, out: Path, before: dict[str, Any]) -> None:
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


def _keep(state: Run, out: Path) -> None:
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


def _key(state: Run, name: str, stage: Stage) -> str:
    sections = {s: plain(state.study.slack if s == "slack" else state.arguments(s)) for s in stage.sections}
    inputs = {need: state.records[need].fingerprint for need in stage.needs}
    files = {str(path): _digest(path) for s in stage.sections for path in state.arguments(s).values() if isinstance(path, Path)}
    if "catalog" in stage.sections:
        files |= {name: _digest(state.study.base / name) for name in state.arguments("catalog")["files"]}
    text = json.dumps([name, provenance.source(), state.study.seed, sections, inputs, files], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
