"""Slots of rows and single slots, and their limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import shapely

from planner.core.errors import InputError, Problem
from planner.domain.model import EGRESS, ZoneLimit
from planner.hall.floor._drawing import Drawing, Limits, RowRule, SizeRule, SlotRule, Totals
from planner.hall.floor._site import polygon_of, repeated

DIRECTIONS = {"+x": (1, 0), "+y": (0, 1), "-x": (-1, 0), "-y": (0, -1)}
DEGREES = {"+x": 0, "+y": 90, "-x": 180, "-y": 270}
LIMITS = ("power_mw", "cooling_mw", "load_g")
_NONE = 2**62

MAX_SLOTS = 100_000
"""Maximum slots of a room: ten times those of the largest machine rooms."""

_SLOT_SECONDS, _SLOT_BYTES = 1.5e-4, 3e3


@dataclass(frozen=True)
class Slots:
    """All slots of a room, arrays as in `planner.domain.model.Room`.

    `place` and `number` are the origin of each slot in the file: key of its table, number in its
    row (0 for single slots). Without a limit, `cooling_mw` is beyond any power.
    """

    names: tuple[str, ...]
    xy: np.ndarray
    size: np.ndarray
    row: np.ndarray
    facing: np.ndarray
    power_mw: np.ndarray
    cooling_mw: np.ndarray
    load_g: np.ndarray
    exit: tuple[str, ...]
    egress: np.ndarray
    zones: tuple[ZoneLimit, ...]
    row_names: tuple[str, ...]
    place: tuple[str, ...]
    number: tuple[int, ...]

    @property
    def cooled(self) -> bool:
        """Whether any slot has a cooling limit."""
        return bool((self.cooling_mw < _NONE).any())

    @property
    def boxes(self) -> np.ndarray:
        """Footprints, an array of shapely boxes (S,)."""
        low, high = self.xy - self.size / 2, self.xy + self.size / 2
        return shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])

    def problem(self, slot: int | np.integer, message: str) -> Problem:
        """Return a problem of one slot."""
        x, y = self.xy[slot]
        number = self.number[slot]
        remedy = f"move the row or add {number} to its skip" if number else "move it or remove it"
        return Problem(self.place[slot], f"slot {self.names[slot]} at ({x}, {y}) mm {message}", remedy)


def require_slots(count: int, place: str) -> None:
    """Raise InputError for a room with too many slots to check in seconds."""
    if count > MAX_SLOTS:
        message = f"{count:,} slots would take about {count * _SLOT_SECONDS:,.0f} s and {count * _SLOT_BYTES / 1e9:,.0f} GB"
        raise InputError(Problem(place, message, f"a room has at most {MAX_SLOTS:,}"))


def slots_of(drawing: Drawing, problems: list[Problem]) -> Slots:
    """Return the slots of all rows, row by row, then the single slots."""
    row_names = [rule.name for rule in drawing.row]
    row_names += dict.fromkeys(rule.row for rule in drawing.slot if rule.row not in row_names)
    rows = {name: number for number, name in enumerate(row_names)}
    listed = ((f"slot.{n}", 0, rule.name, rows[rule.row], rule.at_mm, rule, rule, (rule,)) for n, rule in enumerate(drawing.slot))
    found = list(chain(*(_of_row(rule, f"row.{n}", n, problems) for n, rule in enumerate(drawing.row)), listed))
    _check_names(found, problems)
    place, number, names, row, xy, rules, sizes, limits = zip(*found, strict=True) if found else ((),) * 8
    count = len(found)
    facing = [rule.facing for rule in rules]
    slots = Slots(
        names=tuple(names),
        xy=np.array(xy, np.int64).reshape(count, 2),
        # The width of a cabinet is perpendicular to its facing.
        size=np.array(
            [(s.width_mm, s.depth_mm)[:: 1 if f[1] == "y" else -1] for s, f in zip(sizes, facing, strict=True)], np.int64
        ).reshape(count, 2),
        row=np.array(row, np.int64),
        facing=np.array([DEGREES[f] for f in facing], np.int64),
        **{name: np.array([_innermost(drawing, name, limit) for limit in limits], np.int64) for name in LIMITS},
        exit=tuple(rule.exit for rule in rules),
        egress=np.array([EGRESS.index(rule.egress) for rule in rules], np.int64),
        zones=(),
        row_names=tuple(row_names),
        place=tuple(place),
        number=tuple(number),
    )
    slots = replace(slots, zones=_apply_zones(drawing, slots, problems))
    # All power becomes heat: a cabinet may draw no more than its slot can cool.
    np.minimum(slots.power_mw, slots.cooling_mw, out=slots.power_mw)
    return slots


def exits_of(drawing: Drawing) -> Sequence[str]:
    """Return the exit of cables from the cabinet, ``any``, ``top`` or ``bottom``, for every slot."""
    return [rule.exit for rule in drawing.row for _ in places_of(rule)] + [rule.exit for rule in drawing.slot]


def _of_row(rule: RowRule, place: str, row: int, problems: list[Problem]) -> list[tuple]:
    """Return slots of one row as (place, number, name, row, center, rule of facing and exit, size, rules of limits)."""
    if rule.pitch_mm is not None and rule.gap_mm is not None:
        problems.append(Problem(f"{place}.gap_mm", f"row {rule.name} has pitch_mm as well", "keep one of the two"))
    special: dict[int, SizeRule] = {}
    for n, size in enumerate(rule.size):
        for number in size.numbers:
            if not 1 <= number <= rule.count or number in special:
                fault = "twice" if number in special else f"but its slots are 1 to {rule.count}"
                problems.append(Problem(f"{place}.size.{n}.numbers", f"row {rule.name} has {number} here, {fault}", "correct it"))
            special[number] = size
    return [
        (place, p.number, p.name, row, p.at_mm, rule, p, (rule, special[p.number]) if p.number in special else (rule,))
        for p in places_of(rule)
    ]


@dataclass(frozen=True)
class Place:
    """One slot of a row: its number and name, its center, its size."""

    number: int
    name: str
    at_mm: tuple[int, int]
    width_mm: int
    depth_mm: int


def places_of(rule: RowRule) -> list[Place]:
    """Return the slots of a row without the skipped ones."""
    special = {number: size for size in rule.size for number in size.numbers}
    x, y = DIRECTIONS[rule.along]
    digits = max(2, len(str(rule.count)))
    lengthwise = rule.along[1] != rule.facing[1]
    found, before, twice = [], 0, 0
    for number in range(1, rule.count + 1):
        own = special.get(number)
        width, depth = (own and own.width_mm) or rule.width_mm, (own and own.depth_mm) or rule.depth_mm
        extent = width if lengthwise else depth
        if number > 1:
            twice += before + extent + 2 * rule.gap_mm if rule.gap_mm is not None else 2 * (rule.pitch_mm or 600)
        before = extent
        if number not in rule.skip:
            # Where the widths of two neighbors have an odd sum, half a millimeter is dropped.
            center = (rule.first_mm[0] + x * (twice // 2), rule.first_mm[1] + y * (twice // 2))
            found.append(Place(number, f"{rule.name}{number:0{digits}d}", center, width, depth))
    return found


def _innermost(drawing: Drawing, name: str, rules: tuple[Limits | SlotRule, ...]) -> int:
    """Return the limit of the innermost rule, or else the room's; zones tighten it later."""
    given = [limit for limit in (getattr(drawing, name), *(getattr(rule, name) for rule in rules)) if limit is not None]
    return given[-1] if given else _NONE


def _apply_zones(drawing: Drawing, slots: Slots, problems: list[Problem]) -> tuple[ZoneLimit, ...]:
    """Tighten the limits of the slots that a zone covers, also in part; return the zones that limit sums."""
    boxes, sums = slots.boxes, []
    repeated(drawing.zone, "zone", problems)
    for number, zone in enumerate(drawing.zone):
        polygon = polygon_of(zone, f"zone.{number}", problems)
        if polygon is None:
            continue
        totals = _totals(zone)
        if not any((*totals.values(), *(getattr(zone, name) for name in (*LIMITS, "load_g_per_m2")))):
            remedy = f"give {', '.join(LIMITS)}, load_g_per_m2 or {', '.join(f'total_{name}' for name in LIMITS)}"
            problems.append(Problem(f"zone.{number}", f"{zone.name} limits nothing", remedy))
        inside = shapely.area(shapely.intersection(boxes, polygon)) > 0
        for name in LIMITS:
            if (limit := getattr(zone, name)) is not None:
                values = getattr(slots, name)
                values[inside] = np.minimum(values[inside], limit)
        if zone.load_g_per_m2 is not None:
            on_floor = [int(w) * int(d) * zone.load_g_per_m2 // 1_000_000 for w, d in slots.size[inside]]
            slots.load_g[inside] = [min(a, b) for a, b in zip(slots.load_g[inside].tolist(), on_floor, strict=True)]
        if any(totals.values()):
            sums.append(ZoneLimit(zone.name, tuple(np.flatnonzero(inside).tolist()), **totals))
    return (*_whole_halls(drawing, slots), *sums)


def _totals(rule: Totals) -> dict[str, int | None]:
    return {name: getattr(rule, f"total_{name}") for name in LIMITS}


def _whole_halls(drawing: Drawing, slots: Slots) -> Iterator[ZoneLimit]:
    """Yield the limits of the room and of each hall."""
    if any(_totals(drawing).values()):
        yield ZoneLimit("whole room", tuple(range(len(slots.names))), **_totals(drawing))
    for hall in drawing.hall:
        if any(_totals(hall).values()):
            inside = shapely.intersects_xy(shapely.Polygon(hall.outline_mm), slots.xy)
            yield ZoneLimit(f"hall {hall.name}", tuple(np.flatnonzero(inside).tolist()), **_totals(hall))


def _check_names(found: list[tuple], problems: list[Problem]) -> None:
    if not found:
        problems.append(Problem("row", "there is no slot for a cabinet", "add a [[row]]"))
    seen: set[str] = set()
    for place, _, name, *_ in found:
        if name in seen:
            problems.append(Problem(place, f"slot name {name} occurs twice", "give every row a unique name"))
        seen.add(name)
