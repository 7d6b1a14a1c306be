"""Tables of a design space: all configurations as CSV or Parquet, and those on the Pareto front as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.core.spreadsheet import Writer
from planner.core.storage import replacing
from planner.studies.explore.hall.figures import COLUMNS, FITS

OBJECTIVES = ("cost_per_endpoint_cents", "power_per_endpoint_mw", "latency_ps", "model_throughput")
"""Objectives of the Pareto front; the last is better if higher."""

_SHOWN = 40
"""Maximum number of lines of the front as text; the file has all."""


def front(rows: Sequence[dict[str, Any]]) -> np.ndarray:
    """Return the numbers of the rows on the Pareto front by cost per endpoint, int64.

    Configurations that do not fit, and those whose throughput needs packets, are not ranked.

    Examples
    --------
    >>> costs, speeds = (1, 2, 3, 4), (0.5, 0.5, 0.9, 0.8)
    >>> same = {"status": "fits", "power_per_endpoint_mw": 1, "latency_ps": 1, "model_advice": ""}
    >>> rows = [same | {"cost_per_endpoint_cents": c, "model_throughput": s} for c, s in zip(costs, speeds)]
    >>> front(rows).tolist()
    [0, 2]
    """
    ranked = [n for n, row in enumerate(rows) if row["status"] == FITS and row["model_advice"] == ""]
    values = np.array([[rows[n][name] for name in OBJECTIVES] for n in ranked], np.float64).reshape(-1, len(OBJECTIVES))
    values[:, -1] *= -1
    # Rows that dominate another come before it in this order.
    order = np.lexsort(values.T[::-1])
    kept: list[int] = []
    best = np.empty((0, len(OBJECTIVES)))
    for number in order:
        own = values[number]
        if not ((best <= own).all(axis=1) & (best < own).any(axis=1)).any():
            kept.append(ranked[number])
            best = np.vstack([best, own])
    return np.array(kept, np.int64)


def write(rows: Sequence[dict[str, Any]], path: Path | str) -> None:
    """Write all rows, with a column that marks those on the front.

    Raises
    ------
    InputError
        When the suffix is neither .csv nor .parquet, or pyarrow is not installed.
    """
    path = checked(path)
    marked = np.zeros(len(rows), bool)
    marked[front(rows)] = True
    columns = {name: [row[name] for row in rows] for name in COLUMNS} | {"front": ["yes" if each else "no" for each in marked]}
    with replacing(path) as temporary:
        if path.suffix == ".csv":
            with temporary.open("w", encoding="utf-8", newline="") as file:
                writer = Writer(file)
                writer.writerow(columns)
                writer.writerows(zip(*columns.values(), strict=True))
        else:
            _parquet(columns, temporary)


def checked(path: Path | str) -> Path:
    """Return the path of a table.

    Raises
    ------
    InputError
        When its suffix is not a known format.
    """
    path = Path(path)
    if path.suffix not in (".csv", ".parquet"):
        raise InputError(Problem("--csv", f"{path} is neither CSV nor Parquet", "use the suffix .csv or .parquet"))
    return path


def _parquet(columns: dict[str, list[Any]], path: Path) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise InputError(Problem("", "Parquet needs the package pyarrow", "pip install 'planner[parquet]'")) from None
    parquet.write_table(pyarrow.table(columns), path)


def text(rows: Sequence[dict[str, Any]], currency: str) -> str:
    """Return the counts and the front as text."""
    fitting = sum(row["status"] == FITS for row in rows)
    chosen = front(rows)
    lines = [
        f"{len(rows):,} configurations, {fitting:,} fit the room, {len(chosen):,} are on the front of cost, power, latency and"
        " throughput; all figures are estimates",
        f"{currency + '/endpoint':>12} {'W/endpoint':>10} {'latency ns':>10} {'throughput (model)':>20} {'endpoints':>9}"
        f" {'routers':>8}  configuration",
    ]
    for number in chosen[:_SHOWN]:
        row = rows[number]
        load = f"{row['model_throughput']:.2f} ({row['model_throughput_low']:.2f}-{row['model_throughput_high']:.2f})"
        lines.append(
            f"{row['cost_per_endpoint_cents'] / 100:>12,.0f} {row['power_per_endpoint_mw'] / 1000:>10.1f}"
            f" {row['latency_ps'] / 1000:>10,.0f} {load:>20} {row['endpoints']:>9,} {row['routers']:>8,}  {row['family']}:"
            f" {row['parameters']}, {row['endpoints_per_router']} endpoints per router; {row['router']}"
        )
    if len(chosen) > _SHOWN:
        lines.append(f"and {len(chosen) - _SHOWN:,} more")
    return "\n".join(lines)
