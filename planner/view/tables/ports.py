"""Every port in use, and the free ports of routers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from planner.domain.model import RESERVED, Plan
from planner.domain.parts import EndpointPart, RouterPart
from planner.view.names import cabinet_names, device_names, is_named, network_of_rows
from planner.view.tables.table import Column, Table, each


class _Port(NamedTuple):
    """One port: its device by number and name, its location, and the cable and far end where it is in use."""

    device: str
    port: int
    kind: str
    cabinet: str
    unit: int
    cage: int
    cable: int | None = None
    label: str = ""
    far_device: str = ""
    far_port: int | None = None
    far_cabinet: str = ""
    far_unit: int | None = None
    name: str = ""
    network: str = ""
    far_name: str = ""


def _ports(plan: Plan) -> list[_Port] | None:
    """Return the ports by device and number."""
    if plan.cables is None:
        return None
    used = _used(plan)
    inventory, placement = plan.inventory, plan.placement
    names, kinds, places = device_names(plan), _kinds(plan), cabinet_names(plan)
    per_box = np.array(inventory.per_box)[inventory.part]
    later = {} if plan.reserved is None else plan.reserved.names()
    for device in np.flatnonzero(per_box == 1).tolist():
        part = inventory.part_of(device)
        cabinet, unit = places[placement.cabinet[device]], int(placement.unit[device])
        for number, (cage, name) in enumerate(_cages(part) if is_named(plan) else _main_cages(part), 1):
            label = f"{RESERVED}{later[device, number]}" if (device, number) in later else ""
            free = _Port(names[device], number, kinds[device], cabinet, unit, cage, label=label, name=name)
            used.setdefault((device, number), free)
    return [port for _, port in sorted(used.items())]


def _main_cages(part: RouterPart | EndpointPart) -> Iterator[tuple[int, str]]:
    """Yield cage and name of each port that joins the devices of a network without a name."""
    for number in range(part.ports):
        yield number * part.cages // part.ports + 1, str(number + 1)


def _cages(part: RouterPart | EndpointPart) -> Iterator[tuple[int, str]]:
    """Yield cage and name of each port of all groups."""
    before = np.cumsum([0, *(group.cages for group in part.groups)]).tolist()
    cages = (
        first + n // group.ports_per_cage + 1
        for first, group in zip(before, part.groups, strict=False)
        for n in range(group.count)
    )
    yield from zip(cages, part.port_names, strict=True)


def _kinds(plan: Plan) -> list[str]:
    """Return the kind of each device."""
    return np.where(plan.inventory.is_router, "router", "endpoint").tolist()


def _used(plan: Plan) -> dict[tuple[int, int], _Port]:
    cables, names, kinds, places = plan.cables, device_names(plan), _kinds(plan), cabinet_names(plan)
    device, port, cabinet, unit, cage = (
        column.tolist() for column in (cables.device, cables.port, cables.cabinet, cables.unit, cables.cage)
    )
    port_names_of = [part.port_names if is_named(plan) else () for part in plan.inventory.parts]
    networks = np.array(plan.inventory.network_names)[network_of_rows(plan)].tolist()
    part = plan.inventory.part[cables.device].tolist()

    def name(row: int, side: int) -> str:
        own = port_names_of[part[row][side]]
        return own[port[row][side] - 1] if own else ""

    labels = list(zip(cables.label_a.tolist(), cables.label_b.tolist(), strict=True))
    return {
        (device[row][near], port[row][near]): _Port(
            names[device[row][near]], port[row][near], kinds[device[row][near]],
            places[cabinet[row][near]], unit[row][near], cage[row][near], row + 1, labels[row][near],
            names[device[row][far]], port[row][far], places[cabinet[row][far]], unit[row][far],
            name(row, near), networks[row], name(row, far),
        )
        for row in range(cables.cable_count)
        for near, far in ((0, 1), (1, 0))
    }  # fmt: skip


COLUMNS = (
    Column("device", "device", "name of the device", each(lambda p: p.device)),
    Column("port", "port", "port as printed on the device, from 1", each(lambda p: p.port), "whole"),
    Column("port_name", "port name", "port as printed on the device: its group, and its number there", each(lambda p: p.name),
           width=14, named=True),
    Column("network", "network", "network of the cable; empty for a free port", each(lambda p: p.network), named=True),
    Column("kind", "kind", "router or endpoint", each(lambda p: p.kind), width=18),
    Column("cabinet", "cabinet", "name of the cabinet", each(lambda p: p.cabinet)),
    Column("rack_unit", "rack unit", "lowest rack unit of the device", each(lambda p: p.unit), "whole"),
    Column("cage", "cage", "cage of the port, from 1", each(lambda p: p.cage), "whole"),
    Column("cable", "cable", "number of the cable; empty for a free port", each(lambda p: p.cable), "whole"),
    Column("label", "label", "text of the label at this end", each(lambda p: p.label), width=24),
    Column("far_device", "far device", "device at the far end", each(lambda p: p.far_device)),
    Column("far_port", "far port", "port at the far end", each(lambda p: p.far_port), "whole"),
    Column("far_port_name", "far port name", "name of the port at the far end", each(lambda p: p.far_name), width=14, named=True),
    Column("far_cabinet", "far cabinet", "cabinet of the far end", each(lambda p: p.far_cabinet)),
    Column("far_rack_unit", "far rack unit", "lowest rack unit of the far device", each(lambda p: p.far_unit), "whole"),
)  # fmt: skip

PORTS = Table("ports", "One row per port in use, and per free port of a box that is one device.", _ports, COLUMNS, keys=2)
