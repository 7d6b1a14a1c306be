"""What people know about devices: anchors scanned at the racks, and names of GUIDs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from planner.core import reading
from planner.core.delimited import Table
from planner.core.errors import InputError, Problem
from planner.core.names import fault
from planner.fabric.verify.found import Device, Scan

MAX_ENTRIES = 1_000_000
_SHOWN = 20
"""Maximum number of wrong lines that are listed."""

_KEYS = ("guid", "mac", "serial", "key")
_COMMENT = "#"
_MAP = re.compile(r'(?P<guid>(?:0x)?[0-9a-fA-F]{1,16})\s+"(?P<name>[^"]*)"\s*(?:#.*)?')
_SEPARATOR = re.compile(r"[,;\t]")
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]{1,16}")
_MAC = re.compile(r"[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5}|[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){2}")

Entry = tuple[int, str, str]
"""Line, key and value of an entry."""


def anchors(path: Path) -> dict[str, str]:
    """Return the planned device of each scanned key, from a CSV file.

    The file has the headers ``guid``, ``mac`` or ``serial``, one of them or several, and ``device``; other columns are ignored.
    GUIDs and MAC addresses are returned as 16 and 12 lower-case hex digits without separators, serial numbers as they are.

    Raises
    ------
    InputError
        With all problems of the file: no such column, a wrong GUID or address, two devices for one key, two keys of one kind
        for one device.
    """
    return _collected(path, lambda text: _csv(text, path, "device"), "device")


def names(path: Path) -> dict[str, str]:
    """Return the name of each GUID, from a CSV file with the headers ``guid`` and ``name``, or a node-name map.

    A node-name map, as the ``ibdiag`` tools take it, has lines ``0x0008f104003f1a2b "name"`` and comments after ``#``.

    Raises
    ------
    InputError
        With all problems of the file.
    """

    def entries(text: str) -> Iterator[Entry | Problem]:
        first = next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(_COMMENT)), "")
        return _map(text, path) if _MAP.fullmatch(first.strip()) or not _SEPARATOR.search(first) else _csv(text, path, "name")

    return _collected(path, entries, "name")


def renamed(scans: Sequence[Scan], names: Mapping[str, str]) -> list[Scan]:
    """Return scans whose devices have the given names: by their keys, addresses, serial numbers or names as found."""
    given = {key_of(key): name for key, name in names.items()}

    def called(device: Device) -> Device:
        every = (device.key, *device.addresses, device.serial, device.name)
        name = next((given[key] for text in every if text and (key := key_of(text)) in given), "")
        return replace(device, name=name) if name else device

    if not given:
        return list(scans)
    return [replace(scan, devices={key: called(device) for key, device in scan.devices.items()}) for scan in scans]


def key_of(text: str) -> str:
    """Return a GUID, MAC address, serial number or name in the form that is compared.

    >>> key_of("0x7CFE900300A00440") == key_of("7cfe:9003:00a0:0440")
    True
    """
    low = text.strip().casefold()
    plain = low.removeprefix("0x").replace(":", "").replace(".", "").replace("-", "")
    if plain and all(letter in "0123456789abcdef" for letter in plain):
        return plain.zfill(16) if low.startswith("0x") else plain
    return low


def _collected(path: Path, entries: Callable[[str], Iterator[Entry | Problem]], what: str) -> dict[str, str]:
    """Return the entries of a file; equal ones count once, and contradictions are problems."""
    found: dict[str, str] = {}
    at: dict[str, int] = {}
    problems: list[Problem] = []
    for entry in entries(reading.text(path)):
        if isinstance(entry, Problem):
            problems.append(entry)
            continue
        line, key, value = entry
        if found.setdefault(key, value) != value:
            message = f"{key} is {value!r} here and {found[key]!r} in line {at[key]}"
            problems.append(Problem(what, message, "keep the right line", str(path), line))
        at.setdefault(key, line)
        if len(found) > MAX_ENTRIES:
            problems.append(Problem("", f"has more than {MAX_ENTRIES:,} entries", f"give the {what}s of one plan", str(path)))
            break
    if not found and not problems:
        problems.append(Problem("", f"names no {what}", f"give lines with a key and its {what}", str(path)))
    if len(problems) > _SHOWN:
        problems[_SHOWN:] = [Problem("", f"{len(problems) - _SHOWN:,} more lines are wrong", "correct them too", str(path))]
    if problems:
        raise InputError(problems)
    return found


def _csv(text: str, path: Path, what: str) -> Iterator[Entry | Problem]:
    """Yield the entries of a CSV file; comment lines count as lines."""
    try:
        table = Table(text, str(path), comments=True)
        columns = {cell.lower(): place for place, cell in enumerate(table.header)}
        keys = [name for name in _KEYS if name in columns]
        if what not in columns or not keys:
            remedy = f"the first line names the columns: guid (or mac, serial) and {what}"
            yield Problem("", f"has no column {what if keys else 'guid'}", remedy, str(path), table.line)
            return
        for line, cells in table.rows():
            yield from _row(cells, columns, keys, what, path, line)
    except InputError as error:
        yield from error.problems


def _row(
    cells: list[str], columns: dict[str, int], keys: list[str], what: str, path: Path, line: int
) -> Iterator[Entry | Problem]:
    def cell(name: str) -> str:
        return cells[columns[name]] if columns[name] < len(cells) else ""

    value = cell(what)
    given = [(name, cell(name)) for name in keys if cell(name)]
    if not value or not given:
        yield Problem(what if given else keys[0], "is empty", "fill it in, or delete the line", str(path), line)
        return
    for name, text in given:
        yield _entry(name, text, value, what, path, line)


def _map(text: str, path: Path) -> Iterator[Entry | Problem]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith(_COMMENT):
            continue
        found = _MAP.fullmatch(line.strip())
        if found is None:
            remedy = 'write 0x0008f104003f1a2b "name", or a CSV file with the columns guid and name'
            yield Problem("", f"{line.strip()[:60]!r} is not an entry of a node-name map", remedy, str(path), number)
        else:
            yield _entry("guid", found["guid"], found["name"].strip(), "name", path, number)


def _entry(kind: str, key: str, value: str, what: str, path: Path, line: int) -> Entry | Problem:
    for name, text in ((kind, key), (what, value)):
        if bad := fault(text) or ("is longer than 200 characters" if len(text) > 200 else "" if text else "is empty"):
            return Problem(name, bad, "correct the line", str(path), line)
    if kind == "mac":
        if not _MAC.fullmatch(key):
            return Problem("mac", f"{key[:40]!r} is not a MAC address", "write it as 0c:42:a1:00:09:80", str(path), line)
        return line, re.sub(r"[:.-]", "", key).lower(), value
    if kind == "guid":
        bare = key.replace(":", "")
        if not _HEX.fullmatch(bare):
            return Problem("guid", f"{key[:40]!r} is not a GUID", "write it as 0x7cfe900300a00440", str(path), line)
        return line, bare.lower().removeprefix("0x").zfill(16), value
    return line, key, value
