"""Flows through every port and queue of the network at offered load 1, for routings whose channel is the hop's number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.kernels.flow import arrays, waits, walk
from planner.kernels.flow.arrays import EVEN, ONE
from planner.simulation.flow import demand
from planner.simulation.flow.demand import Traffic
from planner.simulation.network import Network

SAMPLED = 4000
"""Routers from which turns between ports are added up for some targets, and scaled to the flow."""

TURN_TARGETS = 500
"""Number of these targets."""

_NO_WEIGHTS = np.zeros((0, 0), np.float32)


@dataclass(frozen=True, eq=False)
class Flows:
    """Flows at offered load 1, in phits per cycle; queues are numbered by the port that sends to them, and their channel.

    Attributes
    ----------
    flow
        Through each port and channel, float64 (P, V).
    turn
        From each queue of a channel to each port of its router, float32 (V-1, pairs): see `planner.kernels.flow.arrays`.
    ejected
        From each queue to endpoints, float64 (P, V).
    injected
        From endpoints through each port, float64 (P,).
    squares
        Sum of the squares of the endpoints' flows through a port, float64 (P,).
    surplus
        What drawing targets adds to the squares of turns, by the port and channel that they turn to: float64 (P, V).
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
    surplus: np.ndarray
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
    def graph(self) -> arrays.Graph:
        """Ports as kernels take them."""
        return _graph(self.network)

    @cached_property
    def turned(self) -> np.ndarray:
        """Flow that turns from each queue to ports of its router, float64 (V, P)."""
        return _turned(self.turn, self.graph)

    @cached_property
    def contention(self) -> tuple[np.ndarray, np.ndarray]:
        """Chance that two packets at a port come from different inputs, float64 (P,), and for each channel alone, (P, V).

        An input port counts once, since its packets arrive one after the other; every endpoint counts on its own.
        """
        by_port, by_channel = self.squares.copy(), np.zeros(self.flow.shape)
        by_channel[:, 0] = self.squares
        waits.contention(self.turn, self.graph, by_port, by_channel)
        by_port = np.maximum(0, by_port - self.surplus.sum(axis=1))
        return _apart(by_port, self.flow.sum(axis=1)), _apart(np.maximum(0, by_channel - self.surplus), self.flow)

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
        names = ("flow", "turn", "ejected", "injected", "squares", "surplus", "choice", "options", "first_options")
        parts = {name: _mixed(getattr(self, name), getattr(other, name), share) for name in names}
        return Flows(self.network, self.traffic, **parts)


def _turned(turn: np.ndarray, graph: arrays.Graph) -> np.ndarray:
    out = np.zeros((len(turn) + 1, len(graph.indices)))
    waits.totals(turn, graph, out)
    return out


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
    wanted, rule, given = demand.minimal(traffic), ONE if single else EVEN, _given(weights)
    sums = _walked(network, wanted, max(1, network.diameter), given, rule, adaptive)
    if traffic.is_fixed:
        squares = np.zeros(sums.flow.shape[1])
        walk.squares(_graph(network), wanted, traffic.senders, given, rule, squares)
    else:
        squares = _even_squares(network, traffic, sums.flow[0])
    return _flows(network, traffic, sums, squares)


def valiant_flows(network: Network, traffic: Traffic, weights: np.ndarray | None) -> Flows:
    """Return the flows of Valiant routing: to an intermediate router, and from there on the following channels.

    A queue at an intermediate router is assumed to continue as all packets that start there on the same channel do. Packets
    that pass their target before the intermediate are not delivered early.

    References
    ----------
    .. [1] L. Valiant, "A scheme for fast parallel communication", SIAM J. Comput. 11(2), 1982.
    """
    channels, given = 2 * max(1, network.diameter), _given(weights)
    to = _walked(network, demand.to_intermediates(traffic), channels, given, EVEN, True)
    on = _walked(network, demand.from_intermediates(traffic, network.distance), channels, given, EVEN, True)
    topology, beyond = network.topology, network.topology.indices
    router = np.repeat(np.arange(topology.router_count), topology.degree)
    starting = np.array([np.bincount(router, begun, topology.router_count) for begun in on.begun])
    share = np.zeros(to.flow.shape)
    share[:-1] = to.ejected[:-1] / np.maximum(starting[1:, beyond], 1e-300)
    waits.connect(to.turn, _graph(network), share, on.begun)
    to.options[:-1] += on.first_options[1:, :, beyond] * share[:-1, None]
    for name in ("flow", "turn", "squares", "chosen", "options"):
        getattr(to, name).__iadd__(getattr(on, name))
    return _flows(network, traffic, to._replace(ejected=on.ejected), _even_squares(network, traffic, to.begun[0]))


def _even_squares(network: Network, traffic: Traffic, injected: np.ndarray) -> np.ndarray:
    """Return the sum of squares where the endpoints of a router send alike."""
    topology = network.topology
    return injected**2 / np.repeat(np.maximum(1, traffic.endpoints), topology.degree)


def _flows(network: Network, traffic: Traffic, sums: arrays.Flows, squares: np.ndarray) -> Flows:
    load = sums.flow.sum(axis=0)
    for options in (sums.options, sums.first_options):
        whole = options.sum(axis=1, keepdims=True)
        np.divide(options, whole, out=options, where=whole > 0)
    choice = np.divide(sums.chosen, load, out=np.zeros(len(load)), where=load > 0)
    options, first_options = sums.options.transpose(2, 0, 1), sums.first_options[0].T
    return Flows(
        network, traffic, sums.flow.T, sums.turn, sums.ejected.T, sums.begun[0], squares, sums.squares.T, choice, options,
        first_options,
    )  # fmt: skip


def _given(weights: np.ndarray | None) -> np.ndarray:
    """Return weights as the walk takes them."""
    return _NO_WEIGHTS if weights is None else np.ascontiguousarray(weights.T, np.float32)


def _walked(
    network: Network, wanted: arrays.Demand, channels: int, weights: np.ndarray, rule: int, adaptive: bool
) -> arrays.Flows:
    """Return the sums over all targets; flow is counted at the port that sends it."""
    routers, graph = network.topology.router_count, _graph(network)
    starts = channels if len(wanted.via) or len(wanted.sent) > 1 else 1
    drawn = np.random.default_rng(routers).permutation(routers)[: TURN_TARGETS if routers >= SAMPLED else routers]
    every, is_drawn = routers / len(drawn), np.zeros(routers, np.uint8)
    is_drawn[drawn] = 1
    sums = _empty(graph, channels)
    scratch = arrays.scratch(routers, int(network.topology.degree.max(initial=1)), channels, starts)
    walk.walk(graph, wanted, np.arange(routers), weights, rule, int(adaptive), is_drawn, sums, scratch)
    names = ("flow", "ejected", "begun", "chosen", "options")
    sums = sums._replace(**{name: getattr(sums, name)[..., graph.reverse] for name in names})
    sums.begun[0] = sums.flow[0]
    if every > 1:
        drawn, onward = _turned(sums.turn, graph), np.maximum(0, sums.flow - sums.ejected)
        waits.totals(sums.turn, graph, drawn)
        waits.scale(sums.turn, graph, np.divide(onward, drawn, out=np.zeros(drawn.shape), where=drawn > 0))
    sums.chosen.__imul__(every)
    # Of a sum of random terms, each drawn with chance 1/n, the square exceeds that of the mean by these squares.
    sums.squares.__imul__(every * (every - 1))
    return sums


def _graph(network: Network) -> arrays.Graph:
    topology = network.topology
    pairs = np.concatenate([[0], np.cumsum(topology.degree.astype(np.int64) ** 2)])
    indptr, indices = topology.indptr.astype(np.int64), topology.indices.astype(np.uint16)
    return arrays.Graph(indptr, indices, _reverse(topology.link), pairs, network.distance)


def _reverse(link: np.ndarray) -> np.ndarray:
    """Return the port at the other end of each port's link."""
    pairs = np.argsort(link, kind="stable").reshape(-1, 2)
    result = np.empty(len(link), np.int32)
    result[pairs[:, 0]], result[pairs[:, 1]] = pairs[:, 1], pairs[:, 0]
    return result


def _empty(graph: arrays.Graph, channels: int) -> arrays.Flows:
    ports, routers = len(graph.indices), len(graph.indptr) - 1
    return arrays.Flows(
        flow=np.zeros((channels, ports)),
        turn=np.zeros((channels - 1, int(graph.pairs[-1])), np.float32),
        squares=np.zeros((channels, ports)),
        ejected=np.zeros((channels, ports)),
        begun=np.zeros((channels, ports)),
        chosen=np.zeros(ports),
        options=np.zeros((channels, arrays.CHOICES, ports), np.float32),
        first_options=np.zeros((channels, arrays.CHOICES, routers)),
    )
