"""What a floor plan file may say; lengths in millimetres, x to the right, y up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le, Lt, MinLen

from planner.parts import Confidence, Name, NonNegative, Positive

# A hall of a hundred kilometres is a slip of the pen; it also keeps int32 sums safe.
Coordinate = Annotated[int, Gt(-100_000_000), Lt(100_000_000)]
Length = Annotated[int, Gt(0), Lt(100_000_000)]
Point = tuple[Coordinate, Coordinate]
Share = Annotated[float, Gt(0), Le(1)]
STRICT = {"extra": "forbid", "allow_inf_nan": False}


@dataclass(frozen=True, kw_only=True)
class RowRule:
    """A row of slots: `first_mm` is the centre of slot 1, the others follow every `pitch_mm`."""

    __pydantic_config__ = STRICT

    name: Name
    first_mm: Point
    count: Annotated[int, Ge(1), Le(10_000)]
    pitch_mm: Length = 600
    along: Literal["+x", "-x", "+y", "-y"] = "+x"
    facing: Literal["+x", "-x", "+y", "-y"] = "+y"
    width_mm: Length = 600
    depth_mm: Length = 1200
    skip: tuple[int, ...] = ()
    power_mw: Positive | None = None
    load_g: Positive | None = None


@dataclass(frozen=True, kw_only=True)
class ObstacleRule:
    """Where no cabinet may stand: a rectangle by its lower left corner, or a polygon."""

    __pydantic_config__ = STRICT

    name: Name
    kind: Literal["column", "cooling unit", "keep-out", "door", "wall"]
    at_mm: Point | None = None
    size_mm: tuple[Length, Length] | None = None
    corners_mm: Annotated[tuple[Point, ...], MinLen(3)] | None = None
    clearance_mm: NonNegative = 0


@dataclass(frozen=True, kw_only=True)
class TrayRule:
    """A cable way along `path_mm` at `elevation_mm` above the floor; it joins every tray that it crosses."""

    __pydantic_config__ = STRICT

    name: Name
    path_mm: Annotated[tuple[Point, ...], MinLen(2)]
    elevation_mm: Length = 2600
    width_mm: Length
    height_mm: Length
    serves: bool = True


@dataclass(frozen=True, kw_only=True)
class GridRule:
    """A room of the papers: a grid of slots with a tray node each, and fixed lengths at the ends.

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
class Drawing:
    """A floor plan file."""

    __pydantic_config__ = STRICT

    title: Name
    source: Name
    confidence: Confidence
    date: str = ""
    estimates: tuple[str, ...] = ()
    note: str = ""
    tile_mm: Length = 600
    power_mw: Positive = 1_000_000_000
    load_g: Positive = 1_000_000_000
    design_fill: Share = 0.4
    max_fill: Share = 0.5
    tray_reach_mm: Length = 1500
    grid: GridRule | None = None
    outline_mm: Annotated[tuple[Point, ...], MinLen(3)] | None = None
    row: tuple[RowRule, ...] = ()
    obstacle: tuple[ObstacleRule, ...] = ()
    tray: tuple[TrayRule, ...] = ()
