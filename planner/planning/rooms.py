"""A floor plan that is being edited: rows, trays, obstacles and outline, with undo, saved as the TOML of the room."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from planner import floor, names, reading
from planner.errors import InputError, Problem, suggestion
from planner.model import Room
from planner.planning.fill import Aisles, filled

KINDS = ("row", "tray", "obstacle")
"""Tables of things with a name that can be added, moved, changed and removed."""

FACTS = ("title", "tile_mm", "power_mw", "cooling_mw", "load_g", "design_fill", "max_fill", "fill_shape")
"""Keys of the whole room that can be set."""

MAX_STEPS, MAX_THINGS, MAX_DXF_BYTES = 500, 5000, 30_000_000
Data = dict[str, Any]


def empty(title: str = "New room") -> Data:
    """Return the data of a room with neither outline nor rows."""
    return {
        "title": title,
        "source": "drawn in Planner",
        "confidence": "D",
        "estimates": ["outline_mm", "row", "tray", "power_mw", "load_g"],
        "tile_mm": 600,
        "power_mw": 30_000_000,
        "load_g": 1_500_000,
    }


def of_dxf(content: bytes) -> Data:
    """Return the data of the room in a DXF drawing with the layers that ``planner floor draw`` writes.

    Raises
    ------
    InputError
        With every problem of the drawing.
    """
    if len(content) > MAX_DXF_BYTES:
        raise InputError(Problem("drawing", f"has more than {MAX_DXF_BYTES:,} bytes", "leave out what is not the room"))
    with tempfile.TemporaryDirectory() as folder:
        drawing, plan = Path(folder) / "drawing.dxf", Path(folder) / "room.toml"
        drawing.write_bytes(content)
        try:
            floor.import_dxf(drawing, plan)
        except InputError as error:
            if not plan.exists():
                raise InputError(Problem(each.place, each.message, each.remedy) for each in error.problems) from None
        return reading.read(plan).data


class RoomEditor:
    """A floor plan that is being edited.

    Steps may leave the room with problems, such as rows without trays; `problems` lists them, and `save` refuses.

    Attributes
    ----------
    data
        Keys of the floor plan file.
    """

    def __init__(self, data: Data):
        self.data = deepcopy(data)
        self._before: list[Data] = []
        self._after: list[Data] = []

    @classmethod
    def open(cls, plan: str, base: Path = Path()) -> RoomEditor:
        """Return an editor of a floor plan: the name of a shipped one, or a path from `base`.

        Raises
        ------
        InputError
            When there is none, or it is sized by a rule for its network.
        """
        data = floor.plan_data(plan, base)
        if "grid" in data:
            raise InputError(Problem("room", "is sized by a rule for its network", "begin a new room"))
        return cls(data)

    @property
    def can_undo(self) -> bool:
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        return bool(self._after)

    def do(self, step: Any) -> None:
        """Make a step given as plain data: ``{"do": key of STEPS, …}``.

        Raises
        ------
        InputError
            When there is no such step, or what it names is not there; nothing changes then.
        """
        if not isinstance(step, dict) or not isinstance(step.get("do"), str) or step["do"] not in STEPS:
            raise InputError(
                Problem("do", "is no step", suggestion(str(step.get("do") if isinstance(step, dict) else "")[:40], STEPS))
            )
        after = deepcopy(self.data)
        given = {key: deepcopy(entry) for key, entry in step.items() if key != "do"}
        STEPS[step["do"]](after, given)
        if given:
            raise InputError(Problem(f"{key}", f"has no meaning in a step {step['do']}", "leave it out") for key in given)
        _require_shape(after)
        self._before = [*self._before, self.data][-MAX_STEPS:]
        self.data, self._after = after, []

    def undo(self) -> None:
        """Take back the last step.

        Raises
        ------
        InputError
            When there is none.
        """
        if not self._before:
            raise InputError(Problem("undo", "there is nothing to undo"))
        self._after.append(self.data)
        self.data = self._before.pop()

    def redo(self) -> None:
        """Make the step again that was undone last.

        Raises
        ------
        InputError
            When there is none.
        """
        if not self._after:
            raise InputError(Problem("redo", "there is nothing to redo"))
        self._before.append(self.data)
        self.data = self._after.pop()

    def room(self) -> Room:
        """Return the room.

        Raises
        ------
        InputError
            With every problem.
        """
        return floor.room_of(self.data)

    def problems(self) -> tuple[Problem, ...]:
        """Return every problem of the room as it is; none if it can be saved."""
        try:
            self.room()
        except InputError as error:
            return error.problems
        return ()

    def save(self, path: Path) -> Path:
        """Write the floor plan file and return its path.

        Raises
        ------
        InputError
            With every problem of the room; nothing is written then.
        """
        self.room()
        floor.write_plan(self.data, path)
        return path


def _require_shape(data: Data) -> None:
    """Check the types of all keys of a floor plan, other than what is not there yet."""
    reading.construct(floor.Drawing, data)
    if (count := sum(len(data.get(kind, ())) for kind in KINDS)) > MAX_THINGS:
        raise InputError(Problem("room", f"has {count:,} rows, trays and obstacles", f"use up to {MAX_THINGS:,}"))


def _taken(given: Data, key: str, kind: type | tuple[type, ...]) -> Any:
    """Take a value out of a step.

    Raises
    ------
    InputError
        When it is missing or of another type.
    """
    found = given.pop(key, None)
    if not isinstance(found, kind) or isinstance(found, bool):
        raise InputError(Problem(key, f"{found!r:.60} is not what is needed here", "correct it"))
    return found


def _kind(given: Data) -> str:
    kind = _taken(given, "kind", str)
    if kind not in KINDS:
        raise InputError(Problem("kind", f"there is no kind {kind!r:.40}", suggestion(kind[:40], KINDS)))
    return kind


def _thing(data: Data, given: Data) -> tuple[str, Data]:
    """Return the kind and the table of the thing that a step names."""
    kind, name = _kind(given), _taken(given, "name", str)
    known = {each.get("name"): each for each in data.get(kind, ())}
    if name not in known:
        raise InputError(Problem("name", f"there is no {kind} {name!r:.40}", suggestion(name[:40], map(str, known))))
    return kind, known[name]


def _point(given: Data, key: str) -> tuple[int, int]:
    found = _taken(given, key, list)
    if len(found) != 2 or not all(
        isinstance(each, int) and not isinstance(each, bool) and abs(each) < 10_000_000 for each in found
    ):
        raise InputError(Problem(key, "is not a pair of millimeters", "write [x, y]"))
    return found[0], found[1]


def _free_name(data: Data, kind: str, stem: str) -> str:
    known, number = {each.get("name") for each in data.get(kind, ())}, 1
    while f"{stem} {number}" in known:
        number += 1
    return f"{stem} {number}"


def _add(data: Data, given: Data) -> None:
    """Add a row, tray or obstacle; without a name it gets one."""
    kind, table = _kind(given), _taken(given, "table", dict)
    table.setdefault("name", _free_name(data, kind, kind))
    if any(each.get("name") == table["name"] for each in data.get(kind, ())):
        raise InputError(Problem("name", f"there is a {kind} {table['name']!r:.40} already", "choose another name"))
    data[kind] = [*data.get(kind, ()), table]


def _remove(data: Data, given: Data) -> None:
    """Remove a row, tray or obstacle."""
    kind, thing = _thing(data, given)
    data[kind] = [each for each in data[kind] if each is not thing]
    if not data[kind]:
        del data[kind]


def _change(data: Data, given: Data) -> None:
    """Set keys of a row, tray or obstacle, such as the width of a tray; None removes one."""
    _, thing = _thing(data, given)
    for key, entry in _taken(given, "keys", dict).items():
        if entry is None:
            thing.pop(key, None)
        else:
            thing[key] = entry


def _move(data: Data, given: Data) -> None:
    """Move a row, tray or obstacle by some millimeters."""
    _, thing = _thing(data, given)
    dx, dy = _point(given, "by_mm")
    for key in ("first_mm", "at_mm"):
        if key in thing:
            thing[key] = [thing[key][0] + dx, thing[key][1] + dy]
    for key in ("path_mm", "corners_mm"):
        if key in thing:
            thing[key] = [[x + dx, y + dy] for x, y in thing[key]]


def _columns(data: Data, given: Data) -> None:
    """Add columns on a grid."""
    (x, y), (width, depth) = _point(given, "at_mm"), _point(given, "size_mm")
    (dx, dy), (across, along) = _point(given, "pitch_mm"), _point(given, "count")
    if not (0 < across * along <= 1000 and across > 0):
        raise InputError(Problem("count", f"{across} by {along} is out of bounds", "use up to 1,000 columns in all"))
    for number in range(across * along):
        at = [x + number % across * dx, y + number // across * dy]
        table = {"name": _free_name(data, "obstacle", "column"), "kind": "column", "at_mm": at, "size_mm": [width, depth]}
        data["obstacle"] = [*data.get("obstacle", ()), table]


def _outline(data: Data, given: Data) -> None:
    """Set the outline by its corners."""
    data["outline_mm"] = _taken(given, "corners_mm", list)


def _facts(data: Data, given: Data) -> None:
    """Set facts of the whole room, such as its limits."""
    for key, entry in _taken(given, "keys", dict).items():
        if key not in FACTS:
            raise InputError(Problem(key, "is no fact of a room", suggestion(str(key)[:40], FACTS)))
        if isinstance(entry, str) and names.fault(entry):
            raise InputError(Problem(key, "is no text", "correct it"))
        data[key] = entry


def _fill(data: Data, given: Data) -> None:
    """Fill the room with rows and trays, in place of those that are there."""
    aisles = reading.construct(Aisles, {key: given.pop(key) for key in [*given]}, section="fill")
    data |= filled(data, aisles)


STEPS: dict[str, Callable[[Data, Data], None]] = {
    "add": _add,
    "remove": _remove,
    "change": _change,
    "move": _move,
    "columns": _columns,
    "outline": _outline,
    "facts": _facts,
    "fill": _fill,
}
"""Steps by name; each changes the data and takes what it uses out of the step."""
