"""Both ends of every cable, and how other tools may spell names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import SIDES, Plan
from planner.domain.parts import Assembly, EndpointPart, RouterPart
from planner.view.names import (
    device_names,
    group_ports,
    is_named,
    network_of_devices,
    network_of_rows,
    port_names,
    tray_names,
)
from planner.view.selection import WHOLE, Selection

K = TypeVar("K")


class End(NamedTuple):
    """One end of a cable.

    Attributes
    ----------
    device, name, part, is_router
        The device that it plugs into, and whether that is a router of the cable's network.
    number, cabinet, row, unit
        Its location: number and name of the cabinet, name of its row, lowest rack unit of the device.
    port, cage, lane
        Port and cage on the device, and the port's lane in its cage, all from 1.
    ports_per_cage
        Ports of that cage.
    port_name, group_port, adapter
        The port as printed on the device, its number within its group, and the number of the network adapter of a node; from 1.
        Nodes of a network without a name have one adapter.
    side, label
        Side by which it leaves the cabinet, and the text of its label.
    """

    device: int
    name: str
    part: RouterPart | EndpointPart
    is_router: bool
    number: int
    cabinet: str
    row: str
    unit: int
    port: int
    cage: int
    lane: int
    ports_per_cage: int
    side: str
    label: str
    port_name: str
    group_port: int
    adapter: int


class Cable(NamedTuple):
    """One row of the cable plan; rows of one `piece` are one cable with several links.

    `kind` is the class of the link, or endpoint; `is_link` whether it is a link between two routers.
    """

    number: int
    piece: int
    kind: str
    is_link: bool
    assembly: Assembly
    stock_mm: int
    run_mm: int
    bundle: int | None
    stage: int
    trays: list[str]
    a: End
    b: End


def cables(plan: Plan, selection: Selection = WHOLE) -> Iterator[Cable]:
    """Return the chosen cables of a plan in order, links first.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection.
    """
    return _rows(plan, selection.cables(plan))


def pieces(plan: Plan, selection: Selection = WHOLE) -> Iterator[list[Cable]]:
    """Return all rows of each cable that is bought, pulled and labeled as one; chosen as in `cables`."""
    chosen = selection.cables(plan)
    piece = plan.cables.piece
    chosen = np.flatnonzero(np.isin(piece, piece[chosen]))
    chosen = chosen[np.argsort(piece[chosen], kind="stable")]
    return (list(rows) for _, rows in groupby(_rows(plan, chosen), key=lambda cable: cable.piece))


def _rows(plan: Plan, chosen: np.ndarray) -> Iterator[Cable]:
    cables, inventory, room = plan.cables, plan.inventory, plan.room
    names, trays = device_names(plan), tray_names(plan)
    networks, own_network = network_of_rows(plan).tolist(), network_of_devices(plan).tolist()
    several = is_named(plan)
    ports = [port_names(plan, side) if several else cables.port[:, side] for side in (0, 1)]
    in_group = [group_ports(plan, side) for side in (0, 1)]
    slots = plan.placement.slot_of.tolist()
    location = [(room.slot_names[slot], room.row_names[room.slot_row[slot]]) for slot in slots]

    def end(number: int, side: int) -> End:
        device, cabinet, port = (int(array[number, side]) for array in (cables.device, cables.cabinet, cables.port))
        per_cage = inventory.joints[inventory.joint[number]].ports_per_cage[side]
        return End(
            device, names[device], inventory.part_of(device), own_network[device] == networks[number], cabinet,
            *location[cabinet], int(cables.unit[number, side]), port, int(cables.cage[number, side]),
            (int(in_group[side][number]) - 1) % per_cage + 1, per_cage,
            SIDES[cables.egress[number, side]], str((cables.label_a, cables.label_b)[side][number]),
            str(ports[side][number]), int(in_group[side][number]), int(in_group[side][number]) if several else 1,
        )  # fmt: skip

    for number in chosen.tolist():
        route, bundle = int(cables.route[number]), int(cables.bundle[number])
        yield Cable(
            number + 1,
            int(cables.piece[number]) + 1,
            inventory.kind_names[inventory.kind[number]],
            bool(inventory.is_link[number]),
            cables.assemblies[cables.assembly[number]],
            int(cables.stock_mm[number]),
            int(cables.run_mm[number]),
            None if bundle < 0 else bundle + 1,
            int(cables.stage[number]),
            trays[route] if route >= 0 else [],
            end(number, 0),
            end(number, 1),
        )


def meters(length_mm: int) -> str:
    """Return a length in meters without trailing zeros.

    >>> meters(3000), meters(750), meters(1)
    ('3', '0.75', '0.001')
    """
    whole, rest = divmod(length_mm, 1000)
    return f"{whole}.{rest:03d}".rstrip("0").rstrip(".")


def plain(texts: Iterable[str], allowed: str, length: int = 1000, first: str = "") -> dict[str, str]:
    """Spell each text with the allowed ASCII characters only, up to a length; different texts stay different.

    Parameters
    ----------
    texts
        Texts of allowed characters only are unchanged.
    allowed
        Character class of a regular expression, without brackets.
    length
        Maximum number of characters.
    first
        The same for the first character, where fewer are allowed; must include the underscore.

    Examples
    --------
    >>> plain(["Saal Süd", "Saal Sud", "北", "A01"], "A-Za-z0-9_")
    {'Saal Süd': 'Saal_Sud', 'Saal Sud': 'Saal_Sud_2', '北': 'Bei', 'A01': 'A01'}
    """
    from anyascii import anyascii

    different = list(dict.fromkeys(texts))
    unchanged = re.compile(f"[{first or allowed}][{allowed}]*")

    def spelling(text: str) -> str:
        if unchanged.fullmatch(text):
            return text
        return re.sub(f"^[^{first or allowed}]", "_", re.sub(f"[^{allowed}]", "_", anyascii(text)).strip("_"))

    return distinct({text: spelling(text) for text in different}, length)


def fitted(texts: Iterable[str], length: int) -> dict[str, str]:
    """Truncate each text to `length` characters, without spaces around it; different texts stay different.

    >>> fitted(["hall A", "hall B", " hall A"], 4)
    {'hall A': 'hall', 'hall B': 'ha_2', ' hall A': 'ha_3'}
    """
    return distinct({text: text.strip() for text in texts}, length)


def distinct(spellings: dict[K, str], length: int) -> dict[K, str]:
    """Truncate spellings, and number those that become equal; texts that are their own spelling keep it."""
    taken: set[Any] = {text for text, spelling in spellings.items() if text == spelling and 0 < len(text) <= length}
    times: Counter[str] = Counter()
    found = {}
    for text, spelling in spellings.items():
        made = head = spelling[:length].rstrip() or "_"
        if text not in taken:
            while made in taken:
                times[head] += 1
                mark = f"_{times[head] + 1}"
                made = head[: length - len(mark)] + mark
            taken.add(made)
        found[text] = made
    return found


def require_network(plan: Plan) -> None:
    """Raise InputError when the plan has no network."""
    if plan.topology is None:
        raise InputError(Problem("", "the plan has no network", "run the study to its end"))
