"""Compilation of kernels ahead of their use, in a second process during the first command."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

from planner.core.executors import processors
from planner.kernels import CACHE_FOLDER

STUDY = {
    "name": "ahead",
    "seed": 1,
    "topology": {"family": "slimfly", "q": 3, "endpoints_per_router": 2},
    "catalog": {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"},
    "room": {"plan": "lab"},
    # The command compiles annealing, with which placements begin, and needs tabu search after it.
    "placement": {"algorithm": "tabu", "moves": 10_000, "interior": {"reserve_top_units": 32}},
    "simulation": {"loads": [0.1], "warmup": 100, "cycles": 2000, "max_cycles": 2000},
}
"""A small study whose later stages use the same kernels as those of other studies."""

WANTED = (("simulation",), ("failures",), ("latency", "near_misses", "work"))
"""Its stages in the order in which a command needs their kernels; a stage runs after those that it needs."""

_started: list[subprocess.Popen] = []


def start() -> None:
    """Start to compile in a second process, unless that has been done with this cache, or there is no second core.

    The process prints nothing and outlives this one; what it has compiled is in the cache whenever it ends. While one process
    compiles a kernel, others that need it wait, see `planner.kernels`.
    """
    if not CACHE_FOLDER or processors() == 1:
        return
    try:
        Path(CACHE_FOLDER, "ahead").touch(exist_ok=False)
        nothing = subprocess.DEVNULL
        command = [sys.executable, "-m", "planner.commands.console.ahead"]
        # Python searches the current folder first: that of this package, not the user's.
        root = Path(__file__).parents[3]
        _started.append(
            subprocess.Popen(command, cwd=root, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
        )
    except OSError:
        return


def main() -> None:
    """Compile the packet engine, which takes longest, then the kernels of the small study by planning it."""
    # Objects that outlive one search for unused cycles are nearly all in use: to search them again takes a tenth of the time.
    gc.set_threshold(50_000, 1000, 1000)
    from planner.simulation import engine

    engine.compile_ahead()
    from planner.studies import pipeline, study

    small = study.check(STUDY, base=Path())
    for wanted in WANTED:
        pipeline.make(small, wanted, accepted=False)


if __name__ == "__main__":
    main()
