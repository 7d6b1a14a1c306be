"""Seconds of the first `planner run` and `planner simulate` after an installation, with nothing compiled, and of the next ones.

Each command runs in a folder of its own with an empty cache, then again with all compiled: without stored results both times.
CPU time is without the process that compiles ahead.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import _machine

STUDY = Path(__file__).parents[1] / "reports" / "slimfly-200" / "study.toml"

LOADED = "import numpy, planner.kernels"
"""What every command with kernels imports, compiled or not."""


def main() -> None:
    print(f"{_machine.described()}\n")
    print("| command | kernels | wall s | CPU s |")
    print("|---|---|---|---|")
    for command in (["run", "--quiet"], ["simulate", "--quiet"]):
        with tempfile.TemporaryDirectory() as folder:
            for state in ("none compiled", "all compiled"):
                wall, cpu = _timed(["-m", "planner.cli", command[0], str(_study(folder)), *command[1:]], folder)
                print(f"| planner {command[0]} {STUDY.parent.name} | {state} | {wall:.1f} | {cpu:.1f} |", flush=True)
                # Waits for kernels that the process of the command still compiles.
                _timed(["-m", "planner.ahead"], folder)
    with tempfile.TemporaryDirectory() as folder:
        wall, cpu = _timed(["-c", LOADED], folder)
        print(f"| imports | | {wall:.1f} | {cpu:.1f} |")


def _study(folder: str) -> Path:
    """Return the study in a new folder, without results of an earlier run."""
    place = Path(folder, "study")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return Path(shutil.copy(STUDY, place))


def _timed(command: list[str], cache: str) -> tuple[float, float]:
    """Run Python with an own cache folder; return wall and CPU seconds."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = os.environ | {"XDG_CACHE_HOME": cache}
    subprocess.run([sys.executable, *command], env=environment, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
