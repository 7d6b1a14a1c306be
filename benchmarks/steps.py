"""Where the time of `planner run` goes: CPU seconds of each step of three studies with all their reports, everything compiled.

``python -m benchmarks steps`` prints all, ``python -m benchmarks.steps STUDY …`` some. Each study runs in a single process of its
own; `commands` measures whole runs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

from benchmarks import _machine
from benchmarks.commands import ENVIRONMENT, MAIN_JOB, ROOT

_SHARE = 0.02
"""Share of the time below which steps are shown together."""


def main(arguments: Sequence[str] = ()) -> None:
    print(f"{_machine.described()}; {_machine.load()}")
    environment = ENVIRONMENT | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    for name in arguments or MAIN_JOB:
        command = [sys.executable, "-c", f"from benchmarks.steps import print_steps; print_steps({name!r})"]
        subprocess.run(command, check=True, cwd=ROOT, env=environment)


def print_steps(name: str) -> None:
    """Print the CPU seconds of each step of a study in this process, which has imported nothing else."""
    from planner.studies import pipeline, study
    from planner.studies.stages import STAGES

    steps, last = {"imports": time.process_time()}, [time.process_time()]

    def note(step: str) -> None:
        now = time.process_time()
        steps[step] = steps.get(step, 0.0) + now - last[0]
        last[0] = now

    def progress(stage: str, done: int, total: int, **facts: object) -> None:
        # A stage reports its end, a report that of its file; what is between belongs to the next of them.
        if stage == "report" and done:
            note(f"report {facts['format']}")
        elif stage.partition("@")[0] in STAGES and done == total == 1:
            note(stage)

    checked = study.load(ROOT / "reports" / name)
    note("study")
    with tempfile.TemporaryDirectory() as folder:
        pipeline.run(checked, out=folder, progress=progress)
    whole = sum(steps.values())
    large = {step: seconds for step, seconds in steps.items() if seconds >= _SHARE * whole}
    print(f"\n{name}: {whole:.1f} CPU s in one process\n\n| step | CPU s | share |\n|---|---|---|")
    for step, seconds in (large | {"all others": whole - sum(large.values())}).items():
        print(f"| {step} | {seconds:.2f} | {seconds / whole:.0%} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
