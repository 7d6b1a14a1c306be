"""Colors and styles of every drawing, and its legend: the same on paper, in SVG and DXF files and on the web page.

Categories differ in lightness as well as in hue, after Okabe and Ito's colors, and the lightness of a ramp is monotone: both
stay in order in gray and for color-blind readers. Colors and ramps have two values, for a light and for a dark background.

References
----------
M. Okabe, K. Ito, "Color Universal Design", 2008. J. R. Nuñez et al., "Optimizing colormaps with consideration for color vision
deficiency", PLoS ONE 13(7), 2018.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from planner.hall.scene import Scene, Shape

COLORS: dict[str, tuple[str, str]] = {
    # The page, and text on it.
    "paper": ("#ffffff", "#171c21"), "ground": ("#f4f6f8", "#101418"), "text": ("#1c2227", "#e6eaed"),
    "muted": ("#5a646c", "#9ba7b0"), "rule": ("#bcc4ca", "#3a444d"), "faint": ("#e5e9ec", "#232a31"),
    "accent": ("#14507a", "#7db8e8"), "accent-light": ("#dce8f1", "#1d3547"), "on-accent": ("#ffffff", "#0d1a24"),
    "alarm": ("#a32020", "#ff8a80"), "good": ("#2c6e49", "#7fd1a0"),
    # The room.
    "floor": ("#ffffff", "#171c21"), "tile": ("#e9edf0", "#1d2329"), "outline": ("#1c2227", "#aeb8c0"),
    "cold": ("#e6f1fa", "#182633"), "hot": ("#f2d6d8", "#3a2529"), "mixed": ("#e4e3df", "#20262b"),
    "solid": ("#4a5258", "#69747d"), "unit": ("#cdd6dd", "#2c3740"), "opening": ("#e0cfe4", "#3a2b40"),
    "slot": ("#ffffff", "#1b2127"), "slot-edge": ("#8a949c", "#46515a"), "cabinet-edge": ("#3a444c", "#9aa7b1"),
    "tray": ("#7b868e", "#5d6972"),
    # Cabinets by use.
    "use-router": ("#4590ca", "#5aa9e6"), "use-both": ("#9ccdb8", "#3a7d68"), "use-endpoint": ("#f6e6a0", "#43340f"),
    "use-other": ("#dfe4e8", "#3a444d"), "over": ("#f3c9c2", "#6b2f28"),
    # Cables.
    "cable": ("#14507a", "#7db8e8"), "chosen": ("#b0126e", "#ff8ac4"), "route": ("#7b2d8e", "#c58be0"),
    "copper": ("#9c4a14", "#b8622b"), "active-copper": ("#dd9d2c", "#e3b04a"), "optical": ("#a5d5ef", "#c6e6f8"),
}  # fmt: skip

RAMPS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "fill": (("#eef4fa", "#c6dbef", "#9dc3e0", "#76abd3", "#5194c8"), ("#1f2b36", "#24415a", "#2c5a82", "#3c7cb0", "#5fa3da")),
    "power": (("#f3f8e9", "#d3e5b5", "#a3cf9b", "#75b894", "#4f9c83"), ("#1e2d26", "#25463a", "#2f6652", "#3f8c6e", "#63ba93")),
    "heat": (("#fdf1e3", "#fbd7a9", "#f5b277", "#ea9560", "#d97239"), ("#33241b", "#5b3a22", "#8a5527", "#bb7433", "#ee9c55")),
    "tray": (
        ("#e3b94f", "#e09a2d", "#d9742b", "#b53e22", "#86202a", "#4a0a20"),
        ("#6b3a3a", "#94473a", "#bf5a35", "#e37b33", "#f6a945", "#ffe08a"),
    ),
    "cables": (("#f1effa", "#d6d0ec", "#b5abdb", "#9487c7", "#7a6bb3"), ("#262436", "#39345a", "#524a82", "#7267ac", "#9b90d6")),
    "load": (("#c3ccd6", "#86a6dc", "#7a6fcb", "#a03aa5", "#7a0f52"), ("#3f4a56", "#4a73ad", "#7f86dd", "#cf8fe0", "#ffcdf0")),
}
"""Colors of shares from 0 to 1: the more, the farther from the background."""
for _ramp in ("tray", "load"):
    COLORS |= {f"{_ramp}-{_step}": _pair for _step, _pair in enumerate(zip(*RAMPS[_ramp], strict=True))}

SERIES = ("#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Lines of a plot: Okabe and Ito's colors, from dark to light."""
_SERIES_ON_DARK = ("#ffffff", "#4f9be0", "#ff8748", "#2fc79a", "#e8a9c9", "#f4bd45", "#a9dbf7")
COLORS |= {f"series-{_n}": _pair for _n, _pair in enumerate(zip(SERIES, _SERIES_ON_DARK, strict=True))}

ASIDE_PT = 3.2
"""Offset of lines that are drawn aside, in points."""


class Style(NamedTuple):
    """How objects of one kind are drawn.

    Attributes
    ----------
    fill, stroke
        Names of colors, or their values; "" for none.
    weight_pt
        Width of lines on paper, in points.
    dash_pt
        Lengths of dashes and gaps, in points.
    hatch
        ``diagonal``, ``level`` or ``crossed``: distinguishes kinds without color.
    words
        Entry of the legend; "" for none.
    band
        Lines have a translucent band of their real width, where a drawing is to scale.
    """

    fill: str = ""
    stroke: str = ""
    weight_pt: float = 0.4
    dash_pt: tuple[float, ...] = ()
    hatch: str = ""
    words: str = ""
    band: bool = False


FILL_STEPS = (
    (0.25, 1.6, "up to 25 % of the design fill"),
    (0.50, 2.6, "25 to 50 % of the design fill"),
    (0.75, 3.6, "50 to 75 % of the design fill"),
    (1.00, 4.8, "75 to 100 % of the design fill"),
    (float("inf"), 6.0, "above the design fill"),
    (float("inf"), 7.2, "above the maximum fill"),
)
"""Share of the design fill up to which a step reaches, weight of its line in points, and words: the last is for trays above the
maximum fill."""

LOAD_WEIGHTS_PT = (1.0, 2.2, 3.6, 5.2)
"""Weights of lines by the load in a tray, in steps of equal size, in points."""

STYLES: dict[str, Style] = {
    "floor": Style("floor"),
    "outline": Style("", "outline", 1.2),
    "tile": Style("", "tile", 0.3),
    "cold aisle": Style("cold", words="cold aisle"),
    "hot aisle": Style("hot", words="hot aisle"),
    "mixed aisle": Style("mixed", words="mixed aisle"),
    "penetration": Style("opening", "muted", hatch="level", words="opening in a wall"),
    "column": Style("solid", "muted", words="column"),
    "wall": Style("solid", "muted", words="wall"),
    "cooling unit": Style("unit", "muted", hatch="crossed", words="cooling unit"),
    "keep-out": Style("paper", "muted", hatch="diagonal", words="keep-out"),
    "door": Style("paper", "muted", hatch="level", words="door"),
    "zone": Style("", "accent", 0.5, (4, 2)),
    "sheet": Style("", "accent", 0.7, (5, 2)),
    "slot": Style("slot", "slot-edge", 0.4, (1.5, 1.5), words="empty slot"),
    "taken": Style("use-other", "slot-edge", 0.4, hatch="diagonal", words="cabinet of others"),
    "reserved": Style("slot", "accent", 0.5, hatch="diagonal", words="reserved for a later phase"),
    "cabinet": Style("paper", "cabinet-edge", 0.5, words="cabinet"),
    "chosen": Style("accent", "cabinet-edge", 0.5, words="printed here"),
    "routers": Style("use-router", "cabinet-edge", 0.5, words="routers"),
    "routers and endpoints": Style("use-both", "cabinet-edge", 0.5, words="routers and endpoints"),
    "endpoints": Style("use-endpoint", "cabinet-edge", 0.5, words="endpoints"),
    "routers and nodes": Style("use-both", "cabinet-edge", 0.5, words="routers and nodes"),
    "nodes": Style("use-endpoint", "cabinet-edge", 0.5, words="nodes"),
    **{
        f"phase {number}": Style(color, "cabinet-edge", 0.5, words=f"from phase {number}")
        for number, color in enumerate(("use-router", "use-both", "use-endpoint", "over", "optical", "active-copper"), 1)
    },
    "front": Style("", "accent", 1.6, words="front of a cabinet"),
    "panel frame": Style("paper", "route", 1.4, words="panel frame"),
    "tray": Style("", "tray", 1.0, words="tray", band=True),
    "fiber tray": Style("", "tray", 0.8, (1, 1.5), words="fiber-only tray", band=True),
    "tray under the floor": Style("", "tray", 1.0, (3, 1.5), words="tray under the floor", band=True),
    "riser": Style("", "tray", 0.8, hatch="crossed", words="riser"),
    "no limit": Style("", "muted", 1.0, (3, 1.5), words="no limit given"),
    **{
        f"fill {step}": Style("", f"tray-{step}", weight_pt, words=words) for step, (_, weight_pt, words) in enumerate(FILL_STEPS)
    },
    **{f"load {step}": Style("", f"load-{step + (step > 0)}", weight) for step, weight in enumerate(LOAD_WEIGHTS_PT)},
    "route": Style("", "route", 0.6, words="busiest routes, side by side"),
    "delay route": Style("", "alarm", 3.0, words="tray on the route"),
    "stop": Style("paper", "alarm", 0.9, words="router, in order"),
    "cabinet with changes": Style("accent-light", "cabinet-edge", 0.5, words="some devices change"),
    "cabinet that is emptied": Style("over", "cabinet-edge", 0.5, hatch="diagonal", words="all devices leave"),
    "cabinet that is filled": Style("use-both", "cabinet-edge", 0.5, words="all devices come"),
    "device moves": Style("", "muted", 0.9, (2, 2), words="a device moves"),
    "cables removed": Style("", "alarm", 1.4, (5, 2), words="cables removed"),
    "cables re-plugged": Style("", "route", 1.4, words="cables re-plugged"),
    "cables moved": Style("", "accent", 1.4, (2, 1), words="cables moved"),
    "cables added": Style("", "good", 1.8, words="cables added"),
    "elevation": Style("paper", "outline", 1.0),
    "router box": Style("accent-light", "accent", 0.4, words="router"),
    "node box": Style("paper", "muted", 0.4, words="node"),
    "fixture": Style("faint", "muted", 0.4, words="cable manager, PDU or equipment of others"),
    "free port": Style("paper", "muted", 0.25, words="free port"),
    "port in use": Style("rule", "text", 0.25, words="port in use"),
    "lit port": Style("chosen", "text", 0.25, words="port of this task"),
}

MEDIA = {
    "copper": Style("copper", "text"),
    "active copper": Style("active-copper", "text", hatch="diagonal"),
    "optical": Style("optical", "text", hatch="level"),
}
"""Media of cables in charts."""


def named(name: str, *, dark: bool = False) -> str:
    """Return a color by its name as ``#rrggbb``; a value stays as it is."""
    return name if name.startswith("#") else COLORS[name][dark]


def shade(ramp: str, share: float, *, dark: bool = False) -> str:
    """Return the color of a share of a limit, as ``#rrggbb``.

    >>> shade("fill", 0), shade("fill", 1), shade("fill", 0.125)
    ('#eef4fa', '#5194c8', '#dae8f4')
    """
    stops = [channels(color) for color in RAMPS[ramp][dark]]
    place = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    mixed = (round(a + (place - low) * (b - a)) for a, b in zip(stops[low], stops[low + 1], strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def channels(color: str) -> tuple[int, int, int]:
    """Return red, green and blue, 0 to 255."""
    red, green, blue = bytes.fromhex(color[1:])
    return red, green, blue


def luminance(color: str) -> float:
    """Return the relative luminance as WCAG 2 defines it, from 0 (black) to 1 (white)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (channel / 255 for channel in channels(color))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def text_on(color: str) -> str:
    """Return the text color with the higher contrast on a color, dark or white."""
    # Both contrasts are equal where (L + 0.05)² = 1.05 (0.015 + 0.05).
    return COLORS["text"][0] if luminance(color) > 0.21 else "#ffffff"


def fill_step(share: float, design_fill: float, max_fill: float) -> int:
    """Return the step of `FILL_STEPS` of a share of a tray's cross-section.

    >>> fill_step(0.1, 0.4, 0.5), fill_step(0.4, 0.4, 0.5), fill_step(0.45, 0.4, 0.5), fill_step(0.6, 0.4, 0.5)
    (0, 3, 4, 5)
    """
    if share > max_fill + 1e-9:
        return len(FILL_STEPS) - 1
    return next(step for step, (limit, _, _) in enumerate(FILL_STEPS) if share <= limit * design_fill + 1e-9)


def css() -> str:
    """Return the palette as variables of a style sheet, for light and for dark pages."""
    return "\n".join(f"{place} {{ {' '.join(_variables(dark))} }}" for place, dark in ((":root", False), (":root.dark", True)))


def _variables(dark: bool) -> Iterator[str]:
    for name, pair in COLORS.items():
        yield f"--{name}: {pair[dark]};"
    for name, ramps in RAMPS.items():
        yield f"--ramp-{name}: {' '.join(ramps[dark])};"


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
