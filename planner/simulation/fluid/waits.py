"""Waits at one offered load: head-of-line times of queues, and how busy they are.

Times are in packets: the cycles of a packet on a link. Formulas, and how constants were found: ``docs/method/flow-model.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import lambertw

from planner.kernels.fluid.waits import FULL, Powers, Queued, Rates, fill_of_several, fill_waits
from planner.simulation.fluid.flows import Flows


@dataclass(frozen=True)
class Constants:
    """Constants fitted to 382 runs of the packet engine, none of the held-out networks among them.

    References
    ----------
    .. [1] M. Karol, M. Hluchyj, S. Morgan, "Input versus output queueing on a space-division packet switch", IEEE Trans.
       Commun. 35, 1987 (the form of head-of-line blocking; a = k = delta = 1 and contention = 2 give its saturation exactly).
    """

    a: float = 1.33
    """Share of a link's wait that its heads of line see."""
    k: float = 0.88
    """Exponent of the places of an output queue."""
    beta: float = 0.35
    """Wait for a credit."""
    eta: float = 1.04
    """Use of the virtual channels of an endpoint."""
    delta: float = 2.42
    """Wait for a place in front of an endpoint."""
    gamma: float = 0.42
    """Gain by a further port to choose from."""
    nu: float = 4.46
    """Exponent of the share of a port's flow without a choice; empirical."""
    contention: float = 2.64
    """Exponent of the contention of inputs; empirical."""


FITTED = Constants()


@dataclass(frozen=True)
class Queues:
    """Sizes of the router model: packets of an input and an output queue, virtual channels, phits per cycle of the crossbar."""

    input_packets: int
    output_packets: int
    channels: int
    speedup: int


@dataclass(frozen=True, eq=False)
class Waits:
    """Waits at a load, times in packets.

    Attributes
    ----------
    load
        Offered load.
    link
        Load of each port in phits per cycle, float64 (P,).
    head
        Time that a head of line waits for each port and channel, float64 (P, V).
    blocked
        Time that the head of each queue waits for its next port or endpoint, float64 (P, V).
    busy
        Utilization of each queue; 1 is its limit, float64 (P, V).
    injection
        Time that the head of an endpoint's queue waits, float64 (R,).
    sources
        Utilization of the heads of each endpoint, float64 (H,).
    ejection
        Load of each endpoint's cable, float64 (H,).
    """

    load: float
    link: np.ndarray
    head: np.ndarray
    blocked: np.ndarray
    busy: np.ndarray
    injection: np.ndarray
    sources: np.ndarray
    ejection: np.ndarray

    @property
    def fullest(self) -> float:
        """Maximum utilization of anything; the load is bounded in every queue below 1."""
        return max(float(values.max(initial=0)) for values in (self.link, self.busy, self.sources, self.ejection))

    @property
    def limited_by(self) -> str:
        """What is fullest: ``links``, ``input queues``, ``injection`` or ``ejection``."""
        named = {"input queues": self.busy, "links": self.link, "injection": self.sources, "ejection": self.ejection}
        return max(named, key=lambda name: float(named[name].max(initial=0)))


def queue_wait(load: np.ndarray) -> np.ndarray:
    """Return the mean wait of an M/D/1 queue in services, at most that of load `FULL`."""
    load = np.minimum(load, FULL)
    return load / (2 * (1 - load))


def queue_tail(load: np.ndarray) -> np.ndarray:
    """Return the ratio of successive probabilities of a long M/D/1 queue: 1 / z for the root z > 1 of z = exp(load (z - 1)).

    This is z = -W(-load exp(-load)) / load with the branch of Lambert's function below -1.

    >>> round(float(queue_tail(np.array([0.5]))[0]), 4)
    0.2847
    """
    load = np.clip(load, 1e-6, FULL)
    return -load / lambertw(-load * np.exp(-load), -1).real


class Shared(NamedTuple):
    """What waits at all loads share."""

    link: np.ndarray
    """Share of a link's wait that its heads of line see, float64 (P,)."""
    rates: Rates
    own: np.ndarray
    """Mean flow of a packet's own endpoint through the port that it takes first, float64 (P,)."""
    received: np.ndarray
    """Different flows to endpoints, float64 (U,)."""
    receives: np.ndarray
    """Which of them each endpoint has, int64 (H,)."""
    ejected: np.ndarray
    """Flow to the endpoints of each router, float64 (R,)."""
    sent: np.ndarray
    """Flow from its endpoints to other routers, float64 (R,)."""
    options: np.ndarray
    """`Flows.first_options` as kernels take them."""


def share(flows: Flows, constants: Constants = FITTED) -> Shared:
    """Return what all loads share."""
    by_port, by_channel = flows.contention
    alone = (1 - np.minimum(flows.choice, 1)) ** constants.nu
    parts = (flows.flow.T, flows.ejected.T, flows.turn, flows.turned, flows.options.transpose(1, 2, 0))
    topology, traffic = flows.network.topology, flows.traffic
    return Shared(
        constants.a * by_port**constants.contention * alone,
        Rates(*map(np.ascontiguousarray, (*parts, by_channel.T**constants.contention))),
        np.divide(flows.squares, flows.injected, out=np.zeros(len(flows.squares)), where=flows.injected > 0),
        *np.unique(traffic.received, return_inverse=True),
        np.bincount(topology.endpoint_router, traffic.received, topology.router_count),
        np.bincount(flows.router, flows.injected, topology.router_count),
        np.ascontiguousarray(flows.first_options),
    )


def waits(flows: Flows, queues: Queues, load: float, constants: Constants = FITTED, shared: Shared | None = None) -> Waits:
    """Return the waits at an offered load.

    A queue of channel v waits only for ports on channel v + 1, so that one pass from the last channel to the first suffices.

    Parameters
    ----------
    shared
        What all loads share; computed if not given.
    """
    shared = shared or share(flows, constants)
    link, traffic = flows.load * load, flows.traffic
    at_endpoint = _at_endpoints(flows, queues, shared, load, constants)
    of_link = shared.link * queue_wait(link)
    found = Queued(*(np.empty(shared.rates.flow.shape) for _ in range(3)))
    full = constants.k * (queues.output_packets - 1)
    powers = Powers(full, constants.beta, constants.gamma, queues.input_packets, float(queues.speedup))
    fill_waits(flows.graph, shared.rates, load, link, of_link, at_endpoint, powers, found, np.empty(len(link)))
    injection = _injection(flows, shared, found.head[0], link, load, at_endpoint, constants)
    own = flows.network.topology.endpoint_router
    sources = traffic.rates * load * (1 + injection[own]) / (constants.eta * queues.channels)
    return Waits(load, link, found.head.T, found.blocked.T, found.busy.T, injection, sources, traffic.received * load)


def _at_endpoints(flows: Flows, queues: Queues, shared: Shared, load: float, constants: Constants) -> np.ndarray:
    """Return the time that a head of line waits for endpoints of each router, float64 (R,)."""
    if flows.traffic.one_sender:
        # No two packets meet there.
        return np.zeros(len(shared.ejected))
    ejection = shared.received * load
    full = queue_tail(ejection) ** (queues.output_packets * queues.channels - 1)
    waited = shared.received * (constants.delta * full * queue_wait(ejection))
    sums = np.bincount(flows.network.topology.endpoint_router, waited[shared.receives], len(shared.ejected))
    return flows.ejection_contention * sums / np.maximum(shared.ejected, 1e-300)


def _injection(
    flows: Flows, shared: Shared, head: np.ndarray, link: np.ndarray, load: float, at_endpoint: np.ndarray, constants: Constants
) -> np.ndarray:
    """Return the time that the head of an endpoint's queue waits, float64 (R,); limited as in `wait_of_heads`."""
    others = np.maximum(0.0, link - load * shared.own)
    head = np.where(others < 1, np.minimum(head, others / np.maximum(1 - others, 1e-12)), head)
    sums = np.bincount(flows.router, flows.injected * head, len(shared.sent))
    onward = np.empty(len(sums))
    fill_of_several(sums / np.maximum(shared.sent, 1e-300), shared.options, constants.gamma, onward)
    inside = flows.traffic.inside
    return (shared.sent * onward + inside * at_endpoint) / np.maximum(shared.sent + inside, 1e-300)
