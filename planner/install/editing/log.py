"""The log of a session: a file of JSON lines next to the plan, to which every step is appended."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem

LOG = "planning.jsonl"
"""Name of the log of a plan in its folder."""

MAX_BYTES = 50_000_000
"""Size beyond which a log is refused."""


class OfAnotherPlan(InputError):
    """The log belongs to another version of the plan; `planner.install.editing.renewal.renew` goes on with this one."""


class Log:
    """An append-only file of steps; the first line names the plan that they belong to."""

    def __init__(self, path: Path):
        self.path = path

    def entries(self, plan: str | None) -> Iterator[dict[str, Any]]:
        """Yield the steps of a plan, of whichever for None; a last line that was cut off by a crash is left out.

        Raises
        ------
        OfAnotherPlan
            When the log is of another plan.
        InputError
            When it is too large, or damaged.
        """
        if not self.path.exists():
            return
        if self.path.stat().st_size > MAX_BYTES:
            raise self._refused(f"has more than {MAX_BYTES:,} bytes", 0)
        lines = self.path.read_bytes().split(b"\n")
        whole, rest = lines[:-1], lines[-1]
        if rest:
            # The line was never acknowledged: the next one must not be appended to it.
            os.truncate(self.path, self.path.stat().st_size - len(rest))
        for number, line in enumerate(whole, 1):
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                raise self._refused("is not JSON", number) from None
            if not isinstance(found, dict):
                raise self._refused("is no step", number)
            if number > 1:
                yield found
            elif plan is not None and found.get("plan") != plan:
                raise OfAnotherPlan(self._problem("belongs to another version of the plan", number))

    def append(self, plan: str, entry: dict[str, Any]) -> None:
        """Append a step; it is on the disk when this returns."""
        begins = not self.path.exists() or not self.path.stat().st_size
        with self.path.open("ab") as file:
            for line in ([{"plan": plan}] if begins else []) + [entry]:
                file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _problem(self, message: str, line: int) -> Problem:
        return Problem("", message, "move the file elsewhere to begin again from the plan", str(self.path), line)

    def _refused(self, message: str, line: int) -> InputError:
        return InputError(self._problem(message, line))
