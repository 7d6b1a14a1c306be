"""Links below what both ends show elsewhere, and multi-plane links without all of their planes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from planner.fabric.verify.found import HOST, Place
from planner.fabric.verify.normal._boxes import Boxes
from planner.fabric.verify.normal._claims import Claim

_LANE_GBPS = {
    "SDR": 2.5, "DDR": 5.0, "QDR": 10.0, "FDR10": 10.3125, "FDR": 14.0625, "EDR": 25.78125,
    "HDR": 53.125, "NDR": 106.25, "XDR": 212.5,
}  # fmt: skip
_RATE = re.compile(r"^(\d+(?:\.\d+)?)\s*(g|m|t)?(?:b(?:it)?(?:/?s|ps)?|base.*|be|e)?$", re.IGNORECASE)
_RARE = 20
"""A width is out of the ordinary if fewer than one of this number of links of its kind have it."""


@lru_cache(maxsize=256)
def lane_gbps(speed: str) -> float:
    """Return the speed of a lane in Gb/s of an InfiniBand word; 0 if it is none.

    >>> lane_gbps("EDR"), lane_gbps("ndr"), lane_gbps("100G")
    (25.78125, 106.25, 0.0)
    """
    return _LANE_GBPS.get(speed.strip().upper(), 0.0)


def gbps(speed: str, width: int = 0) -> float:
    """Return the speed of a link in Gb/s: of an InfiniBand word with its lanes, or of an Ethernet rate; 0 if unknown.

    >>> gbps("EDR", 4), gbps("100G"), gbps("25 Gbps"), gbps("1000M"), gbps("400gbase-dr4"), gbps("auto")
    (103.125, 100.0, 25.0, 1.0, 400.0, 0.0)
    """
    if lane := lane_gbps(speed):
        return lane * (width or 4)
    match = _RATE.match(speed.strip())
    return float(match[1]) * {"m": 1e-3, "t": 1e3}.get((match[2] or "g").casefold(), 1.0) if match else 0.0


def slow_links(links: Sequence[Claim], boxes: Boxes) -> dict[tuple[Place, Place], str]:
    """Return why links are slow: what their files report, planes that are down, width or speed below both ends."""
    speeds: dict[str, float] = defaultdict(float)
    widths: dict[str, int] = defaultdict(int)
    kinds = {to_host: _Kind() for to_host in (False, True)}
    hosts = {key for key, device in boxes.devices.items() if device.kind == HOST}
    for claim in links:
        a, b = claim.pair[0].device, claim.pair[1].device
        kind = kinds[a in hosts or b in hosts]
        kind.widths[claim.width] += 1
        if claim.planes:
            kind.planes |= claim.planes
            kind.max_planes = max(kind.max_planes, len(claim.planes))
        if claim.speed or claim.width:
            lane = lane_gbps(claim.speed)
            for key in (a, b):
                speeds[key] = max(speeds[key], lane)
                widths[key] = max(widths[key], claim.width)
    best = (max(widths.values(), default=0), max({claim.speed for claim in links}, key=lane_gbps, default=""))
    found = {}
    for claim in links:
        to_host = claim.pair[0].device in hosts or claim.pair[1].device in hosts
        kind = kinds[to_host]
        if claim.width == best[0] and claim.speed == best[1] and not claim.slow and not claim.planes:
            continue
        why = [claim.slow] if claim.slow else []
        if kind.max_planes > 1 and claim.planes and len(claim.planes) < kind.max_planes:
            missing = sorted(kind.planes - claim.planes)
            why.append("plane " + ", ".join(missing[: kind.max_planes - len(claim.planes)]) + " down")
        if not claim.slow and (claim.width or claim.speed):
            why += _below(claim, to_host, speeds, widths, kind.widths)
        if why:
            found[claim.pair] = "; ".join(why)
    return found


@dataclass
class _Kind:
    """What the links between switches show, or those to hosts."""

    widths: Counter[int] = field(default_factory=Counter)
    planes: set[str] = field(default_factory=set)
    max_planes: int = 0


def _below(claim: Claim, to_host: bool, speeds: dict[str, float], widths: dict[str, int], usual: Counter[int]) -> list[str]:
    lane = lane_gbps(claim.speed)
    why = []
    ends = [place.device for place in claim.pair]
    widest = max(widths[device] for device in ends) if to_host else min(widths[device] for device in ends)
    total = usual.total()
    if (claim.width == 1 and (widest > 1 or usual[1] < total)) or (
        1 < claim.width < widest and usual[claim.width] * _RARE < total
    ):
        why.append(f"width {claim.width}x instead of {max(widest, max(usual))}x")
    best = max(speeds[device] for device in ends) if to_host else min(speeds[device] for device in ends)
    if 0 < lane < best and (not to_host or lane <= _LANE_GBPS["QDR"]):
        why.append(f"speed {claim.speed} although both ends are capable of more")
    return why
