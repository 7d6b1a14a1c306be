"""Studies run, stored and restored: from a study file to a plan and its reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from planner.core import storage
from planner.core.errors import InputError, Problem, suggestion
from planner.core.executors.forks import Forks
from planner.core.progress import Progress, silent
from planner.core.record import Record
from planner.domain import quantities, stored
from planner.domain.model import Plan
from planner.domain.model.plan import RECORDS
from planner.studies import preflight
from planner.studies.execution import advance, advance_all, begun
from planner.studies.folder import Folder, Store
from planner.studies.stage import Run, Stage
from planner.studies.stages import stages
from planner.studies.study import Study, input_problems, load, reports


def run(
    study: Study | str | Path,
    *,
    out: Path | str | None = None,
    until: str | None = None,
    progress: Progress = silent,
    executor: Any = None,
    resume: bool = True,
) -> Plan:
    """Run a study, store each finished stage, and write the reports.

    Parameters
    ----------
    study
        A study, or the path of a study file or its folder.
    out
        Output folder; by default the folder of the study.
    until
        Last stage to run (see `STAGES`); no reports are written.
    progress
        Progress callback.
    executor
        Executor with ``map`` for independent work of a stage; see `planner.core.executors`. On forked processes, stages that
        do not need each other and reports run at the same time as well. Results do not depend on it.
    resume
        Whether to reuse stored stages with equal inputs.

    Raises
    ------
    InputError
        When the study, its catalogs or its room are invalid; nothing is written.
    Infeasible
        When nothing fits; finished stages are kept.
    """
    if not isinstance(study, Study):
        study = load(study)
    if study.phases:
        raise InputError(Problem("phase", "a study with [[phase]] has several plans", "use planner.studies.phased.run"))
    todo = stages(study)
    if until is not None and until not in todo:
        raise InputError(Problem("until", f"there is no stage {until!r}", suggestion(until, todo)))
    out = study.base if out is None else Path(out)
    state = begun(study, progress, executor)
    store = Folder(out, study, resume)
    accept(state, todo, store)
    store.open()
    if until is not None:
        todo = dict(islice(todo.items(), list(todo).index(until) + 1))
    advance_all(state, todo, store)
    store.close()
    if until is not None:
        return plan_of(state, stored.provenance(out))
    plan = plan_of(state, stored.provenance(out))
    if out.resolve() != study.base.resolve():
        storage.write_toml(plan.study, out / "study.toml")
    storage.write_json(plan.quantities, out / "quantities.json")
    if plan.violations is not None:
        storage.write_json({"checked": plan.violations.checked, "items": plan.violations.items}, out / "violations.json")
    write_reports(plan, out, reports(study.sections.get("report", {})), progress, executor)
    return plan


def make(
    study: Study,
    wanted: Iterable[str] = (),
    *,
    store: Store | None = None,
    progress: Progress = silent,
    executor: Any = None,
    accepted: bool = True,
) -> Plan:
    """Run the wanted stages of a study and their dependencies without writing output.

    Parameters
    ----------
    wanted
        Names of stages; all stages if empty.
    store
        Storage to reuse stages from and to store them in.
    progress, executor
        As for `run`.
    accepted
        Whether the study has been checked already; otherwise all problems are reported first.

    Raises
    ------
    InputError
        When the study, its catalogs or its room are invalid, or it has no such stage.
    Infeasible
        When nothing fits.
    KeyboardInterrupt
        Also when a stage was interrupted and returned its best result.
    """
    state = begun(study, progress, executor)
    todo = stages(study, wanted)
    if not accepted:
        accept(state, todo, store)
    advance_all(state, todo, store, partial=False)
    return plan_of(state, {})


def follow(
    study: Study,
    records: Mapping[str, Record],
    wanted: Iterable[str] = (),
    *,
    progress: Progress = silent,
    executor: Any = None,
) -> Plan:
    """Run the wanted stages of a study from given records, and those that these need; nothing is stored or checked.

    Parameters
    ----------
    records
        Records by the names of their stages, such as a placement that was edited; these stages do not run.
    wanted, progress, executor
        As for `make`.

    Raises
    ------
    Infeasible
        When nothing fits.
    """
    state = begun(study, progress, executor)
    state.records.update(records)
    advance_all(state, stages(study, wanted), None)
    return plan_of(state, {})


def records_of(plan: Plan) -> dict[str, Record]:
    """Return all records of a plan by the names of their stages."""
    first = {name: getattr(plan, name) for name in RECORDS}
    others = {f"{name}@{network}": each for network, own in plan.others.items() for name, each in own.items()}
    return {name: each for name, each in (first | others).items() if each is not None}


def write_reports(
    plan: Plan,
    out: Path,
    chosen: Mapping[str, Mapping[str, Any]],
    progress: Progress = silent,
    executor: Any = None,
    *,
    force: bool = False,
) -> list[Path]:
    """Write the reports of a plan in the chosen formats and return the paths; side by side on forked processes.

    Files to order from are withheld from a plan that breaks design rules, and those of an earlier run removed; `force` writes
    them, with a warning in their first line.
    """
    from planner import formats

    for name in () if force else withheld(plan, chosen):
        (out / formats.file_name(plan.name, name, chosen[name])).unlink(missing_ok=True)
        chosen = {other: options for other, options in chosen.items() if other != name}
    side_by_side = executor.map if isinstance(executor, Forks) else map
    paths: list[list[Path]] = []
    progress("report", 0, len(chosen))
    for written in side_by_side(lambda name: _write(plan, out, name, chosen[name], side_by_side), chosen):
        paths.append(written)
        progress("report", len(paths), len(chosen), format=list(chosen)[len(paths) - 1])
    return [path for each in paths for path in each]


def withheld(plan: Plan, chosen: Iterable[str]) -> list[str]:
    """Return the formats that a plan with violations does not get unless forced: files to order from."""
    from planner import formats

    return [name for name in chosen if plan.violations is not None and plan.violations.errors and formats.is_order(name)]


def _write(
    plan: Plan, out: Path, name: str, options: Mapping[str, Any], side_by_side: Callable[..., Iterable[Any]]
) -> list[Path]:
    """Write all volumes of one report and return their paths."""
    from planner import formats

    volumes = formats.volumes(plan, name, options)
    return list(side_by_side(lambda volume: formats.write(plan, out, name, **volume), volumes))


def report_paths(plan: Plan, out: Path) -> list[Path]:
    """Return the paths of the reports written by a run."""
    from planner import formats

    chosen = reports(plan.study.get("report", {}))
    return [
        out / formats.file_name(plan.name, name, volume)
        for name, options in chosen.items()
        if name not in withheld(plan, chosen)
        for volume in formats.volumes(plan, name, options)
    ]


def plan_of(state: Run, origin: dict[str, Any]) -> Plan:
    """Return the plan with all stages finished so far."""
    study = state.study.expanded()
    plan = Plan.of_records(study, state.records, origin)
    return replace(plan, quantities=quantities.measure(plan))


def accept(state: Run, todo: Mapping[str, Stage], store: Store | None) -> None:
    """Run the stages that only read input, and reject the study if any section is invalid.

    Raises
    ------
    InputError
        With all problems.
    """
    problems: list[Problem] = []
    for name, stage in todo.items():
        if not stage.is_input:
            continue
        try:
            if all(need in state.records for need in stage.needs):
                advance(state, name, stage, store)
            else:
                # Sections of each network have the places of theirs.
                read = (name, "network") if stage.of_each_network else (name,)
                problems += input_problems({section: state.arguments(section) for section in read}, state.study.base)
        except InputError as error:
            problems += error.problems
    problems += preflight.problems(state)
    if problems:
        # Sections may read the same files.
        raise InputError(dict.fromkeys(InputError(problems).located(state.study.file, lines=state.study.lines).problems))
