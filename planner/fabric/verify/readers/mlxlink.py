"""Plug, light and bit errors of one port as JSON or text of `mlxlink` or `mstlink`; one file per port, or a list of JSON.

Command: ``mlxlink -d mlx5_0 -m -c --json > E001_mlx5_0.json`` on a host, ``mlxlink -d lid-12 -p 5 -m -c --json > R001-5.json``
for a switch. The output does not name its port: the file does, as ``DEVICE-PORT.json``, or a list of objects
``{"device": "R001", "port": "5", "result": …}``, or an object with these outputs under ``R001-5``.

References
----------
Mellanox/mstflint: mlxlink/modules/mlxlink_commander.cpp (display names, lists as "values", 15E-255),
mlxlink/modules/printutil/mlxlink_record.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from planner.core.errors import InputError, Problem
from planner.fabric.verify.found import Device, Errors, Plug, Port, Reading, Scan
from planner.fabric.verify.readers.syntax.documents import clean, documents, word
from planner.fabric.verify.readers.syntax.neighbors import joined, known
from planner.fabric.verify.readers.syntax.plugs import copper, lanes_dbm, length_m, number, placed, placed_by_file, ratio

_SECTION = re.compile(r"\"(Operational Info|Module Info|Physical Counters and BER Info|Tool Information)\"\s*:")
_HEADING = re.compile(r"^(Operational Info|Module Info|Physical Counters and BER Info)[^\n]{0,80}\n-{3,}[ \t\r]*$", re.MULTILINE)
_COLOR = re.compile(r"\x1b\[[0-9;]{0,20}m")
_STATES = {"active": "up", "disable": "disabled", "disabled": "disabled", "polling": "down"}


def recognizes(text: str) -> bool:
    """Whether a text has a section of mlxlink."""
    if ' Info"' in text:
        return bool(_SECTION.search(text))
    return " Info" in text and bool(_HEADING.search(_COLOR.sub("", text)))


def read(text: str, file: str) -> Scan:
    """Read the plugs of one port, or of several."""
    scan = Scan(file, "mlxlink")
    as_text = not _SECTION.search(text)
    outputs = [("", _sections(text))] if as_text else list(_outputs(documents(text, file), ""))
    for place, output in outputs:
        found = _placed(place, file if len(outputs) == 1 else "")
        if found is None:
            remedy = "name the file DEVICE-PORT.json, such as R001-5.json or E001_mlx5_0.json"
            raise InputError(Problem(place, "does not name its device and port", remedy, file))
        device, port = found
        scan.devices[device.key] = joined(scan.devices[device.key], device) if device.key in scan.devices else device
        scan.readings.append(_reading(port, output))
    return scan


def _sections(text: str) -> dict[str, dict[str, str]]:
    """Return the sections of the text form: a heading over a line of dashes, then keys and values with a colon in between."""
    found: dict[str, dict[str, str]] = {}
    section: dict[str, str] = {}
    last = ""
    for row in map(clean, _COLOR.sub("", text).splitlines()):
        if re.fullmatch("-{3,}", row):
            section = found.setdefault(last, {})
        elif ":" in row:
            key, _, value = row.partition(":")
            section.setdefault(key.strip(), value.strip())
        last = row
    return found


def _outputs(value: Any, place: str) -> Iterator[tuple[str, dict]]:
    """Yield sections with the name that their object has in the file."""
    if isinstance(value, list):
        for inner in value:
            yield from _outputs(inner, place)
    elif isinstance(value, dict):
        if isinstance(result := value.get("result"), dict) and isinstance(result.get("output"), dict):
            yield _named(value) or place, result["output"]
        elif value.keys() & {"Operational Info", "Module Info", "Physical Counters and BER Info"}:
            yield _named(value) or place, value
        else:
            for key, inner in value.items():
                yield from _outputs(inner, f"{place} {key}".strip() if isinstance(inner, dict | list) else place)


def _named(value: dict) -> str:
    device = next((word(value[key]) for key in ("host", "hostname", "switch", "device") if word(value.get(key))), "")
    adapter = word(value.get("device")) if device != word(value.get("device")) else ""
    return " ".join(part for part in (device, adapter, word(value.get("port"))) if part)


def _placed(place: str, file: str) -> tuple[Device, Port] | None:
    return (placed(place) if place else None) or (placed_by_file(file) if file else None)


def _reading(port: Port, output: dict) -> Reading:
    link, module, counters = (
        {key.strip(): value for key, value in section.items()} if isinstance(section := output.get(name), dict) else {}
        for name in ("Operational Info", "Module Info", "Physical Counters and BER Info")
    )
    state = known(word(link.get("State"))).lower()
    physical = known(word(link.get("Physical state"))).lower()
    return Reading(
        port,
        state=_STATES.get(state, _STATES.get(physical, "down" if state else "")),
        width=int(number(_text(link.get("Width"))) or 0),
        speed=re.sub(r"^(IB|Ethernet)-", "", known(word(link.get("Speed")))),
        plug=_plug(module) if module else None,
        errors=_errors(counters) if counters else None,
    )


def _plug(module: dict) -> Plug | None:
    texts = {key: known(_text(value)) for key, value in module.items()}
    technology = texts.get("Cable Technology") or texts.get("Cable Type", "")
    separated = "separated" in texts.get("Cable Type", "").lower() or "module" in texts.get("Cable Type", "").lower()
    length = next((texts[key] for key in ("Transfer Distance [m]", "Cable Length", "Length") if texts.get(key)), "")
    dark = copper(f"{technology} {texts.get('Cable Type', '')}")
    plug = Plug(
        texts.get("Vendor Name", ""),
        texts.get("Vendor Part Number", ""),
        texts.get("Vendor Serial Number", ""),
        None if separated else length_m(length),
        technology,
        () if dark else lanes_dbm(_lanes(module.get("Rx Power Current [dBm]"))),
        () if dark else lanes_dbm(_lanes(module.get("Tx Power Current [dBm]"))),
        None if dark else number(texts.get("Temperature [C]", "")),
    )
    return None if plug == Plug() else plug


def _errors(counters: dict) -> Errors:
    downs = number(_text(counters.get("Link Down Counter")))
    return Errors(
        ratio(_text(counters.get("Raw Physical BER"))),
        ratio(_text(counters.get("Effective Physical BER"))),
        ratio(_text(counters.get("Symbol BER"))),
        number(_text(counters.get("Time Since Last Clear [Min]"))),
        None if downs is None else int(downs),
    )


def _text(value: Any) -> str:
    """Return the text of a value; of a list of lanes the first."""
    return word(value["values"]) if isinstance(value, dict) and "values" in value else word(value)


def _lanes(value: Any) -> list[str]:
    """Return the values of lanes: ``1.5,1.6 [-10.4..6]``, a list, or a list under ``values``."""
    if isinstance(value, dict):
        value = value.get("values", "")
    if isinstance(value, list):
        return [word(item) for item in value]
    text = word(value)
    # Registers of a plug without sensors: all zero, thresholds included.
    if re.fullmatch(r"[0., ]*\[0(\.0)?\.\.0(\.0)?\]", text):
        return []
    return text.partition("[")[0].split(",")
