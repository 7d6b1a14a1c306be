"""Whole commands, as their users wait for them: wall and CPU seconds and peak memory, everything compiled.

``python -m benchmarks commands`` measures the main job, ``python -m benchmarks.commands NAME …`` others, or ``all``; `campus`,
`compare` and `explore` take minutes. Every run begins without stored results, in a new folder. CPU seconds are those of all
processes, peak memory is that of the largest one.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks import _machine
from benchmarks.scale import ENDPOINTS, OVERSUBSCRIPTION, PARTS
from planner.core.executors import processors

ROOT = Path(__file__).parents[1]

ENVIRONMENT = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
"""Bytecode of imported modules is kept, as usual."""

_PROGRAM = """
import resource, sys
from planner.commands.console.cli import main
code = main(sys.argv[1:])
print(max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024)
sys.exit(code)
"""
"""A command, and then the peak memory of its largest process in MB."""

_COUNTS = tuple(dict.fromkeys((1, processors())))


class Command(NamedTuple):
    """A command by its arguments, in which ``OUT`` is a new folder, and the numbers of processes with which it is measured."""

    what: str
    arguments: Sequence[str]
    processes: Sequence[int] = _COUNTS


def _planned(what: str, study: str, processes: Sequence[int] = _COUNTS) -> Command:
    return Command(what, ("run", study, "--out", "OUT"), processes)


MAIN_JOB = {
    "polarstar-1064": _planned("1,064 routers, 5,320 endpoints: PDF, workbook, schedule", "reports/polarstar-1064"),
    "slimfly-200": _planned("50 routers, 200 endpoints: all reports of the study", "reports/slimfly-200"),
    "superpod-h100": _planned("a cluster of 127 nodes with three networks", "reports/superpod-h100"),
}

OTHERS = {
    "jellyfish": _planned("5,884 routers, 238,302 cables: schedule, page", "benchmarks/jellyfish-100k.toml"),
    "campus": _planned("79,506 routers in eight halls, no reports", "reports/polarstar-campus", (1,)),
    "compare": Command(
        "eight networks of 5,000 endpoints, searches for saturation",
        ("compare", "reports/compare-5000", "--out", "OUT"),
        _COUNTS[-1:],
    ),
    "explore": Command(
        "all configurations of 25 families in a hall",
        (
            *("explore", "--room", "hall-a", "--endpoints", "{}-{}".format(*ENDPOINTS), "--cabinet", "hpe-10648-g2"),
            *("--min-oversubscription", f"{OVERSUBSCRIPTION[0]:g}", "--oversubscription", f"{OVERSUBSCRIPTION[1]:g}"),
            *("--parts", ",".join("+".join(pair) for pair in PARTS), "--csv", "OUT/all.csv", "--out", "OUT/explore.sqlite"),
        ),
        _COUNTS[-1:],
    ),
}

_KNOWN = MAIN_JOB | OTHERS


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.commands")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(_KNOWN)}, or all (default: {', '.join(MAIN_JOB)})")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each, all in turns (default: 3)")
    chosen = parser.parse_args(arguments)
    if unknown := set(chosen.names) - {*_KNOWN, "all"}:
        parser.error(f"there is no command {', '.join(sorted(unknown))}; there are {', '.join(_KNOWN)} and all")
    names = list(_KNOWN) if "all" in chosen.names else chosen.names or list(MAIN_JOB)
    print(f"{_machine.described()}; {_machine.load()}\n")
    print("| command | processes | repeats | wall s, median | minimum | maximum | CPU s, median | peak MB of a process |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name in names:
        command = _KNOWN[name]
        if name in MAIN_JOB:
            # Compiles what is not yet compiled; the time of longer commands does not depend on it.
            measured(command, processors())
        runs = {count: [] for count in command.processes}
        for count in [*command.processes] * chosen.repeats:
            runs[count].append(measured(command, count))
        for count, found in runs.items():
            wall_s, cpu_s, peak_mb = zip(*found, strict=True)
            walls = " | ".join(f"{statistic(wall_s):.1f}" for statistic in (median, min, max))
            cells = f"{name}: {command.what} | {count} | {len(found)} | {walls} | {median(cpu_s):.1f} | {max(peak_mb):,.0f}"
            print(f"| {cells} |", flush=True)


def measured(command: Command, processes: int) -> tuple[float, float, float]:
    """Run a command into a new folder; return wall and CPU seconds and the peak memory of its largest process in MB."""
    with tempfile.TemporaryDirectory() as folder:
        given = [each.replace("OUT", folder) for each in command.arguments]
        line = [sys.executable, "-c", _PROGRAM, *given, "--quiet", "--jobs", str(processes)]
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        found = subprocess.run(line, check=True, capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT)
        wall_s, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall_s, cpu_s, float(found.stdout.split()[-1])


if __name__ == "__main__":
    main(sys.argv[1:])
