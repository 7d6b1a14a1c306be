"""Estimates for a plan, and of the throughput of a bare network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from planner.domain.model import Plan, Topology
from planner.simulation.fluid.model import Estimate, flow_model
from planner.simulation.given import network_given

_OF_PACKETS = frozenset(
    ("cycles", "warmup", "precision", "max_cycles", "max_hours", "saturation", "occupancy", "network")
    + ("burst_packets", "burst_load")
)
"""Settings of runs with packets, without meaning for the model."""

_USUAL = {"planes": "endpoint", "process": "bernoulli", "outages": ()}
"""Settings that the model takes at these values only."""


class Throughput(NamedTuple):
    """Saturation throughput estimated by the flow-level model, in phits per cycle and endpoint."""

    saturation: float
    low: float
    """Lowest expected value, by the errors measured for such cases."""
    high: float
    """Highest expected value."""
    advice: str
    """Why packets must be simulated; empty if the estimate may be used by itself."""

    @property
    def simulate(self) -> bool:
        """Whether only packets can show it: the range is then a bound."""
        return bool(self.advice)


def throughput(
    topology: Topology, *, routing: str = "minimal", traffic: str = "uniform", seed: int = 1, preset: str = "caminos"
) -> Throughput:
    """Return the estimated saturation throughput of a network without its cables; they hardly change it.

    Raises
    ------
    InputError
        For a network, a routing or a pattern outside the model.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> found = throughput(build("slimfly", q=5, endpoints_per_router=4))
    >>> found.low < 0.8 < found.high, found.simulate
    (True, False)
    """
    delay_ps = np.zeros(topology.link_count + topology.endpoint_count, np.int64)
    found = flow_model(topology, delay_ps, seed=seed, routing=routing, traffic=traffic, loads=(), preset=preset)
    return Throughput(found.saturation, *found.saturation_range, found.advice)


def model_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a simulation that mean something to the model; values that it refuses remain."""
    # Lists where the section comes from a stored plan.
    given = {key: tuple(value) if isinstance(value, list) else value for key, value in settings.items()}
    return {key: value for key, value in given.items() if key not in _OF_PACKETS and value != _USUAL.get(key, ...)}


def estimate(
    plan: Plan,
    *,
    seed: int,
    routing: str | None = None,
    traffic: str | None = None,
    settings: Mapping[str, Any] | None = None,
    physical: bool = True,
    own_rates: bool = False,
) -> Estimate:
    """Return the estimates of the flow-level model for a network of a plan, with its cables, routers and rates.

    Parameters
    ----------
    plan
        A plan of one network, see `planner.domain.model.Plan.of_section`.
    seed
        Seed of the study.
    routing, traffic
        Names that replace those of `settings`, whose parameters for them are then ignored.
    settings
        The section ``simulation`` of the study; those of runs with packets are ignored.
    physical
        Whether cables and devices determine the delays; otherwise all delays are in cycles.
    own_rates
        Whether every cable keeps the rate of its ports.

    Raises
    ------
    InputError
        For a network, a routing or a pattern outside the model: simulate packets.
    """
    chosen = model_settings(settings or {})
    for key, name in (("routing", routing), ("traffic", traffic)):
        if name is not None and name != chosen.get(key):
            chosen[key] = name
            chosen.pop(f"{key}_parameters", None)
    given = network_given(plan.topology, plan.cables, plan.inventory if physical else None, seed=seed, own_rates=own_rates)
    given.pop("owner", None)
    return flow_model(**given, **chosen)
