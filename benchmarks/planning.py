"""Planning by hand: time until a move is answered, and that of a full count of the same layout.

``python -m benchmarks planning`` plans PolarStar with 13,300 cables and a Jellyfish network with 238,302 first, which takes
minutes; ``python -m benchmarks.planning FOLDER …`` takes finished plans as they are stored. Each line has the time on the wall
and that of the processor, which other work on the machine changes less. Moves are random: a cabinet to any slot, a box to
another unit, a row to another one.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from planner.core.errors import Infeasible, InputError
from planner.domain import stored
from planner.install.editing import Move, Session
from planner.install.editing.counting import BASIS
from planner.studies import study as studies

MOVES = 40
ROWS = 40

PLANS = ("reports/polarstar-1064", "benchmarks/jellyfish-100k.toml")


def main(arguments: Sequence[str] = ()) -> None:
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}; milliseconds")
    print("plan                    cables  move              p50 wall    cpu  p95 wall    cpu")
    for path in map(Path, arguments or PLANS):
        measure(path)


def measure(path: Path) -> None:
    """Print the times of one plan."""
    finished = (path / "provenance.json").is_file()
    session = Session(studies.load(path), stored.restore(path)) if finished else Session.open(path)
    draw = np.random.default_rng(1)
    room, inventory = session.plan.room, session.plan.inventory

    def homes() -> np.ndarray:
        return np.unique(session.layout.places.slot)

    def cabinet() -> Move:
        return Move("cabinet", room.slot_names[draw.choice(homes())], room.slot_names[draw.integers(room.slot_count)])

    def device() -> Move:
        return Move("device", str(draw.choice(inventory.names)), unit=int(draw.integers(1, session.plan.catalog.cabinet.units)))

    def row() -> Move:
        one, other = draw.choice(len(room.row_names), 2, replace=False)
        return Move("row", room.row_names[one], room.row_names[other])

    for title, drawn, count in (("a cabinet", cabinet, MOVES), ("a device", device, MOVES), ("a row", row, ROWS)):
        _line(session, title, drawn, count)
    print(f"{'':40}memory          {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:10,.0f} MB at most", flush=True)
    began, worked = time.perf_counter(), time.process_time()
    session.recount(BASIS)
    wall, cpu = time.perf_counter() - began, time.process_time() - worked
    print(f"{'':40}full count      {1e3 * wall:10,.0f} {1e3 * cpu:6,.0f}   (cables, delays, near misses)", flush=True)


def _line(session: Session, title: str, drawn: Callable[[], Move], count: int) -> None:
    times: list[tuple[float, float]] = []
    for _ in range(20 * count):
        began, worked = time.perf_counter(), time.process_time()
        try:
            session.move(drawn())
        except (InputError, Infeasible):
            # The units are taken, the rows are not as long, or no part reaches: refused moves do not count.
            continue
        times.append((time.perf_counter() - began, time.process_time() - worked))
        if len(times) == count:
            break
    if not times:
        return
    half, high = (np.percentile(1e3 * np.array(times), share, axis=0) for share in (50, 95))
    cables = f"{session.current.cable_count:,}"
    figures = f"{half[0]:8,.0f} {half[1]:6,.0f}  {high[0]:8,.0f} {high[1]:6,.0f}"
    print(f"{session.plan.name:22} {cables:>8}  {title:15} {figures}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
