"""What can go wrong, and how it is said.

::

    PlannerError
    ├── InputError     the study, a catalog, a room or an option is wrong   exit code 2
    ├── Infeasible     the input is right, but nothing fits                 exit code 1
    └── CheckFailed    a promise of ours does not hold: our bug             exit code 3

A broken design rule of a finished plan is none of these: it is a `Violation` in the plan.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


class PlannerError(Exception):
    """Ancestor of every error that Planner raises on purpose."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an input: where it stands, which rule it breaks, and the remedy.

    Parameters
    ----------
    place
        Where: ``"topology.q"``, ``"row 3, key pitch_mm"``, ``"slot A07"``.
    message
        The rule and the offending value in one sentence.
    remedy
        What to do about it; empty when the rule says it already.
    file
        The file, as the user named it; empty for values that came from no file.
    line
        Line number in `file`, counted from 1; 0 when unknown.
    """

    place: str
    message: str
    remedy: str = ""
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        position = f"{self.file}:{self.line}" if self.line else self.file
        head = ": ".join(part for part in (position, self.place, self.message) if part)
        return f"{head}; {self.remedy}" if self.remedy else head


class InputError(PlannerError):
    """The input cannot be used. Carries every problem that was found, not only the first.

    Examples
    --------
    >>> error = InputError([Problem("topology.q", "12 is not a prime power", "use 11 or 13")])
    >>> print(error)
    topology.q: 12 is not a prime power; use 11 or 13
    """

    def __init__(self, problems: Iterable[Problem] | Problem):
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self):
        return type(self), (self.problems,)

    def located(self, file: str = "", section: str = "", lines: dict[str, int | str] | None = None) -> InputError:
        """Return the same error with file, section and line filled in where they are missing.

        Parameters
        ----------
        file
            The file that `lines` is about.
        section
            What the places of the problems are in.
        lines
            Line of each dotted key; a text instead of a number names the option that set the key.
        """
        return InputError(_located(problem, file, section, lines or {}) for problem in self.problems)


class Infeasible(PlannerError):
    """Valid input that nothing can satisfy; the message names the limit that binds and by how much."""


class CheckFailed(PlannerError):
    """A promise of the program itself does not hold. Never the user's fault."""


class PlannerWarning(UserWarning):
    """A limit of a method that the user should know about; the result stands."""


_MAX_LISTED = 40


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the remedy for an unknown `word`: the nearest known one, and what there is.

    >>> suggestion("mooves", ["moves", "seconds"])
    'did you mean moves? (there are moves, seconds)'
    """
    known = sorted(known)
    nearest = difflib.get_close_matches(word, known, n=1)
    shown = ", ".join(known) if len(known) <= _MAX_LISTED else f"{len(known)}, such as {', '.join(known[:3])}"
    listing = f"there are {shown}" if known else "there are none"
    return f"did you mean {nearest[0]}? ({listing})" if nearest else listing


def _located(problem: Problem, file: str, section: str, lines: dict[str, int | str]) -> Problem:
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
