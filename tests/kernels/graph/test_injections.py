"""The kernel for injections against a count of common links, pair by pair."""

import numpy as np

from planner.kernels.graph.injections import anneal, exchange, fill, gain
from planner.network.growth.methods.match import _injection
from planner.network.topology import build


def naive_common(old, target, place):
    """Return the number of old links that the target has as well, parallel ones counted."""
    pairs, wanted = {}, {}
    for a, b in old.links.tolist():
        ends = tuple(sorted((int(place[a]), int(place[b]))))
        pairs[ends] = pairs.get(ends, 0) + 1
    for ends in map(tuple, target.links.tolist()):
        wanted[ends] = wanted.get(ends, 0) + 1
    return sum(min(count, wanted.get(ends, 0)) for ends, count in pairs.items())


def networks():
    yield build("slimfly", q=4), build("slimfly", q=5)
    yield build("hyperx", sizes=[3, 3], parallel=[3, 1]), build("hyperx", sizes=[4, 3], parallel=[2, 2])
    # The number of routers of the target, so that both of an exchange may be old and joined.
    yield build("mesh", sizes=[3, 3]), build("torus", sizes=[3, 3])


def test_gain_is_the_change_of_common_links():
    draw = np.random.default_rng(1)
    for old, target in networks():
        run = _injection(old, target, draw.permutation(target.router_count).astype(np.int32))
        kept = fill(run)
        assert kept == naive_common(old, target, run.place)
        for _ in range(200):
            one, other = int(draw.integers(old.router_count)), int(draw.integers(target.router_count))
            if one == other:
                continue
            kept += gain(one, other, run)
            exchange(one, other, run)
            table = run.table.copy()
            assert kept == fill(run) == naive_common(old, target, run.place)
            assert (table == run.table).all()
            assert (run.occupant[run.place] == np.arange(target.router_count)).all()


def test_annealing_keeps_its_best():
    for old, target in networks():
        place = np.arange(target.router_count, dtype=np.int32)
        run = _injection(old, target, place.copy())
        kept = fill(run)
        best = np.append(place, kept).astype(np.int64)
        kept = anneal(50_000, 0.9, 0.15, 0.5, np.array([7], np.uint64), run, kept, best)
        assert kept == fill(run) == naive_common(old, target, run.place)
        assert best[-1] == naive_common(old, target, best[:-1]) >= kept
        assert sorted(best[:-1].tolist()) == list(range(target.router_count))
