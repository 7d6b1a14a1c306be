"""The legend of a scene, from the kinds of objects that it holds."""

from __future__ import annotations

from typing import NamedTuple

from planner.scene import Scene, Shape
from planner.scene.palette import STYLES, Style, named, shade


class Entry(NamedTuple):
    """Text of an entry, its style, and whether it is a line."""

    text: str
    style: Style
    line: bool = False


def legend(scene: Scene) -> list[Entry]:
    """Return the entries in the order of the palette; shades of cabinets first."""
    shapes = list(scene.shapes())
    ramps = dict.fromkeys(shape.ramp for shape in shapes if shape.ramp)
    found = [
        Entry(f"{100 * share:.0f} % of {scene.whole}", style_of(Shape("cabinet", (), ramp=ramp, share=share)), False)
        for ramp in ramps
        for share in (0.25, 0.5, 0.75, 1.0)
    ]
    if any(shape.ramp and is_over(shape) for shape in shapes):
        found.append(Entry("over the limit", style_of(Shape("cabinet", (), ramp="fill", share=2.0)), False))
    closed = {shape.kind: shape.closed for shape in shapes if not shape.ramp}
    kinds = [kind for kind, style in STYLES.items() if kind in closed and style.words]
    return found + [Entry(STYLES[kind].words, style_of(Shape(kind, ())), not closed[kind]) for kind in kinds]


def is_over(shape: Shape) -> bool:
    """Return whether a shape's share exceeds its limit."""
    return shape.share > 1 + 1e-9


def style_of(shape: Shape) -> Style:
    """Return the style of a shape with colors as ``#rrggbb``; a share sets the fill, and above 1 a hatch."""
    style = STYLES[shape.kind]
    fill, hatch = style.fill, style.hatch
    if shape.ramp:
        fill, hatch = ("over", "crossed") if is_over(shape) else (shade(shape.ramp, shape.share), "")
    return style._replace(fill=fill and named(fill), stroke=style.stroke and named(style.stroke), hatch=hatch)
