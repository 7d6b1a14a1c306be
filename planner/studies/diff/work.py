"""Work order of a change: what to unplug, take out, move, re-plug, pull in and plug, by cabinet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from planner.core.names import natural
from planner.core.units import stock_named
from planner.studies.diff.result import STEPS, Action, Pieces, Reuse, is_over_panels, plug_of
from planner.view.schedule import ADDED, MOVED, RELABELED, REMOVED, REPLUGGED, SAME, CableChange, Connection, Difference, End

_DEVICES = (REMOVED, MOVED, RELABELED, ADDED)
"""Kinds of changed devices, in the order of work."""


def work_order(found: Difference, pieces: Pieces, reuse: Sequence[Reuse]) -> list[Action]:
    """Return what to do, in the order of work: by step, then by cabinet from the top.

    Whatever leaves a port is unplugged or re-plugged before anything else comes into it. A plug that goes to the port of another
    plug follows that one; where such plugs form a cycle, the first of them is held until the last has left its port.
    """
    made = _Work(found, pieces, reuse)
    actions = _once([*made.devices(), *(action for each in found.cables for action in made.cable(each))])
    swaps = [action for action in actions if action.step == "re-plug"]
    others = sorted((action for action in actions if action.step != "re-plug"), key=_place)
    listed = [*others, *made.chained(swaps)]
    order = list(STEPS)
    return sorted(listed, key=lambda action: order.index(action.step))


def _once(actions: Iterable[Action]) -> list[Action]:
    """Return the actions without those at a plug that another row of the same cable has listed."""
    found: dict[object, Action] = {}
    for action in actions:
        row = action.row
        key = (action.step, action.device, action.text) if row is None else (action.step, row.piece, action.device, _cage(action))
        found.setdefault(key, action)
    return list(found.values())


def _place(action: Action) -> tuple:
    rank = _DEVICES.index(action.text.partition(":")[0]) if action.step == "devices" else 0
    return natural(action.cabinet), rank, -action.unit, natural(action.device), natural(action.port)


class _Work:
    """Actions of devices and cables."""

    def __init__(self, found: Difference, pieces: Pieces, reuse: Sequence[Reuse]) -> None:
        self.found, self.pieces = found, pieces
        self.taken = {rows[0].number for rows in pieces.removed}
        self.brought = {rows[0].number for rows in pieces.added}
        self.reused_as = {each.old.number: each.new for each in reuse}
        self.reused_from = {each.new.number: each.old for each in reuse}

    @cached_property
    def _left(self) -> set[str]:
        """Devices that leave their place, by their names in the old plan."""
        return {each.old for each in self.found.devices if each.kind in (MOVED, REMOVED)}

    @cached_property
    def _came(self) -> set[str]:
        """Devices that come to a place, by their names in the new plan."""
        return {each.new for each in self.found.devices if each.kind in (MOVED, ADDED)}

    def devices(self) -> Iterator[Action]:
        for each in self.found.devices:
            if each.kind == SAME:
                continue
            text = {REMOVED: "take it out", MOVED: f"to {each.new_place}", RELABELED: f"to {each.new}", ADDED: "put it in"}
            place = each.old_place or each.new_place
            cabinet, _, unit = place.rpartition(" ")
            number = int(unit[1:]) if unit[1:].isdigit() else 0
            yield Action("devices", cabinet, number, each.old or each.new, text=f"{each.kind}: {text[each.kind]}")

    def cable(self, each: CableChange) -> Iterator[Action]:
        """Yield the actions of one row."""
        if each.old is not None and each.kind == REMOVED:
            yield from self._removed(each.old)
        elif each.new is not None and each.kind == ADDED:
            yield from self._added(each.new)
        elif each.old is not None and each.new is not None and each.kind != SAME:
            yield from self._staying(each, each.old, each.new)

    def _removed(self, row: Connection) -> Iterator[Action]:
        for end, far in (row.ends, row.ends[::-1]):
            if plug_of(row, end) not in self.pieces.staying:
                yield _unplug(row, end, f"other end: {far}")
        if row.number in self.taken:
            use = self.reused_as.get(row.number)
            text = f"keep it: it serves as cable {use.number}" if use else "left over"
            yield _of_cable("take out", row, f"to {row.b}; {_bought(row)}; {text}")

    def _added(self, row: Connection) -> Iterator[Action]:
        if row.number in self.brought:
            old = self.reused_from.get(row.number)
            source = f"cable {old.number} that was taken out, {_bought(old)}" if old else f"new: {_bought(row)}"
            yield _of_cable("lay", row, f"to {row.b}{_over(row)}; {source}")
        for end, far in (row.ends, row.ends[::-1]):
            if plug_of(row, end) not in self.pieces.present:
                yield _plug(row, end, f"other end: {far}")

    def _staying(self, each: CableChange, old: Connection, new: Connection) -> Iterator[Action]:
        """Yield what is done to a cable that stays: plugs at devices that move, another route, another port, other labels."""
        crossed, (before, after) = self.found.is_crossed(each), self.found.trays(each)
        is_rerouted = each.kind == MOVED and before != after
        if is_rerouted:
            yield _of_cable("take out", old, f"to {old.b}; {_bought(old)}; keep it: it gets another route")
            yield _of_cable("lay", new, f"to {new.b}{_over(new)}; cable {old.number} that was taken out")
        for side, end in enumerate(old.ends):
            come, goes = new.ends[side ^ crossed], each.end == side
            is_pulled = is_rerouted or end.device in self._left or (come.device in self._came and not goes)
            if is_pulled:
                yield _unplug(old, end, f"the plug goes to {come} afterwards")
                yield _plug(new, come, f"plug of cable {old.number} that was pulled out")
            elif goes:
                route = f"; cable over {after or 'no trays'}, before over {before or 'no trays'}" if before != after else ""
                yield Action(
                    "re-plug", end.cabinet, end.unit, end.device, end.printed, f"to {come}{route}", end.label, old, (1, 1)
                )
            if end.label != come.label and come.label:
                yield Action(
                    "label", come.cabinet, come.unit, come.device, come.printed, f"before: {end.label or 'none'}", come.label, new
                )

    def chained(self, swaps: Sequence[Action]) -> list[Action]:
        """Return re-plugs so that each plug comes to a port that is free; the first plug of a cycle is held."""
        goal = {(old.number, *_at(end)): _at(to, self._old_names) for old, end, to in self._replugs()}
        # Rows of one plug have one action, which leaves all their ports.
        of_plug = {(action.row.piece, action.device, _cage(action)): action for action in swaps if action.row is not None}
        at = {_at(end): of_plug[key] for old, end, _ in self._replugs() if (key := plug_of(old, end)) in of_plug}

        def next_of(action: Action) -> Action | None:
            return at.get(goal[action.row.number, action.device, action.port]) if action.row is not None else None

        targets = {_key(following) for action in swaps if (following := next_of(action)) is not None}
        done: set[tuple[str, str, int]] = set()
        found: list[Action] = []
        # Chains begin at a port that no plug comes to, cycles anywhere.
        for start in sorted(swaps, key=lambda action: (_key(action) in targets, _place(action))):
            chain: list[Action] = []
            action: Action | None = start
            while action is not None and _key(action) not in done:
                done.add(_key(action))
                chain.append(action)
                action = next_of(action)
            if len(chain) > 1 and action is start:
                found.append(start._replace(text=f"pull it and hold it; later {start.text}", plugs=(1, 0)))
                found += reversed(chain[1:])
                found.append(start._replace(text=f"plug in what you hold: {start.text}", plugs=(0, 1)))
            else:
                found += reversed(chain)
        return found

    def _replugs(self) -> Iterator[tuple[Connection, End, End]]:
        for each in self.found.cables:
            if each.kind == REPLUGGED and each.old is not None:
                yield each.old, *self.found.plug(each)

    @cached_property
    def _old_names(self) -> dict[str, str]:
        return {new: old for old, new in self.found.renamed.items()}


def _cage(action: Action) -> str:
    return End("", 0, action.port, "", 0).cage


def _at(end: End, names: dict[str, str] | None = None) -> tuple[str, str]:
    return (names or {}).get(end.device, end.device), end.printed


def _key(action: Action) -> tuple[str, str, int]:
    return action.device, action.port, action.row.number if action.row is not None else 0


def _unplug(row: Connection, end: End, text: str) -> Action:
    return Action("unplug", end.cabinet, end.unit, end.device, end.printed, text, end.label, row, (1, 0))


def _plug(row: Connection, end: End, text: str) -> Action:
    return Action("plug", end.cabinet, end.unit, end.device, end.printed, text, end.label, row, (0, 1))


def _of_cable(step: str, row: Connection, text: str) -> Action:
    return Action(step, row.a.cabinet, row.a.unit, row.a.device, row.a.printed, text, row.a.label, row)


def _bought(row: Connection) -> str:
    """Return what a cable is: over patch panels a jumper at each end."""
    if is_over_panels(row):
        return f"jumpers to {row.a.panel or 'the panel'} and {row.b.panel or 'the panel'}"
    return f"{row.part}, {stock_named(row.stock_mm)}"


def _over(row: Connection) -> str:
    return f" over {row.trays}" if row.trays else ""
