"""Jobs with prescribed paths, asynchronous or in lock step.

In lock step all packets take the hops of one time step; the next begins when they have arrived everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.kernels.packet import lock_step as kernel
from planner.kernels.packet import records
from planner.simulation.case import Case
from planner.simulation.messages import Messages, Timetable
from planner.simulation.network import Routing


class LockStep:
    """The clock of a job in lock step.

    Parameters
    ----------
    timetable
        Time steps of the job.
    clock
        The current time step, which its packets obey: int64 (1,).
    """

    def __init__(self, timetable: Timetable, clock: np.ndarray):
        self.clock = clock
        self.lengths: list[int] = []
        """Cycles of each time step that has ended."""
        order = np.argsort(timetable.release, kind="stable")
        ends = np.searchsorted(timetable.release[order], np.arange(1, timetable.steps))
        self._released = np.split(order, ends)
        clock[0] = -1

    def advance(self, engine: records.Engine, rules: records.Rules, books: Any, run: Callable[[int], int]) -> int:
        """Run one time step, or after the last one to the end; return the status of ``run(until)``."""
        begun = int(engine.tally[0].now)
        self.clock[0] += 1
        step = int(self.clock[0])
        released = self._released[step] if step < len(self._released) else np.zeros(0, np.int64)
        kernel.begin(engine, rules, books, released)
        status, until = records.FINE, begun + 1
        while status == records.FINE and until > engine.tally[0].now:
            status = run(until)
            until = int(kernel.settled(engine, rules, books))
        self.lengths.append(int(engine.tally[0].now) - begun)
        return status


def of_job(
    case: Case, messages: Messages, packets: np.ndarray, endpoint: np.ndarray
) -> tuple[Routing, np.ndarray, LockStep | None]:
    """Return the routing of a job, the first label of each message's packets, and the clock of a job in lock step.

    A job with a timetable takes its paths if the routing follows prescribed paths.

    Parameters
    ----------
    case
        The network and its routers.
    messages
        Messages of the job.
    packets
        Packets of each message.
    endpoint
        An endpoint of each rank.

    Raises
    ------
    InputError
        When the routing cannot follow the paths of a job in lock step, or the paths do not fit the network and its routers.
    """
    timetable, label = messages.timetable, np.zeros(len(packets), np.int32)
    if timetable is None:
        return case.prepared, label, None
    prescribe = getattr(registry.load("routing", case.routing), "prescribe", None)
    if prescribe is None:
        if timetable.lock_step:
            problem = f"{case.routing} does not follow prescribed paths, which lock step needs"
            raise InputError(Problem("mode", problem, 'use routing = "swapped_dragonfly", or mode = "asynchronous"'))
        return case.prepared, label, None
    routing = prescribe(case.network, case.prepared, timetable, case.network.topology.endpoint_router[endpoint])
    if routing.virtual_channels > case.channels:
        problem = f"the prescribed paths need {routing.virtual_channels} virtual channels, not {case.channels}"
        raise InputError(Problem("virtual_channels", problem, f"use {routing.virtual_channels}"))
    label += np.arange(1, len(label) + 1, dtype=np.int32)
    if not timetable.lock_step:
        return routing, label, None
    # A router keeps the packets of a message that does not move in a time step.
    longest = int(packets.max(initial=0))
    if longest > case.input_packets:
        problem = f"messages of {longest} packets do not fit into input queues of {case.input_packets}, where they wait"
        raise InputError(Problem("bytes", problem, "use smaller messages, larger packets, or more input_packets"))
    return routing, label, LockStep(timetable, routing.tables.prescribed.clock)
