"""Estimates of a whole plan: what can be chosen, and each answer kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.core import registry
from planner.core.errors import InputError, Problem, suggestion
from planner.domain.model import Plan
from planner.simulation.fluid.model import ROUTINGS, Estimate
from planner.simulation.fluid.quick import estimate

LOADS = tuple(round(0.05 * step, 2) for step in range(1, 21))
"""Offered loads of a curve."""


class Estimates:
    """The flow-level model on the networks of a plan, by routing and traffic pattern.

    Examples
    --------
    >>> from planner.studies import pipeline, study
    >>> found = Estimates(pipeline.make(study.load("reports/slimfly-200"), ["topology"]))
    >>> found.choices()["chosen"]["routing"]
    'minimal'
    """

    def __init__(self, plan: Plan):
        self.plan = plan
        self._kept: dict[tuple[str, str, str], Estimate] = {}

    @property
    def networks(self) -> tuple[str, ...]:
        """Names of the networks; one without a name where the study has ``[topology]``."""
        return tuple(self.plan.network_names) or ("",)

    @property
    def settings(self) -> dict[str, Any]:
        """The section ``simulation`` of the study; empty without one."""
        return dict(self.plan.study.get("simulation") or {})

    def choices(self) -> dict[str, Any]:
        """Return the networks, routings and patterns that can be chosen, and those of the study."""
        given = self.settings
        return {
            "networks": [
                {"name": name, "routers": topology.router_count, "endpoints": topology.endpoint_count}
                for name in self.networks
                for topology in [self._plan(name).topology]
            ],
            "routings": list(ROUTINGS),
            "patterns": registry.names("traffic"),
            "chosen": {
                "network": given.get("network") or self.networks[0],
                "routing": given["routing"] if given.get("routing") in ROUTINGS else ROUTINGS[0],
                "traffic": given.get("traffic", "uniform"),
            },
        }

    def require(self, network: str, routing: str, traffic: str) -> None:
        """Raise InputError with all names that do not exist."""
        known = {"network": self.networks, "routing": ROUTINGS, "traffic": registry.names("traffic")}
        given = {"network": network, "routing": routing, "traffic": traffic}
        problems = [
            Problem(key, f"there is no {key} {given[key][:60]!r}", suggestion(given[key][:60], names))
            for key, names in known.items()
            if given[key] not in names
        ]
        if problems:
            raise InputError(problems)

    def curve(self, network: str, routing: str, traffic: str) -> Estimate:
        """Return the estimates at `LOADS`.

        Raises
        ------
        InputError
            For a name that does not exist, or a network, a routing or a pattern outside the model: simulate packets.
        """
        self.require(network, routing, traffic)
        key = network, routing, traffic
        if key not in self._kept:
            plan, given = self._plan(network), self.settings
            if given.get("network", network) not in (network, None):
                # Parameters of the study's routing and pattern are meant for its own network.
                given = {name: value for name, value in given.items() if not name.endswith("_parameters")}
            self._kept[key] = estimate(
                plan,
                seed=self.plan.study["seed"],
                routing=routing,
                traffic=traffic,
                settings=given | {"loads": LOADS},
                physical="room" in self.plan.study,
                own_rates="network" in self.plan.study and given.get("link_gbps") is None,
            )
        return self._kept[key]

    def simulated(self, network: str, routing: str, traffic: str) -> dict[str, np.ndarray] | None:
        """Return loads and delays in cycles that packets showed, without saturated points; None if they show something else."""
        found, own = self.plan.simulation, self.settings.get("network") or self.networks[0]
        if found is None or (own, found.routing, found.traffic) != (network, routing, traffic):
            return None
        steady = ~found.saturated
        return {
            "offered": found.offered[steady],
            "accepted": found.accepted[steady],
            "delay_mean": found.delay_mean[steady],
            "delay_p99": found.delay_p99[steady],
        }

    def _plan(self, network: str) -> Plan:
        return self.plan.of(network) if network else self.plan
