"""Keys of a floor plan file; lengths in millimeters, x to the right, y up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le, Lt, MinLen

from planner.core.names import Because
from planner.domain.model import UNSTATED
from planner.domain.parts import Confidence, Name, NonNegative, Positive

# That also keeps int32 sums safe.
_FLOOR = Because("no floor is ten kilometers large; lengths are in mm")
Coordinate = Annotated[int, Gt(-10_000_000), Lt(10_000_000), _FLOOR]
Length = Annotated[int, Gt(0), Lt(10_000_000), _FLOOR]
Point = tuple[Coordinate, Coordinate]
Corners = Annotated[tuple[Point, ...], MinLen(3)]
# Below zero is the space under a raised floor.
Elevation = Annotated[int, Gt(-10_000), Le(30_000), Because("no hall for computers is higher than 30 m; lengths are in mm")]
TrayWidth = Annotated[int, Ge(20), Le(10_000), Because("ducts are at least 20 mm wide, cable galleries at most 10 m")]
TrayHeight = Annotated[int, Ge(10), Le(10_000), Because("ducts are at least 10 mm high, cable galleries at most 10 m")]
Share = Annotated[float, Gt(0), Le(1)]
Direction = Literal["+x", "-x", "+y", "-y"]
STRICT = {"extra": "forbid", "allow_inf_nan": False}


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of one slot; the tightest of room, row, size, slot and zones applies."""

    __pydantic_config__ = STRICT

    power_mw: Positive | None = None
    cooling_mw: Positive | None = None
    load_g: Positive | None = None


@dataclass(frozen=True, kw_only=True)
class Totals:
    """Limits of the sum over all slots of an area."""

    __pydantic_config__ = STRICT

    total_power_mw: Positive | None = None
    total_cooling_mw: Positive | None = None
    total_load_g: Positive | None = None


@dataclass(frozen=True, kw_only=True)
class Leaving:
    """Exit of cables from a cabinet: `exit` through top or bottom, `egress` by one of its sides.

    ``any`` uses the nearest tray that carries the cable. With ``nearest`` the ports of the left half
    leave by the left side and those of the right half by the right, so that boxes can be removed.
    """

    exit: Literal["any", "top", "bottom"] = "any"
    egress: Literal["nearest", "left", "right"] = "nearest"


@dataclass(frozen=True, kw_only=True)
class Area:
    """An area of the floor: a rectangle by its lower left corner, or a polygon."""

    __pydantic_config__ = STRICT

    name: Name
    at_mm: Point | None = None
    size_mm: tuple[Length, Length] | None = None
    corners_mm: Corners | None = None

    @property
    def corners(self) -> tuple[tuple[int, int], ...] | None:
        """The corners in order; None when neither form is complete."""
        if self.corners_mm is not None:
            return self.corners_mm
        if self.at_mm is None or self.size_mm is None:
            return None
        (x, y), (width, height) = self.at_mm, self.size_mm
        return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


@dataclass(frozen=True, kw_only=True)
class SizeRule(Limits):
    """Slots of a row with a different size or different limits."""

    numbers: tuple[int, ...]
    width_mm: Length | None = None
    depth_mm: Length | None = None


@dataclass(frozen=True, kw_only=True)
class RowRule(Limits, Leaving):
    """A row of slots: `first_mm` is the center of slot 1.

    The others follow every `pitch_mm` (600 by default), or, with `gap_mm`, side by side with this gap
    between them.
    """

    name: Name
    first_mm: Point
    count: Annotated[int, Ge(1), Le(10_000)]
    pitch_mm: Length | None = None
    gap_mm: NonNegative | None = None
    along: Direction = "+x"
    facing: Direction = "+y"
    width_mm: Length = 600
    depth_mm: Length = 1200
    skip: tuple[int, ...] = ()
    size: tuple[SizeRule, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SlotRule(Limits, Leaving):
    """One slot by its center."""

    name: Name
    row: Name
    at_mm: Point
    facing: Direction = "+y"
    width_mm: Length = 600
    depth_mm: Length = 1200


@dataclass(frozen=True, kw_only=True)
class AisleRule:
    """Requirements of the aisle between two neighboring rows: kind and minimum width."""

    __pydantic_config__ = STRICT

    between: tuple[Name, Name]
    kind: Literal["cold", "hot", "mixed"]
    width_mm: Length


@dataclass(frozen=True, kw_only=True)
class ObstacleRule(Area):
    """An area without cabinets; for a door also the area of its swing.

    `opens` is the direction in which a door's leaf moves, `hinge` the end of the door at which it
    is hinged: that with the lower or the higher coordinate, or both for two leaves.
    """

    kind: Literal["column", "cooling unit", "keep-out", "door", "wall"]
    clearance_mm: NonNegative = 0
    opens: Direction | None = None
    hinge: Literal["low", "high", "both"] = "both"


@dataclass(frozen=True, kw_only=True)
class ZoneRule(Area, Limits, Totals):
    """An area of the floor with limits of its own: for every slot that touches it, and for their sum."""

    load_g_per_m2: Positive | None = None


@dataclass(frozen=True, kw_only=True)
class HallRule(Totals):
    """One of several halls, with limits of the sum over its slots."""

    name: Name
    outline_mm: Corners


@dataclass(frozen=True, kw_only=True)
class PenetrationRule(Area):
    """An opening for cables in the wall between two halls.

    The rectangle covers the wall's thickness; cables run along `through`, so the width of the opening is that of
    the rectangle along the other axis. A tray passes where its elevation is within the opening.
    """

    # Without `field()` they would inherit the defaults of an area.
    at_mm: Point = field()
    size_mm: tuple[Length, Length] = field()
    corners_mm: None = None
    through: Literal["x", "y"]
    height_mm: Length
    elevation_mm: Elevation | None = None

    @property
    def opening_mm2(self) -> int:
        """Cross-section of the opening."""
        return self.size_mm[1 if self.through == "x" else 0] * self.height_mm


@dataclass(frozen=True, kw_only=True)
class TrayRule:
    """A cable tray along `path_mm` at `elevation_mm` above the floor, or below it where that is negative.

    It connects to every tray that it crosses on the same side of the floor, for the medium classes that both carry.
    `bend_mm` is the radius of its corners and joints.
    """

    __pydantic_config__ = STRICT

    name: Name
    path_mm: Annotated[tuple[Point, ...], MinLen(2)]
    elevation_mm: Elevation = 2600
    width_mm: TrayWidth
    height_mm: TrayHeight
    kind: Literal["ladder", "basket", "trough"] = "ladder"
    carries: Literal["any", "copper", "fiber"] = "any"
    bend_mm: Length | None = None
    serves: bool = True


@dataclass(frozen=True, kw_only=True)
class RiserRule:
    """An opening in the floor where cables pass between the trays above and below that run through `at_mm`."""

    __pydantic_config__ = STRICT

    name: Name
    at_mm: Point
    width_mm: TrayWidth
    height_mm: TrayWidth


@dataclass(frozen=True, kw_only=True)
class GridRule:
    """A room of a paper: a grid of slots with a tray node each, and fixed lengths at the ends.

    The number of rows is ceil(sqrt(cabinets)), or, for a square room, ceil(sqrt(cabinets * pitch x / pitch y)).
    """

    __pydantic_config__ = STRICT

    square: Literal["grid", "room"]
    pitch_mm: tuple[Length, Length]
    size_mm: tuple[Length, Length]
    end_mm: NonNegative
    in_cabinet_mm: Positive
    cabinet_routers: Positive


@dataclass(frozen=True, kw_only=True)
class Drawing(Totals):
    """A floor plan file; limits of sums are those of the whole room."""

    title: Name
    source: Name
    confidence: Confidence
    date: str = ""
    estimates: tuple[str, ...] = ()
    note: str = ""
    tile_mm: Length = 600
    power_mw: Positive = UNSTATED
    cooling_mw: Positive | None = None
    load_g: Positive = UNSTATED
    design_fill: Share = 0.4
    max_fill: Share = 0.5
    fill_shape: Literal["round", "square"] = "round"
    tray_reach_mm: Length = 1500
    passage_mm: Length | None = None
    grid: GridRule | None = None
    outline_mm: Corners | None = None
    hall: tuple[HallRule, ...] = ()
    penetration: tuple[PenetrationRule, ...] = ()
    row: tuple[RowRule, ...] = ()
    slot: tuple[SlotRule, ...] = ()
    aisle: tuple[AisleRule, ...] = ()
    zone: tuple[ZoneRule, ...] = ()
    obstacle: tuple[ObstacleRule, ...] = ()
    tray: tuple[TrayRule, ...] = ()
    riser: tuple[RiserRule, ...] = ()
