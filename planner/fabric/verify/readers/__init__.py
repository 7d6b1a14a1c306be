"""Readers of discovery files: one file for each format, recognized by content.

A reader is a file of this folder with two functions: ``recognizes(text) -> bool``, which examines markers near the beginning of
the content and never the name of the file, and ``read(text, file) -> Scan``, which raises `InputError` with the lines that are
wrong. The first line of its docstring states what it reads, the rest how to collect it. ``OVER`` names readers whose formats it
refines: it is chosen where both recognize a file. Files with a leading underscore are shared by readers:
`syntax.json` parses JSON within bounds, `syntax.lines` collects problems and GUIDs.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from types import ModuleType

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.fabric.verify.found import Scan
from planner.fabric.verify.readers.syntax.csv import header_of
from planner.fabric.verify.readers.syntax.open import Content, contents
from planner.fabric.verify.readers.syntax.unread import instead

_SHOWN = 100
"""Maximum number of problems that are listed."""

_HEAD = 2**13
"""Number of characters among which the time of a scan is."""

_BEGINNING = 2**16
"""Number of characters by which a format is recognized."""

_TIMES = (
    re.compile(r"generated on\s+([\w :,+\-]{8,40})", re.IGNORECASE),
    re.compile(r"^[#\s-]*(?:date|time|run date|timestamp)\s*[:=]\s*\"?([\w :,+\-.]{8,40})", re.IGNORECASE | re.MULTILINE),
    re.compile(r"\b(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)"),
)
_FORMATS = ("%a %b %d %H:%M:%S %Y", "%d %b %Y %H:%M:%S", "%Y-%m-%d %H:%M:%S")
"""How discovery files state when they were made: where, and in which form."""


def read(paths: Sequence[Path]) -> list[Scan]:
    """Read discovery files, folders of them, and archives (zip, tar, also gzipped).

    Raises
    ------
    InputError
        With the problems of all files: not readable, of no known format, of several, or damaged.
    """
    scans: list[Scan] = []
    problems: list[Problem] = []
    readers = known()
    for path in paths:
        try:
            for content in contents(Path(path)):
                try:
                    scans.append(_scan(content, readers))
                except InputError as error:
                    problems += error.located(content.file).problems
        except InputError as error:
            problems += error.located(str(path)).problems
    problems += _missing_pages(scans)
    if len(problems) > _SHOWN:
        problems[_SHOWN:] = [Problem("", f"{len(problems) - _SHOWN:,} more problems", "correct those above first")]
    if problems:
        raise InputError(problems)
    return scans


def _missing_pages(scans: Iterable[Scan]) -> Iterator[Problem]:
    """Yield a problem for each answer of which pages are missing; the pages of an answer state the same total."""
    listed: Counter[tuple[str, int]] = Counter()
    first: dict[tuple[str, int], str] = {}
    for scan in scans:
        if scan.total:
            listed[scan.format, scan.total] += scan.listed
            first.setdefault((scan.format, scan.total), scan.file)
    for answer, count in listed.items():
        if count < answer[1]:
            message = f"is a page of an answer of {answer[1]:,} entries, of which the files hold {count:,}"
            yield Problem("", message, "collect the other pages too, with offset=…, and give all of them", first[answer])


@cache
def known() -> dict[str, ModuleType]:
    """Return all readers by name."""
    return {name: registry.load("discovery", name) for name in registry.names("discovery")}


def recognized(text: str, readers: dict[str, ModuleType]) -> list[str]:
    """Return the names of the readers that recognize a text, without those that another one refines."""
    beginning = text[:_BEGINNING]
    found = [name for name, reader in readers.items() if reader.recognizes(beginning)]
    refined = {other for name in found for other in getattr(readers[name], "OVER", ())}
    return [name for name in found if name not in refined]


def _scan(content: Content, readers: dict[str, ModuleType]) -> Scan:
    text = content.text
    if not text.strip():
        raise InputError(Problem("", "is empty", "collect it again"))
    found = recognized(text, readers)
    if len(found) != 1:
        raise InputError(_unclear(content, found, readers))
    try:
        scan = readers[found[0]].read(text, content.file)
    except RecursionError:
        raise InputError(Problem("", "is nested too deeply", "collect it again")) from None
    return replace(scan, taken=scan.taken or stated_time(text[:_HEAD]))


def _unclear(content: Content, found: Iterable[str], readers: Iterable[str]) -> Problem:
    if found := list(found):
        return Problem(
            "", f"may be of several formats: {', '.join(found)}", "give the file as the tool wrote it, one in each file"
        )
    if unread := instead(content.text[:_BEGINNING]):
        what, remedy = unread
        return Problem("", f"is the {what}, which is not read", remedy)
    if {"a_device", "b_device", "a_port", "b_port"} <= set(header_of(content.text[:_BEGINNING])):
        return Problem("", "is the cable schedule of a plan, not a discovery", "give it as PLAN, before the files")
    names = sorted(readers)
    # A file is often named after its format.
    stem = re.sub(r"\d+", "", re.split(r"[:/\\]", content.file)[-1].lower())
    nearest = difflib.get_close_matches(stem, names, n=1, cutoff=0.5)
    guess = f"if it is {nearest[0]}, give it as the tool wrote it; " if nearest else ""
    return Problem("", "is no known discovery format", f"{guess}there are {', '.join(names)}")


def stated_time(head: str) -> str:
    """Return the time that the beginning of a file states, as ISO 8601; empty without.

    >>> stated_time("# Topology file: generated on Tue Mar 10 10:00:00 2026\\n# Initiated from node")
    '2026-03-10T10:00:00'
    >>> stated_time("taken 2026-11-23 14:00 by crew 2"), stated_time("generated on a rainy day")
    ('2026-11-23T14:00:00', '')
    """
    for pattern in _TIMES:
        for match in pattern.finditer(head):
            text = " ".join(match[1].split())
            with suppress(ValueError):
                return datetime.fromisoformat(text).isoformat()
            for form in _FORMATS:
                with suppress(ValueError):
                    return datetime.strptime(text, form).isoformat()
    return ""
