"""Prescribed paths of a job as tables, for `planner.kernels.routing.prescribed`."""

from __future__ import annotations

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.routing.prescribed import FREE, Prescribed
from planner.simulation.messages import Timetable


def none() -> Prescribed:
    """Return the table of no paths: the routing chooses them."""
    return Prescribed(np.zeros(1, np.int64), *(np.zeros(0, np.int32),) * 2, np.zeros(0, np.int64), np.zeros(1, np.int64))


def table(topology: Topology, timetable: Timetable, routers: np.ndarray, crosses: np.ndarray) -> Prescribed:
    """Return the table of a job's paths; the virtual channel of a hop is the number of earlier hops that cross.

    Parameters
    ----------
    topology
        The network.
    timetable
        Paths of the job, by ranks.
    routers
        Router of each rank, int (ranks,).
    crosses
        Whether each link leads to another group, bool (L,).

    Raises
    ------
    InputError
        When a path uses a link that does not exist.
    """
    source, target = routers[timetable.source].astype(np.int64), routers[timetable.target]
    row = np.repeat(np.arange(topology.router_count), topology.degree)
    key = row * topology.router_count + topology.indices
    order = np.argsort(key, kind="stable")
    wanted = source * topology.router_count + target
    entry = order[np.minimum(np.searchsorted(key[order], wanted), len(order) - 1)]
    absent = np.flatnonzero(key[entry] != wanted)
    if len(absent):
        rank, other = timetable.source[absent[0]], timetable.target[absent[0]]
        problem = f"routers {source[absent[0]]} and {target[absent[0]]} of ranks {rank} and {other} are not connected"
        remedy = "give the motif the network's k and m, one rank per router (ports = endpoints per router), and linear placement"
        raise InputError(Problem("motif", problem, remedy))
    before = np.concatenate([[0], np.cumsum(crosses[topology.link[entry]])])
    message = np.repeat(np.arange(len(timetable.first) - 1), np.diff(timetable.first))
    return Prescribed(
        first=timetable.first.astype(np.int64),
        port=(entry - topology.indptr[source]).astype(np.int32),
        channel=(before[:-1] - before[timetable.first[message]]).astype(np.int32),
        step=timetable.step.astype(np.int64),
        clock=np.full(1, FREE),
    )
