"""Errors and their messages.

::

    PlannerError
    ├── InputError     the study, a catalog, a room or an option is invalid   exit code 2
    ├── Infeasible     the input is valid, but nothing fits                   exit code 1
    └── CheckFailed    an internal check failed: a bug in Planner             exit code 3

A violated design rule of a finished plan is not an error: it is a `Violation` in the plan.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


class PlannerError(Exception):
    """Base class of all errors that Planner raises on purpose."""


_LONGEST = 1_500
"""Maximum number of characters of each text of a problem."""


@dataclass(frozen=True)
class Problem:
    """One problem of an input: its place, the rule that it violates, and the remedy.

    Parameters
    ----------
    place
        Place in the input, such as ``"topology.q"``, ``"row 3, key pitch_mm"`` or ``"slot A07"``.
    message
        The rule and the offending value in one sentence.
    remedy
        How to correct it; empty where the message already states it.
    file
        File name as given by the user; empty for values that come from no file.
    line
        Line number in `file`, counted from 1; 0 when unknown.
    """

    place: str
    message: str
    remedy: str = ""
    file: str = ""
    line: int = 0

    def __post_init__(self) -> None:
        # What a text quotes from an input may be a whole damaged file.
        for name in ("place", "message", "remedy"):
            text = getattr(self, name)
            if len(text) > _LONGEST:
                object.__setattr__(self, name, f"{text[:_LONGEST]} …")

    def __str__(self) -> str:
        position = f"{self.file}:{self.line}" if self.line else self.file
        head = ": ".join(part for part in (position, self.place, self.message) if part)
        return f"{head}; {self.remedy}" if self.remedy else head


class InputError(PlannerError):
    """The input is invalid. Carries all problems, not only the first.

    Examples
    --------
    >>> error = InputError([Problem("topology.q", "12 is not a prime power", "use 11 or 13")])
    >>> print(error)
    topology.q: 12 is not a prime power; use 11 or 13
    """

    def __init__(self, problems: Iterable[Problem] | Problem):
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)

    def located(self, file: str = "", section: str = "", lines: Mapping[str, int | str] | None = None) -> InputError:
        """Return the error with missing files, sections and lines filled in.

        Parameters
        ----------
        file
            File that `lines` refers to.
        section
            Prefix for the places of the problems.
        lines
            Line of each dotted key, or as text the option that set the key.
        """
        return InputError(_located(problem, file, section, lines or {}) for problem in self.problems)


class Infeasible(PlannerError):
    """The input is valid but cannot be satisfied; the message names the binding limit and the shortfall."""


class CheckFailed(PlannerError):
    """An internal check failed: a bug in Planner."""


class PlannerWarning(UserWarning):
    """A limitation of a method that the user should know about; the result remains valid."""


_MAX_LISTED = 40


RENAMED = {"stage": "phase"}
"""Keys and sections of studies by the names that they had before."""


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the remedy for an unknown `word`: its new name or the closest known word, and all known words.

    >>> suggestion("mooves", ["moves", "seconds"])
    'did you mean moves? (there are moves, seconds)'
    """
    known = sorted(known)
    nearest = [RENAMED[word]] if RENAMED.get(word) in known else difflib.get_close_matches(word, known, n=1)
    shown = ", ".join(known) if len(known) <= _MAX_LISTED else f"{len(known)}, such as {', '.join(known[:3])}"
    listing = f"there are {shown}" if known else "there are none"
    return f"did you mean {nearest[0]}? ({listing})" if nearest else listing


def _located(problem: Problem, file: str, section: str, lines: Mapping[str, int | str]) -> Problem:
    if problem.file:
        return problem
    place = ".".join(part for part in (section, problem.place) if part)
    line: int | str = problem.line
    parts = place.split(".")
    while not line and parts:
        line = lines.get(".".join(parts), 0)
        parts.pop()
    if isinstance(line, str):
        return Problem(place, problem.message, problem.remedy, line)
    return Problem(place, problem.message, problem.remedy, file, line)
