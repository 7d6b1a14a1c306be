"""No workers: tasks run one after the other in this process."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any

from planner.executors import Outcome


class Serial:
    """Runs tasks where it is called."""

    def __enter__(self) -> Serial:
        return self

    def __exit__(self, *failure: object) -> None:
        return None

    def map(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        """Give the results in the order of the tasks."""
        return map(function, tasks)

    def each(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Generator[tuple[int, Outcome], None, None]:
        """Give the outcomes in the order of the tasks."""
        for number, task in enumerate(tasks):
            try:
                yield number, Outcome(function(task))
            except Exception as error:
                yield number, Outcome(error=error)
