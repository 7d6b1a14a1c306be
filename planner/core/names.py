"""Rules for names and limits in input files."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Any

from annotated_types import MinLen, Predicate

from planner.core.errors import Problem


@dataclass(frozen=True)
class Because:
    """Reason for the limits of an annotated type, shown in error messages."""

    reason: str


MAX_FILE_BYTES = 120
"""Maximum length of a name used in file names; file systems allow 255 bytes including suffixes."""

_REVERSING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Bidirectional control characters, which reorder the surrounding text; no script needs them."""

_LINES = frozenset("\n\t")


def fault(text: str, *, lines: bool = False) -> str:
    """Return why a text is not allowed, or "" if it is.

    Parameters
    ----------
    text
        Text to check.
    lines
        Whether line breaks and tabs are allowed, as in notes.

    Examples
    --------
    >>> fault("hall 1"), fault("a\\x1b[2Jb"), fault("a\\nb"), fault("a\\nb", lines=True)
    ('', 'contains the control character U+001B', 'contains the control character U+000A', '')
    """
    for character in text:
        if character in _REVERSING:
            return f"contains U+{ord(character):04X}, which reorders the text"
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") and not (lines and character in _LINES):
            return f"contains the control character U+{ord(character):04X}"
    return ""


def is_name(text: str) -> bool:
    """Return whether a name is allowed."""
    return not fault(text)


Name = Annotated[str, MinLen(1), Predicate(is_name)]
"""A name in an input file."""


def shown(text: str) -> str:
    """Return a text that is safe to print: characters that names must not contain are escaped.

    Examples
    --------
    >>> shown("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return "".join(c if not fault(c, lines=True) else c.encode("unicode_escape").decode("ascii") for c in text)


def natural(text: str) -> list[tuple[int, int, str]]:
    """Return a sort key in which numbers count as numbers.

    >>> sorted(["A10", "A9", "B1"], key=natural)
    ['A9', 'A10', 'B1']
    """
    found: list[tuple[int, int, str]] = []
    for digits, own in groupby(text, key=lambda letter: letter.isascii() and letter.isdigit()):
        piece = "".join(own)
        found.append((0, int(piece), "") if digits else (1, 0, piece))
    return found


HEAD = ("name", "title", "seed")
"""Keys at the head of a study."""


def head_problems(head: dict[str, Any]) -> list[Problem]:
    """Return all problems with name, title and seed of a study."""
    problems = []
    for key, kind in (("name", str), ("title", str), ("seed", int)):
        if not isinstance(head[key], kind) or isinstance(head[key], bool):
            problems.append(Problem(key, f"must be {'text' if kind is str else 'an integer'}, not {head[key]!r}"))
    for key in ("name", "title"):
        if isinstance(head[key], str) and (wrong := fault(head[key])):
            problems.append(Problem(key, wrong, "remove it"))
    if isinstance(head["name"], str) and len(head["name"].encode("utf-8", "replace")) > MAX_FILE_BYTES:
        message = f"is too long for a file name: {len(head['name'].encode()):,} bytes, limit {MAX_FILE_BYTES}"
        problems.append(Problem("name", message, "choose a shorter name"))
    if isinstance(head["name"], str) and (set(head["name"]) & set('/\\:*?"<>|') or set(head["name"]) <= {"."}):
        problems.append(Problem("name", f"{head['name']!r} cannot be a file name", 'avoid / \\ : * ? " < > |'))
    if isinstance(head["seed"], int) and head["seed"] < 0:
        problems.append(Problem("seed", f"must not be negative, not {head['seed']}"))
    return problems
