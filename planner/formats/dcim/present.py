"""What a NetBox holds already, from its own exports: rows that its import forms would refuse are left out."""

from __future__ import annotations

import json
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from planner.core.delimited import Table
from planner.core.errors import InputError, PlannerWarning, Problem
from planner.core.reading import text as text_of

Key = tuple[str, ...]

KEYS: dict[str, Key] = {
    "manufacturers": ("name",), "sites": ("name",), "rack_groups": ("name",), "locations": ("site", "name"),
    "rack_types": ("manufacturer", "model"), "racks": ("site", "name"), "device_roles": ("name",),
    "device_types": ("manufacturer", "model"), "module_types": ("manufacturer", "model"), "devices": ("site", "name"),
    "interfaces": ("device", "name"), "rear_ports": ("device", "name"), "front_ports": ("device", "name"),
    "cable_bundles": ("name",), "power_panels": ("site", "name"), "power_feeds": ("power_panel", "name"),
    "power_ports": ("device", "name"), "power_outlets": ("device", "name"), "cables": (), "power_cables": (),
}  # fmt: skip
"""Columns that identify a row of each table; rows of cables are identified by their ends."""

MAX_BYTES = 2**28
"""Maximum size of a file."""

_LABEL = re.compile(r"(.*\S)\s*\([^()]*\)")
_ADDRESS = re.compile(r"/dcim/([a-z-]+)/\d+/?$")


@dataclass
class Present:
    """Keys of the rows of each table, in lower case; ends of cables; and manufacturers and roles by slug."""

    keys: dict[str, set[Key]] = field(default_factory=dict)
    names: dict[str, dict[str, str]] = field(default_factory=dict)

    def absent(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
        """Yield the rows that NetBox lacks; a cable with an end that is connected to another one is left out with a warning."""
        known = self.keys.get("cables" if table == "power_cables" else table, set())
        occupied = {key[place : place + 2] for key in known for place in (0, 2)} if not KEYS[table] else set()
        others = 0
        for row in rows:
            content = dict(zip(columns, map(str, row), strict=True))
            key = _key(table, content)
            if key in known:
                continue
            if occupied and not occupied.isdisjoint((key[:2], key[2:])):
                others += 1
                continue
            yield row
        if others:
            words = f"{others:,} cables are left out: NetBox has other cables at their ends; verify them with planner verify"
            warnings.warn(words, PlannerWarning, stacklevel=4)


def elsewhere(present: Present, site: str, names: Iterable[str]) -> list[tuple[str, str]]:
    """Return devices of some names that NetBox has at other sites, with their site; its import forms look devices up by name."""
    sites = {name: where for where, name in present.keys.get("devices", ()) if where != site.lower()}
    return [(name, sites[name.lower()]) for name in names if name.lower() in sites]


def read(folder: Path) -> Present:
    """Read a folder of exports of NetBox, or of earlier files for its import forms.

    CSV files are named after their table, as NetBox names them: ``netbox_racks.csv``, or ``05_racks.csv``; JSON files are answers
    of the REST interface, all pages; device types are also in YAML.

    Raises
    ------
    InputError
        When there is no such folder, a file is of no table, or a page is missing.
    """
    if not folder.is_dir():
        raise InputError(Problem("existing", "is not a folder", "give the folder of NetBox' exports", str(folder)))
    found, problems = Present(), list[Problem]()
    listed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for path in sorted(each for each in folder.iterdir() if each.suffix.lower() in (".csv", ".json", ".yaml", ".yml")):
        try:
            table, rows, of_all = _rows(path)
            listed[table] += len(rows)
            total[table] = max(total[table], of_all)
        except InputError as error:
            problems += error.problems
            continue
        for row in rows:
            found.keys.setdefault(table, set()).add(_key(table, row))
            if row.get("slug") and row.get("name"):
                found.names.setdefault(table, {})[row["slug"].lower()] = row["name"]
    for table, count in total.items():
        if listed[table] < count:
            message = f"holds {listed[table]:,} of {count:,} {table.replace('_', ' ')}"
            problems.append(Problem("existing", message, "save the other pages too, with offset=…", str(folder)))
    if not found.keys and not problems:
        problems = [Problem("existing", "holds no export", "export manufacturers, racks, devices … as CSV", str(folder))]
    if problems:
        raise InputError(problems)
    return found


def _key(table: str, row: Mapping[str, str]) -> Key:
    """Return what identifies a row; of a cable device and port of both ends, sorted."""
    if KEYS[table]:
        return tuple(row.get(column, "").strip().lower() for column in KEYS[table])
    return tuple(word for end in sorted(_end(row, side) for side in "ab") for word in end)


def _end(row: Mapping[str, str], side: str) -> Key:
    """Return device and port of an end of a cable, in a file of the import form or of NetBox' list of cables."""
    device = row.get(f"side_{side}_device", row.get(f"device_{side}", ""))
    port = row.get(f"side_{side}_name", row.get(f"termination_{side}", ""))
    if f"side_{side}_name" not in row and (match := _LABEL.fullmatch(port)):
        # Lists show a port with its label.
        port = match[1]
    return device.strip().lower(), port.strip().lower()


def _rows(path: Path) -> tuple[str, list[dict[str, str]], int]:
    """Return the table of a file, its rows with the columns of the import form, and of a page the number of rows of all pages."""
    content = text_of(path, MAX_BYTES)
    if content.lstrip()[:1] in ("{", "["):
        return _json(content, path)
    stem = re.sub(r"[^a-z]+", "_", path.stem.lower()).strip("_")
    table = next((name for name in sorted(KEYS, key=len, reverse=True) if stem.endswith(name)), None)
    if table is None:
        raise InputError(Problem("existing", "is named after no table", f"name it {', '.join(KEYS)}", str(path)))
    if path.suffix.lower() != ".csv" or (table == "device_types" and content.lstrip().startswith(("manufacturer:", "---"))):
        return table, _documents(content), 0
    found = Table(content, str(path), key="existing")
    columns = [name.lower().replace(" ", "_") for name in found.header]
    if not set(KEYS[table]) <= set(columns):
        lacking = ", ".join(column for column in KEYS[table] if column not in columns)
        raise InputError(Problem("existing", f"has no column {lacking}", "export all columns", str(path)))
    return table, [dict(zip(columns, cells, strict=False)) for _, cells in found.rows()], 0


def _documents(content: str) -> list[dict[str, str]]:
    """Return manufacturer and model of device types in YAML: top-level keys of documents."""
    rows: list[dict[str, str]] = []
    for line in content.splitlines():
        if match := re.fullmatch(r"(manufacturer|model): *(?:'(.*)'|\"(.*)\"|(.*\S)) *", line):
            word = next(text for text in match.groups()[1:] if text is not None)
            if not rows or match[1] in rows[-1]:
                rows.append({})
            rows[-1][match[1]] = word
    return rows


def _json(content: str, path: Path) -> tuple[str, list[dict[str, str]], int]:
    """Return the rows of an answer of the REST interface, whose entries state their address."""
    remedy = "save the answer of the REST interface as it is"
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(Problem("existing", f"is not JSON: {error}", remedy, str(path))) from None
    entries = answer.get("results", answer) if isinstance(answer, dict) else answer
    entries = entries if isinstance(entries, list) else [entries]
    found = {_table_of(entry) for entry in entries} or {path.stem.replace("-", "_")}
    table = found.pop() if len(found) == 1 else None
    if table not in KEYS or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(Problem("existing", "is no list of objects of one table", remedy, str(path)))
    count = answer.get("count") if isinstance(answer, dict) else 0
    return table, [_flat(entry) for entry in entries], count if isinstance(count, int) else 0


def _table_of(entry: Any) -> str | None:
    address = entry.get("url") if isinstance(entry, dict) else None
    match = _ADDRESS.search(address) if isinstance(address, str) else None
    return match[1].replace("-", "_") if match else None


def _flat(entry: dict[str, Any]) -> dict[str, str]:
    """Return the names of an entry and of what it refers to."""
    row = {}
    for key, content in entry.items():
        if isinstance(content, dict):
            content = content.get("name", content.get("model", content.get("display", "")))
        if isinstance(content, str):
            row[key] = content
    for side in "ab":
        ends = entry.get(f"{side}_terminations")
        inner = ends[0].get("object") if isinstance(ends, list) and ends and isinstance(ends[0], dict) else None
        if isinstance(inner, dict):
            device = inner.get("device")
            row[f"side_{side}_device"] = str(device.get("name", "")) if isinstance(device, dict) else ""
            row[f"side_{side}_name"] = str(inner.get("name", ""))
    return row
