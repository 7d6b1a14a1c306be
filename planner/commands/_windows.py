"""Simulations of the windows of work of a change: the option ``--window`` of planner simulate."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from planner.commands import INTERRUPTED, SUCCESS
from planner.core.errors import InputError, Problem, suggestion
from planner.core.spreadsheet import Writer
from planner.core.storage import replacing
from planner.domain.model import Plan
from planner.studies.stage import Study


def run(study: Study, arguments: argparse.Namespace) -> int:
    """Simulate the networks of windows, print their table, and return the exit code."""
    from planner.commands.console.bars import progress_bar
    from planner.commands.run import workers
    from planner.simulation.fluid import model_settings
    from planner.studies.phased import service

    own = _of_phase(study, arguments)
    chosen = {key: value for key, value in own.sections["simulation"].items() if key != "network"}
    problems = []
    if chosen.pop("outages", ()):
        problems.append(Problem("simulation.outages", "do not apply to windows of work", "leave them out"))
    if study.networks:
        problems.append(Problem("--window", "applies to plans of one network", "simulate each network by itself"))
    if problems:
        raise InputError(problems).located(study.file, lines=study.lines)
    rows: list[dict[str, Any]] = []
    complete = True
    with progress_bar(arguments.quiet) as progress, workers(arguments.jobs) as executor:
        old, new = _plans(study, arguments, progress, executor)
        limits = {key: study.growth[key] for key in ("ends_down", "cables_down") if key in study.growth}
        change = service.change_of(old, new, **limits)
        numbers = _numbers(arguments.window or "all", change.windows.count)
        options = {"seed": study.seed, "numbers": numbers, "model": arguments.model}
        settings = model_settings(chosen) if arguments.model else chosen
        try:
            progress("windows", 0, len(numbers) + 2)
            for row in service.simulated(change, settings, **options, progress=progress, executor=executor):
                rows.append(row)
                progress("windows", len(rows), len(numbers) + 2, window=row["window"])
        except InputError as error:
            raise error.located(study.file, "simulation", study.lines) from None
        except KeyboardInterrupt:
            complete = False
    if arguments.out:
        write(rows, arguments.out)
    print("\n".join(_lines(rows, change, chosen, model=arguments.model)))
    if not complete:
        print("interrupted: later windows are missing")
    return SUCCESS if complete else INTERRUPTED


def _of_phase(study: Study, arguments: argparse.Namespace) -> Study:
    """Return the study of the phase that the machine grows to, with all problems of the options."""
    names = list(study.phases)
    problems = []
    if arguments.old and names:
        problems.append(Problem("--from", "is for a study without [[phase]]", "choose the phase with --phase"))
    if not arguments.old and not names:
        remedy = "add [[phase]], or name the plan before with --from"
        problems.append(Problem("--window", "needs a change: the study has no phases", remedy))
    if arguments.phase and arguments.phase not in names[1:]:
        remedy = suggestion(arguments.phase, names[1:]) if names[1:] else "leave it out"
        problems.append(Problem("--phase", f"nothing grows to a phase {arguments.phase!r}", remedy))
    if arguments.window:
        try:
            _numbers(arguments.window, 10**9)
        except InputError as error:
            problems += error.problems
    if len(names) == 1:
        problems.append(Problem("--window", "the study has one phase: nothing grows", "add another [[phase]]"))
    if problems:
        raise InputError(problems)
    return study.phases[arguments.phase or names[-1]] if names else study


def _numbers(text: str, count: int) -> range:
    """Return the windows of a text such as ``all``, ``3`` or ``1-5``."""
    if text == "all":
        return range(count + 1)
    first, dash, last = text.partition("-")
    try:
        found = range(int(first), int(last if dash else first) + 1)
    except ValueError:
        found = range(0)
    if not len(found) or found[0] < 0:
        raise InputError(Problem("--window", f"must be all, a number or a range, not {text!r}", "write --window 1-5"))
    if found[-1] > count:
        raise InputError(Problem("--window", f"there is no window {found[-1]}", f"the windows of this change are 0 to {count}"))
    return found


def _plans(study: Study, arguments: argparse.Namespace, progress: Any, executor: Any) -> tuple[Plan, Plan]:
    """Return the plans before and after the change; phases that are not planned yet are planned in a temporary folder."""
    from planner.domain import stored
    from planner.studies.phased import phased

    if arguments.old:
        return stored.restore(arguments.old), stored.restore(study.base)
    names = list(study.phases)
    after = names.index(arguments.phase or names[-1])
    both = [study.base / name for name in names[after - 1 : after + 1]]
    if all((folder / "provenance.json").is_file() for folder in both):
        old, new = (stored.restore(folder) for folder in both)
        return old, new
    until = "cables" if study.physical else "topology"
    plans = phased(study, until=until, progress=progress, executor=executor).plans
    return plans[after - 1], plans[after]


def _lines(rows: Sequence[dict[str, Any]], change: Any, chosen: dict[str, Any], *, model: bool) -> list[str]:
    """Return the table of the windows."""
    how = "estimates of the flow-level model" if model else "packets"
    head = f"{how}: {chosen['routing']} routing, {chosen['traffic']} traffic of the installed endpoints"
    counts = f"{len(change.step.kept):,} links stay, {len(change.step.moved):,} are moved, {len(change.step.added):,} are added"
    lines = [f"{head}; {counts}, {change.windows.count} windows"]
    if not rows:
        return lines
    searched = any(row["saturation"] is not None for row in rows)
    loads = rows[0]["offered"]
    titles = ["window", "routers", "links up", "out", *(["saturation"] if searched else [])]
    titles += [f"{name} {load:g}" for load in loads for name in ("accepted", "delay")]
    cells = [titles]
    for row in rows:
        found = [row["window"], f"{row['routers']:,}", f"{row['links']:,}", f"{row['out']:,}"]
        found += ["–" if row["saturation"] is None else f"{row['saturation']:.3f}"] if searched else []
        for accepted, delay in zip(row["accepted"], row["delay"], strict=True):
            found += [f"{accepted:.3f}", "–" if delay is None else f"{delay:.1f}"]
        cells.append(found)
    width = [max(len(line[column]) for line in cells) for column in range(len(titles))]
    lines += ["  ".join(cell.rjust(size) for cell, size in zip(line, width, strict=True)) for line in cells]
    lines.append(f"accepted load in phits per cycle and endpoint, mean delay in {rows[0]['unit']}, at each offered load")
    lines += _verdict(rows, searched=searched)
    return lines


def _verdict(rows: Sequence[dict[str, Any]], *, searched: bool) -> list[str]:
    """Return which window has the minimum throughput, against that before the work."""
    if len(rows) < 2 or rows[0]["window"] != "before":
        return []

    def throughput(row: dict[str, Any]) -> float:
        return row["saturation"] if searched and row["saturation"] is not None else max(row["accepted"])

    working = [row for row in rows[1:] if row["window"] != "after"]
    if not working:
        return []
    worst = min(working, key=throughput)
    name = "saturation throughput" if searched else "accepted load"
    share = throughput(worst) / throughput(rows[0])
    if share >= 1:
        return [f"no window has a lower {name} than before"]
    return [f"minimum {name} while the crew works: {throughput(worst):.3f} in window {worst['window']}, {share:.1%} of before"]


def write(rows: Sequence[dict[str, Any]], path: str | Path) -> None:
    """Write a row for each window and load to a CSV file."""
    columns = ("window", "routers", "links", "out", "saturation", "offered", "accepted", "delay", "unit")
    with replacing(Path(path)) as temporary, temporary.open("w", newline="", encoding="utf-8") as out:
        writer = Writer(out, end="\r\n")
        writer.writerow(columns)
        for row in rows:
            for offered, accepted, delay in zip(row["offered"], row["accepted"], row["delay"], strict=True):
                each = row | {"offered": offered, "accepted": accepted, "delay": delay}
                writer.writerow(["" if each[name] is None else each[name] for name in columns])
