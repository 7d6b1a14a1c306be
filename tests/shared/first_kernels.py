"""Compile the kernels that take longest, and the tests: python -m shared.first_kernels simulated|planned"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from planner.kernels import CACHE_FOLDER
from planner.network import metrics, topology
from planner.simulation.replay import run_motif
from planner.studies import pipeline, study

from .networks import ring, run
from .plans import STUDIES


def simulated() -> None:
    """Simulate with every packet loop."""
    network = topology.build("torus", sizes=[3, 3])
    for settings in ({}, {"arbitration": "age"}, {"flow_control": "wormhole"}):
        run(network, **{"warmup": 50, "cycles": 50, "max_cycles": 50} | settings)
    for settings in ({}, {"arbitration": "age"}):
        run_motif(ring(4), np.zeros(8, np.int64), seed=1, router_delay_ps=0, rate_gbps=400, **settings)


def planned() -> None:
    """Plan a room without simulation, and bisect a network."""
    sections = {name: section for name, section in STUDIES["plain"].items() if name not in ("simulation", "workload")}
    with tempfile.TemporaryDirectory() as folder:
        made = {"name": "first", "seed": 1, **sections, "report": {"formats": []}}
        pipeline.run(study.check(made, base=Path(folder)))
    metrics.bisection(topology.build("torus", sizes=[3, 3]))


TESTS = Path(__file__).parents[1]

HALVES = {"simulated": simulated, "planned": planned}


def compile_side_by_side() -> None:
    """Compile each half, and halves of the tests, in processes if not cached; what fails there fails in a test as well."""
    commands = []
    if CACHE_FOLDER and not any(Path(CACHE_FOLDER).rglob("loop.run-*")):
        # Commands that tests run need not do it again.
        Path(CACHE_FOLDER, "ahead").touch()
        commands += [["shared.first_kernels", half] for half in HALVES]
    # What starts the workers has compiled the file of fixtures already.
    if not sys.dont_write_bytecode and not any(TESTS.glob("__pycache__/test_*-pytest-*")):
        files = sorted(str(path) for path in TESTS.rglob("test_*.py"))
        commands += [["pytest", "--collect-only", "-qq", *files[half::2]] for half in (0, 1)]
    processes = [subprocess.Popen([sys.executable, "-m", *words], cwd=TESTS, stdout=subprocess.DEVNULL) for words in commands]
    for process in processes:
        process.wait()


if __name__ == "__main__":
    HALVES[sys.argv[1]]()
