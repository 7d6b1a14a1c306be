"""Serial executor: tasks run one after the other in this process."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any

from planner.core.executors import Executor, Outcome


class Serial(Executor):
    """Runs tasks in the calling process."""

    def map(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        """Yield the results in task order."""
        return map(function, tasks)

    def each(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Generator[tuple[int, Outcome], None, None]:
        """Yield the outcomes in task order."""
        for number, task in enumerate(tasks):
            try:
                yield number, Outcome(function(task))
            except Exception as error:
                yield number, Outcome(error=error)
