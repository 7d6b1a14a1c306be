"""The changed cables of a difference, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from planner.core.units import stock_named
from planner.view.schedule._difference import ADDED, MOVED, REMOVED, REPLUGGED, CableChange, Difference
from planner.view.schedule._record import Connection

KINDS = ("added", "removed", "re-plugged", "other part", "other length", "re-routed")
"""Kinds of changes of a cable, in the order in which they are listed: of several of one cable the first that applies.

A cable of another part or length between the same two ports is one change, although one cable is removed and another one added.
"""


class Change(NamedTuple):
    """A changed cable: its row in the old schedule, in the new one, or in both, and the differences in words."""

    kind: str
    old: Connection | None
    new: Connection | None
    what: str


def changes(found: Difference) -> list[Change]:
    """Return the changed cables by kind, then in the order of the new schedule.

    Those that only follow their devices, and those that only get other labels, are left out.
    """
    listed = [*_exchanged(found), *_others(found)]
    return sorted(listed, key=lambda each: (KINDS.index(each.kind), _row(each).number))


def _row(each: Change) -> Connection:
    row = each.new or each.old
    assert row is not None
    return row


def same_ports(found: Difference) -> dict[int, tuple[Connection, Connection]]:
    """Return removed and added cables between the same two ports, by the number of the removed one."""

    def ports(row: Connection, *, is_old: bool) -> frozenset[tuple[str, int]]:
        names = found.renamed if is_old else {}
        return frozenset((names.get(end.device, end.device), end.port) for end in row.ends)

    added = {ports(each.new, is_old=False): each.new for each in found.cables if each.kind == ADDED and each.new is not None}
    removed = (each.old for each in found.cables if each.kind == REMOVED and each.old is not None)
    return {each.number: (each, added[key]) for each in removed if (key := ports(each, is_old=True)) in added}


def _exchanged(found: Difference) -> Iterator[Change]:
    for old, new in same_ports(found).values():
        texts = [] if old.part == new.part else [f"{old.part} → {new.part}"]
        if old.part == new.part and sorted(old.end_parts) != sorted(new.end_parts):
            texts.append(f"{' and '.join(old.end_parts)} → {' and '.join(new.end_parts)} at the ends")
        kind = "other part" if texts else "other length"
        if old.stock_mm != new.stock_mm:
            texts.append(f"stock {stock_named(old.stock_mm)} → {stock_named(new.stock_mm)}")
        texts += _rerouted(found, CableChange("", old, new))
        yield Change(kind, old, new, "; ".join(texts))


def _others(found: Difference) -> Iterator[Change]:
    exchanged = same_ports(found)
    used = {new.number for _, new in exchanged.values()}
    for each in found.cables:
        old, new = each.old, each.new
        if each.kind == REPLUGGED:
            one, other = found.plug(each)
            yield Change("re-plugged", old, new, "; ".join([f"{one} → {other}", *_rerouted(found, each)]))
        elif each.kind == MOVED:
            if texts := list(_rerouted(found, each)):
                yield Change("re-routed", old, new, "; ".join(texts))
        elif each.kind == ADDED and new is not None and new.number not in used:
            yield Change("added", None, new, _ends(new))
        elif each.kind == REMOVED and old is not None and old.number not in exchanged:
            yield Change("removed", old, None, _ends(old))


def _rerouted(found: Difference, each: CableChange) -> Iterator[str]:
    before, after = found.trays(each)
    if before != after:
        yield f"{before or 'no trays'} → {after or 'no trays'}"


def _ends(each: Connection) -> str:
    return f"{each.a} to {each.b}, {each.part}, {stock_named(each.stock_mm)}"
