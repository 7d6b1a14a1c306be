"""Re-use of removed cables: which of them serve as added ones."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from planner.studies.diff.result import Pieces, Reuse, is_over_panels
from planner.view.schedule import Connection

_Kind = tuple[str, tuple[str, ...], int, str]


@dataclass(frozen=True)
class Order:
    """When cables are taken out and put in, by the number of their first row; others leave first, and come last.

    A cable serves as an added one only if it is taken out no later than that is put in.
    """

    leaves: Mapping[int, int] = field(default_factory=dict)
    comes: Mapping[int, int] = field(default_factory=dict)


def reused(pieces: Pieces, order: Order | None = None) -> list[Reuse]:
    """Return the removed cables that serve as added ones, in the order of the new schedule.

    Parameters
    ----------
    pieces
        Cables of both plans.
    order
        Windows of work, where cables are exchanged in several.

    A cable fits if it is the same catalog row with the same modules and the same number of connections, and as long as the route
    of the added one. Cables over patch panels are left out: their jumpers and trunks are stock of the panels.

    Notes
    -----
    The longest need comes first and takes the shortest cable that is long enough. The cables that fit a need also fit every
    shorter one, so each need is offered fewer cables than those after it: no other assignment re-uses more cables, or serves
    longer needs, and long cables are kept for needs that no shorter one can serve. With windows of work those of the first
    window come first, since later ones are offered more cables.
    """
    stock: dict[_Kind, list[Connection]] = defaultdict(list)
    for rows in pieces.removed:
        if not any(map(is_over_panels, rows)):
            stock[_kind(rows)].append(rows[0])
    for own in stock.values():
        own.sort(key=_length)
    needs = [(max(row.run_mm for row in rows), rows) for rows in pieces.added if not any(map(is_over_panels, rows))]
    found = []
    leaves, comes = ({}, {}) if order is None else (order.leaves, order.comes)
    last = max(comes.values(), default=0) + 1

    def urgency(need: tuple[int, list[Connection]]) -> tuple[int, int, int]:
        return comes.get(need[1][0].number, last), -need[0], need[1][0].number

    for need_mm, rows in sorted(needs, key=urgency):
        own, window = stock.get(_kind(rows), []), comes.get(rows[0].number, last)
        places = range(bisect_left(own, (need_mm, 0), key=_length), len(own))
        place = next((place for place in places if leaves.get(own[place].number, 0) <= window), None)
        if place is not None:
            found.append(Reuse(own.pop(place), rows[0], need_mm))
    return sorted(found, key=lambda each: each.new.number)


def _length(row: Connection) -> tuple[int, int]:
    return row.stock_mm, row.number


def _kind(rows: Sequence[Connection]) -> _Kind:
    first = rows[0]
    return first.part, tuple(sorted(first.end_parts)), len(rows), first.medium
