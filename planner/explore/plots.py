"""Plots of the design space as PDF: order and Moore efficiency by radix, PolarStar variants, feasible sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from planner.errors import InputError, Problem
from planner.explore import Configuration, families, largest
from planner.metrics.moore import moore_bound
from planner.plotting import STROKES, grid, save

_SIZE_IN = (11.7, 8.3)


@dataclass(frozen=True)
class Curve:
    """Points of one color and marker; `style` -1 is a line without markers."""

    name: str
    points: list[tuple[float, float]]
    style: int
    joined: bool = True


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
    series = largest(configurations)
    for diameter in sorted({diameter for _, diameter in series if diameter in (2, 3)}):
        named = [(family, best) for (family, d), best in series.items() if d == diameter]
        radixes = sorted({radix for _, best in named for radix in best})
        orders = [_curve(family, best, lambda c: c.routers) for family, best in named]
        bound = Curve("Moore bound", [(radix, moore_bound(radix, diameter)) for radix in radixes], -1)
        yield partial(_draw, f"Largest network of diameter {diameter}", "routers", [bound, *orders], "log")
        shares = [_curve(family, best, lambda c: 100 * c.moore_efficiency) for family, best in named]
        yield partial(_draw, f"Moore efficiency at diameter {diameter}", "percent of the Moore bound", shares, "linear")
    if polarstars := [c for c in configurations if c.family == "polarstar"]:
        yield partial(_draw, "Design space of PolarStar", "routers", _design_space(polarstars), "log")
    sizes = [
        Curve(name, sorted({(c.radix, c.routers) for c in configurations if c.family == name}), families().index(name), False)
        for name in sorted({c.family for c in configurations})
    ]
    yield partial(_draw, "Feasible sizes", "routers", sizes, "log")


def _curve(family: str, best: dict[int, Configuration], figure: Callable[[Configuration], float]) -> Curve:
    return Curve(family, [(radix, figure(best[radix])) for radix in sorted(best)], families().index(family))


def _design_space(polarstars: list[Configuration]) -> list[Curve]:
    kinds = sorted({c.parameters["supernode"] for c in polarstars})
    return [
        Curve(kind, [(c.radix, c.routers) for c in polarstars if c.parameters["supernode"] == kind], number, False)
        for number, kind in enumerate(kinds)
    ]


def _draw(title: str, y_name: str, curves: list[Curve], scale: str, figure: Any) -> None:
    axes = figure.add_subplot()
    for curve in curves:
        color, marker, _ = STROKES[curve.style]
        look = {"color": "black", "linestyle": "--"} if curve.style < 0 else {"color": color, "marker": marker, "markersize": 3}
        line = {} if curve.joined else {"linestyle": ""}
        axes.plot(*zip(*curve.points, strict=True), linewidth=0.8, label=curve.name, **{**look, **line})
    grid(axes, title=title, xlabel="radix", ylabel=y_name, yscale=scale)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
