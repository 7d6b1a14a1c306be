"""Point-to-point workbook of NVIDIA's UFM Cable Validation Tool: InfiniBand, NVOS or Ethernet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from planner.domain.model import Plan
from planner.formats.workbook.book import Sheet, write_book
from planner.view.ends import End, cables
from planner.view.selection import WHOLE, Selection

ENDING = ".nvidia-p2p.xlsx"

INFINIBAND = ("Rack", "U", "Name", "HCA/Port", "Rack", "U", "Name", "Port")
ETHERNET = ("A-Rack", "A-U", "A-Node Name", "A-Type", "A-Port", "Z-Rack", "Z-RU", "Z-Node Name", "Z-Type", "Z-Port")

Fabric = Literal["infiniband", "nvos", "ethernet"]


def write(
    plan: Plan,
    path: Path,
    *,
    fabric: Fabric = "infiniband",
    selection: Selection = WHOLE,
) -> None:
    """Write a sheet of the links between routers and one of the endpoints' cables, a link to a row.

    Parameters
    ----------
    fabric
        Port names. ``infiniband``: 12, or 6/2 where cages carry several ports; ``nvos``: sw6p2; ``ethernet``:
        swp12 or swp6s1, and rail1 at hosts. Ports of hosts are numbered within their group.
    selection
        Which cables; of several networks by default the first.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection.

    References
    ----------
    .. [1] NVIDIA, "UFM Cable Validation Tool", P2P File,
       https://docs.nvidia.com/networking/display/cablevalidationtool150/p2p+file
    """
    selection = selection.of_one_network(plan)
    cables(plan, selection)  # reports errors before anything is written
    columns, line = (ETHERNET, _ethernet) if fabric == "ethernet" else (INFINIBAND, _infiniband)

    def rows(links: bool) -> Iterator[tuple]:
        for cable in cables(plan, selection):
            if cable.is_link == links:
                # Hosts are on the left.
                ends = (cable.a, cable.b) if links else (cable.b, cable.a)
                yield line(*ends, fabric)

    title = plan.title or plan.name
    write_book(path, title, [Sheet("endpoints", columns, rows(False)), Sheet("routers", columns, rows(True))])


def _infiniband(a: End, z: End, fabric: Fabric) -> tuple:
    return (a.cabinet, a.unit, a.name, _port(a, fabric), z.cabinet, z.unit, z.name, _port(z, fabric))


def _ethernet(a: End, z: End, fabric: Fabric) -> tuple:
    return tuple(
        value
        for end in (a, z)
        for value in (end.cabinet, end.unit, end.name, "Switch" if end.is_router else "Host", _port(end, fabric))
    )


def _port(end: End, fabric: Fabric) -> str:
    if not end.is_router:
        return f"rail{end.adapter}" if fabric == "ethernet" else str(end.adapter)
    several = end.ports_per_cage > 1
    if fabric == "nvos":
        return f"sw{end.cage}p{end.lane}"
    if fabric == "ethernet":
        return f"swp{end.cage}s{end.lane - 1}" if several else f"swp{end.port}"
    return f"{end.cage}/{end.lane}" if several else str(end.port)
