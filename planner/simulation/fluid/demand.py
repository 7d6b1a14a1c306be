"""Traffic between routers as the flow-level model takes it: the expected flow of a pattern, without a packet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.fluid.arrays import Demand
from planner.simulation.traffic import uniform
from planner.simulation.traffic.targets import fixed

MAX_PAIRS = 400_000_000
"""Maximum pairs of endpoints of a pattern whose chances are computed source by source."""


@dataclass(frozen=True, eq=False)
class Traffic:
    """Expected traffic at offered load 1, in phits per cycle.

    Attributes
    ----------
    endpoints
        Endpoints of each router, int64 (R,).
    rates
        Sent by each endpoint, float64 (H,), 0 to 1.
    received
        Received by each endpoint, float64 (H,).
    source, target, amount, senders
        Flow between different routers, sorted by target, and the endpoints that send it if each has one target, otherwise 0:
        (N,) each. Empty for uniform traffic.
    inside
        Flow between endpoints of each router, float64 (R,).
    is_fixed
        Whether every endpoint sends to one endpoint.
    is_uniform
        Whether all other endpoints are equally likely targets.
    """

    endpoints: np.ndarray
    rates: np.ndarray
    received: np.ndarray
    source: np.ndarray
    target: np.ndarray
    amount: np.ndarray
    senders: np.ndarray
    inside: np.ndarray
    is_fixed: bool
    is_uniform: bool

    @property
    def total(self) -> float:
        """Traffic of all endpoints, with that inside routers."""
        return float(self.rates.sum())

    @property
    def one_sender(self) -> bool:
        """Whether no endpoint receives from two others."""
        return self.is_fixed and float(self.received.max()) <= 1


def traffic_of(topology: Topology, name: str, table: np.ndarray) -> Traffic:
    """Return the expected traffic of a pattern.

    Raises
    ------
    InputError
        For a pattern that does not state how likely its targets are, and for too many endpoints.
    """
    module, count = registry.load("traffic", name), topology.endpoint_count
    of_table = getattr(module, "rates", None)
    rates = np.ones(count) if of_table is None else np.asarray(of_table(table), np.float64)
    router, endpoints = topology.endpoint_router.astype(np.int64), topology.endpoints_of.astype(np.int64)
    if module.target is uniform.target and len(table) == 1:
        none = np.zeros(0)
        inside = endpoints * (endpoints - 1) / (count - 1)
        index = none.astype(np.int64)
        return Traffic(endpoints, rates, np.ones(count), index, index, none, none, inside, False, True)
    if module.target is fixed.target:
        active = np.flatnonzero(rates > 0)
        goal = np.asarray(table, np.int64)[active]
        received = np.bincount(goal, rates[active], count)
        return _entries(endpoints, rates, received, router[active], router[goal], rates[active], is_fixed=True)
    chances = getattr(module, "chances", None)
    if chances is None:
        raise InputError(Problem("traffic", f"{name} defines no function chances(), which the model needs", "simulate packets"))
    if count**2 > MAX_PAIRS:
        remedy = "use uniform traffic or a pattern in which every source has one target, or simulate packets"
        raise InputError(Problem("traffic", f"{count:,} endpoints are too many for {name} traffic in the model", remedy))
    flow = np.zeros((topology.router_count,) * 2)
    into = np.zeros(count)
    for source in np.flatnonzero(rates > 0).tolist():
        sent = rates[source] * chances(table, source)
        into += sent
        flow[router[source]] += np.bincount(router, sent, topology.router_count)
    sources, targets = np.nonzero(flow)
    return _entries(endpoints, rates, into, sources, targets, flow[sources, targets], is_fixed=False)


def _entries(
    endpoints: np.ndarray, rates: np.ndarray, received: np.ndarray, source: np.ndarray, target: np.ndarray, amount: np.ndarray,
    *, is_fixed: bool,
) -> Traffic:  # fmt: skip
    """Return traffic from flows between routers, which may repeat."""
    routers = len(endpoints)
    pair, place, repeats = np.unique(target * routers + source, return_inverse=True, return_counts=True)
    amount = np.bincount(place, amount, len(pair))
    target, source = np.divmod(pair, routers)
    own = source == target
    inside = np.bincount(target[own], amount[own], routers)
    senders = repeats.astype(np.float64) if is_fixed else np.zeros(len(pair))
    kept = ~own
    return Traffic(
        endpoints, rates, received, source[kept], target[kept], amount[kept], senders[kept], inside, is_fixed, is_uniform=False
    )


def minimal(traffic: Traffic) -> Demand:
    """Return the demand of packets that take minimal paths."""
    routers = len(traffic.endpoints)
    sent = received = np.zeros((0, routers))
    if traffic.is_uniform:
        sent = np.asarray([traffic.endpoints], np.float64)
        received = sent / (traffic.rates.sum() - 1)
    return _demand(traffic, sent[:, :, None], received, traffic.amount)


def to_intermediates(traffic: Traffic) -> Demand:
    """Return the demand from sources to intermediate routers, drawn among those with endpoints other than source and target."""
    endpoints, used = traffic.endpoints.astype(np.float64), traffic.endpoints > 0
    share = used / max(1, used.sum() - 2)
    sent = np.bincount(traffic.source, traffic.amount, len(endpoints))
    less = -traffic.amount / max(1, used.sum() - 2)
    if not traffic.is_uniform:
        return _demand(traffic, sent[None, :, None], share[None], less)
    others = endpoints.sum() - 1
    factors = np.array([endpoints * (endpoints.sum() - endpoints) / others, -endpoints / others])
    return _demand(traffic, factors[:, :, None], np.array([share, share * endpoints]), less)


def from_intermediates(traffic: Traffic, distance: np.ndarray) -> Demand:
    """Return the demand from intermediate routers to targets; its first channel is the hops from the source."""
    endpoints, used = traffic.endpoints.astype(np.float64), traffic.endpoints > 0
    share = used / max(1, used.sum() - 2)
    if not traffic.is_uniform:
        nothing = np.zeros((0, len(used)))
        return _demand(traffic, nothing[:, :, None], nothing, traffic.amount, share)
    per_target = endpoints / (endpoints.sum() - 1)
    channels = int(distance[np.ix_(used, used)].max()) + 1
    counts = [np.bincount(row, endpoints, 256)[:channels] for row in distance]
    sent = np.array(counts) * share[:, None]
    # Neither the intermediate nor the target is a source.
    sent[:, 0] = 0.0
    demand = _demand(traffic, sent[None], per_target[None], traffic.amount)
    return demand._replace(less=np.array([share, endpoints * per_target]))


def _demand(
    traffic: Traffic, sent: np.ndarray, received: np.ndarray, amount: np.ndarray, via: np.ndarray | None = None
) -> Demand:
    routers = len(traffic.endpoints)
    return Demand(
        np.ascontiguousarray(np.moveaxis(np.asarray(sent, np.float64), 2, 0)),
        np.ascontiguousarray(received, np.float64),
        np.zeros((2, 0)),
        np.searchsorted(traffic.target, np.arange(routers + 1)).astype(np.int64),
        np.ascontiguousarray(traffic.source, np.int64),
        np.ascontiguousarray(amount, np.float64),
        np.zeros(0) if via is None else via,
    )
