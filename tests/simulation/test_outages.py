"""Faults by name, as a study writes them."""

import numpy as np
import pytest
from shared.networks import ring

from planner.core.errors import InputError
from planner.domain.model import Domain
from planner.simulation.faults import NEVER
from planner.simulation.outages import Outage, failure_cycles

RING = ring(6)
LABELS = np.array([[f"a{n}", f"b{n}"] for n in range(RING.link_count + RING.endpoint_count)])
CABINET = Domain("cabinet", "A01", routers=np.array([2, 3]), endpoints=np.array([2, 3]))
TRAY = Domain("tray", "north", links=np.array([0, 4]), endpoints=np.array([1]))


def named(*outages, seed=1):
    return failure_cycles(RING, LABELS, (CABINET, TRAY), seed=seed, outages=outages)


def test_nothing_fails_without_outages():
    cables, routers = named()
    assert (cables == NEVER).all()
    assert (routers == NEVER).all()


def test_each_name_kills_what_it_names():
    """Endpoint n has cable 6 + n; a cable has a label at either end."""
    cables, routers = named(Outage(cables=("a1", "b7")), Outage(cycle=50, domains=("cabinet A01", "tray north"), routers=(5,)))
    assert {row: int(cycle) for row, cycle in enumerate(cables) if cycle < NEVER} == {1: 0, 7: 0, 0: 50, 4: 50, 8: 50, 9: 50}
    assert {router: int(cycle) for router, cycle in enumerate(routers) if cycle < NEVER} == {2: 50, 3: 50, 5: 50}


def test_the_earliest_death_counts():
    cables, _ = named(Outage(cycle=90, cables=("a1",)), Outage(cycle=30, cables=("b1",)), Outage(cycle=60, cables=("a1",)))
    assert cables[1] == 30


def test_shares_are_drawn_by_the_seed():
    big = ring(200)
    outage, none = Outage(link_share=0.1, router_share=0.05), np.zeros((0, 2), str)
    first, again, other = (failure_cycles(big, none, (), seed=seed, outages=[outage]) for seed in (1, 1, 2))
    assert (first[0][:200] < NEVER).sum() == 20
    assert (first[0][200:] == NEVER).all()
    assert (first[1] < NEVER).sum() == 10
    np.testing.assert_array_equal(first[0], again[0])
    assert (first[0] != other[0]).any()


def test_every_unknown_name_is_reported():
    with pytest.raises(InputError) as error:
        named(Outage(cables=("a1", "c1")), Outage(domains=("cabinet A02",), routers=(6,)))
    text = str(error.value)
    assert "outages.0.cables: no cable has the label 'c1'" in text
    assert "outages.1.domains: the plan has no 'cabinet A02'; did you mean cabinet A01" in text
    assert "outages.1.routers: there is no router 6; use 0 to 5" in text
    assert text.count("outages") == 3
