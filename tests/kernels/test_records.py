"""Numbers of ports from numbers of queues against plain division."""

from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.kernels import compiled
from planner.kernels.packet.records import MAX_INDEX, RECIPROCAL_BITS, port_of, reciprocal

Channels = namedtuple("Channels", "reciprocal")


@compiled
def port(rules, queue):
    return port_of(rules, queue)


@pytest.mark.slow
@given(st.integers(1, 1000), st.integers(0, MAX_INDEX - 1))
def test_the_port_of_a_queue(channels, queue):
    queue = min(queue, (2**RECIPROCAL_BITS - 1) // channels)
    assert port(Channels(reciprocal(channels)), queue) == queue // channels


@pytest.mark.parametrize("channels", range(1, 65))
def test_the_port_of_a_queue_at_every_edge(channels):
    """Errors of the rounded reciprocal would show first just before and at multiples, and at the largest queues."""
    edges = np.arange(MAX_INDEX - 2000, MAX_INDEX) // channels * channels
    for queue in {0, 1, channels - 1, channels, *edges.tolist(), *(edges - 1).tolist()}:
        assert port(Channels(reciprocal(channels)), queue) == queue // channels
