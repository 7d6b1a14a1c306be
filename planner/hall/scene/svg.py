"""A scene as SVG to scale, in millimeters of the room: a group for each layer, figures as tooltips."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from planner.core.units import system
from planner.hall.scene import Point, Scene, Shape
from planner.hall.scene.labels import TYPES, Placed, place
from planner.hall.scene.palette import ASIDE_PT, Entry, Style, legend, named, style_of, text_on

_MARGIN_MM, _COLUMN_MM = 1000, 4600
_LEGEND_SCALE = 120
"""Denominator of the scale up to which the legend has a fixed size in the room; at smaller scales it stays readable on paper."""
_FONT = "font-family:sans-serif;text-anchor:middle;dominant-baseline:central"
_FACTS_MM = 220
"""Height of a line of the title block."""
_CHARACTER = 0.62
"""Width of a character in its size; the font is the browser's."""


def svg(scene: Scene, scale: int, prefix: str = "", block: Sequence[str] = ()) -> str:
    """Return the drawing at 1:`scale`, with scale bar and legend below the room.

    Parameters
    ----------
    prefix
        Makes its ids unique in a page.
    block
        Facts of a title block, printed below the legend.
    """
    pt = scale * 25.4 / 72
    entries = legend(scene)
    grown = max(1.0, scale / _LEGEND_SCALE)
    across = scene.high_mm[0] - scene.low_mm[0]
    columns = max(1, int((across / grown - 1500) // _COLUMN_MM))
    below = 900 + 330 * max(2, -(-len(entries) // columns))
    facts = [", ".join(part) for part in (block[:3], block[3:6], block[6:]) if part]
    strip = (below + _FACTS_MM * len(facts)) * grown
    page = _Page(scene, pt, prefix)
    width = max(across, (_COLUMN_MM + 1500) * grown) + 2 * _MARGIN_MM
    foot = scene.high_mm[1] - scene.low_mm[1] + 2 * _MARGIN_MM
    size = f'width="{width / scale:g}mm" height="{(foot + strip) / scale:g}mm" viewBox="0 0 {width:g} {foot + strip:g}"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<svg xmlns="http://www.w3.org/2000/svg" {size}>']
    lines += [
        _title(f"{scene.title}, 1:{scale}"),
        *_patterns(pt, prefix),
        f'<rect width="100%" height="100%" fill="{named("paper")}"/>',
    ]
    for layer in scene.layers:
        if layer.shapes:
            lines += [f"<g id={quoteattr(prefix + layer.name)}>", *map(page.shape, layer.shapes), "</g>"]
    placed = place(scene.labels(), lambda text, size, bold: _CHARACTER * size * len(text) * (1.08 if bold else 1), pt, min_pt=0.5)
    lines += [f'<g id="{prefix}labels" style="{_FONT}">', *map(page.text, placed), "</g>"]
    lines += [f'<g id="{prefix}legend" style="font-family:sans-serif;font-size:200px;fill:{named("text")}">']
    title = f'x="{_MARGIN_MM}" y="{_MARGIN_MM * 0.6:g}" font-size="{200 * grown:g}" font-weight="bold"'
    lines += [f"<text {title}>{escape(_printable(scene.title))}</text>"]
    moved = f"translate({_MARGIN_MM} {foot:g}) scale({grown:.4g})"
    block_lines = [
        f'<text y="{below + _FACTS_MM * n:g}" font-size="140">{escape(_printable(text))}</text>' for n, text in enumerate(facts)
    ]
    own = [
        f'<g transform="{moved}">',
        *_legend(entries, scale, grown, columns, page, arrow=not scene.upright),
        *block_lines,
        "</g></g>",
    ]
    return "\n".join([*lines, *own, "</svg>", ""])


class _Page:
    """A page: y is downward, lengths in millimeters of the room."""

    def __init__(self, scene: Scene, pt: float, prefix: str) -> None:
        self.prefix = prefix
        self.left, self.top, self.pt = scene.low_mm[0] - _MARGIN_MM, scene.high_mm[1] + _MARGIN_MM, pt

    def points(self, places: Iterable[Point], shift: float = 0) -> str:
        return " ".join(f"{x - self.left + shift:g},{self.top - y + shift:g}" for x, y in places)

    def shape(self, shape: Shape) -> str:
        style = style_of(shape)
        points = self.points(shape.points_mm, ASIDE_PT * self.pt if shape.aside else 0)
        about = _title(shape.about or shape.name or shape.kind)
        if shape.closed:
            found = f'<polygon points="{points}"{_look(style, self.pt)}>{about}</polygon>'
            return found + self.hatched(style.hatch, points, f'stroke="{style.stroke}" stroke-width="{0.4 * self.pt:.4g}"')
        if style.band and shape.width_mm > style.weight_pt * self.pt:
            band = f'stroke="{style.stroke}" stroke-width="{shape.width_mm:g}" stroke-opacity="0.25" stroke-linejoin="round"'
            found = f'<polyline points="{points}" fill="none" {band}>{about}</polyline>'
            return f'{found}<polyline points="{points}"{_look(style, self.pt)}/>'
        own = style._replace(weight_pt=max(style.weight_pt, shape.width_mm / self.pt))
        return f'<polyline points="{points}"{_look(own, self.pt)} stroke-linejoin="round">{about}</polyline>'

    def hatched(self, hatch: str, points: str, line: str) -> str:
        """Return what covers a polygon: a pattern, or the diagonals between its corners."""
        if hatch != "crossed":
            return f'<polygon points="{points}" fill="url(#{self.prefix}{hatch})" pointer-events="none"/>' if hatch else ""
        ends = points.split()
        return f'<path d="M{ends[0]}L{ends[2]}M{ends[1]}L{ends[3]}" {line}/>' if len(ends) == 4 else ""

    def text(self, placed: Placed) -> str:
        label, of = placed.label, TYPES[placed.label.kind]
        back = style_of(label.on).fill if label.on is not None else named("paper")
        color = named(of.color) if label.on is None or text_on(back) == named("text") else text_on(back)
        x, y = self.points([placed.at_mm]).split(",")
        size = placed.size_pt * self.pt
        angle = -90 if placed.upright else -label.angle
        turn = f' transform="rotate({angle:g} {x} {y})"' if angle else ""
        bold = ' font-weight="bold"' if of.bold else ""
        halo = f'stroke="{back}" stroke-width="{size / 4:.3g}" stroke-linejoin="round" paint-order="stroke"'
        look = f'x="{x}" y="{y}" font-size="{size:.4g}" fill="{color}" {halo}{bold}{turn}'
        return f"<text {look}>{escape(_printable(placed.text))}</text>"


def _look(style: Style, pt: float) -> str:
    look = f' fill="{style.fill or "none"}"'
    if style.stroke:
        look += f' stroke="{style.stroke}" stroke-width="{style.weight_pt * pt:.4g}"'
        look += f' stroke-dasharray="{" ".join(f"{part * pt:.4g}" for part in style.dash_pt)}"' if style.dash_pt else ""
    return look


def _patterns(pt: float, prefix: str) -> Iterator[str]:
    gap = 5 * pt
    lines = {"diagonal": f"M0 {gap:.4g}L{gap:.4g} 0", "level": f"M0 0H{gap:.4g}"}
    stroke = f'fill="none" stroke="{named("muted")}" stroke-width="{0.3 * pt:.4g}"'
    for name in lines:
        box = f'width="{gap:.4g}" height="{gap:.4g}" patternUnits="userSpaceOnUse"'
        yield f'<pattern id="{prefix}{name}" {box}><path d="{lines[name]}" {stroke}/></pattern>'


def _legend(entries: Sequence[Entry], scale: int, grown: float, columns: int, page: _Page, *, arrow: bool) -> Iterator[str]:
    """Draw a scale bar of five meters or ten feet, an arrow along y on a floor, and entries in columns.

    They begin at the lower left corner of the room.

    Lengths are in millimeters of the room, divided by `grown`.
    """
    long_mm, text = (10 * 304.8, "10 ft") if system().feet else (5000, "5 m")
    meter, dark, pt = long_mm / 5 / grown, named("outline"), page.pt / grown
    bar = f"M0 250h{5 * meter:.5g}m{-5 * meter:.5g} -80v160m{meter:.5g} -80v-80m{4 * meter:.5g} 0v160"
    yield f'<path d="{bar}" fill="none" stroke="{dark}" stroke-width="30"/>'
    yield f'<text x="{5 * meter + 150:.5g}" y="320">{text}, 1:{scale}</text>'
    north = 5 * meter + 1900
    if arrow:
        yield f'<path d="M{north:.5g} 350l-150 -500l150 130l150 -130z" transform="rotate(180 {north:.5g} 100)" fill="{dark}"/>'
        yield f'<text x="{north + 200:.5g}" y="320">y</text>'
    for number, (text, style, line) in enumerate(entries):
        x, y = number % columns * _COLUMN_MM, 650 + number // columns * 330
        if line:
            yield f'<path d="M{x} {y + 100:g}h300"{_look(style, pt)}/>'
        else:
            box = " ".join(f"{x + across},{y + down:g}" for across, down in ((0, 0), (300, 0), (300, 200), (0, 200)))
            yield f'<polygon points="{box}"{_look(style, pt)}/>' + page.hatched(style.hatch, box, f'stroke="{style.stroke}"')
        yield f'<text x="{x + 400}" y="{y + 170:g}">{escape(text)}</text>'


def _title(text: str) -> str:
    return f"<title>{escape(_printable(text))}</title>"


def _printable(text: str) -> str:
    """Replace unprintable characters by spaces: XML forbids control characters."""
    return "".join(c if c.isprintable() else " " for c in text)
