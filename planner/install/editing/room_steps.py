"""Steps in editing a floor plan, as plain data: rows, trays and areas are added, moved, changed and removed, corner by corner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from planner.core import names, reading
from planner.core.errors import InputError, Problem, suggestion
from planner.hall import floor
from planner.install.editing.fill import Aisles, filled

Data = dict[str, Any]
"""Keys of a floor plan file."""

KINDS = ("row", "slot", "tray", "obstacle", "zone", "hall", "penetration", "riser")
"""Tables of things with a name."""

OUTLINE = "outline"
"""In steps about corners the kind of the outline of the room."""

CORNERS = ("path_mm", "corners_mm", "outline_mm")
"""Keys of corners."""

FIELDS = {
    "row": ("count", "pitch_mm", "width_mm", "depth_mm", "power_mw"),
    "slot": ("width_mm", "depth_mm", "power_mw"),
    "tray": ("width_mm", "height_mm", "elevation_mm"),
    "obstacle": ("clearance_mm",),
    "zone": ("power_mw", "total_power_mw", "load_g_per_m2"),
    "hall": ("total_power_mw", "total_cooling_mw"),
    "penetration": ("height_mm", "elevation_mm"),
    "riser": ("width_mm", "height_mm"),
}
"""Whole numbers of the things of each kind that a page offers."""

FACTS = ("title", "tile_mm", "power_mw", "cooling_mw", "load_g", "design_fill", "max_fill", "fill_shape")
"""Keys of the whole room that can be set."""

MAX_THINGS = 5000


def require_shape(data: Data) -> None:
    """Check the types of all keys of a floor plan, other than what is not there yet."""
    reading.construct(floor.Drawing, data)
    if (count := sum(len(data.get(kind, ())) for kind in KINDS)) > MAX_THINGS:
        raise InputError(Problem("room", f"has {count:,} rows, trays and other things", f"use up to {MAX_THINGS:,}"))


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
    """Add a thing; without a name it gets one."""
    kind, table = _kind(given), _taken(given, "table", dict)
    table.setdefault("name", _free_name(data, kind, kind))
    if any(each.get("name") == table["name"] for each in data.get(kind, ())):
        raise InputError(Problem("name", f"there is a {kind} {table['name']!r:.40} already", "choose another name"))
    data[kind] = [*data.get(kind, ()), table]


def _remove(data: Data, given: Data) -> None:
    """Remove a thing."""
    kind, thing = _thing(data, given)
    data[kind] = [each for each in data[kind] if each is not thing]
    if not data[kind]:
        del data[kind]


def _change(data: Data, given: Data) -> None:
    """Set keys of a thing, such as the width of a tray; None removes one."""
    kind, thing = _thing(data, given)
    keys = _taken(given, "keys", dict)
    if (name := keys.get("name", thing["name"])) != thing["name"] and any(each.get("name") == name for each in data[kind]):
        raise InputError(Problem("name", f"there is a {kind} {name!r:.40} already", "choose another name"))
    for key, entry in keys.items():
        if entry is None and key != "name":
            thing.pop(key, None)
        else:
            thing[key] = entry


def _move(data: Data, given: Data) -> None:
    """Move a thing by some millimeters."""
    _, thing = _thing(data, given)
    dx, dy = _point(given, "by_mm")
    for key in ("first_mm", "at_mm"):
        if key in thing:
            thing[key] = [thing[key][0] + dx, thing[key][1] + dy]
    for key in CORNERS:
        if key in thing:
            thing[key] = [[x + dx, y + dy] for x, y in thing[key]]


def _cornered(data: Data, given: Data) -> tuple[Data, str]:
    """Return the table whose corners a step names, and their key, which is empty for a rectangle; the room has its outline."""
    if given.get("kind") == OUTLINE:
        given.pop("kind")
        given.pop("name", None)
        thing = data
    else:
        _, thing = _thing(data, given)
    key = next((key for key in CORNERS if thing.get(key)), "")
    if not key and not {"at_mm", "size_mm"} <= thing.keys():
        raise InputError(Problem("name", "has no corners", "choose an outline, a tray or an area"))
    return thing, key


def _number(given: Data, count: int) -> int:
    number: int = _taken(given, "number", int)
    if not 0 <= number < count:
        raise InputError(Problem("number", f"there is no corner {number}", f"there are {count}, from 0"))
    return number


def _corner(data: Data, given: Data) -> None:
    """Move a corner of an outline, an area or a tray; a rectangle stays one, and its opposite corner stays."""
    thing, key = _cornered(data, given)
    x, y = _point(given, "to_mm")
    if key:
        thing[key] = [list(each) for each in thing[key]]
        thing[key][_number(given, len(thing[key]))] = [x, y]
        return
    corners = _rectangle(thing)
    far = corners[(_number(given, 4) + 2) % 4]
    thing["at_mm"] = [min(x, far[0]), min(y, far[1])]
    thing["size_mm"] = [abs(x - far[0]), abs(y - far[1])]


def _add_corner(data: Data, given: Data) -> None:
    """Add a corner after another one; a rectangle becomes a polygon."""
    thing, key = _cornered(data, given)
    if not key:
        key, thing["corners_mm"] = "corners_mm", _rectangle(thing)
        del thing["at_mm"], thing["size_mm"]
    number, at = _number(given, len(thing[key])), list(_point(given, "at_mm"))
    thing[key] = [*thing[key][: number + 1], at, *thing[key][number + 1 :]]


def _remove_corner(data: Data, given: Data) -> None:
    """Remove a corner of an outline, an area or a tray."""
    thing, key = _cornered(data, given)
    if not key:
        raise InputError(Problem("name", "is a rectangle", "add a corner, which makes it a polygon, or remove it"))
    number, minimum = _number(given, len(thing[key])), 2 if key == "path_mm" else 3
    if len(thing[key]) <= minimum:
        raise InputError(Problem("number", f"{minimum} corners are left", "remove the whole thing instead"))
    thing[key] = [each for place, each in enumerate(thing[key]) if place != number]


def _rectangle(thing: Data) -> list[list[int]]:
    (x, y), (wide, deep) = thing["at_mm"], thing["size_mm"]
    return [[x, y], [x + wide, y], [x + wide, y + deep], [x, y + deep]]


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
    "corner": _corner,
    "add_corner": _add_corner,
    "remove_corner": _remove_corner,
    "columns": _columns,
    "outline": _outline,
    "facts": _facts,
    "fill": _fill,
}
"""Steps by name; each changes the data and takes what it uses out of the step."""
