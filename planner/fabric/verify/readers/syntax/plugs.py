"""Values of plugs and of bit errors as tools print them, and the port that a file or a heading is about."""

from __future__ import annotations

import math
import re
from pathlib import PurePosixPath

from planner.fabric.verify.found import HOST, Device, Port
from planner.fabric.verify.readers.syntax.documents import clean
from planner.fabric.verify.readers.syntax.neighbors import known, member

DARK_DBM = -40.0
"""Power that tools report for no light at all, where they do not print minus infinity."""

_LONGEST = 200
"""Maximum length of a heading or a file name that names a port."""

_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,4})?")
_ENDINGS = re.compile(r"\.(json|txt|log|out|ethtool|mlxlink)$", re.IGNORECASE)
_CARD = r"(?:mlx\d|hfi\d|irdma)_\d+|mt\d+_pciconf\d+(?:\.\d)?"
_INTERFACE = r"(?:swp|eth|ethernet|en|ib|hsn|nvl|sw\d+p|xe-|et-)[\w./:-]*\d[\w./:-]*"
_ADAPTER = re.compile(rf"(?P<host>.+?)[-_ ](?P<adapter>{_CARD})(?:[-_/ ]p?(?P<port>\d+))?")
_NUMBERED = re.compile(r"(?P<box>.+?)(?:[-_]p|[-_ ]port[-_ ]?|[- ])(?P<port>\d+(?:[_/]\d+)*)", re.IGNORECASE)
_NAMED = re.compile(rf"(?P<box>.+?)[-_ ](?P<port>{_INTERFACE})", re.IGNORECASE)
_PORT_ALONE = re.compile(rf"(?:p|port[-_]?)?\d+(?:[_/]\d+)*|{_INTERFACE}|{_CARD}", re.IGNORECASE)


def placed(text: str) -> tuple[Device, Port] | None:
    """Return device and port that a heading or the name of a file is about; None if it has no port.

    ``R001-12`` and ``R001_p12`` are port 12 of R001, ``R001-1_6_2`` is port 1/6/2, ``R001-swp12`` port swp12. ``E001_mlx5_0`` is
    the adapter mlx5_0 of host E001, with port 1 unless ``_p2`` follows.

    >>> [placed(text)[1] for text in ("R001-12", "R001_p12", "sw-1-1_6_2", "E001 mlx5_0 p2")]
    ... # doctest: +NORMALIZE_WHITESPACE
    [Port(device='R001', port='12'), Port(device='R001', port='12'), Port(device='sw-1', port='1/6/2'),
     Port(device='E001 mlx5_0', port='2')]
    """
    text = clean(text)
    if len(text) > _LONGEST:
        return None
    if found := _ADAPTER.fullmatch(text):
        key = f"{found['host']} {found['adapter']}"
        return Device(key, key, HOST, answers=False), Port(key, found["port"] or "1")
    if found := _NAMED.fullmatch(text) or _NUMBERED.fullmatch(text):
        port = found["port"]
        port = port.replace("_", "/") if port[0].isdigit() else port
        return Device(found["box"], found["box"], answers=False), Port(found["box"], port)
    return None


def placed_by_file(file: str) -> tuple[Device, Port] | None:
    """Return device and port that a file is about by its name, or by its folder and its name: ``R001/swp12.txt``."""
    path = PurePosixPath(member(file))
    stem = path.name
    while _ENDINGS.search(stem):
        stem = _ENDINGS.sub("", stem)
    if found := placed(stem):
        return found
    folder = path.parent.name
    if folder and len(stem) <= _LONGEST and _PORT_ALONE.fullmatch(stem):
        return placed(f"{folder} {stem}")
    return None


def number(text: str) -> float | None:
    """Return the first number of a text; None if there is none or it is not finite.

    >>> number("54 [-5..75]"), number("2 m"), number("N/A"), number("0x23")
    (54.0, 2.0, None, None)
    """
    text = clean(text)
    if not known(text) or text.lower().startswith("0x") or not (found := _NUMBER.match(text)):
        return None
    value = float(found[0])
    return value if math.isfinite(value) else None


def length_m(text: str) -> float | None:
    """Return a length in meters: ``2 m``, ``2.00m``, ``3``, ``50 cm``, ``0.1km``; None where it is unknown.

    >>> length_m("2 m"), length_m("0.10km"), length_m("50 cm"), length_m("N/A"), length_m("0m")
    (2.0, 100.0, 0.5, None, 0.0)
    """
    value = number(text)
    if value is None or value < 0:
        return None
    if re.search(r"\dk?\s*km\b", text, re.IGNORECASE):
        return round(value * 1000, 3)
    return round(value / 100, 4) if re.search(r"\d\s*cm\b", text, re.IGNORECASE) else value


def ratio(text: str) -> float | None:
    """Return a bit error ratio; ``15E-255`` is how the firmware states that there was no error.

    >>> ratio("15E-255"), ratio("3E-9"), ratio("N/A")
    (0.0, 3e-09, None)
    """
    value = number(text)
    return value if value is None or value > 1e-200 else 0.0


def lanes_dbm(values: list[str]) -> tuple[float, ...]:
    """Return the power of lanes; values that no receiver can measure mean darkness.

    >>> lanes_dbm(["-0.57", "-inf", "-999.999"])
    (-0.57, -40.0, -40.0)
    """
    found = []
    for text in values:
        value = DARK_DBM if text.strip().lower().startswith("-inf") else number(text)
        if value is not None and value < 100:
            found.append(max(value, DARK_DBM))
    return tuple(found)


def copper(technology: str) -> bool:
    """Whether a technology is copper: such plugs measure no light, whatever their registers hold."""
    return "copper" in technology.lower()
