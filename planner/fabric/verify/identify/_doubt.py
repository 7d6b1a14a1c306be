"""What remains in doubt about identities, and which scan at a rack settles it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from planner.fabric.verify.identify._evidence import Evidence
from planner.fabric.verify.identify._switches import Switches
from planner.fabric.verify.identify._tables import Planned, Seen
from planner.fabric.verify.result import Identified
from planner.view.schedule import Connection

_UNSURE = 0.5
"""Certainty below which a scan of the device is recommended."""
_WEAK = 0.5
"""Share of the found links that the plan has, below which nothing should be concluded."""
_FAIR = 0.95
"""The same without port numbers, below which more anchors are recommended."""
_SHOWN = 5


def notes(plan: Planned, found: Seen, evidence: Evidence, result: Switches, of: dict[str, Identified]) -> list[str]:
    """Return what the user should know: anchors that links contradict, devices that are unsure."""
    texts = []
    for number, wanted in evidence.anchor.items():
        key, name = found.keys[number], plan.names[wanted]
        one = of.get(key)
        links = f"by {one.agreeing} of its {one.links} links it is {one.device}" if one else "its links fit no planned device"
        if one is None or one.device != name:
            texts.append(f"the anchor {name} of {key} contradicts its links: {links}; scan it again")
        elif 2 * one.agreeing < one.links:
            texts.append(f"the anchor {name} of {key} is doubtful: {one.agreeing} of its {one.links} links fit; scan it again")
    share = result.votes.share(result.mapping)
    if _WEAK <= share < _FAIR and not result.votes.numbered:
        texts.append(f"{share:.0%} of the links between switches fit the plan; without port numbers, more anchors make this sure")
    unsure = [one for one in of.values() if one.certainty < _UNSURE and 2 * one.agreeing < one.links]
    unsure = [one for one in unsure if found.number[one.key] < found.switches]
    if unsure:
        shown = ", ".join(f"{one.key} ({one.device}?)" for one in unsure[:_SHOWN])
        more = f" and {len(unsure) - _SHOWN:,} more" if len(unsure) > _SHOWN else ""
        count = "1 device is" if len(unsure) == 1 else f"{len(unsure):,} devices are"
        texts.append(f"{count} unsure, less than half of the links fit: scan {shown}{more}")
    return texts


def doubts(result: Switches) -> list[str]:
    """Return why nothing should be concluded: too few links fit the plan."""
    share = result.votes.share(result.mapping)
    if share >= _WEAK:
        return []
    remedy = "scan further devices" if result.votes.numbered else "give names of hosts, or scan further devices"
    return [f"only {share:.0%} of the links between switches fit the plan: do not work by this result; {remedy}"]


def groups(plan: Planned, result: Switches) -> list[list[int]]:
    """Return the groups of planned switches among which neither links nor evidence choose."""
    count = plan.switches
    if result.votes.numbered:
        if len(result.tied) < 2:
            return []
        # Tied mappings form a group of permutations: the smallest image of a switch names its orbit.
        label = result.tied[:, :count].min(axis=0)
    else:
        device, image, _ = result.votes.evidence
        label = _alike(plan, np.unique(image[result.mapping[device] == image]))
    order = np.argsort(label, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(label[order])) + 1)
    return sorted((part.tolist() for part in parts if len(part) > 1), key=lambda part: part[0])


def scan(plan: Planned, schedule: Sequence[Connection], result: Switches, doubtful: list[list[int]]) -> list[str]:
    """Return which scan chooses among the mappings that remain: of a device of the largest group."""
    if not doubtful:
        return []
    largest = max(doubtful, key=len)
    name = plan.names[largest[0]]
    place = next((f" ({end.place})" for row in schedule for end in row.ends if end.device == name), "")
    if not result.votes.numbered:
        count = sum(map(len, doubtful))
        return [
            f"without port numbers {count:,} planned devices look alike, in groups of up to {len(largest):,}: give names of "
            f"hosts, or scan one device of each group, first {name}{place}"
        ]
    tied = len(result.tied) if len(result.tied) < len(result.every) else result.symmetries
    left = "" if len(largest) >= tied else f"; this leaves {-(-tied // len(largest)):,} of them"
    return [
        f"the plan has {tied:,} mappings to itself that keep links and ports, and neither names nor anchors choose: scan one "
        f"device, such as the one at the place of {name}{place}, and give it as an anchor{left}"
    ]


def _alike(plan: Planned, known: np.ndarray) -> np.ndarray:
    """Return the class of each planned switch, int64 (S,): links cannot choose among those of one class.

    Parameters
    ----------
    known
        Planned switches that evidence identifies: each is a class of its own.

    Notes
    -----
    Color refinement: switches of one class have equal numbers of neighbors in every class. Where links could distinguish
    switches of one class, which is rare, these are listed as well.

    References
    ----------
    B. Weisfeiler and A. Leman, The reduction of a graph to canonical form, 1968.
    """
    count = plan.switches
    near = csr_array((np.ones(len(plan.ends), np.int64), (plan.ends.device, plan.ends.far)), shape=(count, count))
    color = (plan.host[:count] >= 0).sum(axis=1).astype(np.int64)
    color[known] = color.max(initial=0) + 1 + np.arange(len(known))
    random = np.random.default_rng(0)
    classes = 0
    while True:
        _, color = np.unique(color, return_inverse=True)
        if color.max(initial=-1) + 1 == classes:
            return color
        classes = int(color.max(initial=-1)) + 1
        # Sums of random numbers of the neighbors: equal for equal neighbors, and for others with a chance of 1 in 2^60.
        mark = random.integers(0, 2**62, classes)[color]
        _, color = np.unique(np.stack([color, near @ mark], axis=1), axis=0, return_inverse=True)
        color = color.ravel()
