"""Identities of switches: evidence and votes first, hypotheses where they do not suffice, symmetries of the plan last."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from planner.core.progress import Progress
from planner.fabric.verify.identify._evidence import ANCHOR, LOOSE, Evidence
from planner.fabric.verify.identify._hypotheses import Spread, candidates, components, symmetries
from planner.fabric.verify.identify._tables import Planned, Seen
from planner.fabric.verify.identify._votes import Votes, settled

_EXPLAINED = 0.8
"""Share of the links of a component that evidence and votes must explain, or hypotheses are tried."""
_CLEAR = 0.3
"""Share of links that the best hypothesis of a root has before votes; below, other roots are tried."""
_ROOTS = 4
_TRIED = 4
"""Hypotheses of a root on which votes are cast."""
_NEAR = 0.7
"""Share of the links of the best hypothesis that others need for votes."""
_HABIT = 1.0
"""Maximum weight of the order of the adapters of all hosts of a switch."""
_FIXED = 100
"""What anchors weigh more where ports have no numbers: all else grows from them."""
CANDIDATES = 4_000
"""Maximum number of hypotheses of a root: the planned switches with the largest number of equal far ports."""


@dataclass(frozen=True)
class Switches:
    """Images of found switches.

    Attributes
    ----------
    mapping
        Planned switch of each found one, S for none, int64 (F,).
    every, tied
        Mappings of the plan to itself, and those of them that agree with all evidence as well as the chosen one,
        int32 (t, S + 1).
    symmetries
        Number of mappings of the plan to itself.
    margin
        Share of links of the next-best hypothesis; 0 without.
    """

    mapping: np.ndarray
    votes: Votes
    every: np.ndarray
    tied: np.ndarray
    symmetries: int
    margin: float = 0.0


def switches(
    plan: Planned, found: Seen, evidence: Evidence, order: dict[int, list[int]], numbered: bool, progress: Progress
) -> Switches:
    """Return which planned switch each found one is.

    Parameters
    ----------
    order
        By found host, its ports in the order of its adapters.
    """
    rows = [row for row in evidence.weights() if row[0] < found.switches and row[1] < plan.switches]
    if not numbered:
        rows = [(device, image, weight * _FIXED if weight == ANCHOR else weight) for device, image, weight in rows]
    rows += _host_votes(plan, found, evidence, order, numbered)
    device, image, weight = (np.array(column) for column in zip(*rows, strict=True)) if rows else (np.zeros(0),) * 3
    votes = Votes(plan, found, (device.astype(np.int64), image.astype(np.int64), weight.astype(float)), numbered)
    mapping = np.full(found.switches, plan.switches)
    if rows:
        mapping = _first(votes, mapping)
        mapping = settled(votes, mapping)
    margin = 0.0
    if numbered:
        parts = components(found.ends, found.switches)
        for done, part in enumerate(parts):
            progress("identify", done, len(parts))
            if len(part) > 1 and _share(votes, mapping, part) < _EXPLAINED:
                mapping, margin = _by_hypotheses(votes, mapping, part, margin)
        mapping = _spread_again(votes, mapping)
    mapping = _without_doubt(votes, mapping)
    count, every = symmetries(plan) if numbered else (0, np.arange(plan.switches + 1, dtype=np.int32)[None])
    agreeing = (every[:, mapping[votes.evidence[0]]] == votes.evidence[1]) @ votes.evidence[2]
    best = every[np.argmax(agreeing)]
    tied = every[agreeing >= agreeing.max() - 1e-9]
    # The tied mappings as mappings of the chosen one, whose own row is then the identity.
    return Switches(best[mapping].astype(np.int64), votes, every, tied[:, np.argsort(best)], count, margin)


def _first(votes: Votes, mapping: np.ndarray) -> np.ndarray:
    """Return the mapping by evidence alone: the image of maximum weight; none at ties."""
    device, image, weight = votes._summed(*votes.evidence)
    order = np.lexsort((weight, device))
    last = np.flatnonzero(np.diff(device[order], append=-1))
    before = np.maximum(last - 1, 0)
    tie = (last > 0) & (device[order[before]] == device[order[last]]) & (weight[order[before]] >= weight[order[last]] - 1e-9)
    now = mapping.copy()
    now[device[order[last[~tie]]]] = image[order[last[~tie]]]
    if votes.numbered:
        return now
    # Without port numbers an image must be unique before others lean on it.
    times = np.bincount(now, minlength=votes.none + 1)
    return np.where(times[now] == 1, now, votes.none)


def _host_votes(
    plan: Planned, found: Seen, evidence: Evidence, order: dict[int, list[int]], numbered: bool
) -> list[tuple[int, int, float]]:
    """Return the votes of the names of hosts for their switches: found switch, planned switch, weight."""
    rows = []
    ordered: dict[tuple[int, int], float] = defaultdict(float)
    for switch, port, host, own in found.host_links:
        image = evidence.anchor.get(host, evidence.name.get(host))
        ends = plan.host_ends.get(image, []) if image is not None else []
        if not ends:
            continue
        fitting = [end for end in ends if end[2] == port] if numbered else ends
        ranked = order.get(host, [])
        if len(ends) == len(ranked) > 1:
            # The adapters in their order are the ports in theirs: half of the vote, since rails may be exchanged.
            _, far, far_port = ends[ranked.index(own)]
            ordered[switch, far] += 0.5 if far_port == port or not numbered else LOOSE / 2
            rows += [(switch, end[1], 0.5 / len(fitting)) for end in fitting]
        elif fitting:
            rows += [(switch, end[1], 1 / len(fitting)) for end in fitting]
        else:
            rows += [(switch, end[1], LOOSE / len(ends)) for end in ends]
    # How adapters are named is one habit of all hosts: it weighs less than the name of the switch.
    return rows + [(switch, far, min(weight, _HABIT)) for (switch, far), weight in ordered.items()]


def _share(votes: Votes, mapping: np.ndarray, part: np.ndarray) -> float:
    mine = np.isin(votes.found.ends.device, part)
    return float(votes.fits(mapping)[mine].mean())


def _by_hypotheses(votes: Votes, mapping: np.ndarray, part: np.ndarray, margin: float) -> tuple[np.ndarray, float]:
    """Return the best mapping of a component, of the present one and hypotheses, and the share of the next best."""
    ends, none = votes.found.ends, votes.none
    inside = np.zeros(len(mapping), bool)
    inside[part] = True
    degree = np.bincount(ends.device[inside[ends.device]], minlength=len(mapping))
    scored = [(votes.score(mapping), mapping)]
    without = np.where(inside, none, mapping)
    for root in part[np.argsort(-degree[part], kind="stable")][:_ROOTS].tolist():
        every = candidates(votes.plan, ends, root, without[without < none])[:CANDIDATES]
        if not len(every):
            break
        spread = Spread(votes.plan, ends, len(mapping), root)
        shares = spread.scores(every)
        order = np.argsort(-shares, kind="stable")
        for index in order[:_TRIED].tolist():
            if shares[index] < _NEAR * shares[order[0]] or not shares[index]:
                break
            tried = settled(votes, np.where(inside, spread.mapping(int(every[index])), mapping))
            scored.append((votes.score(tried), tried))
        if shares[order[0]] >= _CLEAR:
            break
    scored.sort(key=lambda pair: -pair[0])
    best = scored[0]
    others = [score for score, other in scored[1:] if not np.array_equal(other, best[1])]
    return best[1], max([margin, *(score / best[0] for score in others if best[0])])


def _spread_again(votes: Votes, mapping: np.ndarray) -> np.ndarray:
    """Return a better mapping, if links carry one from switches that are sure to those that are contested.

    Votes of neighbors keep a whole group, such as a pod of a tree, in the place of another; its links to the rest contest it.
    """
    contested = {device for device, _ in votes.rivals(mapping)}
    if not contested:
        return mapping
    ends = votes.found.ends
    fit = np.bincount(ends.device, votes.fits(mapping), len(mapping))
    wrong = np.bincount(ends.device, minlength=len(mapping)) - fit
    sure = np.flatnonzero((mapping < votes.none) & (fit > 0))
    sure = sure[np.lexsort((-fit[sure], wrong[sure]))]
    best, best_score = mapping, votes.score(mapping)
    # Roots from all of the sure ones: contested groups are often near each other.
    for root in sure[:: max(1, len(sure) // (2 * _ROOTS))][:_ROOTS].tolist():
        spread = Spread(votes.plan, ends, len(mapping), root)
        inside = np.zeros(len(mapping), bool)
        inside[spread.members] = True
        tried = settled(votes, np.where(inside, spread.mapping(int(mapping[root])), mapping))
        score = votes.score(tried)
        if score > best_score:
            best, best_score = tried, score
    return best


def _without_doubt(votes: Votes, mapping: np.ndarray) -> np.ndarray:
    """Drop images that neither a quarter of the links support, nor the far ports of half of them, nor evidence."""
    fit = np.bincount(votes.found.ends.device, votes.fits(mapping), len(mapping))
    links = np.bincount(votes.found.ends.device, minlength=len(mapping))
    device, image, weight = votes.evidence
    backed = np.bincount(device, weight * (mapping[device] == image), len(mapping)) >= 0.5
    near = np.bincount(votes.found.ends.device, votes.near(mapping), len(mapping))
    kept = np.where(backed | ((near > 0) & ((fit * 4 >= links) | (near * 2 >= links))), mapping, votes.none)
    lone_found, lone_planned = np.flatnonzero(kept == votes.none), np.setdiff1d(np.arange(votes.none), kept)
    if len(lone_found) == len(lone_planned) == 1 and not links[lone_found[0]]:
        kept[lone_found[0]] = lone_planned[0]
    return kept
