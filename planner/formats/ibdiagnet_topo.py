"""Topology file of ibdiagnet, IBDM and UFM: a section for each switch with the far ends of its ports."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from planner.domain.model import Plan
from planner.view.ends import End, cables, plain
from planner.view.names import device_names
from planner.view.selection import WHOLE, Selection, one_network

ENDING = ".topo"

_WORD = r"A-Za-z0-9_./:+-"
"""Words are separated by spaces."""


def write(
    plan: Plan,
    path: Path,
    *,
    router_type: str | None = None,
    endpoint_type: str = "HCA",
    endpoint_port: str = "mlx5_{n}/P1",
    selection: Selection = WHOLE,
) -> None:
    """Write the links of all routers, each from both of its routers as ibdiagnet itself does; ASCII.

    Parameters
    ----------
    router_type
        The IBNL type of the routers; by default derived from the catalog id, ``nvidia-qm9700`` as ``MQM9700``.
    endpoint_type, endpoint_port
        Type of the adapters and name of their port; ``{n}`` is the number of the port in its group, from 0.
    selection
        Which cables; of several networks by default the first.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection.

    References
    ----------
    .. [1] ibutils, man page ibdm-topo-file(1).
    .. [2] NVIDIA, "UFM Cable Validation Tool", Topo File (example with adapters and twin-port switches),
       https://docs.nvidia.com/networking/display/cablevalidationtool150/topo+file
    """
    selection = selection.of_one_network(plan)
    found = cables(plan, selection)
    inventory, names = plan.inventory, device_names(plan)
    network = one_network(plan, selection.network).network
    endpoint = plain([endpoint_type], _WORD)[endpoint_type]
    types = [plain([word], _WORD)[word] for word in (router_type or _type(part.id) for part in inventory.parts)]

    def called(device: int) -> str:
        return f"{types[inventory.part[device]]} {names[device]}"

    def adapter(end: End) -> str:
        port = endpoint_port.replace("{n}", str(end.adapter - 1))
        return f"{endpoint} {end.name} {plain([port], _WORD)[port]}"

    lines: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for cable in found:
        for near, far in ((cable.a, cable.b), (cable.b, cable.a)):
            text = f"{called(far.device)} P{far.port}" if far.is_router else adapter(far)
            if near.is_router:
                lines[near.device].append((near.port, text))
    with path.open("w", encoding="ascii", newline="") as file:
        for device in range(inventory.device_count)[inventory.routers(network)]:
            if replace(selection, network=None).is_whole or device in lines:
                file.write(f"{called(device)}\n")
                file.writelines(f"    P{number} -> {far}\n" for number, far in sorted(lines[device]))
                file.write("\n")


def _type(row: str) -> str:
    """Return the type of a catalog row: NVIDIA's switches have an M before their model.

    >>> _type("nvidia-qm9700"), _type("tomahawk-5")
    ('MQM9700', 'TOMAHAWK-5')
    """
    maker, _, model = row.partition("-")
    return f"M{model}".upper() if maker == "nvidia" and model else row.upper()
