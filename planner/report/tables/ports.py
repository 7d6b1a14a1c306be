"""Every port in use, and the free ports of routers."""

from __future__ import annotations

from typing import NamedTuple

from planner.model import Plan
from planner.report._names import cabinet_names, device_names
from planner.report.tables.table import Column, Table, each


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


def _ports(plan: Plan) -> list[_Port] | None:
    """Return the ports by device and number."""
    if plan.cables is None:
        return None
    used = _used(plan)
    placement, part, names = plan.placement, plan.catalog.router, device_names(plan)
    places = cabinet_names(plan)
    locations = zip(placement.cabinet_of.tolist(), placement.unit_of.tolist(), strict=True)
    for router, (cabinet, unit) in enumerate(locations):
        for number in range(1, part.ports + 1):
            cage = (number - 1) // part.ports_per_cage + 1
            used.setdefault((router, number), _Port(names[router], number, "router", places[cabinet], unit, cage))
    return [port for _, port in sorted(used.items())]


def _used(plan: Plan) -> dict[tuple[int, int], _Port]:
    cables, names, routers = plan.cables, device_names(plan), plan.topology.router_count
    places = cabinet_names(plan)
    device, port, cabinet, unit, cage = (
        column.tolist() for column in (cables.device, cables.port, cables.cabinet, cables.unit, cables.cage)
    )
    labels = list(zip(cables.label_a.tolist(), cables.label_b.tolist(), strict=True))
    return {
        (device[row][near], port[row][near]): _Port(
            names[device[row][near]], port[row][near], "router" if device[row][near] < routers else "endpoint",
            places[cabinet[row][near]], unit[row][near], cage[row][near], row + 1, labels[row][near],
            names[device[row][far]], port[row][far], places[cabinet[row][far]], unit[row][far],
        )
        for row in range(cables.cable_count)
        for near, far in ((0, 1), (1, 0))
    }  # fmt: skip


COLUMNS = (
    Column("device", "device", "name of the device", each(lambda p: p.device)),
    Column("port", "port", "port as printed on the device, from 1", each(lambda p: p.port), "whole"),
    Column("kind", "kind", "router or endpoint", each(lambda p: p.kind), width=18),
    Column("cabinet", "cabinet", "name of the cabinet", each(lambda p: p.cabinet)),
    Column("rack_unit", "rack unit", "lowest rack unit of the device", each(lambda p: p.unit), "whole"),
    Column("cage", "cage", "cage of the port, from 1", each(lambda p: p.cage), "whole"),
    Column("cable", "cable", "number of the cable; empty for a free port", each(lambda p: p.cable), "whole"),
    Column("label", "label", "text of the label at this end", each(lambda p: p.label), width=24),
    Column("far_device", "far device", "device at the far end", each(lambda p: p.far_device)),
    Column("far_port", "far port", "port at the far end", each(lambda p: p.far_port), "whole"),
    Column("far_cabinet", "far cabinet", "cabinet of the far end", each(lambda p: p.far_cabinet)),
    Column("far_rack_unit", "far rack unit", "lowest rack unit of the far device", each(lambda p: p.far_unit), "whole"),
)  # fmt: skip

PORTS = Table("ports", "One row per port in use, and per free port of a router.", _ports, COLUMNS, keys=2)
