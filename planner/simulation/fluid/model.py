"""Estimates of one network under one routing and traffic pattern."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.network.metrics import planes
from planner.simulation.elements import element
from planner.simulation.embedding import Timing, timed
from planner.simulation.fluid.delay import Times
from planner.simulation.fluid.demand import Traffic, traffic_of
from planner.simulation.fluid.errors import error_of
from planner.simulation.fluid.flows import minimal_flows, valiant_flows
from planner.simulation.fluid.prediction import Prediction, predict
from planner.simulation.fluid.ratios import Ratio, ratio_of
from planner.simulation.fluid.waits import Queues
from planner.simulation.network import Network
from planner.simulation.patterns import table_of
from planner.simulation.queues import queues as queue_sizes
from planner.simulation.queues import virtual_channels
from planner.simulation.routers import RouterSettings, separated

HIGHEST = 0.85
"""Largest load with delays, as a share of saturation; the error grows quickly beyond."""

ROUTINGS = ("minimal", "single_path", "valiant", "ugal", "polarized")
"""Routings with an estimate; others must be simulated."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimates of a model, not measurements.

    Attributes
    ----------
    routing, traffic
        Their names.
    saturation
        Estimated saturation throughput, in phits per cycle and endpoint.
    saturation_range
        Lowest and highest expected value: the estimate times the measured errors of its class, at most 1.
    first_full
        Load at which the first queue or link cannot keep up; NaN where only a ratio is known.
    limited_by
        What that is: ``"input queues"``, ``"links"``, ``"injection"`` or ``"ejection"``; empty where only a ratio is known.
    offered
        Offered loads, float64 (P,).
    delay_mean, delay_p99
        Delays in cycles, float64 (P,); NaN above `HIGHEST` of saturation, from `first_full` on, and where only a ratio is known.
    link_load
        Phits per cycle in each direction of each link, forward at 2l, backward at 2l + 1, float64 (P, 2L); NaN as the delays,
        but given up to saturation.
    mean_hops
        Mean hops between routers; NaN where only a ratio is known.
    cycle_ps
        Time of one phit on a link; 0 if unknown.
    advice
        Why the saturation must be simulated with packets; empty if the estimate may be used by itself.
    delay_advice
        What is known to be wrong with delays; empty if nothing is.
    """

    routing: str
    traffic: str
    saturation: float
    saturation_range: tuple[float, float]
    first_full: float
    limited_by: str
    offered: np.ndarray
    delay_mean: np.ndarray
    delay_p99: np.ndarray
    link_load: np.ndarray
    mean_hops: float
    cycle_ps: int
    advice: str
    delay_advice: str = ""


def flow_model(
    topology: Topology,
    delay_ps: np.ndarray,
    *,
    seed: int,
    traffic: str = "uniform",
    traffic_parameters: dict[str, Any] | None = None,
    loads: Sequence[float] = (0.1, 0.3, 0.5, 0.7, 0.9),
    router_delay_ps: int = 0,
    rate_gbps: float = math.inf,
    link_rate: np.ndarray | None = None,
    **routers: Any,
) -> Estimate:
    """Return the estimates of the flow-level model for the arguments of `planner.simulation.simulate`.

    Parameters
    ----------
    topology
        The network.
    delay_ps
        Delay of each cable, links first, then endpoints: int64 (L+H,).
    seed
        Seed of the study; traffic patterns are drawn as for packets.
    traffic, traffic_parameters
        Name and parameters of the traffic pattern.
    loads
        Offered loads in phits per cycle and endpoint, each above 0 and at most 1.
    router_delay_ps, rate_gbps, link_rate
        As for `planner.simulation.embed`; all cables have the same rate.
    **routers
        Fields of `planner.simulation.RouterSettings`.

    Raises
    ------
    InputError
        For a network, a routing or a pattern outside the model: simulate packets.

    References
    ----------
    .. [1] M. Karol, M. Hluchyj, S. Morgan, "Input versus output queueing on a space-division packet switch", IEEE Trans.
       Commun. 35, 1987.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> network = build("slimfly", q=5, endpoints_per_router=4)
    >>> found = flow_model(network, np.zeros(375, np.int64), seed=1, loads=(0.3,), preset="caminos")
    >>> bool(0.72 < found.saturation < 0.88), found.limited_by
    (True, 'input queues')
    """
    settings, unknown = separated(routers)
    _require_known(settings, unknown, loads, topology, link_rate)
    timing = timed(topology, delay_ps, settings, router_delay_ps=router_delay_ps, rate_gbps=rate_gbps, link_rate=link_rate)
    network = Network(topology, timing.link_cycles)
    table = table_of(traffic, traffic_parameters, topology, seed)
    flows = traffic_of(topology, traffic, table)
    chosen = dict(settings.routing_parameters or {})
    cycle_ps = round(timing.cycle_ps) if math.isfinite(timing.cycle_ps) else 0
    known = partial(_predicted, network, flows, settings, timing)
    if settings.routing in ("ugal", "polarized"):
        return _by_ratio(known, settings.routing, chosen, traffic, flows, loads, cycle_ps)
    found = known(settings.routing, adaptive=bool(chosen.get("adaptive", True)))
    return _of_prediction(found, settings.routing, traffic, flows, loads, cycle_ps)


def _require_known(
    settings: RouterSettings, unknown: dict[str, Any], loads: Sequence[float], topology: Topology, link_rate: np.ndarray | None
) -> None:
    """Raise InputError with all that is outside the model."""
    remedy = "simulate packets"
    problems = [Problem(name, "is not a setting of the model", remedy) for name in unknown]
    problems += [Problem("loads", f"a load is above 0 and at most 1, not {load}") for load in loads if not 0 < load <= 1]
    if settings.routing not in ROUTINGS:
        message = f"{settings.routing} is not in the model, which has {', '.join(ROUTINGS)}"
        problems.append(Problem("routing", message, remedy))
    else:
        element("routing", settings.routing, settings.routing_parameters)
        if (settings.routing_parameters or {}).get("through", "router") != "router":
            problems.append(Problem("routing_parameters.through", "the model has intermediate routers only", remedy))
    if settings.resolved(None).flow_control != "cut_through":
        problems.append(Problem("flow_control", "the model has cut-through routers only", remedy))
    if link_rate is not None and (np.asarray(link_rate) != 1).any():
        problems.append(Problem("link_rate", "the model needs the same rate on all cables", remedy))
    if planes(topology).any():
        problems.append(Problem("topology", "the model needs one network, and planes are not joined", "give one plane"))
    if problems:
        raise InputError(problems)


def _predicted(
    network: Network, traffic: Traffic, settings: RouterSettings, timing: Timing, routing: str, *, adaptive: bool = True
) -> Prediction:
    """Return the prediction of a modeled routing."""
    topology = network.topology
    needed = max(1, network.diameter) * (2 if routing == "valiant" else 1)
    channels = virtual_channels(settings, needed)
    sizes = queue_sizes(timing.chosen, int(timing.link_cycles.max()), timing.router_cycles, channels)
    queues = Queues(sizes.input_packets, sizes.output_packets, channels, timing.chosen.crossbar_speedup or 1)
    cables = timing.link_cycles.astype(np.float64)
    links, ends = cables[: topology.link_count], cables[topology.link_count :]
    times = Times(settings.packet_phits, sizes.router_cycles, links[topology.link], ends)
    single = routing == "single_path"
    adaptive = adaptive and not single
    if routing == "valiant":
        return predict(partial(valiant_flows, network, traffic), queues, times, adaptive=True)
    divided = partial(minimal_flows, network, traffic, adaptive=adaptive, single=single)
    return predict(divided, queues, times, adaptive=adaptive)


def _of_prediction(
    found: Prediction, routing: str, traffic: str, flows: Traffic, loads: Sequence[float], cycle_ps: int
) -> Estimate:
    """Return the estimates of a modeled routing."""
    topology = found.idle.network.topology
    saturation = found.limit.saturation
    error = error_of(routing, traffic, topology.family, is_fixed=flows.is_fixed)
    mean, p99 = (np.full(len(loads), np.nan) for _ in range(2))
    link_load = np.full((len(loads), 2 * topology.link_count), np.nan)
    for number, load in enumerate(loads):
        if load > saturation:
            continue
        delay, link_load[number] = found.at(load)
        if load <= HIGHEST * saturation and load < found.limit.first_full:
            mean[number], p99[number] = delay.mean, delay.p99
    hops = found.idle.hops
    return Estimate(
        routing, traffic, saturation, (error.low * saturation, min(1.0, error.high * saturation)), found.limit.first_full,
        found.limit.limited_by, np.array(loads, np.float64), mean, p99, link_load,
        float(hops @ np.arange(len(hops)) / hops.sum()), cycle_ps, error.advice, error.delays,
    )  # fmt: skip


def _by_ratio(
    known: Any, routing: str, chosen: dict[str, Any], traffic: str, flows: Traffic, loads: Sequence[float], cycle_ps: int
) -> Estimate:
    """Return the estimate of a routing that chooses between minimal and longer paths: a measured ratio of saturations."""
    kind = traffic if traffic in ("uniform", "adversarial") else "permutation" if flows.is_fixed else traffic
    minimal = known("minimal")
    topology = minimal.idle.network.topology
    ratio = ratio_of(routing, kind, topology.family, whole_path=chosen.get("queues") == "path")
    saturation = minimal.limit.saturation
    if kind != "uniform":
        saturation = max(saturation, known("valiant").limit.saturation)
    advice = f"{routing} routing is not modeled: delays and link loads need packets"
    if ratio is None:
        ratio, advice = Ratio(1.0, 0.5, 1.5), f"{advice}; no ratio of {routing} under {kind} traffic has been measured"
    values = [min(1.0, saturation * each) for each in ratio]
    unknown = np.full(len(loads), np.nan)
    return Estimate(
        routing, traffic, values[0], (values[1], values[2]), math.nan, "", np.array(loads, np.float64), unknown, unknown,
        np.full((len(loads), 2 * topology.link_count), np.nan), math.nan, cycle_ps, advice,
    )  # fmt: skip
