"""The front of cost against longest link, and limits for the longest link."""

from functools import partial

import numpy as np
import pytest

from planner.design.placement import place, problem
from planner.design.placement.model.cost import link_cost
from planner.design.placement.search.front import STEP, front
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network import topology


@pytest.fixture(scope="module")
def posed(edr):
    """Slim Fly of 50 routers, two to a cabinet, in the room of the SpectralFly paper: 4 m, 2 m across, 0.6 m along."""
    network = topology.build("slimfly", q=5, endpoints_per_router=0)
    return network, edr, Lengths(floor.room("spectralfly", routers=50), edr.cabinet, Slack())


WISHES = {"objective": "length", "groups": "ignored"}


def longest_mm(placed, network, lengths):
    """The longest link by the room's rule, from the places of the slots alone."""
    xy = lengths.room.slot_xy[placed.slot[: network.router_count]].astype(int)
    a, b = network.links.T
    apart = np.abs(xy[a] - xy[b]).sum(axis=1)
    return int(np.where(placed.cabinet[a] == placed.cabinet[b], 2000, 4000 + apart).max())


@pytest.mark.slow
def test_the_front_falls_from_the_placement_to_the_shortest_longest_link(posed):
    network, parts, lengths = posed
    placed = place(network, parts, lengths, seed=1, algorithm="anneal", front=6, bounds=False, **WISHES)
    cost, longest = placed.front.T
    assert placed.front[0].tolist() == [placed.objective, longest_mm(placed, network, lengths)]
    assert len(placed.front) > 1
    assert (np.diff(cost) > 0).all()
    assert (np.diff(longest) < 0).all()
    assert (longest[1:] <= longest[:-1] * STEP).all()


@pytest.mark.slow
def test_every_point_is_reached_by_asking_for_it(posed):
    """A layout as short as the last point exists: its length as a limit gives no link that is longer."""
    network, parts, lengths = posed
    task = problem(network, parts, lengths, **WISHES)
    placed = place(network, parts, lengths, seed=1, algorithm="anneal", moves=300_000, bounds=False, **WISHES)
    points = front(task, placed, partial(link_cost, parts, lengths, "length"), 4, seed=1)
    limit = int(points[-1, 1])
    again = place(network, parts, lengths, seed=2, algorithm="anneal", longest_mm=limit, bounds=False, **WISHES)
    assert again.too_long == 0
    assert again.longest_mm == limit
    assert longest_mm(again, network, lengths) <= limit


def test_links_that_cannot_be_short_enough_are_counted(posed):
    network, parts, lengths = posed
    placed = place(network, parts, lengths, seed=1, algorithm="anneal", moves=100_000, longest_mm=3000, bounds=False, **WISHES)
    a, b = network.links.T
    assert placed.too_long == int((placed.cabinet[a] != placed.cabinet[b]).sum()) > 0


@pytest.mark.slow
def test_interrupted_fronts_keep_their_points(posed):
    network, parts, lengths = posed
    task = problem(network, parts, lengths, **WISHES)
    placed = place(network, parts, lengths, seed=1, algorithm="anneal", bounds=False, **WISHES)

    def stop(stage, done, total, **facts):
        if done == 1:
            raise KeyboardInterrupt

    points = front(task, placed, partial(link_cost, parts, lengths, "length"), 8, seed=1, progress=stop)
    assert 1 <= len(points) <= 2
    assert points[0, 0] == placed.objective
