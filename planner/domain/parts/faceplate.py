"""Faceplates: where the sockets of a box are, as rows and columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from planner.core.errors import Problem, suggestion
from planner.domain.parts.port_group import PortGroup
from planner.domain.parts.row import NonNegative, Positive

Order = Literal["columns", "rows", "columns upward"]

_COLUMNS = 24
"""Columns of a block whose arrangement is not stated: what 19 inches hold of small sockets."""
_IN_ONE_ROW = 8
"""Sockets of a group that are in one row where the arrangement is not stated."""
_ACROSS = 32
"""Columns side by side where the arrangement is not stated."""
_GAP = 0.6
"""Gap between blocks, and within a block where its row states one, in columns."""


@dataclass(frozen=True, kw_only=True)
class SocketBlock:
    """Sockets of one port group in rows and columns; blocks are side by side from the left, as the side of the box is seen.

    Parameters
    ----------
    group
        Port group; empty: the first one.
    first
        First socket of the group in the block, from 1.
    sockets
        Number of sockets; 0: all that follow in the group.
    rows
        Number of rows.
    order
        ``"columns"``: counted down each column, from the left, so that in two rows odd numbers are above even ones;
        ``"columns upward"``: up each column; ``"rows"``: along each row, from the top.
    gaps
        Columns after which there is a gap.
    below
        Whether the block is below those before it instead of at their right.
    """

    __pydantic_config__ = {"extra": "forbid"}

    group: str = ""
    first: Positive = 1
    sockets: NonNegative = 0
    rows: Positive = 1
    order: Order = "columns"
    gaps: tuple[Positive, ...] = ()
    below: bool = False


class Socket(NamedTuple):
    """A socket of a box: its number, its ports, all counted from 1 over the box, and its column and row from the upper left."""

    cage: int
    first_port: int
    ports: int
    column: float
    row: float


class Face(NamedTuple):
    """The sockets at one side of a box, and the number of columns and rows that they take.

    `derived` are the port groups whose arrangement the catalog does not state, so that usual rows and columns are drawn.
    """

    sockets: tuple[Socket, ...]
    columns: float
    rows: float
    derived: tuple[str, ...]


def face(groups: Sequence[PortGroup], blocks: Sequence[SocketBlock], side: str) -> Face:
    """Return the sockets at one side of a box.

    Parameters
    ----------
    groups
        All port groups of the box, each with its side.
    blocks
        What the catalog states; groups without a block follow at the right, small ones in a row, others in pairs of rows.
    """
    names = [group.name for group in groups]
    stated = {block.group or names[0] for block in blocks} if names else set()
    usual = [_usual(group) for group in groups if group.name not in stated]
    shown = [block for block in (*blocks, *usual) if (groups[names.index(block.group or names[0])].side or "rear") == side]
    sockets: list[Socket] = []
    left = right = top = bottom = 0.0
    for block in shown:
        columns = _columns(groups, block)
        wraps = not block.below and not blocks and left and left + columns > _ACROSS
        if block.below or wraps:
            left, top = 0.0, bottom + (_GAP if bottom else 0)
        sockets += _sockets(groups, block, left, top)
        right = max(right, left + columns + _GAP * len(block.gaps))
        bottom = max(bottom, top + block.rows)
        left += columns + _GAP * (len(block.gaps) + 1)
    return Face(tuple(sorted(sockets)), right, bottom, tuple(block.group for block in usual if block in shown))


def _usual(group: PortGroup) -> SocketBlock:
    """Return the usual arrangement of a group: pairs of rows, odd numbers above even ones."""
    rows = 1
    if group.cages > _IN_ONE_ROW:
        rows = 2 * -(-group.cages // (2 * _COLUMNS))
    return SocketBlock(group=group.name, rows=rows)


def _chosen(groups: Sequence[PortGroup], block: SocketBlock) -> tuple[PortGroup, range]:
    """Return the group of a block, and its sockets in it, from 0."""
    group = next(group for group in groups if group.name == (block.group or groups[0].name))
    end = block.first - 1 + block.sockets if block.sockets else group.cages
    return group, range(block.first - 1, end)


def _columns(groups: Sequence[PortGroup], block: SocketBlock) -> int:
    return -(-len(_chosen(groups, block)[1]) // block.rows)


def _sockets(groups: Sequence[PortGroup], block: SocketBlock, left: float, top: float) -> Iterator[Socket]:
    group, chosen = _chosen(groups, block)
    place = next(number for number, one in enumerate(groups) if one is group)
    cages, ports = (sum(getattr(one, name) for one in groups[:place]) for name in ("cages", "count"))
    columns = _columns(groups, block)
    for number, cage in enumerate(chosen):
        column, row = (number % columns, number // columns) if block.order == "rows" else divmod(number, block.rows)
        if block.order == "columns upward":
            row = block.rows - 1 - row
        shift = _GAP * sum(gap <= column for gap in block.gaps)
        yield Socket(
            cages + cage + 1, ports + cage * group.ports_per_cage + 1, group.ports_per_cage, left + column + shift, top + row
        )


def problems(groups: Sequence[PortGroup], blocks: Sequence[SocketBlock]) -> Iterator[Problem]:
    """Yield problems of a faceplate: every socket of a group that has blocks is in one of them."""
    names = [group.name for group in groups]
    held: dict[str, Counter[int]] = {}
    for number, block in enumerate(blocks):
        name = block.group or next(iter(names), "")
        if name not in names:
            yield Problem(f"faceplate.{number}.group", f"there is no port group {name!r}", suggestion(name, names))
            continue
        group, chosen = _chosen(groups, block)
        if not chosen or chosen[-1] >= group.cages:
            message = f"sockets {block.first} to {max(block.first, chosen.stop)} of group {name}, which has {group.cages}"
            yield Problem(f"faceplate.{number}.first", message, "correct first and sockets")
            continue
        if any(gap >= _columns(groups, block) for gap in block.gaps):
            message = f"gap after column {max(block.gaps)} of {_columns(groups, block)}"
            yield Problem(f"faceplate.{number}.gaps", message, "give columns that have another one at their right")
        held.setdefault(name, Counter()).update(chosen)
    for name, counts in held.items():
        cages = groups[names.index(name)].cages
        missing = [number + 1 for number in range(cages) if not counts[number]]
        twice = [number + 1 for number, count in sorted(counts.items()) if count > 1]
        for wrong, what in ((missing, "in no block"), (twice, "in two blocks")):
            if wrong:
                listed = ", ".join(map(str, wrong[:8])) + (" …" if len(wrong) > 8 else "")
                yield Problem("faceplate", f"sockets {listed} of group {name} are {what}", "give every socket of the group once")
