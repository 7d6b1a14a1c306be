"""Seconds of the first `planner run` and `planner simulate` after an installation, with nothing compiled, and of the next ones.

Each command runs in a folder of its own with an empty cache, alone and with the process that compiles ahead, then again with all
compiled: without stored results each time. CPU time is without the process that compiles ahead: on idle cores it is about the
time that the user waits, and unlike that does not depend on what else the machine does.
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

ALONE = "from pathlib import Path; from planner.kernels import CACHE_FOLDER; Path(CACHE_FOLDER, 'ahead').touch()"
"""Keeps the process that compiles ahead from starting with this cache."""

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
    for command in (["run", "--quiet"], ["simulate", "--quiet"]):
        with tempfile.TemporaryDirectory() as alone, tempfile.TemporaryDirectory() as folder:
            _timed(["-c", ALONE], alone)
            for state, place in (("none compiled, one process", alone), ("none compiled", folder), ("all compiled", folder)):
                wall, cpu = _timed(["-m", "planner", command[0], str(_study(place)), *command[1:]], place)
                print(f"| planner {command[0]} {STUDY.parent.name} | {state} | {wall:.1f} | {cpu:.1f} |", flush=True)
                if state == "none compiled":
                    # Waits for kernels that the process of the command still compiles.
                    _timed(["-m", "planner.commands.console.ahead"], place)
    with tempfile.TemporaryDirectory() as folder:
        for title, command in WITHOUT.items():
            wall, cpu = min(_timed(command, folder) for _ in range(5))
            print(f"| {title} | | {wall:.2f} | {cpu:.2f} |", flush=True)


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
