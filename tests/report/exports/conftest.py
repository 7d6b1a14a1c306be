"""Plans that exports are hard for: twin-port and splitter cables, fiber over trunks, names of every kind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from shared.odd_names import ODD, oddly_named
from shared.small_plans import make_plan

from planner.domain.model import Plan
from planner.studies import pipeline

STUDY = """
name = "{name}"
title = "A real run"
seed = 1
[topology]
{topology}
endpoints_per_router = 4
[catalog]
router = "nvidia-qm9700"
endpoint = "server-half-unit-400g-osfp"
cabinet = "hpe-10648-g2"
cable_manager = "panduit-wmpf1e"
[room]
plan = "two-halls"
cabinet_routers = 1
[placement]
algorithm = "identity"
interior = {{ routers_per_manager = 1 }}
[cabling]
{cabling}
[report]
formats = []
"""


def run(folder, **sections) -> Plan:
    (folder / "study.toml").write_text(STUDY.format(name=folder.name, **sections))
    return pipeline.run(folder, out=folder / "out")


@pytest.fixture(scope="session")
def twin(tmp_path_factory):
    """A ring of double links: twin-port cables between routers, splitters to the servers, labels that are ids."""
    folder = tmp_path_factory.mktemp("twin")
    (folder / "ring.edges").write_text("".join(f"{a} {(a + 1) % 4}\n" * 2 for a in range(4)))
    little = "slack = { end_mm = 100, loop_mm = 0 }"
    return run(folder, topology='family = "file"\npath = "ring.edges"\nparallel = true', cabling=f'label = "hpe"\n{little}')


@pytest.fixture(scope="session")
def trunks(tmp_path_factory):
    """A dragonfly over trunks; two fibers plug into each module."""
    folder = tmp_path_factory.mktemp("trunks")
    return run(folder, topology='family = "dragonfly"\na = 4\nh = 1', cabling='bundling = "trunk"')


@pytest.fixture(scope="session")
def four_tails():
    """The four endpoints of every router on one splitter."""
    made = make_plan(family="hypercube", dimensions=3, endpoints_per_router=4, label="serial", simulate=False)
    links, routers = made.topology.link_count, made.topology.router_count
    piece, cage = made.cables.piece.copy(), made.cables.cage.copy()
    piece[links:] = links + np.repeat(np.arange(routers), 4)
    cage[links:, 0] = cage[links::4, 0].repeat(4)
    label = np.array([f"{number:06d}-A" for number in piece])
    return replace(made, cables=replace(made.cables, piece=piece, cage=cage, label_a=label))


@pytest.fixture(scope="session")
def odd():
    """A plan in cabinets whose names hold quotes, commas, marks of other formats, other scripts and 60 characters."""
    made = make_plan(q=5, endpoints_per_router=2, change_room=oddly_named, name='plan "Ä", 1', title="Plan <Ä> & „B“")
    assert {made.room.slot_names[slot] for slot in made.placement.slot_of} >= set(ODD[:5])
    return made
