"""Plug and light of ports as text of `ethtool -m`; one file per port, or several parts with headings.

Command: ``ethtool -m swp12 > R001-swp12.txt``, or all ports of a box in one file, each after a line ``# R001 swp12``:
``for i in $(ls /sys/class/net); do echo "# $(hostname) $i"; ethtool -m $i; done > R001.txt``. Headings ``==> R001-swp12.txt <==``
of ``tail -n +1 *.txt`` are read, too.

References
----------
ethtool: qsfp.c (SFF-8636), sfpid.c and sfpdiag.c (SFF-8472), cmis.c (names of fields, units of power).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from planner.core.errors import InputError, Problem
from planner.fabric.verify.found import Device, Plug, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.documents import clean
from planner.fabric.verify.readers.syntax.neighbors import joined, known, named_after
from planner.fabric.verify.readers.syntax.plugs import copper, lanes_dbm, length_m, number, placed, placed_by_file

_HEADING = re.compile(r"(?:#+|==>|-{2,}|={2,})\s*(?P<place>[^\s=#-].*?)\s*(?:<==|#*|-*|=*)")
_FIELD = re.compile(r"^[ \t]*Identifier[ \t]*:\s*0x[0-9a-fA-F]{2}\b", re.MULTILINE)
_OTHER = re.compile(r"^[ \t]*(Vendor (name|SN|PN)|Extended identifier|Connector)[ \t]*:", re.MULTILINE)
_LANE = r"( ?\(channel \d+\))?"
_RX = re.compile(rf"(rcvr signal avg optical power|receiver signal average optical power|receiver signal oma){_LANE}")
_TX = re.compile(rf"(transmit avg optical power|laser output power){_LANE}")
_CABLE_LENGTHS = ("cable assembly length", "length (copper or active cable)", "length (copper)", "length (active cable)")


def recognizes(text: str) -> bool:
    """Whether a text has the fields of a plug's memory."""
    return "Identifier" in text and bool(_FIELD.search(text) and _OTHER.search(text))


def read(text: str, file: str) -> Scan:
    """Read the plugs of one port, or of several."""
    scan = Scan(file, "ethtool")
    for line, heading, fields in _parts(text):
        if "identifier" not in fields:
            continue
        found = _placed(heading, file)
        if found is None:
            remedy = "name the file DEVICE-PORT.txt, or write a line # DEVICE PORT before each part"
            raise InputError(Problem(heading, "does not name its device and port", remedy, file, line))
        device, port = found
        scan.devices[device.key] = joined(scan.devices[device.key], device) if device.key in scan.devices else device
        scan.readings.append(Reading(port, plug=_plug(fields)))
    return scan


def _placed(heading: str, file: str) -> tuple[Device, Port] | None:
    if not heading:
        return placed_by_file(file)
    words = heading.split()
    if len(words) == 2 and not words[0].endswith(":"):
        # The heading has both, whatever the port is called.
        return Device(words[0], words[0], answers=False), Port(words[0], words[1])
    if found := placed_by_file(heading):
        return found
    device = named_after(file)
    return (Device(device, device, answers=False), Port(device, words[0].rstrip(":"))) if len(words) == 1 else placed(heading)


def _parts(text: str) -> Iterator[tuple[int, str, dict[str, list[str]]]]:
    """Yield line, heading and fields of each part; a field that comes several times has all its values."""
    start, heading = 1, ""
    fields: dict[str, list[str]] = {}
    for number_, line in enumerate(text.splitlines(), 1):
        # A longer line is neither a heading nor a field.
        row = line[:1000].strip()
        if found := _HEADING.fullmatch(row):
            if fields:
                yield start, heading, fields
            start, heading, fields = number_, clean(found["place"]), {}
        elif ":" in row:
            key, _, value = row.rpartition(" : ") if " : " in row else row.partition(":")
            fields.setdefault(clean(key).lower(), []).append(clean(value))
    if fields:
        yield start, heading, fields


def _plug(fields: dict[str, list[str]]) -> Plug:
    first = {key: known(values[0]) for key, values in fields.items()}
    technology = re.sub(r"^0x[0-9a-fA-F]+\s*\((.*)\)$", r"\1", first.get("transmitter technology", ""))
    types = " ".join([technology, *fields.get("transceiver type", [])])
    whole = "no separable" in first.get("connector", "").lower() or copper(types) or "active cable" in types.lower()
    # Names of fields in memories without a technology: Passive Cu cmplnce., Active Cu cmplnce.
    dark = copper(types) or "passive cu cmplnce." in first or bool(re.search(r"Base-CR|Copper", types))
    lengths = [length_m(first[key]) for key in _CABLE_LENGTHS if key in first]
    return Plug(
        first.get("vendor name", ""),
        first.get("vendor pn", ""),
        first.get("vendor sn", ""),
        next((length for length in lengths if length), next(iter(lengths), None)) if whole or any(lengths) else None,
        technology,
        () if dark else _lanes(fields, _RX),
        () if dark else _lanes(fields, _TX),
        None if dark else number(first.get("module temperature", "")),
    )


def _lanes(fields: dict[str, list[str]], name: re.Pattern[str]) -> tuple[float, ...]:
    """Return the power of lanes: ``0.8764 mW / -0.57 dBm``."""
    values = [value for key, found in fields.items() if name.fullmatch(key) for value in found]
    return lanes_dbm([value.rpartition("/")[2].strip() for value in values if "dBm" in value])
