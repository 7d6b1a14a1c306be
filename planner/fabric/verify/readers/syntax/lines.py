"""What readers of lines and tables share: problems with line numbers, GUIDs, bounded numbers."""

from __future__ import annotations

import re
from typing import NoReturn

from planner.core.errors import InputError, Problem

_SHOWN = 10
"""Maximum number of wrong lines of one file that are listed."""

_GUID = re.compile(r"(?:0x)?([0-9a-fA-F]{1,16})")

LONGEST = 2000
"""No line of these formats is longer; patterns are not tried on others, so that time stays linear."""

MAX_PORT = 9999
"""No switch has a port with a larger number."""


class Problems:
    """Problems of one file; raised together."""

    def __init__(self, file: str):
        self.file = file
        self._found: list[Problem] = []
        self._count = 0

    def add(self, line: int, message: str, remedy: str = "", key: str = "") -> None:
        """Note a problem at a line (0 if unknown); only the first are kept."""
        self._count += 1
        if len(self._found) < _SHOWN:
            self._found.append(Problem(key, message, remedy or "collect the file again", self.file, line))

    def check(self) -> None:
        """Raise the problems, if there are any."""
        if self._count > len(self._found):
            self._found.append(Problem("", f"{self._count - len(self._found):,} more lines are wrong", "", self.file))
        if self._found:
            raise InputError(self._found)


def fail(file: str, message: str, remedy: str = "collect the file again", line: int = 0) -> NoReturn:
    """Raise one problem of a file."""
    raise InputError(Problem("", message, remedy, file, line))


def guid(text: str) -> str:
    """Return a GUID as keys have it: 16 lower-case hex digits; empty if the text is none.

    >>> guid("0x2c90300A1"), guid("GUID")
    ('00000002c90300a1', '')
    """
    found = _GUID.fullmatch(text.strip())
    return found[1].lower().zfill(16) if found else ""


def number(text: str) -> int | None:
    """Return a port number from 0 to `MAX_PORT`, or None.

    >>> number(" 12"), number("x"), number("123456")
    (12, None, None)
    """
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


def shown(text: str) -> str:
    """Return a text as messages quote it, at most 60 characters."""
    text = text.strip()
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
