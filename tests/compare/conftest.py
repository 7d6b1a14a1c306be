"""A small comparison that many tests share: two networks as written, three families, one of which has no configuration."""

import pytest

from planner.core.executors import executor
from planner.studies import compare

SMALL = """\
name = "small"
title = "A <small> comparison & its networks"
endpoints = 60
families = ["slimfly", "torus", "quadrangle"]

[catalog]
router = "nvidia-sb7800"
endpoint = "server-half-unit"
cabinet = "apc-ar3300"

[room]
plan = "lab"

[placement]
algorithm = "anneal"
moves = 2000

[[simulation]]
routings = ["minimal", "hierarchical"]
loads = [0.1]
warmup = 200
cycles = 200
max_cycles = 4000

[[simulation]]
label = "shift"
traffic = "tornado"
routings = ["ugal"]
loads = [0.1]
warmup = 200
cycles = 200
max_cycles = 4000

[[network]]
label = "dragonfly a = 4"
topology = { family = "dragonfly", a = 4, h = 2, endpoints_per_router = 2 }

[[network]]
label = "too large"
topology = { family = "slimfly", q = 13, endpoints_per_router = 9 }
"""


@pytest.fixture
def small(tmp_path):
    """The comparison as a file in a folder of its own."""
    path = tmp_path / "comparison.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The comparison when it ran, and its folder."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "comparison.toml").write_text(SMALL)
    with executor(1) as workers:
        return compare.run(compare.load(folder), folder, executor=workers), folder
