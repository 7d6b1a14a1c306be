"""Load curve of a simulation as a table: one row per offered load."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from planner.core.spreadsheet import Writer
from planner.core.storage import replacing
from planner.domain.model import SimulationResult

COLUMNS = (
    "routing", "traffic", "offered", "generated", "accepted", "accepted_error", "delay_mean_cycles", "delay_error_cycles",
    "delay_network_cycles", "delay_queue_cycles", "delay_p50_cycles", "delay_p99_cycles", "delay_max_cycles", "mean_hops",
    "fairness", "delivered", "dropped", "saturated", "settled", "deadlock", "warmup", "cycles", "cycle_ps",
)  # fmt: skip
"""Loads in phits per cycle and endpoint; errors are half-widths of 95 % intervals; packets delivered and dropped."""


def rows(result: SimulationResult) -> Iterator[tuple]:
    """Yield the values of `COLUMNS` for each load."""
    arrays = [getattr(result, name.removesuffix("_cycles")) for name in COLUMNS if name not in ("routing", "traffic", "cycle_ps")]
    for values in zip(*(array.tolist() for array in arrays), strict=True):
        yield (result.routing, result.traffic, *values, result.cycle_ps)


def write(result: SimulationResult, path: Path | str) -> None:
    """Write the load curve as CSV; an unknown value is an empty field."""
    with replacing(Path(path)) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = Writer(file)
        writer.writerow(COLUMNS)
        for row in rows(result):
            writer.writerow("" if value != value else value for value in row)
