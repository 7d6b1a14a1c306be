"""Windows of work of a step, cable by cable."""

from __future__ import annotations

from collections.abc import Iterator

from planner.studies.phased.steps import PhaseStep
from planner.view.schedule import REPLUGGED, Connection

COLUMNS = (
    "window", "action", "cable", "a_device", "a_cabinet", "a_unit", "a_port", "b_device", "b_cabinet", "b_unit", "b_port",
    "part", "stock_mm", "source",
)  # fmt: skip

OUT, IN = "take out", "put in"


def window_rows(step: PhaseStep) -> Iterator[tuple[str | int, ...]]:
    """Yield what is taken out and put in, window by window: first links that need no port of others, in window 0.

    Numbers of cables are those of the plan before where they are taken out, else those of the new plan.
    """
    change, work, found = step.change, step.windows, step.difference
    if change is None or work is None or found is None:
        return
    old, new = ({row.number: row for row in rows} for rows in (found.old.rows, found.new.rows))
    source = {each.new.number: f"cable {each.old.number} that was taken out" for each in found.reuse}
    source |= {
        each.new.number: f"cable {each.old.number}, one plug stays"
        for each in found.found.cables
        if each.kind == REPLUGGED and each.old is not None and each.new is not None
    }
    for window in range(work.count + 1):
        for link in change.moved[work.moved == window].tolist():
            yield _row(window, OUT, old[link + 1], "")
        for link in change.added[work.added == window].tolist():
            yield _row(window, IN, new[link + 1], source.get(link + 1, "new"))


def _row(window: int, action: str, row: Connection, source: str) -> tuple[str | int, ...]:
    ends = [cell for end in row.ends for cell in (end.device, end.cabinet, end.unit, end.printed)]
    return window, action, row.number, *ends, row.part, row.stock_mm, source
