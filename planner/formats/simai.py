"""Topology with the delay of every cable for SimAI: servers with an NVSwitch each, and the network."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt

from planner.core.errors import InputError, Problem
from planner.domain.model import Plan
from planner.view.ranks import lines, milliseconds, numbers, ranks
from planner.view.selection import one_network

ENDING = ".simai.txt"


def write(
    plan: Plan,
    path: Path,
    *,
    role: str = "node",
    gpus_per_server: Annotated[int, Gt(0)] | None = None,
    gpu: str = "H100",
    nvlink_gbps: Annotated[int, Gt(0)] = 2880,
    nvlink_ps: Annotated[int, Ge(0)] = 25_000,
    routers: bool = False,
    network: str | None = None,
) -> None:
    """Write the counts, the numbers of all switches, then a line for each NVLink and each cable.

    Each endpoint is a GPU: by node, then by port. GPUs are numbered from 0, then the NVSwitch of each server, then the routers.
    Parallel links are one line with the sum of their rates.

    Parameters
    ----------
    role
        Role of the devices whose endpoints are GPUs.
    gpus_per_server
        GPUs of a server; by default the endpoints of a node.
    gpu
        Type of the GPUs.
    nvlink_gbps, nvlink_ps
        Rate and delay of the link between a GPU and the NVSwitch of its server; the defaults are those of SimAI's templates.
    routers
        Whether each cable has half the delay of the routers at its ends too: ns-3 has no delay of switches.
    network
        One of several networks, by default the first.

    Raises
    ------
    InputError
        When the plan has no cables, no network of that name, or no device of the role, or when servers are unequal.

    References
    ----------
    .. [1] aliyun/SimAI, astra-sim-alibabacloud/inputs/topo/gen_Topo_Template.py.
    """
    plan = one_network(plan, network)
    chosen = ranks(plan, role)
    size = gpus_per_server or _endpoints_per_node(plan, chosen)
    if len(chosen) % size:
        message = f"{len(chosen)} endpoints do not fill servers of {size} GPUs"
        raise InputError(Problem("gpus_per_server", message, "give a divisor of the number of endpoints"))
    servers, switches = len(chosen) // size, plan.topology.router_count
    first = len(chosen) + servers
    links = lines(plan, chosen, numbers(plan, chosen, first), routers)
    delay = milliseconds(nvlink_ps)
    inside = (f"{rank} {len(chosen) + rank // size} {nvlink_gbps}Gbps {delay} 0\n" for rank in range(len(chosen)))
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"{first + switches} {size} {servers} {switches} {len(chosen) + len(links)} {'_'.join(gpu.split())}\n")
        file.write(" ".join(map(str, range(len(chosen), first + switches))) + "\n")
        file.writelines(chain(inside, links))


def _endpoints_per_node(plan: Plan, chosen: np.ndarray) -> int:
    nodes, count = np.unique(plan.inventory.ends[chosen, 1], return_counts=True)
    if len(np.unique(count)) > 1:
        few, many = (plan.inventory.names[nodes[place]] for place in (count.argmin(), count.argmax()))
        message = f"{few} has {count.min()} endpoints and {many} {count.max()}, and SimAI has servers of one size"
        raise InputError(Problem("gpus_per_server", message, "give the number of GPUs of a server, or another role"))
    return int(count[0]) if len(count) else 1
