"""A floor as a scene: shapes and labels by layer, in millimeters of the room, for any medium.

`planner.hall.scene.room` builds the scene of a room and `planner.hall.scene.plan` what a plan adds to it. The writers are
`planner.hall.scene.svg`, `planner.hall.scene.dxf`, `planner.hall.scene.json`, and for paper `planner.paper.floorplan`; all take
their colors from `planner.hall.scene.palette` and the places of labels from `planner.hall.scene.labels`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Point = tuple[float, float]


@dataclass(frozen=True)
class Shape:
    """One object: a polygon or a line.

    Attributes
    ----------
    kind
        Key of `palette.STYLES`.
    points_mm
        Corners, counterclockwise from the lower left one for slots and cabinets.
    closed
        A polygon, or a line.
    name, about
        Name of the object, and its figures as a text.
    ramp, share
        Ramp of the palette and share of a limit that set the color; above 1 the limit is exceeded.
    width_mm, z_mm
        Real width of a line, and its height above the floor.
    aside
        Drawn with an offset, because another line may be at the same place.
    facing
        Direction of the front in degrees, of slots and cabinets.
    target
        Key of the report's page on the object.
    facts
        Further data for programs.
    """

    kind: str
    points_mm: Sequence[Point]
    closed: bool = True
    name: str = ""
    about: str = ""
    ramp: str = ""
    share: float = 0.0
    width_mm: float = 0.0
    z_mm: int = 0
    aside: bool = False
    facing: int | None = None
    target: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Label:
    """A text.

    Attributes
    ----------
    kind
        Key of `labels.TYPES`: size, weight and color.
    at_mm, space_mm
        A place, and width and height that the text may take; 0 for any.
    anchor
        Side of the text that is at the place, in x and y: -1, 0 (middle) or 1.
    upright_mm
        Center, width and height of the place of an upright text, where a level one does not fit.
    note, note_mm
        A second text with its center, written only where the first is level.
    on
        Shape below the text.
    angle
        Direction of the text in degrees, of labels along a line.
    others_mm
        Further places, tried in this order where another label is at the first.
    """

    kind: str
    text: str
    at_mm: Point
    space_mm: Point = (0.0, 0.0)
    anchor: tuple[int, int] = (0, 0)
    upright_mm: tuple[float, float, float, float] | None = None
    note: str = ""
    note_mm: Point = (0.0, 0.0)
    on: Shape | None = None
    angle: float = 0.0
    others_mm: Sequence[Point] = ()


@dataclass(frozen=True)
class Layer:
    """Shapes, drawn in their order, and the labels over all layers. `pitch_mm` is the distance of the lines of a grid."""

    name: str
    shapes: Sequence[Shape] = ()
    labels: Sequence[Label] = ()
    pitch_mm: int = 0


@dataclass(frozen=True)
class Scene:
    """A drawing of a floor, or of cabinets seen from the side.

    Attributes
    ----------
    low_mm, high_mm
        Corners of the rectangle that holds everything.
    layers
        From the lowest to the highest.
    whole
        What shares of the cabinets are shares of, for the legend: ``"the rack units"``.
    facts
        Data of the room for programs.
    upright
        An elevation: y is the height.
    """

    title: str
    low_mm: Point
    high_mm: Point
    layers: Sequence[Layer]
    whole: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    upright: bool = False

    def shapes(self) -> Iterator[Shape]:
        """Yield the shapes of all layers."""
        for layer in self.layers:
            yield from layer.shapes

    def labels(self) -> list[Label]:
        """Return the labels of all layers, those of the highest layer first."""
        return [label for layer in reversed(self.layers) for label in layer.labels]

    def layer(self, name: str) -> Layer:
        """Return a layer by its name."""
        return next(layer for layer in self.layers if layer.name == name)

    def with_layers(self, *added: Layer, without: Iterable[str] = ()) -> Scene:
        """Return the scene with further layers on top, and some left out."""
        return replace(self, layers=(*(layer for layer in self.layers if layer.name not in set(without)), *added))

    def unnamed(self, *names: str) -> Scene:
        """Return the scene without the labels of these layers."""
        bare = (replace(layer, labels=()) if layer.name in names else layer for layer in self.layers)
        return replace(self, layers=tuple(bare))
