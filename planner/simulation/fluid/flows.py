"""Flows through every port and queue of the network at offered load 1, for routings whose channel is the hop's number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.kernels.fluid import arrays, waits, walk
from planner.kernels.fluid.arrays import EVEN, ONE
from planner.simulation.fluid import demand
from planner.simulation.fluid.demand import Traffic
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
    graph
        Ports as kernels take them.
    flow
        Through each port and channel, float64 (P, V).
    turn
        From each queue of a channel to each port of its router, float32 (V-1, pairs): see `planner.kernels.fluid.arrays`.
    ejected
        From each queue to endpoints, float64 (P, V).
    turned
        Flow that turns from each queue to ports of its router, float64 (V, P).
    injected
        From endpoints through each port, float64 (P,).
    squares
        Sum of the squares of the endpoints' flows through a port, float64 (P,).
    port_squares, channel_squares
        Sum of the squares of the flows from all inputs of a port, float64 (P,), and on each channel, (P, V). An input port counts
        once, since its packets arrive one after the other; every endpoint counts on its own.
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
    graph: arrays.Graph
    flow: np.ndarray
    turn: np.ndarray
    ejected: np.ndarray
    turned: np.ndarray
    injected: np.ndarray
    squares: np.ndarray
    port_squares: np.ndarray
    channel_squares: np.ndarray
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
    def contention(self) -> tuple[np.ndarray, np.ndarray]:
        """Chance that two packets at a port come from different inputs, float64 (P,), and for each channel alone, (P, V)."""
        by_port, by_channel = self.port_squares - self.surplus.sum(axis=1), self.channel_squares - self.surplus
        return _apart(np.maximum(0, by_port), self.load), _apart(np.maximum(0, by_channel), self.flow)

    @cached_property
    def load(self) -> np.ndarray:
        """Flow through each port on all channels, float64 (P,)."""
        return self.flow.sum(axis=1)

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


class Mixture:
    """Two divisions of the same traffic among ports, and the flows with a share of each."""

    _LINEAR = ("flow", "turn", "ejected", "turned", "injected", "squares", "surplus", "choice", "options", "first_options")
    _QUADRATIC = ("port_squares", "channel_squares")

    def __init__(self, one: Flows, other: Flows):
        self._one = one
        self._differences = {name: getattr(other, name) - getattr(one, name) for name in (*self._LINEAR, *self._QUADRATIC)}
        half = _squares(self._linear("turn", 0.5), one.graph, self._linear("squares", 0.5))
        # A square is a parabola in the share; this is how far its middle is below the straight line.
        middle = {name: getattr(one, name) + self._differences[name] / 2 for name in self._QUADRATIC}
        self._sags = {name: middle[name] - each for name, each in zip(self._QUADRATIC, half, strict=True)}

    def at(self, share: float) -> Flows:
        """Return the flows with this share of the other division, from 0 to 1."""
        found = {name: self._linear(name, share) for name in (*self._LINEAR, *self._QUADRATIC)}
        for name, sag in self._sags.items():
            found[name] -= 4 * share * (1 - share) * sag
        return Flows(self._one.network, self._one.traffic, self._one.graph, **found)

    def _linear(self, name: str, share: float) -> np.ndarray:
        difference = self._differences[name]
        return getattr(self._one, name) + difference.dtype.type(share) * difference


def _turned(turn: np.ndarray, graph: arrays.Graph) -> np.ndarray:
    out = np.zeros((len(turn) + 1, len(graph.indices)))
    waits.totals(turn, graph, out)
    return out


def _squares(turn: np.ndarray, graph: arrays.Graph, injected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums of squares of flows from all inputs, by port and by channel; `injected`: those of endpoints."""
    by_port, by_channel = injected.copy(), np.zeros((len(injected), len(turn) + 1))
    by_channel[:, 0] = injected
    waits.contention(turn, graph, by_port, by_channel)
    return by_port, by_channel


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
    wanted, rule, given, graph = demand.minimal(traffic), ONE if single else EVEN, _given(weights), _graph(network)
    sums = _walked(network, graph, wanted, max(1, network.diameter), given, rule, adaptive)
    if traffic.is_fixed:
        squares = np.zeros(sums.flow.shape[1])
        walk.squares(graph, wanted, traffic.senders, given, rule, squares)
    else:
        squares = _even_squares(network, traffic, sums.flow[0])
    return _flows(network, traffic, graph, sums, squares)


def valiant_flows(network: Network, traffic: Traffic, weights: np.ndarray | None) -> Flows:
    """Return the flows of Valiant routing: to an intermediate router, and from there on the following channels.

    A queue at an intermediate router is assumed to continue as all packets that start there on the same channel do. Packets
    that pass their target before the intermediate are not delivered early.

    References
    ----------
    .. [1] L. Valiant, "A scheme for fast parallel communication", SIAM J. Comput. 11(2), 1982.
    """
    channels, given, graph = 2 * max(1, network.diameter), _given(weights), _graph(network)
    to = _walked(network, graph, demand.to_intermediates(traffic), channels, given, EVEN, True)
    on = _walked(network, graph, demand.from_intermediates(traffic, network.distance), channels, given, EVEN, True)
    topology, beyond = network.topology, network.topology.indices
    router = np.repeat(np.arange(topology.router_count), topology.degree)
    starting = np.array([np.bincount(router, begun, topology.router_count) for begun in on.begun])
    share = np.zeros(to.flow.shape)
    share[:-1] = to.ejected[:-1] / np.maximum(starting[1:, beyond], 1e-300)
    waits.connect(to.turn, graph, share, on.begun)
    to.options[:-1] += on.first_options[1:, :, beyond] * share[:-1, None]
    for name in ("flow", "turn", "squares", "chosen", "options"):
        getattr(to, name).__iadd__(getattr(on, name))
    return _flows(network, traffic, graph, to._replace(ejected=on.ejected), _even_squares(network, traffic, to.begun[0]))


def _even_squares(network: Network, traffic: Traffic, injected: np.ndarray) -> np.ndarray:
    """Return the sum of squares where the endpoints of a router send alike."""
    topology = network.topology
    return injected**2 / np.repeat(np.maximum(1, traffic.endpoints), topology.degree)


def _flows(network: Network, traffic: Traffic, graph: arrays.Graph, sums: arrays.Flows, squares: np.ndarray) -> Flows:
    load = sums.flow.sum(axis=0)
    for options in (sums.options, sums.first_options):
        whole = options.sum(axis=1, keepdims=True)
        np.divide(options, whole, out=options, where=whole > 0)
    choice = np.divide(sums.chosen, load, out=np.zeros(len(load)), where=load > 0)
    options, first_options = sums.options.transpose(2, 0, 1), sums.first_options[0].T
    return Flows(
        network, traffic, graph, sums.flow.T, sums.turn, sums.ejected.T, _turned(sums.turn, graph), sums.begun[0], squares,
        *_squares(sums.turn, graph, squares), sums.squares.T, choice, options, first_options,
    )  # fmt: skip


def _given(weights: np.ndarray | None) -> np.ndarray:
    """Return weights as the walk takes them."""
    return _NO_WEIGHTS if weights is None else np.ascontiguousarray(weights.T, np.float32)


def _walked(
    network: Network, graph: arrays.Graph, wanted: arrays.Demand, channels: int, weights: np.ndarray, rule: int, adaptive: bool
) -> arrays.Flows:
    """Return the sums over all targets; flow is counted at the port that sends it."""
    routers = network.topology.router_count
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
