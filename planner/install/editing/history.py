"""The steps of a session: what was done, and what can be undone and redone."""

from __future__ import annotations

from dataclasses import dataclass, field

from planner.core.errors import InputError, Problem
from planner.domain.model import Placement
from planner.install.editing.current import Change
from planner.install.editing.layouts import Layout


@dataclass(eq=False)
class Step:
    """One step: what was done, the layouts before and after, and the rows that it changed, if still known."""

    title: str
    before: Layout
    after: Layout
    change: Change | None = None
    placement: Placement | None = None
    broken: dict = field(default_factory=dict)


class History:
    """Steps that were done, and those that were undone since."""

    def __init__(self) -> None:
        self._done: list[Step] = []
        self._undone: list[Step] = []

    @property
    def titles(self) -> tuple[list[str], list[str]]:
        """Titles of the steps that can be undone, and of those that can be redone; the next one is at the end of either."""
        return [step.title for step in self._done], [step.title for step in self._undone]

    def last(self) -> Step:
        """Return the step that is undone next.

        Raises
        ------
        InputError
            When there is none.
        """
        if not self._done:
            raise InputError(Problem("undo", "there is nothing to undo"))
        return self._done[-1]

    def next(self) -> Step:
        """Return the step that is redone next.

        Raises
        ------
        InputError
            When there is none.
        """
        if not self._undone:
            raise InputError(Problem("redo", "there is nothing to redo"))
        return self._undone[-1]

    def add(self, step: Step) -> None:
        """Add a new step; what was undone cannot be redone after it."""
        self._done.append(step)
        self._undone.clear()

    def undo(self) -> Step:
        """Count the last step as undone, and return it."""
        self._undone.append(step := self.last())
        self._done.pop()
        return step

    def redo(self, step: Step | None = None) -> Step:
        """Count the step that was undone last as done again, by the one that replaces it, and return it."""
        old = self.next()
        self._done.append(step or old)
        self._undone.pop()
        return self._done[-1]

    def forget_changes(self) -> None:
        """Forget which rows the steps changed: what is known of them is from before a full count."""
        for step in (*self._done, *self._undone):
            step.change = None
