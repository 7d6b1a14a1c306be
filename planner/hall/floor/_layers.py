"""Meaning of the layers and blocks of a DXF drawing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from typing import Any, Literal

from planner.domain.parts import Name
from planner.hall.floor._drawing import STRICT, Direction, Elevation, Length, TrayHeight, TrayWidth
from planner.hall.scene.dxf import LAYERS

Patterns = tuple[Name, ...]


@dataclass(frozen=True, kw_only=True)
class Kinds:
    """Layer names, or block names, of each kind of thing; ``*`` and ``?`` stand for any characters."""

    __pydantic_config__ = STRICT

    outline: Patterns = ()
    column: Patterns = ()
    wall: Patterns = ()
    door: Patterns = ()
    cooling: Patterns = ()
    keep_out: Patterns = ()
    penetration: Patterns = ()
    riser: Patterns = ()
    zone: Patterns = ()
    cabinet: Patterns = ()

    def kind_of(self, name: str) -> str | None:
        """Return the kind that a name belongs to."""
        for spec in fields(self):
            if any(matches(pattern, name) for pattern in getattr(self, spec.name)):
                return _KIND.get(spec.name, spec.name)
        return None

    def unused(self, names: Iterable[str]) -> list[tuple[str, str]]:
        """Return (key, pattern) of every pattern that none of the names matches."""
        there = list(names)
        given = [(spec.name, pattern) for spec in fields(self) for pattern in getattr(self, spec.name)]
        return [(key, pattern) for key, pattern in given if not any(matches(pattern, name) for name in there)]


@dataclass(frozen=True, kw_only=True)
class TrayLayer:
    """A layer whose lines are trays; data stored at an entity overrides these values."""

    __pydantic_config__ = STRICT

    layer: Name
    width_mm: TrayWidth = 300
    height_mm: TrayHeight = 100
    elevation_mm: Elevation = 2600
    kind: Literal["ladder", "basket", "trough"] = "ladder"
    carries: Literal["any", "copper", "fiber"] = "any"
    bend_mm: Length | None = None
    serves: bool = True

    def covers(self, layer: str) -> bool:
        """Return whether the rule applies to a layer."""
        return matches(self.layer, layer)


@dataclass(frozen=True, kw_only=True)
class CabinetBlock:
    """Block of a cabinet: front side, size, and the tags of its attributes."""

    __pydantic_config__ = STRICT

    front: Direction = "+y"
    width_mm: Length | None = None
    depth_mm: Length | None = None
    name: Name = "NAME"
    row: Name = "ROW"
    power_kw: Name = "POWER_KW"
    cooling_kw: Name = "COOLING_KW"
    load_kg: Name = "LOAD_KG"
    exit: Name = "EXIT"
    egress: Name = "EGRESS"


@dataclass(frozen=True, kw_only=True)
class Opening:
    """Penetrations: the axis through which cables run, and the height."""

    __pydantic_config__ = STRICT

    through: Literal["x", "y"]
    height_mm: Length


@dataclass(frozen=True, kw_only=True)
class Mapping:
    """A layer mapping: a TOML file for a drawing.

    `units` overrides the drawing's own; `room` contains keys of the floor plan, such as its title.
    """

    __pydantic_config__ = STRICT

    units: Literal["mm", "cm", "m", "in", "ft"] | None = None
    layers: Kinds = field(default_factory=Kinds)
    blocks: Kinds = field(default_factory=Kinds)
    tray: tuple[TrayLayer, ...] = ()
    cabinet: CabinetBlock = field(default_factory=CabinetBlock)
    penetration: Opening | None = None
    room: dict[str, Any] = field(default_factory=dict)


def own_mapping() -> Mapping:
    """Return the mapping of the drawings that Planner writes."""
    of = {**_KIND, "cabinet": "slot"}
    keys = {spec.name: (LAYERS[of.get(spec.name, spec.name)][0],) for spec in fields(Kinds)}
    return Mapping(layers=Kinds(**keys), tray=(TrayLayer(layer=LAYERS["tray"][0]),))


_KIND = {"cooling": "cooling unit", "keep_out": "keep-out"}


def matches(pattern: str, name: str) -> bool:
    """Return whether a pattern is about a layer or block, also as it is called where its drawing was bound to another one.

    >>> matches("A-WALL", "a-wall"), matches("RACK*", "hall$0$RACK600"), matches("A-WALL", "hall|A-WALL")
    (True, True, True)
    """
    own = re.sub(r"^.*(?:\$\d+\$|\|)", "", name)
    return any(fnmatchcase(one.upper(), pattern.upper()) for one in (name, own))
