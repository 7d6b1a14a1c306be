"""Words of InfiniBand tools: widths, speeds, kinds of nodes; and links inside one box."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from planner.fabric.verify.found import HOST, SWITCH, Reading, Scan

KINDS = {"SW": SWITCH, "CA": HOST, "SWITCH": SWITCH, "S": SWITCH, "H": HOST}
"""Kind of a device by the word of the tool; routers have none."""

_LANE_GBPS = {
    "2.5": "SDR", "5": "DDR", "5.0": "DDR", "10": "QDR", "10.0": "QDR", "14": "FDR", "14.0625": "FDR",
    "25": "EDR", "25.78125": "EDR", "50": "HDR", "53.125": "HDR", "100": "NDR", "106.25": "NDR", "200": "XDR", "212.5": "XDR",
}  # fmt: skip
_WIDTH = re.compile(r"(\d{1,2})[xX]")


def width(word: str) -> int:
    """Return the lanes of a width such as 4x; 0 if unknown.

    >>> width("4x"), width("12X"), width("??")
    (4, 12, 0)
    """
    found = _WIDTH.fullmatch(word.strip())
    return int(found[1]) if found else 0


def speed(word: str) -> str:
    """Return a speed as a word, from a word or from the rate of a lane; empty if unknown.

    >>> speed("EDR"), speed("25.78125 Gbps"), speed("10.0 Gbps (FDR10)"), speed("???")
    ('EDR', 'EDR', 'FDR10', '')
    """
    word = word.strip()
    if "FDR10" in word:
        return "FDR10"
    rate = word.removesuffix("Gbps").strip()
    return _LANE_GBPS.get(rate, "" if "?" in word else word[:20])


def joined(scan: Scan) -> Scan:
    """Return a scan whose links between chips of one box are marked as internal."""
    return replace(scan, readings=list(_marked(scan)))


def _marked(scan: Scan) -> Iterator[Reading]:
    system = {key: device.system for key, device in scan.devices.items()}
    for reading in scan.readings:
        far = reading.far
        if far is None or far.device == reading.port.device or not system.get(far.device):
            yield reading
        else:
            internal = system[far.device] == system.get(reading.port.device)
            yield replace(reading, internal=True) if internal else reading
