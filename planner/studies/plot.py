"""Line plots of sweep tables, readable in black and white."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem, suggestion
from planner.domain.quantities import QUANTITIES
from planner.studies.plotting import STROKES, SUFFIXES, Stroke, grid, save, thousands
from planner.studies.sweep.tables import Table, read
from planner.studies.sweep.work import measures

SCALES = {"mm": ("m", 1e-3), "mW": ("kW", 1e-6), "ps": ("ns", 1e-3), "s": ("h", 1 / 3600), "cents": ("USD", 0.01)}
"""Units of tables, and the units and factors of plots."""


@dataclass
class Line:
    """One line of a plot.

    Attributes
    ----------
    x, y
        Points, sorted by x; y is the mean over the rows with that x.
    low, high
        Minimum and maximum over these rows.
    hollow
        Whether the network was saturated at each point.
    """

    label: str
    x: list[Any] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    hollow: list[bool] = field(default_factory=list)


def plot(
    source: str | Path,
    *,
    x: str,
    y: str,
    by: Sequence[str] = (),
    where: Iterable[str] = (),
    out: str | Path = "plot.pdf",
    log: str = "",
    max_y: float | None = None,
    title: str = "",
) -> Path:
    """Plot one column of a table against another and return the path of the plot.

    Parameters
    ----------
    source
        A table of `planner.studies.sweep`, or a file exported from one.
    x, y
        Columns: parameters, quantities, or measures of simulated loads.
    by
        Columns that define the lines, one per combination of values.
    where
        Filters such as ``"topology.q=7"``.
    out
        Output file: PDF, SVG or PNG, by its suffix.
    log
        Axes with a logarithmic scale: ``"x"``, ``"y"`` or ``"xy"``.
    max_y
        Upper end of the y axis, in the unit of the table; by default automatic.
    title
        Title of the plot.

    Raises
    ------
    InputError
        For an unknown column, a table without matching rows, an unknown suffix, or if Matplotlib is not installed.
    """
    out = Path(out)
    if out.suffix not in SUFFIXES:
        raise InputError(Problem("--out", f"{out} is not a PDF, SVG or PNG file", f"use the suffix {', '.join(SUFFIXES)}"))
    wanted = [(key, text) for key, _, text in (each.partition("=") for each in where)]
    table = _fitting(read(source), [x, y, *by, *(key for key, _ in wanted)], Path(source))
    drawn = lines(table, x, y, by, wanted)
    if not drawn:
        raise InputError(Problem("", f"no row has both {x} and {y}", "choose other columns or rows", str(source)))
    save(out, [partial(_draw, drawn, x, y, by, log, max_y, title)], (7.4, 3.8) if by else (5.6, 3.6))
    return out


def lines(table: Table, x: str, y: str, by: Sequence[str] = (), where: Iterable[tuple[str, str]] = ()) -> list[Line]:
    """Return the lines of a plot, one per group, in table order.

    Examples
    --------
    >>> table = Table(["q", "seed", "cost"], [(5, 1, 10), (3, 1, 4), (5, 2, 14), (7, 1, None)])
    >>> [line] = lines(table, "q", "cost")
    >>> line.x, line.y, line.low, line.high
    ([3, 5], [4.0, 12.0], [4, 10], [4, 14])
    """
    wanted = list(where)
    found: dict[str, dict[Any, list[tuple[float, bool]]]] = {}
    hollow = table.names.index("saturated") if "saturated" in table.names else None
    place = {name: number for number, name in enumerate(table.names)}
    for row in table.rows:
        if any(not _equals(row[place[key]], text) for key, text in wanted):
            continue
        across, up = row[place[x]], row[place[y]]
        if across is None or not isinstance(up, int | float):
            continue
        label = ", ".join(_text(row[place[name]]) for name in by)
        point = up, hollow is not None and bool(row[hollow])
        found.setdefault(label, {}).setdefault(across, []).append(point)
    return [_line(label, points) for label, points in found.items()]


def _line(label: str, points: dict[Any, list[tuple[float, bool]]]) -> Line:
    line = Line(label)
    numbers = all(isinstance(across, int | float) for across in points)
    for across in sorted(points) if numbers else points:
        values = [value for value, _ in points[across]]
        line.x.append(across)
        line.y.append(math.fsum(values) / len(values))
        line.low.append(min(values))
        line.high.append(max(values))
        line.hollow.append(any(saturated for _, saturated in points[across]))
    return line


def axis(name: str) -> tuple[str, float]:
    """Return the label of an axis with its unit, and the factor for its values.

    >>> axis("stock_mm"), axis("delay_mean"), axis("topology.q")
    (('stock (m)', 0.001), ('delay mean (cycles)', 1.0), ('topology.q', 1.0))
    """
    units = {quantity.name: quantity.unit for quantity in QUANTITIES} | measures()
    unit = units.get(name, "")
    if name not in units:
        return name, 1.0
    shown, factor = SCALES.get(unit, (unit, 1.0))
    text = name.removesuffix(f"_{unit.lower()}").replace("_", " ")
    return f"{text} ({shown})" if shown else text, factor


def _fitting(tables: Sequence[Table], columns: Sequence[str], source: Path) -> Table:
    """Return the first table with all columns."""
    for table in tables:
        if set(columns) <= set(table.names):
            return table
    known = {name for table in tables for name in table.names}
    missing = [name for name in dict.fromkeys(columns) if name not in known]
    if missing:
        raise InputError(Problem("", f"has no column {name!r}", suggestion(name, known), str(source)) for name in missing)
    raise InputError(Problem("", f"{', '.join(columns)} are not in one table", "see docs/sweeps.md", str(source)))


def _equals(value: Any, text: str) -> bool:
    if isinstance(value, int | float):
        try:
            return float(text) == value
        except ValueError:
            return False
    return text == ("" if value is None else value)


def _text(value: Any) -> str:
    return "–" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _draw(drawn: list[Line], x: str, y: str, by: Sequence[str], log: str, max_y: float | None, title: str, figure: Any) -> None:
    (x_label, x_factor), (y_label, y_factor) = axis(x), axis(y)
    axes = figure.add_subplot()
    for line, stroke in zip(drawn, STROKES, strict=False):
        _draw_line(axes, line, stroke, x_factor, y_factor)
    grid(axes, xlabel=x_label, ylabel=y_label, title=title)
    for axis_name in log:
        axes.set(**{f"{axis_name}scale": "log"})
    for each in (axes.xaxis, axes.yaxis):
        thousands(each)
    if max_y is not None:
        lowest = min(min(line.low) for line in drawn)
        axes.set_ylim(None if "y" in log else min(0, lowest * y_factor), max_y * y_factor)
    if by:
        # Next to the axes, where it covers no line.
        place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1)}
        axes.legend(title=", ".join(by), frameon=False, fontsize=8, title_fontsize=8, handlelength=3.2, **place)
    figure.supxlabel("; ".join(_notes(drawn, math.inf if max_y is None else max_y)), fontsize=7, color="0.3")


def _draw_line(axes: Any, line: Line, stroke: Stroke, x_factor: float, y_factor: float) -> None:
    color, mark, dashes = stroke
    numbers = all(isinstance(across, int | float) for across in line.x)
    xs = [across * x_factor for across in line.x] if numbers else line.x
    ys = [value * y_factor for value in line.y]
    # Values that are not numbers are not connected.
    axes.plot(
        xs, ys, color=color, linestyle=dashes if numbers else "", linewidth=1.1, marker=mark, markersize=4, label=line.label
    )
    hollow = [n for n, saturated in enumerate(line.hollow) if saturated]
    axes.plot([xs[n] for n in hollow], [ys[n] for n in hollow], mark, color=color, markersize=4, markerfacecolor="white")
    if line.low != line.high:
        spread = [[(m - e) * y_factor for m, e in zip(line.y, line.low, strict=True)]]
        spread.append([(e - m) * y_factor for m, e in zip(line.y, line.high, strict=True)])
        axes.errorbar(xs, ys, yerr=spread, fmt="none", ecolor=color, elinewidth=0.7, capsize=2)


def _notes(drawn: list[Line], max_y: float) -> list[str]:
    """Return notes that explain the markers in use."""
    hollow = any(saturated and y <= max_y for line in drawn for y, saturated in zip(line.y, line.hollow, strict=True))
    spread = any(line.low != line.high for line in drawn)
    return ["hollow: saturated"] * hollow + ["mean, with minimum and maximum"] * spread
