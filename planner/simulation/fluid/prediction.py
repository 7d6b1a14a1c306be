"""Flows, limits and delays of one network, routing and traffic pattern."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np

from planner.simulation.fluid import delay as delays
from planner.simulation.fluid.delay import Delay, Times
from planner.simulation.fluid.flows import Flows, Mixture
from planner.simulation.fluid.limits import Limit, coarser, detected, first_full, limit
from planner.simulation.fluid.waits import Queues, Waits, share, waits

LOST, LOST_FIXED = 0.003, 0.0025
"""Share of all traffic that growing queues may lose at saturation: in general, and where every source has one target: the
drift that the engine counts as none."""

ROUNDS, ROUNDS_FIXED = 5, 8
"""Divisions of traffic among minimal ports until packets' choice of free ports and waits agree: in general, and where every
source has one target. There the load of few ports decides, divisions alternate, and the best one is taken."""

_DAMPING = 0.4
_COARSE = 0.02
"""Resolution of the load at which the division adapts."""

MAX_WORK = 200_000_000
"""Routers times ports up to which the division adapts; beyond, it is even."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """The model of one network under one routing and traffic pattern.

    Attributes
    ----------
    idle
        Flows where ports are free: packets divide evenly at each router.
    full
        Flows at saturation, where packets avoid full ports.
    limit
        Limits of the offered load.
    """

    idle: Flows
    full: Flows
    queues: Queues
    times: Times
    limit: Limit

    def flows(self, load: float) -> Flows:
        """Return the flows, of load 1, with the division among ports at an offered load."""
        if self.idle is self.full:
            return self.idle
        return self._mixture.at(min(1.0, load / self.limit.saturation) ** 2)

    @cached_property
    def _mixture(self) -> Mixture:
        return Mixture(self.idle, self.full)

    def at(self, load: float) -> tuple[Delay, np.ndarray]:
        """Return the delays and the load of every link, float64 (2L,), forward at 2l and backward at 2l + 1."""
        flows = self.flows(load)
        found = waits(flows, self.queues, load)
        if found.fullest >= 1 and self.idle is not self.full:
            # Packets avoid what cannot keep up, as at saturation.
            flows, found = self.full, waits(self.full, self.queues, load)
        topology = flows.network.topology
        link = np.zeros(2 * topology.link_count)
        backward = flows.router != topology.links[topology.link, 0]
        link[2 * topology.link + backward] = found.link
        return delays.delay(flows, self.times, found, self.limit.saturation), link


def predict(divided: Callable[[np.ndarray | None], Flows], queues: Queues, times: Times, *, adaptive: bool) -> Prediction:
    """Return the prediction for a routing.

    Parameters
    ----------
    divided
        Returns the flows for weights of ports and channels, None for even ones.
    queues, times
        Sizes of queues, and delays.
    adaptive
        Whether packets avoid full ports. A port's weight is the chance 1 / (1 + T) that it has room.
    """
    idle = full = divided(None)
    load, topology = 1.0, idle.network.topology
    fixed, sources = idle.traffic.is_fixed, len(idle.traffic.rates)
    lost = LOST_FIXED if fixed else LOST
    best = None
    if adaptive and idle.choice.any() and topology.router_count * len(topology.indices) <= MAX_WORK:
        weights = np.ones(idle.flow.shape)
        at, found = _waits_of(full, queues), None
        for _ in range(ROUNDS_FIXED if fixed else ROUNDS):
            load = bound = coarser(found.limit.first_full, _COARSE) if found else first_full(at, _COARSE, near=load)
            if fixed:
                bound = detected(load, sources)
            room = 1 / (1 + at(bound).head)
            weights = weights ** (1 - _DAMPING) * room**_DAMPING
            full = divided(weights)
            at = _waits_of(full, queues)
            if fixed:
                found = Prediction(idle, full, queues, times, limit(full, at, lost, near=load))
                best = found if best is None or found.limit.saturation > best.limit.saturation else best
    return best or Prediction(idle, full, queues, times, limit(full, _waits_of(full, queues), lost, near=load))


def _waits_of(flows: Flows, queues: Queues) -> Callable[[float], Waits]:
    """Return the waits at a load as a function of it."""
    return lru_cache(maxsize=4)(partial(waits, flows, queues, shared=share(flows)))
