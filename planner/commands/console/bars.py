"""Progress bars on a terminal; without one nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from planner.core.progress import Progress, silent


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """Yield a progress callback that draws one bar per stage on standard error."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield silent
        return
    columns = (TextColumn("{task.description:<11}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[facts]}"))
    with Bars(*columns, console=console) as bars:
        tasks: dict[str, Any] = {}

        def show(stage: str, done: int, total: int, **facts: Any) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total or None, facts="")
            text = "  ".join(f"{key} {value}" for key, value in facts.items())
            shown: dict[str, Any] = {"facts": text} if text else {}
            bars.update(tasks[stage], completed=done, total=total or None, **shown)

        yield show


@contextmanager
def sweep_bar(quiet: bool) -> Iterator[Progress]:
    """Yield a progress callback that draws one bar with rate and remaining time on standard error."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield silent
        return
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn(), TextColumn("left"))
    with Bars(*columns, TextColumn("{task.fields[facts]}"), console=console, speed_estimate_period=300) as bars:
        bar = bars.add_task("sweep", total=None, rate="", facts="")
        started: list[int] = []

        def show(stage: str, done: int, total: int, **facts: Any) -> None:
            if not started:
                # Reused runs do not count toward the rate.
                started.append(done)
            task = bars.tasks[bar]
            rate = (done - started[0]) / task.elapsed if task.elapsed else 0.0
            per = f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min"
            text = "  ".join(f"{value} {key}" for key, value in facts.items())
            bars.update(bar, completed=done, total=total, rate=per, facts=text)

        yield show
