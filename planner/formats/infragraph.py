"""InfraGraph: devices, ports and links with rate and delay in a neutral format for AI infrastructure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from planner.domain.model import Plan
from planner.formats.syntax import yaml
from planner.view.ends import distinct, plain
from planner.view.names import device_names, is_named
from planner.view.selection import cables_of, one_network

ENDING = ".infragraph.yaml"

_NAME = "a-zA-Z0-9_-"


def write(plan: Plan, path: Path, *, network: str | None = None) -> None:
    """Write devices with their ports, an instance with the name of each device, and an edge for each connection of a network.

    Links are classes of equal rate and delay. Ports are counted from 0; those of nodes are network adapters.

    Parameters
    ----------
    network
        One of several networks, by default the first.

    Raises
    ------
    InputError
        When the plan has no cables, or no network of that name.

    References
    ----------
    .. [1] Keysight/infragraph 3.1, infragraph.proto.
    """
    cables_of(plan)
    plan = one_network(plan, network)
    inventory, made = plan.inventory, plan.cables
    rows = np.arange(inventory.connection_count)[inventory.connections(plan.network, direct=True)]
    routers = range(inventory.device_count)[inventory.routers(plan.network)]
    devices = [*routers, *sorted(set(inventory.ends[rows].ravel().tolist()) - set(routers))]
    names = device_names(plan)
    called = plain(names, _NAME, 60)
    kinds = {(part, of): inventory.parts[part].id + ("" if of else "-node") for part, of in _kinds(plan, devices, routers)}
    spelled = plain(kinds.values(), _NAME, 60)
    types = distinct({kind: spelled[text] for kind, text in kinds.items()}, 60)
    classes = list(zip(inventory.rates_gbps(plan.network, direct=True).tolist(), made.delay_ps[rows].tolist(), strict=True))
    links = {each: f"{each[0]}G-{each[1]}ps" for each in sorted(set(classes))}

    def end(row: int, side: int) -> dict[str, str]:
        device, port = int(made.device[row, side]), int(made.port[row, side])
        of_router = device in routers
        place = port - 1 if of_router or is_named(plan) else 0
        return {"instance": f"{called[names[device]]}[0]", "component": f"{'port' if of_router else 'nic'}[{place}]"}

    content = {
        "name": plain([plan.name], _NAME, 60)[plan.name],
        "description": plan.title,
        "devices": [_device(name, *_ports(plan, part, of)) for (part, of), name in types.items()],
        "instances": [
            {"name": called[names[device]], "device": types[int(inventory.part[device]), device in routers], "count": 1}
            for device in devices
        ],
        "links": [{"name": name, "physical": _physical(*each)} for each, name in links.items()],
        "edges": [
            {"ep1": end(row, 0), "ep2": end(row, 1), "link": links[each], "scheme": "one2one"}
            for row, each in zip(rows.tolist(), classes, strict=True)
        ],
    }
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(line + "\n" for line in yaml.lines({key: item for key, item in content.items() if item}))


def _kinds(plan: Plan, devices: list[int], routers: range) -> list[tuple[int, bool]]:
    """Return part and whether they are routers of the network, of the devices, without repeats."""
    return list(dict.fromkeys((int(plan.inventory.part[device]), device in routers) for device in devices))


def _ports(plan: Plan, part: int, of_router: bool) -> tuple[str, int]:
    """Return component and number of the ports; each endpoint of a network without a name is a node of one port."""
    if of_router:
        return "port", len(plan.inventory.parts[part].port_names)
    return "nic", len(plan.inventory.parts[part].port_names) if is_named(plan) else 1


def _device(name: str, component: str, count: int) -> dict[str, Any]:
    ends = {"ep1": {"component": "chip"}, "ep2": {"component": component}}
    return {
        "name": name,
        "components": [{"name": "chip", "count": 1, "choice": "cpu"}, {"name": component, "count": count, "choice": component}],
        "links": [{"name": "internal"}],
        "edges": [{**ends, "link": "internal", "scheme": "many2many"}],
    }


def _physical(rate_gbps: int, delay_ps: int) -> dict[str, Any]:
    bandwidth = {"choice": "gigabits_per_second", "gigabits_per_second": rate_gbps}
    return {"bandwidth": bandwidth, "latency": {"choice": "ns", "ns": delay_ps / 1000}}
