"""Seconds of the first `planner run` and `planner simulate` after an installation, and of the next ones.

All kernels are compiled on all processors; each command runs with nothing compiled, and with all compiled, in a folder of its own
without stored results.
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

WITHOUT = {
    "imports of every command with kernels": ["-c", "import numpy, planner.kernels"],
    "planner list": ["-m", "planner", "list"],
    "import of NumPy": ["-c", "import numpy"],
}
"""What needs no compiled kernel."""


def main() -> None:
    print(f"{_machine.described()}\n")
    print("| command | kernels | wall s | CPU s |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as full:
        _row("python -m planner.kernels", "none compiled", ["-m", "planner.kernels"], full)
        for command in ("run", "simulate"):
            with tempfile.TemporaryDirectory() as empty:
                for state, place in (("none compiled", empty), ("all compiled", full)):
                    study = str(_study(place))
                    _row(f"planner {command} {STUDY.parent.name}", state, ["-m", "planner", command, study, "--quiet"], place)
    with tempfile.TemporaryDirectory() as folder:
        for title, command in WITHOUT.items():
            wall, cpu = min(_timed(command, folder) for _ in range(5))
            print(f"| {title} | | {wall:.2f} | {cpu:.2f} |", flush=True)


def _row(title: str, state: str, command: list[str], cache: str) -> None:
    wall, cpu = _timed(command, cache)
    print(f"| {title} | {state} | {wall:.1f} | {cpu:.1f} |", flush=True)


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
