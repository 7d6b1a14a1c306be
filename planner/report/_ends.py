"""Both ends of every cable, and how other tools may spell names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np

from planner.errors import InputError, Problem
from planner.model import SIDES, Plan
from planner.parts import Assembly
from planner.report._chosen import cable_numbers
from planner.report._schedule import device_names, tray_names


class End(NamedTuple):
    """One end of a cable.

    Attributes
    ----------
    device, name, is_router
        What it plugs into.
    number, cabinet, row, unit
        Where that stands: number and name of the cabinet, name of its row, lowest unit of the box.
    port, cage, lane
        Port and cage on the box, and the port's place in its cage, all from 1.
    side, label
        By which side it leaves the cabinet, and what stands on its label.
    """

    device: int
    name: str
    is_router: bool
    number: int
    cabinet: str
    row: str
    unit: int
    port: int
    cage: int
    lane: int
    side: str
    label: str


class Cable(NamedTuple):
    """One row of the cable plan; rows of one `piece` are one cable with several links."""

    number: int
    piece: int
    kind: str
    made_of: Assembly
    stock_mm: int
    run_mm: int
    bundle: int | None
    stage: int
    trays: list[str]
    a: End
    b: End

    @property
    def is_link(self) -> bool:
        """Whether it joins two routers."""
        return self.b.is_router


def cables(plan: Plan, *, cabinet: str | None = None, row: str | None = None, stage: str | None = None) -> Iterator[Cable]:
    """Return the cables of a plan in order, links first; those of a cabinet, a row or a stage.

    Raises
    ------
    InputError
        When the plan has no cables, or no such cabinet, row or stage.
    """
    return _rows(plan, cable_numbers(plan, cabinet=cabinet, row=row, stage=stage))


def pieces(plan: Plan, *, cabinet: str | None = None, row: str | None = None, stage: str | None = None) -> Iterator[list[Cable]]:
    """Return all rows of each cable that is bought, pulled and labeled as one; chosen as in `cables`."""
    chosen = cable_numbers(plan, cabinet=cabinet, row=row, stage=stage)
    piece = plan.cables.piece
    chosen = np.flatnonzero(np.isin(piece, piece[chosen]))
    chosen = chosen[np.argsort(piece[chosen], kind="stable")]
    return (list(rows) for _, rows in groupby(_rows(plan, chosen), key=lambda cable: cable.piece))


def _rows(plan: Plan, chosen: np.ndarray) -> Iterator[Cable]:
    cables, topology, room = plan.cables, plan.topology, plan.room
    names, trays, links = device_names(plan), tray_names(plan), topology.link_count
    slots = plan.placement.slot_of.tolist()
    standing = [(room.slot_names[slot], room.row_names[room.slot_row[slot]]) for slot in slots]
    same_cage = plan.catalog.endpoint.connector == plan.catalog.router.connector
    per_cage = (plan.catalog.router.ports_per_cage if same_cage else 1, plan.catalog.router.ports_per_cage)

    def end(number: int, side: int) -> End:
        device, cabinet, port = (int(array[number, side]) for array in (cables.device, cables.cabinet, cables.port))
        is_router = device < topology.router_count
        return End(
            device, names[device], is_router, cabinet, *standing[cabinet], int(cables.unit[number, side]),
            port, int(cables.cage[number, side]), (port - 1) % per_cage[is_router] + 1,
            SIDES[cables.egress[number, side]], str((cables.label_a, cables.label_b)[side][number]),
        )  # fmt: skip

    for number in chosen.tolist():
        route, bundle = int(cables.route[number]), int(cables.bundle[number])
        yield Cable(
            number + 1,
            int(cables.piece[number]) + 1,
            topology.link_class_names[topology.link_class[number]] if number < links else "endpoint",
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
    """Return a length in meters without idle zeros.

    >>> meters(3000), meters(750), meters(1)
    ('3', '0.75', '0.001')
    """
    whole, rest = divmod(length_mm, 1000)
    return f"{whole}.{rest:03d}".rstrip("0").rstrip(".")


def plain(texts: Iterable[str], allowed: str, most: int = 1000, first: str = "") -> dict[str, str]:
    """Spell each text with the allowed characters of ASCII alone, at most so many; different texts stay different.

    Parameters
    ----------
    texts
        Those that are spelt so already stay as they are.
    allowed
        Inside of the brackets of a regular expression.
    most
        Number of characters.
    first
        The same for the first character, where fewer are allowed there; must hold the underscore.

    Examples
    --------
    >>> plain(["Saal Süd", "Saal Sud", "北", "A01"], "A-Za-z0-9_")
    {'Saal Süd': 'Saal_Sud', 'Saal Sud': 'Saal_Sud_2', '北': 'Bei', 'A01': 'A01'}
    """
    from anyascii import anyascii

    distinct = list(dict.fromkeys(texts))
    unchanged = re.compile(f"[{first or allowed}][{allowed}]*")

    def spelt(text: str) -> str:
        if unchanged.fullmatch(text):
            return text
        return re.sub(f"^[^{first or allowed}]", "_", re.sub(f"[^{allowed}]", "_", anyascii(text)).strip("_"))

    return _apart({text: spelt(text) for text in distinct}, most)


def fitted(texts: Iterable[str], most: int) -> dict[str, str]:
    """Cut each text to so many characters, without spaces around; different texts stay different.

    >>> fitted(["hall A", "hall B", " hall A"], 4)
    {'hall A': 'hall', 'hall B': 'ha_2', ' hall A': 'ha_3'}
    """
    return _apart({text: text.strip() for text in texts}, most)


def _apart(spelt: dict[str, str], most: int) -> dict[str, str]:
    """Cut spellings to length, and number those that come out alike; texts that stay as they are come first."""
    taken = {text for text, spelling in spelt.items() if text == spelling and 0 < len(text) <= most}
    times: Counter[str] = Counter()
    found = {}
    for text, spelling in spelt.items():
        made = head = spelling[:most].rstrip() or "_"
        if text not in taken:
            while made in taken:
                times[head] += 1
                mark = f"_{times[head] + 1}"
                made = head[: most - len(mark)] + mark
            taken.add(made)
        found[text] = made
    return found


def require_network(plan: Plan) -> None:
    """Raise InputError when the plan has no network."""
    if plan.topology is None:
        raise InputError(Problem("", "the plan has no network", "run the study to its end"))
