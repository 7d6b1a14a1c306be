"""Prescribed paths: packets of a message take the ports of its path, each from its time step on."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from planner.kernels import always_inlined
from planner.kernels.routing.view import NOT_NOW, offer

FREE = np.iinfo(np.int64).max
"""Value of the clock when packets wait for no time step."""


class Prescribed(NamedTuple):
    """Paths of messages, hop by hop; the label of a packet is the number of its message plus 1."""

    first: Annotated[np.ndarray, np.int64, 1]
    """First hop of each message, and the end."""
    port: Annotated[np.ndarray, np.int32, 1]
    """Port of the router that each hop leaves."""
    channel: Annotated[np.ndarray, np.int32, 1]
    """Virtual channel of each hop."""
    step: Annotated[np.ndarray, np.int64, 1]
    """Time step from which each hop may be taken."""
    clock: Annotated[np.ndarray, np.int64, 1]
    """The current time step, one number; `FREE` unless the job runs in lock step."""


@always_inlined
def follow(found, paths, packet):
    """Offer the port of the packet's next hop; return the number of candidates, 1."""
    hop = paths.first[packet.label - 1] + packet.hops
    penalty = 0 if paths.step[hop] <= paths.clock[0] else NOT_NOW
    return offer(found, 0, paths.port[hop], paths.channel[hop], penalty, packet.label)
