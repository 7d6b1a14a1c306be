"""Network arguments of a simulation, from the records of a plan."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from planner.domain.model import CablePlan, Inventory, Topology


def network_given(
    topology: Topology,
    cables: CablePlan | None,
    inventory: Inventory | None = None,
    *,
    seed: int,
    own_rates: bool = False,
) -> dict[str, Any]:
    """Return the arguments of `planner.simulation.simulate` that the plan supplies.

    Parameters
    ----------
    topology
        The network.
    cables
        Planned cables; without them cable delays are zero.
    inventory
        Devices of the network; None in a network study, where all delays are given in cycles and the cycle time is undefined.
    seed
        Seed of the study.
    own_rates
        Whether every cable keeps the rate of its ports.
    """
    delay_ps = np.zeros(topology.link_count + topology.endpoint_count, np.int64)
    if cables is not None and inventory is not None:
        delay_ps = cables.delay_ps[inventory.connections()]
    given: dict[str, Any] = {"topology": topology, "delay_ps": delay_ps, "seed": seed}
    if inventory is None:
        return given | {"router_delay_ps": 0, "rate_gbps": math.inf}
    delays, rates = (inventory.of_routers(name) for name in ("delay_ps", "rate_gbps"))
    given |= {"owner": inventory.owners(), "router_delay_ps": int(delays.max()), "rate_gbps": int(rates.min())}
    link_rate = inventory.rates_gbps() / rates.min() if own_rates else np.ones(0)
    return given | {"link_rate": link_rate} if (link_rate != 1).any() else given
