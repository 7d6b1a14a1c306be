"""Label texts: a template, filled in for each end of each cable.

A scheme is a named template. Rows of one piece (the links of a twin-port cable, the tails of a splitter)
have the same text at a common end; each tail has a text of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from string import Formatter
from typing import Any, NamedTuple

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.domain.model import Inventory, Room
from planner.domain.parts import Assembly

SCHEMES = {
    "tia606": "{cabinet}-{unit:02d}:{port:02d}/{far_cabinet}-{far_unit:02d}:{far_port:02d}",
    "hpe": "{first_cabinet}.{second_cabinet}.{class:02d}.{number:04d}-{end}",
    "serial": "{piece:06d}-{end}",
}
"""`tia606`: near end, then far end, in the style of TIA-606; compliance is not claimed.

`hpe`: the cable id of HPE's point-to-point files, such as 3000.9000.00.0001, with both cabinets, the class and a
running number, followed by a mark of the end. `serial`: a running number and that mark.
"""


@dataclass(frozen=True)
class Ends:
    """Data for the labels at both ends of W rows of cables.

    Attributes
    ----------
    room, inventory, assemblies
        Source of names.
    piece
        Number of the cable as bought and pulled, counted from 0 in the order of the first rows, int (W,).
    device, port, cage, unit, slot
        As in `planner.domain.model.CablePlan`, and the slots of the cabinets; int (W, 2).
    assembly, stock_mm, bundle, stage, stage_names
        As in `planner.domain.model.CablePlan`; int (W,).
    """

    room: Room
    inventory: Inventory
    assemblies: tuple[Assembly, ...]
    piece: np.ndarray
    device: np.ndarray
    port: np.ndarray
    cage: np.ndarray
    unit: np.ndarray
    slot: np.ndarray
    assembly: np.ndarray
    stock_mm: np.ndarray
    bundle: np.ndarray
    stage: np.ndarray
    stage_names: tuple[str, ...]

    @cached_property
    def first_row(self) -> np.ndarray:
        """First row of each row's piece, int64 (W,)."""
        return np.unique(self.piece, return_index=True)[1][self.piece]

    @cached_property
    def plugs(self) -> tuple[np.ndarray, np.ndarray]:
        """The ends of all pieces: the position of each in the flat (W, 2), and the end at each position."""
        # One number for piece, device and cage sorts much faster than three.
        devices, cages = self.device.max(initial=0) + 1, self.cage.max(initial=0) + 1
        key = (np.repeat(self.piece.astype(np.int64), 2) * devices + self.device.ravel()) * cages + self.cage.ravel()
        _, place, plug = np.unique(key, return_index=True, return_inverse=True)
        return place, plug.ravel()


def texts(label: str, ends: Ends) -> tuple[np.ndarray, np.ndarray]:
    """Return the texts at the first and at the second ends, str (W,) each.

    Parameters
    ----------
    label
        Name of a scheme, or a template: a format string over `FIELDS`.

    Raises
    ------
    InputError
        When the scheme is unknown, or the template has an unknown field or an unsuitable format.
    """
    parts = _parts(label)
    if not any(name for _, name, _ in parts):
        same = np.full(len(ends.piece), "".join(literal for literal, _, _ in parts))
        return same, same
    sides = [reduce(np.strings.add, (_column(*part, ends, side) for part in parts)) for side in (0, 1)]
    place, plug = ends.plugs
    # Rows of one piece take the text of its first row at a common end.
    source = place[plug].reshape(-1, 2)
    return tuple(np.where(source[:, side] % 2, sides[1][source[:, side] // 2], sides[0][source[:, side] // 2]) for side in (0, 1))


def examine_label(label: str) -> None:
    """Refuse an unknown scheme, or a template that cannot be formatted.

    Raises
    ------
    InputError
        With the problem.
    """
    _parts(label)


# -- templates --------------------------------------------------------------------------------


def _parts(label: str) -> list[tuple[str, str, str]]:
    """Return the template as literal text, field after it ("" for none) and the field's format."""
    if "{" not in label and label not in SCHEMES:
        remedy = f"{suggestion(label, SCHEMES)}; or write a template such as {SCHEMES['serial']!r}"
        raise InputError(Problem("label", f"there is no label scheme {label!r}", remedy))
    template = SCHEMES.get(label, label)
    parts = []
    try:
        for literal, name, spec, conversion in Formatter().parse(template):
            how = "{0" + (f"!{conversion}" if conversion else "") + f":{spec}" + "}"
            if name is not None:
                if re.search(r"\{|\d{4}", spec or ""):
                    raise ValueError(f"format {spec!r} is too wide or nested")
                how.format(FIELDS[name].example)
            parts.append((literal, name or "", how))
    except (KeyError, ValueError, IndexError, AttributeError, TypeError) as error:
        remedy = f"the fields are {', '.join('{' + name + '}' for name in FIELDS)}"
        raise InputError(Problem("label", f"cannot be formatted: {error!r} in {template!r}", remedy)) from None
    if not template.isprintable():
        raise InputError(Problem("label", f"{template!r} contains unprintable characters", "write one line of text"))
    return parts


def _column(literal: str, name: str, how: str, ends: Ends, side: int) -> np.ndarray:
    """Return literal and field of every row, str (W,); each value is formatted once."""
    if not name:
        return np.full(len(ends.piece), literal)
    values, index = FIELDS[name].of(ends, side)
    return np.array([literal + how.format(value) for value in values], np.str_)[index]


# -- fields -----------------------------------------------------------------------------------


class _Field(NamedTuple):
    """An example of the right type; a function from ends and side to the distinct values, and the index of each row's."""

    example: str | int
    of: Callable[[Ends, int], tuple[Sequence[Any] | np.ndarray, np.ndarray]]


def _numbers(array: np.ndarray) -> tuple[list[int], np.ndarray]:
    values, index = np.unique(array, return_inverse=True)
    return values.tolist(), index.ravel()


def _slots(ends: Ends) -> list[str]:
    """Return the names of the slots without that of their row."""
    rows = [ends.room.row_names[row] for row in ends.room.slot_row.tolist()]
    return [name.removeprefix(row) for name, row in zip(ends.room.slot_names, rows, strict=True)]


def _stock_m(ends: Ends, side: int) -> tuple[list[str], np.ndarray]:
    values, index = _numbers(ends.stock_mm)
    return [f"{length / 1000:g}" for length in values], index


def _is_endpoint(ends: Ends, side: int) -> np.ndarray:
    return (~ends.inventory.is_router[ends.device[:, side]]).astype(np.int64)


def _device(ends: Ends, side: int) -> tuple[list[int], np.ndarray]:
    return _numbers(ends.device[:, side] - ends.inventory.router_count * _is_endpoint(ends, side))


def _xname(ends: Ends, side: int) -> tuple[list[str], np.ndarray]:
    """Return the port of a switch or the interface of a node in the style of HPE's component names, in chassis 0."""
    cabinets = [name.removeprefix("x") for name in ends.room.slot_names]
    columns = (ends.slot, ends.unit, ends.cage, ends.port, ends.device)
    names = [
        f"x{cabinets[slot]}c0r{unit}j{cage}"
        if device < ends.inventory.router_count
        else f"x{cabinets[slot]}c0s{unit}b0n{port - 1}h0"
        for slot, unit, cage, port, device in zip(*(column[:, side].tolist() for column in columns), strict=True)
    ]
    return names, np.arange(len(names))


def _network(ends: Ends, side: int) -> tuple[Sequence[str], np.ndarray]:
    inventory = ends.inventory
    return inventory.network_names, np.repeat(np.arange(len(inventory.network_names)), np.diff(inventory.first_link))


def _port_name(ends: Ends, side: int) -> tuple[list[str], np.ndarray]:
    """Return the ports as printed on the devices."""
    names = [part.port_names for part in ends.inventory.parts]
    parts = ends.inventory.part[ends.device[:, side]].tolist()
    every = [names[part][port - 1] for part, port in zip(parts, ends.port[:, side].tolist(), strict=True)]
    values, index = np.unique(np.array(every, np.str_), return_inverse=True)
    return values.tolist(), index.ravel()


def _number(ends: Ends, side: int) -> tuple[list[int], np.ndarray]:
    """Return the running number among the pieces of the same class between the same cabinets, from 1."""
    first = np.unique(ends.first_row)
    source, target = ends.slot[first].astype(np.int64).T
    group = (source * ends.room.slot_count + target) * len(ends.inventory.kind_names) + ends.inventory.kind[first]
    return _numbers(_rank_within(group)[ends.piece] + 1)


def _end(ends: Ends, side: int) -> tuple[list[str], np.ndarray]:
    """Return A and B; where several ends of a piece are on one side, A1, A2 …"""
    place, plug = ends.plugs
    group = 2 * ends.piece[place // 2] + place % 2
    order = np.argsort(place)
    rank = np.empty(len(place), np.int64)
    rank[order] = _rank_within(group[order])
    alone = np.bincount(group, minlength=1)[group] == 1
    columns = (place.tolist(), rank.tolist(), alone.tolist())
    marks = ["AB"[p % 2] + ("" if single else str(r + 1)) for p, r, single in zip(*columns, strict=True)]
    return marks, plug.reshape(-1, 2)[:, side]


def _rank_within(group: np.ndarray) -> np.ndarray:
    """Return the number of members of the same group before each, int64."""
    order = np.argsort(group, kind="stable")
    rank = np.empty(len(group), np.int64)
    rank[order] = np.arange(len(group)) - np.searchsorted(group[order], group[order])
    return rank


def _near_and_far(
    name: str, example: str | int, of: Callable[[Ends, int], tuple[Sequence[Any] | np.ndarray, np.ndarray]]
) -> dict[str, _Field]:
    return {name: _Field(example, of), f"far_{name}": _Field(example, lambda ends, side: of(ends, 1 - side))}


FIELDS: dict[str, _Field] = {
    **_near_and_far("cabinet", "A01", lambda e, side: (e.room.slot_names, e.slot[:, side])),
    **_near_and_far("row", "A", lambda e, side: (e.room.row_names, e.room.slot_row[e.slot[:, side]])),
    **_near_and_far("slot", "01", lambda e, side: (_slots(e), e.slot[:, side])),
    **_near_and_far("unit", 42, lambda e, side: _numbers(e.unit[:, side])),
    **_near_and_far("port", 7, lambda e, side: _numbers(e.port[:, side])),
    **_near_and_far("cage", 4, lambda e, side: _numbers(e.cage[:, side])),
    **_near_and_far("kind", "router", lambda e, side: (("router", "endpoint"), _is_endpoint(e, side))),
    **_near_and_far("device", 17, _device),
    **_near_and_far("name", "dgx017", lambda e, side: (e.inventory.names, e.device[:, side])),
    **_near_and_far("role", "leaf", lambda e, side: (e.inventory.role_names, e.inventory.role[e.device[:, side]])),
    **_near_and_far("port_name", "compute/3", _port_name),
    **_near_and_far("xname", "x3000c0r42j4", _xname),
    "end": _Field("A", _end),
    "network": _Field("compute", _network),
    "first_cabinet": _Field("A01", lambda e, side: (e.room.slot_names, e.slot[e.first_row, 0])),
    "second_cabinet": _Field("B12", lambda e, side: (e.room.slot_names, e.slot[e.first_row, 1])),
    "class": _Field(0, lambda e, side: _numbers(e.inventory.kind)),
    "link": _Field("global", lambda e, side: (e.inventory.kind_names, e.inventory.kind)),
    "number": _Field(1, _number),
    "cable": _Field(137, lambda e, side: _numbers(np.arange(1, len(e.piece) + 1))),
    "piece": _Field(137, lambda e, side: _numbers(e.piece + 1)),
    "bundle": _Field(12, lambda e, side: _numbers(e.bundle + 1)),
    "part": _Field("100g-dac", lambda e, side: ([made_of.length_part for made_of in e.assemblies], e.assembly)),
    "stock_mm": _Field(3000, lambda e, side: _numbers(e.stock_mm)),
    "stock_m": _Field("3", _stock_m),
    "stage": _Field("in row", lambda e, side: (e.stage_names, e.stage)),
}
"""Fields of a template: of the near end, with `far_` of the other end, and of the whole cable.

`name` is the name of the device, `role` its role, `port_name` the port as printed on it; `network` is the name of the network,
empty where it has none. `slot` is the cabinet's name without that of its row; `device` counts routers and endpoints each
from 0; `class` numbers the classes of links from 0, endpoint cables last, and `link` names them; `number` counts the pieces
of one class between two cabinets, `cable` rows, `piece` pieces, `bundle` bundles (0 inside a cabinet), all from 1; `end` is
A or B.
"""
