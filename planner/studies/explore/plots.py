"""Plots of the design space as PDF: order and Moore efficiency by radix, PolarStar variants, feasible sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem
from planner.network.metrics.moore import moore_bound
from planner.studies.explore import Configuration, largest
from planner.studies.plotting import STROKES, End, Stroke, grid, label_ends, save, thousands

_SIZE_IN = (11.7, 8.3)


_FAR = 1.35
"""Ratio of radixes above which points are not joined: nothing between them exists."""

_MARKED = 25
"""Number of points from which only some have a marker."""

_ACROSS = 5
"""Number of panels side by side."""


@dataclass(frozen=True)
class Curve:
    """Points of one color and marker; `style` -1 is a line without markers."""

    name: str
    points: list[tuple[float, float]]
    style: int


def write_plots(configurations: list[Configuration], path: str | Path) -> None:
    """Write the plots of these configurations, one per page.

    Raises
    ------
    InputError
        For another suffix than .pdf, or if Matplotlib is not installed.
    """
    if Path(path).suffix != ".pdf":
        raise InputError(Problem("--plot", f"{path} is not a PDF file", "use the suffix .pdf"))
    save(Path(path), list(_pages(configurations)), _SIZE_IN)


def _pages(configurations: list[Configuration]) -> Iterable[Callable[[Any], None]]:
    # The Moore bound is one of networks whose diameter is that of all routers.
    bounded = [each for each in configurations if each.moore_efficiency is not None]
    series = {key: best for key, best in largest(bounded).items() if key[1] in (2, 3)}
    # A family has the same style on all pages.
    styles = {family: number for number, family in enumerate(sorted({family for family, _ in series}))}
    for diameter in sorted({diameter for _, diameter in series if diameter is not None}):
        named = [(family, best) for (family, d), best in series.items() if d == diameter]
        radixes = sorted({radix for _, best in named for radix in best})
        orders = [_curve(family, best, lambda c: c.routers, styles) for family, best in named]
        bound = Curve("Moore bound", [(radix, moore_bound(radix, diameter)) for radix in radixes], -1)
        yield partial(_draw, f"Largest network of diameter {diameter}", "routers", [bound, *orders], "log")
        shares = [_curve(family, best, lambda c: 100 * (c.moore_efficiency or 0), styles) for family, best in named]
        yield partial(_draw, f"Moore efficiency at diameter {diameter}", "percent of the Moore bound", shares, "linear")
    if polarstars := [c for c in configurations if c.family == "polarstar"]:
        kinds = [(c.parameters["supernode"], c) for c in polarstars]
        yield partial(_panels, "Design space of PolarStar, by supernode", _groups(kinds))
    yield partial(_panels, "Feasible sizes", _groups([(c.family, c) for c in configurations]))


def _curve(
    family: str, best: dict[int, Configuration], figure: Callable[[Configuration], float], styles: dict[str, int]
) -> Curve:
    return Curve(family, [(radix, figure(best[radix])) for radix in sorted(best)], styles[family])


def _groups(named: Iterable[tuple[str, Configuration]]) -> dict[str, list[tuple[int, int]]]:
    """Return radix and routers of the configurations of each name, without repeats."""
    found: dict[str, set[tuple[int, int]]] = {}
    for name, each in named:
        found.setdefault(name, set()).add((each.radix, each.routers))
    return {name: sorted(found[name]) for name in sorted(found)}


def _draw(title: str, y_name: str, curves: list[Curve], scale: str, figure: Any) -> None:
    """Draw a line for each curve, with its name at its end."""
    axes = figure.add_subplot()
    strokes = {curve.style: STROKES[curve.style] if curve.style >= 0 else Stroke("0.35", "", "--") for curve in curves}
    for curve in curves:
        color, marker, dashes = strokes[curve.style]
        for part in _parts(curve.points):
            every = None if len(part) < _MARKED else 0.04
            look = {"color": color, "linestyle": dashes, "marker": marker, "markersize": 4, "markevery": every}
            axes.plot(*zip(*part, strict=True), linewidth=1, **look)
    grid(axes, title=title, xlabel="radix", ylabel=y_name, yscale=scale)
    thousands(axes.yaxis)
    label_ends(axes, [End(curve.name, *curve.points[-1], strokes[curve.style]) for curve in curves])


def _parts(points: list[tuple[float, float]]) -> list[list[tuple[float, float]]]:
    """Split a line where the next radix is far away.

    >>> _parts([(9, 1), (10, 2), (33, 3)])
    [[(9, 1), (10, 2)], [(33, 3)]]
    """
    parts = [points[:1]]
    for before, point in pairwise(points):
        if point[0] > _FAR * before[0]:
            parts.append([])
        parts[-1].append(point)
    return parts


def _panels(title: str, groups: dict[str, list[tuple[int, int]]], figure: Any) -> None:
    """Draw a panel for each group at one scale, over the points of all groups in gray."""
    across = min(_ACROSS, len(groups))
    panels = figure.subplots(-(-len(groups) // across), across, sharex=True, sharey=True, squeeze=False).ravel()
    every = sorted({point for points in groups.values() for point in points})
    figure.suptitle(title)
    figure.supxlabel("radix")
    figure.supylabel("routers")
    look = {"linestyle": "", "marker": "o", "rasterized": True}
    for axes, (name, points) in zip(panels, groups.items(), strict=False):
        axes.plot(*zip(*every, strict=True), color="0.85", markersize=1.2, **look)
        axes.plot(*zip(*points, strict=True), color="#0072b2", markersize=2.2, markeredgewidth=0, **look)
        grid(axes, yscale="log")
        axes.set_title(f"{name} ({len(points):,})", fontsize=9)
        thousands(axes.yaxis)
        axes.tick_params(labelsize=7)
    for axes in panels[len(groups) :]:
        axes.set_axis_off()
