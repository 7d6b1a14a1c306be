"""Flows through every port and queue of the network at offered load 1, for routings whose channel is the hop's number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.kernels.flow import arrays, waits, walk
from planner.kernels.flow.arrays import EVEN, ONE
from planner.metrics.graph import on_all_cores
from planner.simulation.flow import demand
from planner.simulation.flow.demand import Traffic
from planner.simulation.network import Network

_THREADED_WORK = 50_000_000
"""Targets times ports from which the walk uses all cores."""

_TURN_TARGETS = 2000
"""Targets of whose flow turns between ports are added up; larger networks draw as many, and turns are scaled to the flow."""

_NO_WEIGHTS = np.zeros((0, 0))


@dataclass(frozen=True, eq=False)
class Flows:
    """Flows at offered load 1, in phits per cycle; queues are numbered by the port that sends to them, and their channel.

    Attributes
    ----------
    flow
        Through each port and channel, float64 (P, V).
    turn
        From each queue to each port of its router, float32 (P, V, degree).
    ejected
        From each queue to endpoints, float64 (P, V).
    injected
        From endpoints through each port, float64 (P,).
    squares
        Sum of the squares of the endpoints' flows through a port, float64 (P,).
    choice
        Share of a port's flow that could have taken another, the sum of (m - 1) / m for m ports, float64 (P,).
    options
        Share of each queue's onward flow by ports to choose from, float32 (P, V, `arrays.CHOICES`).
    first_options
        Same for injected flow, float64 (R, `arrays.CHOICES`).
    """

    network: Network
    traffic: Traffic
    flow: np.ndarray
    turn: np.ndarray
    ejected: np.ndarray
    injected: np.ndarray
    squares: np.ndarray
    choice: np.ndarray
    options: np.ndarray
    first_options: np.ndarray

    @cached_property
    def router(self) -> np.ndarray:
        """Router of each port, int64 (P,)."""
        topology = self.network.topology
        return np.repeat(np.arange(topology.router_count), topology.degree)

    @cached_property
    def beyond(self) -> np.ndarray:
        """Router that each port leads to, int64 (P,)."""
        return self.network.topology.indices.astype(np.int64)

    @cached_property
    def head(self) -> np.ndarray:
        """First port of the router that each port leads to, int64 (P,)."""
        return self.network.topology.indptr.astype(np.int64)[self.beyond]

    @cached_property
    def contention(self) -> tuple[np.ndarray, np.ndarray]:
        """Chance that two packets at a port come from different inputs, float64 (P,), and for each channel alone, (P, V).

        An input port counts once, since its packets arrive one after the other; every endpoint counts on its own.
        """
        by_port, by_channel = self.squares.copy(), np.zeros(self.flow.shape)
        by_channel[:, 0] = self.squares
        waits.contention(self.turn, self.head, by_port, by_channel)
        return _apart(by_port, self.flow.sum(axis=1)), _apart(by_channel, self.flow)

    @cached_property
    def ejection_contention(self) -> np.ndarray:
        """Same for packets at the endpoints of a router, float64 (R,); 0 where each endpoint has one sender."""
        traffic, routers = self.traffic, len(self.traffic.endpoints)
        if traffic.one_sender:
            return np.zeros(routers)
        ejected = self.ejected.sum(axis=1)
        squares = np.bincount(self.beyond, ejected**2, routers) + traffic.inside**2 / np.maximum(1, traffic.endpoints)
        return _apart(squares, np.bincount(self.beyond, ejected, routers) + traffic.inside)

    @cached_property
    def hops(self) -> np.ndarray:
        """Traffic by hops, float64 (V+1,), from 0 hops inside a router on."""
        return np.concatenate([[self.traffic.inside.sum()], self.ejected.sum(axis=0)])

    def mixed(self, other: Flows, share: float) -> Flows:
        """Return these flows with a share replaced by another division of the same traffic among ports."""
        names = ("flow", "turn", "ejected", "injected", "squares", "choice", "options", "first_options")
        parts = {name: _mixed(getattr(self, name), getattr(other, name), share) for name in names}
        return Flows(self.network, self.traffic, **parts)


def _mixed(one: np.ndarray, other: np.ndarray, share: float) -> np.ndarray:
    return one + one.dtype.type(share) * (other - one)


def _apart(squares: np.ndarray, flow: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(flow > 0, np.maximum(0.0, 1 - squares / flow**2), 0.0)


def minimal_flows(
    network: Network, traffic: Traffic, weights: np.ndarray | None, *, adaptive: bool, single: bool = False
) -> Flows:
    """Return the flows of minimal routing.

    Parameters
    ----------
    network, traffic
        The network, and its traffic at offered load 1.
    weights
        Weight of each port and channel among minimal ports, float64 (P, V); None for even division at each router.
    adaptive
        Whether a packet takes any minimal port; otherwise it waits for the one drawn.
    single
        Whether all packets of a router to a target take one port, as in the routing `single_path`.
    """
    wanted, rule = demand.minimal(traffic), ONE if single else EVEN
    sums = _walked(network, wanted, max(1, network.diameter), weights, rule, adaptive)
    if traffic.is_fixed:
        squares = np.zeros(len(sums.flow))
        walk.squares(_graph(network), wanted, traffic.senders, _NO_WEIGHTS if weights is None else weights, rule, squares)
    else:
        squares = _even_squares(network, traffic, sums.injected[:, 0])
    return _flows(network, traffic, sums, sums.injected[:, 0], squares, sums.first_options[:, 0])


def valiant_flows(network: Network, traffic: Traffic, weights: np.ndarray | None) -> Flows:
    """Return the flows of Valiant routing: to an intermediate router, and from there on the following channels.

    A queue at an intermediate router is assumed to continue as all packets that start there on the same channel do. Packets
    that pass their target before the intermediate are not delivered early.

    References
    ----------
    .. [1] L. Valiant, "A scheme for fast parallel communication", SIAM J. Comput. 11(2), 1982.
    """
    channels = 2 * max(1, network.diameter)
    to = _walked(network, demand.to_intermediates(traffic), channels, weights, EVEN, True)
    on = _walked(network, demand.from_intermediates(traffic, network.distance), channels, weights, EVEN, True)
    topology = network.topology
    beyond, head = topology.indices.astype(np.int64), topology.indptr.astype(np.int64)[topology.indices]
    starting = np.zeros((topology.router_count, channels))
    router = np.repeat(np.arange(topology.router_count), topology.degree)
    np.add.at(starting, router, on.injected)
    place = np.arange(to.turn.shape[2])
    ports = np.minimum(head[:, None] + place, len(beyond) - 1)
    valid = place < topology.degree[beyond][:, None]
    for channel in range(channels - 1):
        whole = np.maximum(starting[beyond, channel + 1], 1e-300)
        continuing = to.ejected[:, channel] / whole
        to.turn[:, channel] += np.where(valid, on.injected[ports, channel + 1], 0) * continuing[:, None]
        to.options[:, channel] += on.first_options[beyond, channel + 1] * continuing[:, None]
    for name in ("flow", "turn", "chosen", "options"):
        getattr(to, name).__iadd__(getattr(on, name))
    sums = to._replace(ejected=on.ejected)
    return _flows(
        network, traffic, sums, to.injected[:, 0], _even_squares(network, traffic, to.injected[:, 0]), to.first_options[:, 0]
    )


def _even_squares(network: Network, traffic: Traffic, injected: np.ndarray) -> np.ndarray:
    """Return the sum of squares where the endpoints of a router send alike."""
    topology = network.topology
    return injected**2 / np.repeat(np.maximum(1, traffic.endpoints), topology.degree)


def _flows(network: Network, traffic: Traffic, sums: arrays.Flows, injected, squares, first_options) -> Flows:
    load = sums.flow.sum(axis=1)
    for options in (sums.options, first_options):
        whole = options.sum(axis=-1, keepdims=True)
        np.divide(options, whole, out=options, where=whole > 0)
    choice = np.divide(sums.chosen, load, out=np.zeros(len(load)), where=load > 0)
    return Flows(network, traffic, sums.flow, sums.turn, sums.ejected, injected, squares, choice, sums.options, first_options)


def _walked(
    network: Network, wanted: arrays.Demand, channels: int, weights: np.ndarray | None, rule: int, adaptive: bool
) -> arrays.Flows:
    """Return the sums over all targets; targets are shared between threads."""
    topology, graph = network.topology, _graph(network)
    blocks = np.arange(-(-topology.router_count // arrays.BLOCK))
    given = _NO_WEIGHTS if weights is None else weights
    every = max(1, topology.router_count // _TURN_TARGETS)

    def work(mine: np.ndarray) -> arrays.Flows:
        sums = _empty(topology.router_count, len(graph.indices), channels, int(topology.degree.max(initial=1)))
        scratch = arrays.scratch(topology.router_count, sums.turn.shape[2], rule)
        walk.walk(graph, wanted, mine, given, rule, int(adaptive), every, sums, scratch)
        return sums

    parts = 1 if topology.router_count * len(graph.indices) < _THREADED_WORK else 2
    first, *others = on_all_cores(work, [(blocks[part::parts],) for part in range(parts)])
    for other in others:
        for sums, more in zip(first, other, strict=True):
            sums += more
    first.injected[:, 0] = first.flow[:, 0]
    if every > 1:
        onward = np.maximum(0, first.flow - first.ejected)
        drawn = first.turn.sum(axis=2)
        first.turn.__imul__(np.divide(onward, drawn, out=np.zeros(drawn.shape), where=drawn > 0)[:, :, None].astype(np.float32))
    return first


def _graph(network: Network) -> arrays.Graph:
    topology = network.topology
    indptr, indices = topology.indptr.astype(np.int64), topology.indices.astype(np.int64)
    return arrays.Graph(indptr, indices, _reverse(topology.link), network.distance)


def _reverse(link: np.ndarray) -> np.ndarray:
    """Return the port at the other end of each port's link."""
    pairs = np.argsort(link, kind="stable").reshape(-1, 2)
    result = np.empty(len(link), np.int64)
    result[pairs[:, 0]], result[pairs[:, 1]] = pairs[:, 1], pairs[:, 0]
    return result


def _empty(routers: int, ports: int, channels: int, degree: int) -> arrays.Flows:
    return arrays.Flows(
        flow=np.zeros((ports, channels)),
        turn=np.zeros((ports, channels, degree), np.float32),
        ejected=np.zeros((ports, channels)),
        injected=np.zeros((ports, channels)),
        chosen=np.zeros(ports),
        options=np.zeros((ports, channels, arrays.CHOICES), np.float32),
        first_options=np.zeros((routers, channels, arrays.CHOICES)),
    )
