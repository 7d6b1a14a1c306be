"""Identities of hosts: by name, by anchor, and by their places at the switches."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from planner.fabric.verify.found import Fabric, Place
from planner.fabric.verify.identify._evidence import ANCHOR, NAME, Evidence
from planner.fabric.verify.identify._tables import Planned, Seen


def adapters_in_order(fabric: Fabric, found: Seen) -> dict[int, list[int]]:
    """Return the ports with a link of each found host, in the order of the names of their adapters, then of their numbers.

    Hosts whose adapters have no names are left out: their order means nothing.
    """
    ports: dict[int, set[int]] = defaultdict(set)
    for _, _, host, own in found.host_links:
        ports[host].add(own)
    ordered = {}
    for host, owns in ports.items():
        named = {own: name for own in owns if (name := fabric.adapters.get(Place(found.keys[host], own)))}
        if len(named) == len(owns):
            ordered[host] = [own for _, own in sorted((natural(named[own]), own) for own in owns)]
    return ordered


def natural(text: str) -> list[tuple[int, str]]:
    """Return a key that sorts numbers in texts by value.

    >>> sorted(["mlx5_10", "mlx5_2"], key=natural)
    ['mlx5_2', 'mlx5_10']
    """
    runs: list[tuple[int, str]] = []
    for letter in text.casefold():
        if letter.isascii() and letter.isdigit():
            if runs and not runs[-1][1]:
                runs[-1] = (min(runs[-1][0] * 10 + int(letter), 10**12), "")
            else:
                runs.append((int(letter), ""))
        elif runs and runs[-1][1]:
            runs[-1] = (-1, runs[-1][1] + letter)
        else:
            runs.append((-1, letter))
    return runs


def hosts(
    plan: Planned, found: Seen, mapping: np.ndarray, evidence: Evidence, numbered: bool
) -> dict[int, tuple[int, float, str]]:
    """Return the planned host of found ones, its certainty, and by what it was identified: anchor, name, place.

    A link votes for the host that the plan has at its port; a name outweighs one link, not two. Hosts without a name, whose place
    belongs to another, take a place of the same switch that is left over.
    """
    weights: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    why: dict[tuple[int, int], list[str]] = defaultdict(list)
    at: dict[int, list[int]] = defaultdict(list)
    for switch, port, host, _ in found.host_links:
        image = int(mapping[switch])
        at[host].append(image)
        expected = int(plan.host[image, port]) if numbered else -1
        if expected >= 0:
            weights[host][expected] += 1
            if "place" not in why[host, expected]:
                why[host, expected].append("place")
    for kind, weight, rows in (("name", NAME, evidence.name), ("anchor", ANCHOR, evidence.anchor)):
        for host, image in rows.items():
            if host >= found.switches and image >= plan.switches:
                weights[host][image] += weight
                why[host, image].insert(0, kind)
    total = {host: len(at[host]) + NAME * (host in evidence.name) + ANCHOR * (host in evidence.anchor) for host in weights}
    named = {(host, image) for host, image in why if why[host, image][0] != "place"}
    ranked = sorted(
        ((weight, (host, image) in named, -host, image) for host, images in weights.items() for image, weight in images.items()),
        reverse=True,
    )
    chosen: dict[int, tuple[int, float, str]] = {}
    taken: dict[int, int] = defaultdict(int)
    for weight, _, minus, image in ranked:
        host = -minus
        # Adapters of one host that answer without a name are devices of their own.
        room = len(plan.host_ends.get(image, ())) if (host, image) not in named else 1
        if host in chosen or (taken[image] >= max(1, room)):
            continue
        chosen[host] = (image, min(1.0, weight / total[host]), " and ".join(why[host, image]))
        taken[image] += max(1, len(at[host]))
    _left_over(plan, at, evidence, chosen, taken)
    return chosen


def _left_over(
    plan: Planned, at: dict[int, list[int]], evidence: Evidence, chosen: dict[int, tuple[int, float, str]], taken: dict[int, int]
) -> None:
    """Give hosts without a name the hosts that are missing at their switch, in the order of ports."""
    missing: dict[int, list[int]] = defaultdict(list)
    for image, ends in plan.host_ends.items():
        if not taken[image]:
            for switch in dict.fromkeys(end[1] for end in ends):
                missing[switch].append(image)
    for host, switches in at.items():
        if host in chosen or host in evidence.name:
            continue
        free = [image for switch in switches for image in missing[switch] if not taken[image]]
        if free:
            chosen[host] = (free[0], 1 / (1 + len(free)), "place")
            taken[free[0]] += 1
