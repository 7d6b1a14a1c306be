"""Waits at one offered load: head-of-line times of queues, and how busy they are.

Times are in packets: the cycles of a packet on a link. Formulas, and how constants were found: ``docs/method/flow-model.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from planner.kernels.flow.waits import wait_of_heads
from planner.simulation.flow.flows import Flows

FULL = 0.999
"""Loads are limited to this in formulas of queues that have no limit at 1."""


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

    >>> round(float(queue_tail(np.array([0.5]))[0]), 4)
    0.2847
    """
    # Endpoints usually have few different loads.
    load, place = np.unique(np.clip(load, 1e-6, FULL), return_inverse=True)
    root = 1 / load**2
    for _ in range(60):
        # Newton's method on log z - load (z - 1), from beyond the root.
        root = root - (np.log(root) - load * (root - 1)) / (1 / root - load)
    return (1 / root)[place]


class Shared(NamedTuple):
    """Factors of waits that do not depend on the load."""

    link: np.ndarray
    """Share of a link's wait that its heads of line see, float64 (P,)."""
    channel: np.ndarray
    """Contention of the inputs for each port and channel, float64 (P, V)."""
    choices: np.ndarray
    """Maximum number of ports that heads of line on a channel choose from, up to `arrays.CHOICES`: int64 (V,)."""


def share(flows: Flows, constants: Constants = FITTED) -> Shared:
    """Return the factors that all loads share."""
    by_port, by_channel = flows.contention
    apart, within = by_port**constants.contention, by_channel**constants.contention
    alone = (1 - np.minimum(flows.choice, 1)) ** constants.nu
    used = flows.options.any(axis=0)
    choices = (used * np.arange(1, used.shape[1] + 1)).max(axis=1, initial=1)
    return Shared(constants.a * apart * alone, within, choices)


def waits(flows: Flows, queues: Queues, load: float, constants: Constants = FITTED, shared: Shared | None = None) -> Waits:
    """Return the waits at an offered load.

    A queue of channel v waits only for ports on channel v + 1, so that one pass from the last channel to the first suffices.

    Parameters
    ----------
    shared
        What all loads share; computed if not given.
    """
    flow = flows.flow * load
    link = flow.sum(axis=1)
    traffic = flows.traffic
    ejection = traffic.received * load
    at_endpoint = _at_endpoints(flows, queues, ejection, constants)
    shared = shared or share(flows, constants)
    of_link = shared.link * queue_wait(link)
    head, blocked, busy = (np.zeros(flow.shape) for _ in range(3))
    for channel in range(flow.shape[1] - 1, -1, -1):
        onward = np.zeros(len(link))
        if channel + 1 < flow.shape[1]:
            for_port = np.ascontiguousarray(head[:, channel + 1])
            wait_of_heads(flows.turn, channel, flows.head, for_port, link, load, onward)
            onward = _with_choice(onward, flows.options[:, channel, : shared.choices[channel]], constants)
        mine, out = flow[:, channel], flows.ejected[:, channel] * load
        ends = np.divide(out, mine, out=np.zeros(len(mine)), where=mine > 0)
        blocked[:, channel] = ends * at_endpoint[flows.beyond] + (1 - ends) * onward
        service = 1 / queues.speedup + blocked[:, channel]
        busy[:, channel] = mine * service
        written = shared.channel[:, channel] * queue_wait(mine / queues.speedup) / queues.speedup
        others = np.minimum(link - mine, FULL)
        full = np.minimum(mine / (1 - others), 1.0) ** (constants.k * (queues.output_packets - 1))
        credit = constants.beta * np.minimum(busy[:, channel], 1) ** queues.input_packets * service
        head[:, channel] = written + full * np.maximum(0, of_link - written) + np.where(mine > 0, credit, 0)
    injection = _injection(flows, head[:, 0], link, load, at_endpoint, constants)
    own = flows.network.topology.endpoint_router
    sources = traffic.rates * load * (1 + injection[own]) / (constants.eta * queues.channels)
    return Waits(load, link, head, blocked, busy, injection, sources, ejection)


def _at_endpoints(flows: Flows, queues: Queues, ejection: np.ndarray, constants: Constants) -> np.ndarray:
    """Return the time that a head of line waits for endpoints of each router, float64 (R,)."""
    topology = flows.network.topology
    full = queue_tail(ejection) ** (queues.output_packets * queues.channels - 1)
    wait = constants.delta * full * queue_wait(ejection)
    owner = topology.endpoint_router
    weight = np.bincount(owner, ejection, topology.router_count)
    mean = np.bincount(owner, ejection * wait, topology.router_count) / np.maximum(weight, 1e-300)
    return flows.ejection_contention * mean


def _with_choice(wait: np.ndarray, options: np.ndarray, constants: Constants) -> np.ndarray:
    """Return the wait of heads that take the first of several ports with room, from that for one port: float64 (N,).

    The chance of no room is T / (1 + T) if blocking is geometric.
    """
    blocked = wait / (1 + wait)
    total, power = options[:, 0] * blocked, blocked
    if options.shape[1] > 1:
        step = blocked**constants.gamma
        for number in range(1, options.shape[1]):
            power = power * step
            total += options[:, number] * power / (1 + constants.gamma * number)
    return total * (1 + wait)


def _injection(
    flows: Flows, head: np.ndarray, link: np.ndarray, load: float, at_endpoint: np.ndarray, constants: Constants
) -> np.ndarray:
    """Return the time that the head of an endpoint's queue waits, float64 (R,); limited as in `wait_of_heads`."""
    own = np.divide(flows.squares, flows.injected, out=np.zeros(len(link)), where=flows.injected > 0)
    others = np.maximum(0.0, link - load * own)
    head = np.where(others < 1, np.minimum(head, others / np.maximum(1 - others, 1e-12)), head)
    routers, router = flows.network.topology.router_count, flows.router
    sent = np.bincount(router, flows.injected, routers)
    mean = np.bincount(router, flows.injected * head, routers) / np.maximum(sent, 1e-300)
    onward = _with_choice(mean, flows.first_options, constants)
    inside = flows.traffic.inside
    whole = np.maximum(sent + inside, 1e-300)
    return (sent * onward + inside * at_endpoint) / whole
