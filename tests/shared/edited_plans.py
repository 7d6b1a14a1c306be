"""Small studies whose plans tests edit by hand, and the comparison of their increments with a full count."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from planner.install.editing import Session
from planner.install.editing.counting import BASIS, COUNTED, of_all_networks
from planner.install.editing.current import COLUMNS
from planner.install.editing.rules import EVERY
from planner.studies import pipeline
from planner.studies.study import check
from shared import plans

HEAD = """
name = "edited"
seed = 1
[topology]
{topology}
[catalog]
{catalog}
[room]
plan = "{room}"
{existing}
[placement]
algorithm = "identity"
bounds = false
{placement}
[cabling]
{cabling}
[report]
formats = ["csv"]
"""

EDR = 'router = "nvidia-sb7800"\nendpoint = "server-half-unit"\ncabinet = "apc-ar3300"'
TWIN = 'router = "nvidia-qm9700"\nendpoint = "server-half-unit-400g-osfp"\ncabinet = "hpe-10648-g2"'
SLIMFLY = 'family = "slimfly"\nq = 5\nendpoints_per_router = 4'

STUDIES = {
    "plain": {"topology": SLIMFLY, "catalog": EDR},
    "twin ports": {"topology": 'family = "dragonfly"\na = 4\nh = 2\nendpoints_per_router = 2', "catalog": TWIN},
    "nodes apart": {"topology": SLIMFLY, "catalog": EDR, "placement": 'endpoints = "apart"'},
    "limits": {
        "topology": SLIMFLY,
        "catalog": EDR,
        "placement": "longest_mm = 6000\nspread = [{ routers = [0, 5, 10, 15, 20], at_most = 3 }]",
    },
    "row looms": {"topology": SLIMFLY, "catalog": EDR, "cabling": 'bundling = "row_loom"'},
}
"""Studies by what is special about them."""


DRAGONFLY = {"family": "dragonfly", "a": 2, "h": 1, "endpoints_per_router": 2}


def with_others(name: str, folder: Path) -> Session:
    """Return a session of a plan with several networks, or of one that keeps a smaller plan as built."""
    if name == "several networks":
        study = plans.asked(name)
    else:
        plain = plans.STUDIES["plain"]
        first = check({"name": "first", "seed": 1, **plain, "topology": DRAGONFLY | {"groups": 2}}, base=Path())
        pipeline.run(first, out=folder / "built")
        study = plans.kept_study("plain", folder, topology=DRAGONFLY | {"groups": 3})
    return Session(study, pipeline.make(study, of_all_networks(study, BASIS)))


OTHERS = ("several networks", "kept")
"""Names of sessions that `with_others` opens."""


def write(name: str, folder: Path) -> Path:
    """Write a study into a folder and return its file."""
    parts = {"room": "lab", "existing": "", "placement": "", "cabling": ""} | STUDIES[name]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "study.toml"
    path.write_text(HEAD.format(**parts))
    return path


def assert_as_counted(session: Session) -> None:
    """Check every figure, row and violation of a session against a full count, which must find the same."""
    plan = session.counted(COUNTED)
    fresh = Session(session.study, plan)
    assert session.figures == fresh.figures
    one, other = session.current, fresh.current
    for name in COLUMNS:
        if name != "route":
            assert np.array_equal(one.columns[name], other.columns[name]), name
    for row in range(one.cable_count):
        assert one.route_of(row).tolist() == other.route_of(row).tolist() == plan.cables.route_of(row).tolist()
    assert np.array_equal(one.fill_um2, plan.cables.fill_um2)
    assert session.figures.length_mm == plan.quantities["run_mm"]["value"]
    assert session.figures.longest_mm == plan.quantities["longest_run_mm"]["value"]
    latencies = [plan.of(name).latency for name in plan.network_names]
    assert session.figures.delay_ps == max(each.worst_ps for each in latencies if each is not None)
    assert session.figures.near_misses == plan.near_misses.count
    assert session.figures.near_miss_cents == plan.near_misses.saving_cents
    assert {_key(item) for item in session.broken} == {_key(item) for item in plan.violations.items if item.rule in EVERY}


def _key(item):
    # The verifier adds the label of a cable to its number, which moves change.
    return (
        item.rule,
        item.where.partition(" (")[0] if item.where.startswith("cable ") else item.where,
        item.value,
        item.limit,
        item.severity,
    )
