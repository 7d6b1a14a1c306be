"""Moves of cabinets, rows and devices by hand, as data, and what they do to a layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from planner.core import names
from planner.core.errors import InputError, Problem, suggestion
from planner.design.placement.given import Places
from planner.domain.model import FIXTURES
from planner.install.editing.layouts import Floor, Layout

LONGEST_NAME, MAX_MOVES = 200, 500


@dataclass(frozen=True)
class Move:
    """One move.

    Attributes
    ----------
    kind
        Key of `KINDS`.
    what
        Name of the cabinet (that of its slot), the row or the device that is moved, pinned or unpinned.
    to
        Name of the slot or the row that it moves to; for a device by default its cabinet.
    unit
        Lowest rack unit that a device moves to.
    """

    kind: str
    what: str
    to: str = ""
    unit: int | None = None

    @classmethod
    def of(cls, given: Any, place: str = "move") -> Move:
        """Return the move that plain data describes.

        Raises
        ------
        InputError
            With all unknown keys and wrong values; `place` names it in messages.
        """
        if not isinstance(given, Mapping):
            raise InputError(Problem(place, f"{given!r:.80} is no move", 'write {"kind": …, "what": …}'))
        problems = [
            Problem(f"{place}.{key}", "a move has no such key", suggestion(str(key), ("kind", "what", "to", "unit")))
            for key in given
            if key not in ("kind", "what", "to", "unit")
        ]
        texts = {"kind": given.get("kind"), "what": given.get("what"), "to": given.get("to") or ""}
        for key, text in texts.items():
            if not isinstance(text, str) or len(text) > LONGEST_NAME or (text and names.fault(text)):
                problems.append(Problem(f"{place}.{key}", f"{text!r:.80} is no name", "write the name of a slot, row or device"))
        if isinstance(texts["kind"], str) and texts["kind"] not in KINDS:
            message = f"there is no move of kind {texts['kind']!r:.80}"
            problems.append(Problem(f"{place}.kind", message, suggestion(texts["kind"], KINDS)))
        unit = given.get("unit")
        if unit is not None and (isinstance(unit, bool) or not isinstance(unit, int) or abs(unit) > 1000):
            problems.append(Problem(f"{place}.unit", f"{unit!r:.80} is not a rack unit", "write a whole number from 1"))
        if problems:
            raise InputError(problems)
        return cls(str(texts["kind"]), str(texts["what"]), str(texts["to"]), unit)

    def plain(self) -> dict[str, Any]:
        """Return the move as plain data, without empty entries."""
        return {key: entry for key, entry in vars(self).items() if entry not in ("", None)}


def checked(given: Any) -> list[Move]:
    """Return the moves that a list of plain data describes.

    Raises
    ------
    InputError
        With all problems of all moves.
    """
    if not isinstance(given, list) or not given or len(given) > MAX_MOVES:
        raise InputError(Problem("moves", f"must be a list of 1 to {MAX_MOVES} moves", 'write [{"kind": …, "what": …}]'))
    problems: list[Problem] = []
    moves: list[Move] = []
    for number, each in enumerate(given):
        try:
            moves.append(Move.of(each, f"moves.{number}"))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return moves


def title_of(moves: Sequence[Move]) -> str:
    """Return a title of a step."""
    if len(moves) != 1:
        return f"{len(moves)} moves"
    move = moves[0]
    if move.kind in ("pin", "unpin"):
        return f"{move.kind} {move.what}"
    unit = f" unit {move.unit}" if move.unit is not None else ""
    return f"{move.kind} {move.what} to {move.to}{unit}".replace(" to  unit", " to unit")


def moved(floor: Floor, layout: Layout, move: Move) -> Layout:
    """Return the layout after a move.

    Raises
    ------
    InputError
        When there is no such cabinet, row, device or place, or the move is impossible: something pinned would move, a rack
        unit is taken, or the study fixes the content of cabinets.
    """
    after = KINDS[move.kind](floor, layout, move)
    away = after.moved_since(layout)
    _require_not_fixed(floor, after.places, away)
    if len(pinned := away[layout.pinned[away]]):
        raise InputError(Problem("what", f"{floor.names(pinned)} would move, but is pinned", "unpin it first"))
    return after


def _require_not_fixed(floor: Floor, places: Places, away: np.ndarray) -> None:
    """Check that no device leaves the place where it must stay.

    Raises
    ------
    InputError
        With the devices that would, and what of the study keeps them in place.
    """
    if not floor.fixed or not len(away):
        return
    must = np.isin(away, floor.fixed_devices)
    lost = away[must & ~floor.stays(places)[away]]
    if not len(lost):
        return
    first = floor.fixed[int(lost[0])]
    keeper = f"{first.source} keeps it" if first.source else "[room.existing] of the study fixes it"
    place = f"{floor.room.slot_names[first.slot]} unit {first.unit}"
    message = f"{floor.names(lost)} would move, but must stay: {keeper} in {place}"
    raise InputError(Problem("what", message, "move other devices, or change the study"))


def _exchanged(layout: Layout, pairs: Iterator[tuple[int, int]], slots: int) -> Layout:
    """Return the layout with everything in some slots moved: pairs of old and new slots."""
    new = np.arange(slots)
    for old, to in pairs:
        new[old] = to
    places = layout.places
    return replace(layout, places=replace(places, slot=new[places.slot], fixture_slot=new[places.fixture_slot]))


def _cabinet(floor: Floor, layout: Layout, move: Move) -> Layout:
    """Move a cabinet to another slot; a cabinet there takes its place."""
    here, there = floor.slot(move.what, "what"), floor.slot(move.to, "to")
    if not (layout.places.slot == here).any():
        raise InputError(Problem("what", f"there is no cabinet in slot {move.what}", "name the slot of a cabinet"))
    return _exchanged(layout, iter([(here, there), (there, here)]), floor.room.slot_count)


def _row(floor: Floor, layout: Layout, move: Move) -> Layout:
    """Exchange the cabinets of two rows, position by position."""
    here, there = floor.row(move.what, "what"), floor.row(move.to, "to")
    shared = min(len(here), len(there))
    beyond = np.concatenate([here[shared:], there[shared:]])
    if len(lost := np.intersect1d(beyond, layout.places.slot)):
        message = f"slot {floor.room.slot_names[lost[0]]} has a cabinet, and the other row has no slot {shared + 1}"
        raise InputError(Problem("to", message, "move these cabinets first, or choose a row as long"))
    pairs = [*zip(here[:shared].tolist(), there[:shared].tolist(), strict=True)]
    return _exchanged(layout, iter([*pairs, *((b, a) for a, b in pairs)]), floor.room.slot_count)


def _device(floor: Floor, layout: Layout, move: Move) -> Layout:
    """Move a device, with all that share its box, to free rack units; or exchange it with a box of the same height there."""
    places = layout.places
    if move.what not in floor.devices:
        raise InputError(Problem("what", f"{move.what!r} is not a device of the plan", suggestion(move.what, floor.devices)))
    device = floor.devices[move.what]
    here, was = int(places.slot[device]), int(places.unit[device])
    there = floor.slot(move.to, "to") if move.to else here
    unit, height = was if move.unit is None else move.unit, int(floor.heights[device])
    _require_place(floor, layout, move, here, there, unit, height)
    own = np.flatnonzero((places.slot == here) & (places.unit == was))
    others = np.flatnonzero((places.slot == there) & ~np.isin(np.arange(len(places.slot)), own))
    low, high = places.unit[others], places.unit[others] + np.maximum(floor.heights[others], 1)
    taken = others[(low < unit + height) & (high > unit)]
    slot_of, unit_of = places.slot.copy(), places.unit.copy()
    if len(taken):
        if (places.unit[taken] != unit).any() or (floor.heights[taken] != height).any():
            message = (
                f"unit {unit} in {floor.room.slot_names[there]} is taken by {floor.names(taken)}, which is not of the same size"
            )
            raise InputError(Problem("unit", message, "choose free units, or a box of the same height"))
        slot_of[taken], unit_of[taken] = here, was
    slot_of[own], unit_of[own] = there, unit
    return replace(layout, places=replace(places, slot=slot_of, unit=unit_of))


def _require_place(floor: Floor, layout: Layout, move: Move, here: int, there: int, unit: int, height: int) -> None:
    """Check that a device may move to some units of a slot at all.

    Raises
    ------
    InputError
        When it may not.
    """
    places, name = layout.places, floor.room.slot_names[there]
    if not height:
        raise InputError(Problem("what", f"{move.what} is upright next to the rack units", "move its cabinet"))
    if here != there and floor.inventory.rack.max(initial=-1) >= 0:
        message = f"the study fixes which cabinet {move.what} is in"
        raise InputError(Problem("to", message, "move its cabinet, or change [[cabinets]] in the study"))
    if not (places.slot == there).any():
        raise InputError(Problem("to", f"there is no cabinet in slot {name}", "choose the slot of a cabinet"))
    top = floor.catalog.cabinet.units
    if not 1 <= unit <= top - height + 1:
        message = f"{unit} is outside: {move.what} has {height} units, the cabinet {top}"
        raise InputError(Problem("unit", message, f"use 1 to {top - height + 1}"))
    parts = {FIXTURES.index("cable manager"): floor.catalog.manager, FIXTURES.index("PDU"): floor.catalog.pdu}
    for number in np.flatnonzero(places.fixture_slot == there).tolist():
        kind, low = int(places.fixture_kind[number]), int(places.fixture_unit[number])
        fixture = parts[kind]
        units = 1 if fixture is None else fixture.units
        if low < unit + height and unit < low + units:
            message = f"unit {low} in {name} has a {FIXTURES[kind]}"
            raise InputError(Problem("unit", message, "choose other units"))


def _devices(floor: Floor, layout: Layout, name: str) -> np.ndarray:
    """Return which devices a name of a device, a slot or a row means, bool (D,)."""
    found = np.zeros(len(layout.pinned), bool)
    if name in floor.devices:
        found[floor.devices[name]] = True
        return found
    slots = np.array([floor.slots[name]]) if name in floor.slots else floor.row(name, "what")
    return np.isin(layout.places.slot, slots)


def _pin(floor: Floor, layout: Layout, move: Move) -> Layout:
    """Pin a device, or all devices of a cabinet or a row."""
    return replace(layout, pinned=layout.pinned | _devices(floor, layout, move.what))


def _unpin(floor: Floor, layout: Layout, move: Move) -> Layout:
    """Unpin devices, other than those that must not move."""
    chosen, stays = _devices(floor, layout, move.what), floor.stays(layout.places)
    pinned = layout.pinned & ~(chosen & ~stays)
    if (chosen & stays).any() and (pinned == layout.pinned).all():
        raise InputError(Problem("what", f"{floor.names(np.flatnonzero(chosen & stays))} must stay", "change the study"))
    return replace(layout, pinned=pinned)


KINDS: dict[str, Callable[[Floor, Layout, Move], Layout]] = {
    "cabinet": _cabinet,
    "row": _row,
    "device": _device,
    "pin": _pin,
    "unpin": _unpin,
}
"""Kinds of moves; devices, cabinets and rows are pinned and unpinned."""
