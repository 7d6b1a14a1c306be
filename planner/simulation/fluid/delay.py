"""Mean delay and 99th percentile at a load, by the flow-level model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaincc

from planner.simulation.fluid.flows import Flows
from planner.simulation.fluid.waits import Waits, queue_wait


@dataclass(frozen=True)
class Constants:
    """Constants fitted to the engine's delays at 0.3, 0.6 and 0.8 of saturation on 55 networks."""

    contention: float = 0.42
    """Exponent of the contention of inputs."""
    smoothing: float = 1.21
    """Shorter waits at links where packets have a choice."""
    exponent: float = 0.80
    """Exponent of the load of that."""
    queue: float = 0.41
    """Share of the wait of an input queue by the formula of Karol et al."""
    injection: float = 0.37
    """Same for the queue of an endpoint."""
    spread: float = 0.8
    """Variance of waits relative to independent queues at load 0; as much again at saturation."""


FITTED = Constants()


class Times(NamedTuple):
    """Delays of the embedded network, in cycles."""

    packet: int
    """Serialization of a packet."""
    router: int
    links: np.ndarray
    """Cable that each port sends to, float64 (P,)."""
    endpoints: np.ndarray
    """Cable of each endpoint, float64 (H,)."""


class Delay(NamedTuple):
    """Delays in cycles."""

    mean: float
    p99: float
    network: float
    """Mean without queues."""


class _Stages(NamedTuple):
    """Mean and variance of waits, in packets."""

    mean: float
    variance: float


def delay(flows: Flows, times: Times, waits: Waits, saturation: float, constants: Constants = FITTED) -> Delay:
    """Return the delays at a load.

    The mean adds waits at the source, links, input queues and endpoint to the exact delay of the empty network. The percentile
    assumes that waits of packets with equal hops follow a gamma distribution.

    References
    ----------
    .. [1] M. Karol, M. Hluchyj, S. Morgan, "Input versus output queueing on a space-division packet switch", IEEE Trans.
       Commun. 35, 1987 (the wait of an input queue).
    """
    share = flows.hops / flows.hops.sum()
    ends = _ends(flows, times, waits, constants)
    at_link = _at_links(flows, waits, constants)
    hops = [_hop(flows, waits, at_link, channel, constants) for channel in range(len(share) - 1)]
    cables = _per_hop(flows, times)
    fixed = float(_mean(times.endpoints, flows.traffic.rates) + _mean(times.endpoints, flows.traffic.received))
    number = np.arange(len(share))
    empty = fixed + (number + 1) * times.router + np.concatenate([[0], np.cumsum(cables)]) + times.packet - 1
    mean = ends.mean + np.concatenate([[0], np.cumsum([hop.mean for hop in hops])])
    factor = constants.spread * (1 + (waits.load / saturation) ** 2)
    variance = factor * (ends.variance + np.concatenate([[0], np.cumsum([hop.variance for hop in hops])]))
    network = float(share @ empty)
    p99 = _p99(share, empty, times.packet * mean, times.packet**2 * variance)
    return Delay(network + times.packet * float(share @ mean), p99, network)


def _ends(flows: Flows, times: Times, waits: Waits, constants: Constants) -> _Stages:
    """Return the waits at the source, in its queues and at the endpoint."""
    traffic = flows.traffic
    router = flows.network.topology.endpoint_router
    rate = traffic.rates * waits.load
    created = (times.packet - 1) / times.packet * queue_wait(rate)
    head = waits.injection[router]
    queued = rate * _residual(head) / (2 * np.maximum(1 - waits.sources, 0.2))
    injection = constants.injection * np.minimum(queued, 3 * (1 + head))
    contention = flows.ejection_contention[router]
    arriving = contention * queue_wait(waits.ejection)
    return _Stages(
        _mean(created + injection, traffic.rates) + _mean(arriving, traffic.received),
        _mean(_variance(created) + 2 * injection**2, traffic.rates) + _mean(_variance(arriving), traffic.received),
    )


def _at_links(flows: Flows, waits: Waits, constants: Constants) -> np.ndarray:
    """Return the wait at each link, float64 (P,)."""
    by_port, _ = flows.contention
    eased = 1 - constants.smoothing * flows.choice * np.minimum(waits.link, 1) ** constants.exponent
    return by_port**constants.contention * queue_wait(waits.link) * np.maximum(0.05, eased)


def _hop(flows: Flows, waits: Waits, link: np.ndarray, channel: int, constants: Constants) -> _Stages:
    """Return the waits at a link on a channel, `link`, and in the input queue behind it."""
    weight = flows.flow[:, channel]
    if not weight.any():
        return _Stages(0.0, 0.0)
    left = np.maximum(1 - waits.busy[:, channel], 0.02)
    queue = constants.queue * weight * waits.load * _residual(waits.blocked[:, channel]) / (2 * left)
    total = link + queue
    mean = _mean(total, weight)
    return _Stages(mean, _mean(_variance(link) + 2 * queue**2, weight) + _mean((total - mean) ** 2, weight))


def _per_hop(flows: Flows, times: Times) -> np.ndarray:
    """Return the mean delay of the cable of each hop, float64 (V,)."""
    load = flows.flow.sum(axis=0)
    whole = float(times.links.mean()) if len(times.links) else 0.0
    return np.divide(times.links @ flows.flow, load, out=np.full(len(load), whole), where=load > 0)


def _residual(head: np.ndarray) -> np.ndarray:
    """Return E[S (S - 1)] for a service of 1 + a geometric wait whose mean is `head`, with whole packets in front of it."""
    return head + 2 * head**2 + 2 * head / 3


def _variance(wait: np.ndarray) -> np.ndarray:
    """Return the variance of the wait of an M/D/1 queue from its mean, in services squared."""
    return wait**2 + 2 * wait / 3


def _mean(values: np.ndarray, weights: np.ndarray) -> float:
    whole = weights.sum()
    return float(values @ weights / whole) if whole else 0.0


def _p99(share: np.ndarray, empty: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> float:
    """Return the 99th percentile of a mixture over hops."""
    used = (share > 0) & (mean > 0)
    if not used.any():
        return float(empty[share > 0].max(initial=0.0))
    weight = share[used] / share[used].sum()
    shape, scale = mean[used] ** 2 / variance[used], variance[used] / mean[used]

    # The survival function of the gamma distribution, without the import of `scipy.stats`, which is a slow one.
    def above(value: float) -> float:
        waited = np.maximum(value - empty[used], 0.0)
        return float(weight @ gammaincc(shape, waited / scale)) - 0.01

    high = float((empty[used] + 20 * (mean[used] + np.sqrt(variance[used]))).max())
    return float(brentq(above, 0.0, high))
