"""Identities of all devices of a fabric, with their certainty, and what a scan at the rack would settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from planner.core.progress import Progress, silent
from planner.fabric.verify.found import Fabric
from planner.fabric.verify.identify import _doubt
from planner.fabric.verify.identify._evidence import Evidence, collected
from planner.fabric.verify.identify._hosts import adapters_in_order, hosts
from planner.fabric.verify.identify._switches import Switches, switches
from planner.fabric.verify.identify._tables import Planned, Seen, planned, seen
from planner.fabric.verify.result import Identified, Identity
from planner.view.schedule import Connection

_FAMILIAR = 0.5
"""Share of the names that the plan must have before a name that it lacks is reported."""


def identify(
    fabric: Fabric,
    schedule: Sequence[Connection],
    *,
    names: Mapping[str, str] | None = None,
    anchors: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> Identity:
    """Return which planned device each found device is, by its links first.

    Parameters
    ----------
    names
        Names of devices by key, address, serial number or name as found: they replace the names that were found. Like these they
        are evidence that two links outweigh.
    anchors
        Planned devices by key, address, serial number or name as found, as scanned at the racks: evidence of more weight. Links
        outweigh an anchor too; this is then reported.

    Notes
    -----
    Names, anchors and names of hosts propose first places; each switch then takes the place that the majority of its
    neighbors propose, by the ports at both ends, until nothing changes. Where that explains less than 80 % of the links, one
    switch is taken as every planned one in turn, and links carry each hypothesis to all others: a mapping that keeps port
    numbers is fixed by the image of one device of a connected network. The best hypotheses are put to the same votes, and an
    assignment makes the result one-to-one. Without port numbers switches join by the neighbors they have in common with a
    planned one, which needs names or several anchors.
    """
    plan = planned(schedule)
    found = seen(fabric, plan)
    evidence = collected(fabric, found, plan, names or {}, anchors or {})
    order = adapters_in_order(fabric, found)
    result = switches(plan, found, evidence, order, fabric.numbered, progress)
    host_images = hosts(plan, found, result.mapping, evidence, fabric.numbered)
    of = _of(plan, found, evidence, result, host_images, fabric.numbered)
    images = {found.number[key]: plan.number[one.device.casefold()] for key, one in of.items()}
    groups = _doubt.groups(plan, result)
    notes = [*evidence.notes, *_doubt.notes(plan, found, evidence, result, of), *_doubt.scan(plan, schedule, result, groups)]
    renamed, unfamiliar = _renamed(plan, found, evidence, images)
    if unfamiliar:
        notes.append(unfamiliar)
    return Identity(
        of,
        renamed,
        [tuple(plan.names[number] for number in group) for group in groups],
        result.symmetries,
        [key for key in found.keys if key not in of],
        _swapped(plan, found, evidence, result.mapping, images),
        notes,
        _doubt.doubts(result),
    )


def _of(
    plan: Planned,
    found: Seen,
    evidence: Evidence,
    result: Switches,
    host_images: dict[int, tuple[int, float, str]],
    numbered: bool,
) -> dict[str, Identified]:
    votes, mapping = result.votes, result.mapping
    links = np.bincount(found.ends.device, minlength=found.switches)
    fit = np.bincount(found.ends.device, votes.fits(mapping), found.switches).astype(int)
    device, image, weight = votes.evidence
    # A link in its port at the far end and in another at this one counts half.
    near = np.bincount(found.ends.device, votes.near(mapping), found.switches)
    agreeing = (fit + near) / 2 + np.bincount(device, weight * (mapping[device] == image), found.switches)
    certain = agreeing / np.maximum(votes.degree, 1e-9)
    for group in _doubt.groups(plan, result):
        certain[np.isin(mapping, group)] /= len(group)
    links, fit = links.tolist(), fit.tolist()
    host_fit: dict[int, list[int]] = {}
    for switch, port, host, _ in found.host_links:
        right = host in host_images and _fits(plan, int(mapping[switch]), port, host_images[host][0], numbered)
        for one, count in ((switch, links), (host, None)):
            if count is not None:
                links[one] += 1
                fit[one] += right
            else:
                own = host_fit.setdefault(one, [0, 0])
                own[0] += right
                own[1] += 1
    of = {}
    for number, wanted in enumerate(mapping.tolist()):
        if wanted < plan.switches:
            why = [kind for kind, rows in (("anchor", evidence.anchor), ("name", evidence.name)) if rows.get(number) == wanted]
            why += ["links"] if fit[number] else []
            of[found.keys[number]] = Identified(
                found.keys[number],
                plan.names[wanted],
                round(min(1.0, float(certain[number])), 3) if links[number] or why else 0.5,
                " and ".join(why) or "place",
                fit[number],
                links[number],
            )
    for number, (wanted, sure, by) in host_images.items():
        own = host_fit.get(number, [0, 0])
        of[found.keys[number]] = Identified(found.keys[number], plan.names[wanted], round(sure, 3), by, own[0], own[1])
    return of


def _fits(plan: Planned, switch: int, port: int, host: int, numbered: bool) -> bool:
    if numbered:
        return int(plan.host[switch, port]) == host
    return any(end[1] == switch for end in plan.host_ends.get(host, ()))


def _renamed(plan: Planned, found: Seen, evidence: Evidence, images: dict[int, int]) -> tuple[list[tuple[str, str, str]], str]:
    """Return devices whose name is not their place, and a note where the majority of the names are not those of the plan."""
    other: list[tuple[str, str, str]] = []
    foreign: list[tuple[str, str, str]] = []
    familiar = 0
    for number, name in evidence.called.items():
        wanted = images.get(number)
        meant = evidence.name.get(number)
        familiar += meant is not None
        if wanted is None or meant == wanted or (plan.names[wanted] in evidence.doubled and meant is None):
            continue
        row = (found.keys[number], name, plan.names[wanted])
        known = meant is not None
        (other if known else foreign).append(row)
    if foreign and familiar < _FAMILIAR * len(evidence.called):
        text = f"{len(foreign):,} devices have names that the plan lacks: give the names with --names, or write the name map"
        return other, text
    return other + foreign, ""


def _swapped(
    plan: Planned, found: Seen, evidence: Evidence, mapping: np.ndarray, images: dict[int, int]
) -> list[tuple[str, str]]:
    """Return pairs of hosts each of which has all its links at the places of the other."""
    where: dict[int, set[int]] = {}
    for switch, port, host, _ in found.host_links:
        image = images.get(host)
        if image is not None and host in evidence.name:
            where.setdefault(image, set()).add(int(plan.host[int(mapping[switch]), port]))
    alone = {image: next(iter(at)) for image, at in where.items() if len(at) == 1}
    pairs = sorted(
        {(min(one, other), max(one, other)) for one, other in alone.items() if one != other and alone.get(other) == one}
    )
    return [(plan.names[one], plan.names[other]) for one, other in pairs if one >= plan.switches]
