"""Rules of what users may write: names that show everywhere as they were written, and limits with their reasons."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Annotated

from annotated_types import MinLen, Predicate


@dataclass(frozen=True)
class Because:
    """Why a value has the limits that its type states; part of an annotation, shown with the complaint."""

    reason: str


MAX_FILE_BYTES = 120
"""A name that files are called by; file systems allow 255 bytes, and endings and options follow it."""

_REVERSING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks of the bidirectional algorithm that change the order of the letters around them; scripts need none of them."""

_LINES = frozenset("\n\t")


def fault(text: str, *, lines: bool = False) -> str:
    """Return what is wrong with a text, "" where nothing is.

    Parameters
    ----------
    text
        The text.
    lines
        Whether line ends and tabs are allowed, as in notes.

    Examples
    --------
    >>> fault("hall 1"), fault("a\\x1b[2Jb"), fault("a\\nb"), fault("a\\nb", lines=True)
    ('', 'holds the control character U+001B', 'holds the control character U+000A', '')
    """
    for character in text:
        if character in _REVERSING:
            return f"holds U+{ord(character):04X}, which changes the order of the letters"
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") and not (lines and character in _LINES):
            return f"holds the control character U+{ord(character):04X}"
    return ""


def is_name(text: str) -> bool:
    """Return whether nothing is wrong with a name."""
    return not fault(text)


Name = Annotated[str, MinLen(1), Predicate(is_name)]
"""A name in a file of a user."""


def shown(text: str) -> str:
    """Return a text of any origin as a terminal may get it: what a name must not hold is written as its number.

    Examples
    --------
    >>> shown("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return "".join(c if not fault(c, lines=True) else c.encode("unicode_escape").decode("ascii") for c in text)
