"""Plots of tables: any quantity against any parameter, a line for each group, readable in black and white."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from planner.errors import InputError, Problem, suggestion
from planner.quantities import QUANTITIES
from planner.sweep.tables import Table, read
from planner.sweep.work import measures

SUFFIXES = (".pdf", ".svg", ".png")

SCALES = {"mm": ("m", 1e-3), "mW": ("kW", 1e-6), "ps": ("ns", 1e-3), "s": ("h", 1 / 3600), "cents": ("USD", 0.01)}
"""Units that tables hold as whole numbers, and how they are drawn."""

_LOOKS = tuple(
    zip(
        # Okabe and Ito's colors, which color-blind people tell apart, from dark to light.
        itertools.cycle(("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")),
        itertools.cycle("os^Dv<>P"),
        itertools.cycle(("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))),
        range(280),
        strict=False,
    )
)
"""Color, mark and dashes of each line: no two of the first 280 lines share all three."""


@dataclass
class Line:
    """One line of a plot.

    Attributes
    ----------
    x, y
        Points, sorted by x; y is the mean over the rows with that x.
    low, high
        Least and largest of them.
    hollow
        Whether the network was saturated at a point.
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
    most: float | None = None,
    title: str = "",
) -> Path:
    """Plot one column of a table against another and return the path of the plot.

    Parameters
    ----------
    source
        A table of `planner.sweep`, or a file exported from one.
    x, y
        Columns: parameters, quantities, or measures of simulated loads.
    by
        Columns whose values together make the groups.
    where
        Texts such as ``"topology.q=7"``: only such rows.
    out
        File to write: PDF, SVG or PNG, by its ending.
    log
        Axes with a logarithmic scale: ``"x"``, ``"y"`` or ``"xy"``.
    most
        Largest y shown.
    title
        Above the plot.

    Raises
    ------
    InputError
        For an unknown column, a table without such rows, an ending that is no format, or without Matplotlib.
    """
    out = Path(out)
    if out.suffix not in SUFFIXES:
        raise InputError(Problem("--out", f"{out} is no PDF, SVG or PNG", f"end the name with {', '.join(SUFFIXES)}"))
    wanted = [(key, text) for key, _, text in (each.partition("=") for each in where)]
    table = _fitting(read(source), [x, y, *by, *(key for key, _ in wanted)], Path(source))
    drawn = lines(table, x, y, by, wanted)
    if not drawn:
        raise InputError(Problem("", f"no row has both {x} and {y}", "choose other columns or rows", str(source)))
    _draw(drawn, x, y, by, out, log, most, title)
    return out


def lines(table: Table, x: str, y: str, by: Sequence[str] = (), where: Iterable[tuple[str, str]] = ()) -> list[Line]:
    """Return the lines of a plot: one for each group, in the order in which the table has them.

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
        label = ", ".join(_told(row[place[name]]) for name in by)
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
    """Return the label of an axis, with its unit, and what values are multiplied by.

    >>> axis("stock_mm"), axis("delay_mean"), axis("topology.q")
    (('stock [m]', 0.001), ('delay mean [cycles]', 1.0), ('topology.q', 1.0))
    """
    units = {quantity.name: quantity.unit for quantity in QUANTITIES} | measures()
    unit = units.get(name, "")
    if name not in units:
        return name, 1.0
    shown, factor = SCALES.get(unit, (unit, 1.0))
    text = name.removesuffix(f"_{unit.lower()}").replace("_", " ")
    return f"{text} [{shown}]" if shown else text, factor


def _fitting(tables: Sequence[Table], columns: Sequence[str], source: Path) -> Table:
    """The first table that has all columns."""
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


def _told(value: Any) -> str:
    return "–" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _draw(drawn: list[Line], x: str, y: str, by: Sequence[str], out: Path, log: str, most: float | None, title: str) -> None:
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise InputError(Problem("", "plots need the package matplotlib", "pip install 'planner[plot]'")) from None
    from planner.storage import replacing

    (x_label, x_factor), (y_label, y_factor) = axis(x), axis(y)
    # Equal plots are equal files: no date, and no random names.
    with matplotlib.rc_context({"svg.hashsalt": "planner", "font.size": 9, "axes.linewidth": 0.7, "pdf.fonttype": 42}):
        figure = Figure(figsize=(5.6, 3.6), layout="constrained")
        axes = figure.add_subplot()
        for line, look in zip(drawn, _LOOKS, strict=False):
            _draw_line(axes, line, look, x_factor, y_factor)
        axes.set(xlabel=x_label, ylabel=y_label, title=title)
        axes.grid(color="0.85", linewidth=0.5)
        axes.set_axisbelow(True)
        for letter in log:
            axes.set(**{f"{letter}scale": "log"})
        if most is not None:
            lowest = min(min(line.low) for line in drawn)
            axes.set_ylim(None if "y" in log else min(0, lowest * y_factor), most * y_factor)
        if by:
            axes.legend(title=", ".join(by), frameon=False, fontsize=8, handlelength=3.2)
        figure.supxlabel("; ".join(_notes(drawn, math.inf if most is None else most)), fontsize=7, color="0.3")
        date = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}, ".png": {"Software": None}}[out.suffix]
        with replacing(out) as temporary:
            figure.savefig(temporary, format=out.suffix[1:], dpi=200, metadata=date)


def _draw_line(axes: Any, line: Line, look: tuple[Any, ...], x_factor: float, y_factor: float) -> None:
    color, mark, dashes, _ = look
    numbers = all(isinstance(across, int | float) for across in line.x)
    xs = [across * x_factor for across in line.x] if numbers else line.x
    ys = [value * y_factor for value in line.y]
    # Between names there is nothing.
    axes.plot(
        xs, ys, color=color, linestyle=dashes if numbers else "", linewidth=1.1, marker=mark, markersize=4, label=line.label
    )
    hollow = [n for n, saturated in enumerate(line.hollow) if saturated]
    axes.plot([xs[n] for n in hollow], [ys[n] for n in hollow], mark, color=color, markersize=4, markerfacecolor="white")
    if line.low != line.high:
        spread = [[(m - e) * y_factor for m, e in zip(line.y, line.low, strict=True)]]
        spread.append([(e - m) * y_factor for m, e in zip(line.y, line.high, strict=True)])
        axes.errorbar(xs, ys, yerr=spread, fmt="none", ecolor=color, elinewidth=0.7, capsize=2)


def _notes(drawn: list[Line], most: float) -> list[str]:
    """What the marks that can be seen mean."""
    hollow = any(saturated and y <= most for line in drawn for y, saturated in zip(line.y, line.hollow, strict=True))
    spread = any(line.low != line.high for line in drawn)
    return ["hollow: saturated"] * hollow + ["mean, with the least and the largest value"] * spread
