"""Sweeps that many tests share, and how they are run and read."""

from __future__ import annotations

from planner.core.executors import executor
from planner.studies import sweep
from planner.studies.sweep import tables

NETWORKS = """\
seed = 1
[simulation]
link_cycles = 1
router_delay_cycles = 1
cycles = 200
warmup = 100
max_cycles = 200

[sweep]
stages = ["simulation"]
seed = [1, 2]
"simulation.loads" = [[0.1], [0.3, 0.6]]

[[sweep.case]]
label = "Slim Fly"
topology = { family = "slimfly", q = 3, endpoints_per_router = 2 }
simulation.routing = "minimal"

[[sweep.case]]
label = "torus"
topology = { family = "torus", sizes = [3, 4], endpoints_per_router = 2 }
simulation.routing = "valiant"
"""
"""Eight runs in all: two seeds, two lists of loads, two networks."""


def write(folder, text=NETWORKS):
    path = folder / "study.toml"
    path.write_text(text)
    return path


def run(study, table, jobs=1, **others):
    with executor(jobs) as workers:
        return sweep.run(sweep.load(study), table, executor=workers, **others)


def exported(table):
    """The exported files of a table as bytes."""
    with sweep.Store(table) as store:
        return [path.read_bytes() for path in tables.export(store, table.with_suffix(".csv"))]


def rows(table):
    with sweep.Store(table) as store:
        names, found = store.runs()
    return [dict(zip(names, row, strict=True)) for row in found]


def curves(table):
    with sweep.Store(table) as store:
        names, found = store.curves()
    return [dict(zip(names, row, strict=True)) for row in found]
