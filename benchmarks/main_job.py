"""The main job: `planner run` of three studies with all reports, everything compiled: time, memory, and where the time goes.

``python -m benchmarks main_job`` prints all, ``python -m benchmarks.main_job STUDY …`` some. The first table has wall and CPU
seconds of each study with one process and with one per core, each into a new folder; the others have the CPU seconds of each step
in a single process.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import _machine
from planner.executors import processors

STUDIES = ("polarstar-1064", "slimfly-200", "superpod-h100")

REPORTS = Path(__file__).parents[1] / "reports"

_ENVIRONMENT = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}
"""Bytecode of imported modules is kept, as usual."""

_SHARE = 0.02
"""Share of the time below which steps are shown together."""


def main(arguments: Sequence[str] = ()) -> None:
    print(f"{_machine.described()}; {_machine.load()}\n")
    print("| study | processes | wall s | CPU s | peak MB of a process |")
    print("|---|---|---|---|---|")
    names = list(arguments) or list(STUDIES)
    for name in names:
        # Compiles what is not yet compiled.
        _run(name, 1)
        for count in dict.fromkeys((1, processors())):
            wall_s, cpu_s, peak_mb = _run(name, count)
            print(f"| {name} | {count} | {wall_s:.1f} | {cpu_s:.1f} | {peak_mb:,.0f} |", flush=True)
    for name in names:
        command = [sys.executable, "-c", f"from benchmarks.main_job import print_steps; print_steps({name!r})"]
        environment = _ENVIRONMENT | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        subprocess.run(command, check=True, cwd=REPORTS.parent, env=environment)


def _run(name: str, count: int) -> tuple[float, float, float]:
    """Run a study into a new folder; return wall and CPU seconds and the peak memory of its largest process."""
    program = (
        "import resource, sys\nfrom planner.cli import main\ncode = main(sys.argv[1:])\n"
        "print(max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024)\n"
        "sys.exit(code)"
    )
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", program, "run", str(REPORTS / name), "--out", folder, "--quiet", "--jobs", str(count)]
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        found = subprocess.run(command, check=True, capture_output=True, text=True, cwd=REPORTS.parent, env=_ENVIRONMENT)
        wall_s, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, float(found.stdout)


def print_steps(name: str) -> None:
    """Print the CPU seconds of each step of a study in this process, which has imported nothing else."""
    from planner import flow, study

    steps, last = {"imports": time.process_time()}, [time.process_time()]

    def note(step: str) -> None:
        now = time.process_time()
        steps[step] = steps.get(step, 0.0) + now - last[0]
        last[0] = now

    def progress(stage: str, done: int, total: int, **facts: object) -> None:
        # A stage reports its end, a report that of its file; what is between belongs to the next of them.
        if stage == "report" and done:
            note(f"report {facts['format']}")
        elif stage.partition("@")[0] in flow.STAGES and done == total == 1:
            note(stage)

    checked = study.load(REPORTS / name)
    note("study")
    with tempfile.TemporaryDirectory() as folder:
        flow.run(checked, out=folder, progress=progress)
    whole = sum(steps.values())
    large = {step: seconds for step, seconds in steps.items() if seconds >= _SHARE * whole}
    print(f"\n{name}: {whole:.1f} CPU s in one process\n\n| step | CPU s | share |\n|---|---|---|")
    for step, seconds in (large | {"all others": whole - sum(large.values())}).items():
        print(f"| {step} | {seconds:.2f} | {seconds / whole:.0%} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
