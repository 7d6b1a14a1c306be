"""Overhead of a sweep: 10,000 tiny runs on worker processes."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from planner.core.executors import executor, processors
from planner.studies import sweep

STUDY = """\
[topology]
family = "slimfly"
q = 3
[simulation]
link_cycles = 1
router_delay_cycles = 1
cycles = 20
warmup = 10
loads = [0.1]
[sweep]
stages = ["simulation"]
"topology.endpoints_per_router" = [1, 2]
seed = [{seeds}]
"""


def main(runs: int = 10_000, jobs: int | None = None) -> None:
    """Print driver time per run and overhead per run."""
    jobs = jobs or processors()
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder, "study.toml")
        study.write_text(STUDY.format(seeds=", ".join(str(seed) for seed in range(runs // 2))))
        started = time.perf_counter()
        checked = sweep.load(study)
        expanded_s = time.perf_counter() - started
        with executor(jobs) as workers:
            # Warm workers: the programs of the kernels are loaded.
            sweep.run(
                sweep.load(study, [f"sweep.seed={list(range(runs, runs + 2 * jobs))}"]), study.with_name("warm"), executor=workers
            )
            started = time.perf_counter()
            sweep.run(checked, study.with_name("sweep.sqlite"), executor=workers)
            whole_s = time.perf_counter() - started
            started = time.perf_counter()
            sweep.run(checked, study.with_name("sweep.sqlite"), executor=workers)
            again_s = time.perf_counter() - started
        with sweep.Store(study.with_name("sweep.sqlite")) as store:
            own_s = store.seconds()
            assert store.counts() == {"done": runs}
    beyond_s = jobs * whole_s - own_s
    print(f"{runs:,} runs, {jobs} workers\n")
    print("| | seconds | ms per run |")
    print("|---|---|---|")
    for name, seconds in (
        ("expanding and checking", expanded_s),
        ("all, from the first to the last row", whole_s),
        ("the runs themselves, added up", own_s),
        (f"beyond them: {jobs} workers times all, less the runs", beyond_s),
        ("finding that all is there", again_s),
    ):
        print(f"| {name} | {seconds:.2f} | {1000 * seconds / runs:.2f} |")
