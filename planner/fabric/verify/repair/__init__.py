"""The minimum of plug moves that turns the fabric as found into the plan, and the order in which a crew makes them.

Every component of the difference is mended by itself. With B wrong links and S surplus chains the minimum is B - S moves: each
wrong cable keeps one plug in place, and one cable of every surplus chain is taken out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from planner.fabric.verify.compare import Difference, sorted_pair
from planner.fabric.verify.repair._exchange import exchanged
from planner.fabric.verify.repair._findings import Findings
from planner.fabric.verify.repair._instructions import Crews, instructions
from planner.fabric.verify.repair._jobs import Job, jobs
from planner.fabric.verify.repair._order import by_cabinet, connected
from planner.fabric.verify.repair._readings import Judge
from planner.fabric.verify.repair._site import Site
from planner.fabric.verify.result import Addition, Evidence, Finding, Joined, Located, Move, Plugged, Removal
from planner.view.schedule import Connection

__all__ = ["Repair", "applied", "flipped", "repaired"]


@dataclass(frozen=True)
class Repair:
    """What mends the fabric.

    Attributes
    ----------
    moves
        Plug moves in the order of work.
    removals
        Cables that are one too many; each is taken out before the moves of its component.
    additions
        Links to put in or to revive, after the moves.
    findings
        All findings about links.
    suggestions
        Cables to take out that may serve as missing ones, in words.
    notes
        What the order cannot avoid.
    turned
        Components whose reading is another than the best, counted from it.
    """

    moves: list[Move]
    removals: list[Removal]
    additions: list[Addition]
    findings: list[Finding]
    suggestions: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    turned: Mapping[int, int] = field(default_factory=dict)


def repaired(
    difference: Difference,
    schedule: Sequence[Connection],
    evidence: Evidence | None = None,
    *,
    cabinets: Sequence[str] = (),
    crews: int = 1,
    turned: Mapping[int, int] | None = None,
) -> Repair:
    """Return the moves that mend a difference, in order, with all findings about links.

    Parameters
    ----------
    evidence
        What plugs, labels and serial numbers state about single cables.
    cabinets
        Names of cabinets in the order in which they are visited; others follow by name.
    crews
        Number of crews: each works on consecutive cabinets with about the same number of moves.
    turned
        By component, how far from the best its reading is: 1 after a scan that contradicts the first one. See `flipped`.
    """
    evidence, turned = evidence or Evidence(), dict(turned or {})
    site = Site.of(schedule, cabinets)
    judge = Judge(difference, site, evidence)
    listed = exchanged(jobs(difference.components, judge, turned), judge)
    order, dividing = connected(
        by_cabinet((job for job in listed if job.reading.steps or job.reading.removed), site),
        difference.located.links.keys() - set(difference.wrong),
        site.place.keys() - site.nodes - site.single,
    )
    moves = instructions(order, judge, Crews(crews, site))
    orders: dict[int, list[int]] = defaultdict(list)
    for move in moves:
        orders[move.component].append(move.order)
    texts = Findings(difference, site, evidence)
    findings = [found for job in order for found in texts.of_job(job, tuple(orders[job.number]))]
    additions = _additions(listed, difference, site, texts)
    findings += [texts.of_missing(one.ports, tuple(orders[one.component])) for one in additions]
    findings += texts.others()
    removals = _removals(order, difference, evidence)
    notes = _notes(dividing, site)
    return Repair(moves, removals, additions, findings, _suggestions(removals, additions, difference, evidence), notes, turned)


def flipped(
    repair: Repair,
    component: int,
    difference: Difference,
    schedule: Sequence[Connection],
    evidence: Evidence | None = None,
    *,
    cabinets: Sequence[str] = (),
    crews: int = 1,
) -> Repair:
    """Return a repair with the next reading of a component, after a scan that contradicts the present one."""
    turned = {**repair.turned, component: repair.turned.get(component, 0) + 1}
    return repaired(difference, schedule, evidence, cabinets=cabinets, crews=crews, turned=turned)


def _notes(dividing: Sequence[Job] | None, site: Site) -> list[str]:
    if dividing is None:
        return ["Too many links are wrong to check whether the network stays connected during the work."]
    places = [site.written(job.components[0].ports[0] if job.components else job.reading.steps[0].source) for job in dividing]
    return [f"Work on {place} divides the network: no order avoids it." for place in places]


def _removals(order: Sequence[Job], difference: Difference, evidence: Evidence) -> list[Removal]:
    found = []
    for job in order:
        links = [sorted_pair(*lane.removed) for lane in job.lanes if lane.removed]
        if links:
            known = next((evidence.cable[port][0] for link in links for port in link if port in evidence.cable), 0)
            found.append(Removal(links[0], known, job.number, tuple(links[1:])))
    return found + [Removal((port, Plugged(other, 0))) for port, other in sorted(difference.foreign.items())]


def _additions(listed: Sequence[Job], difference: Difference, site: Site, texts: Findings) -> list[Addition]:
    """Return the missing links, those of one cable together."""
    found = []
    for job in listed:
        links = [sorted_pair(*lane.missing) for lane in job.lanes if lane.missing and difference.is_chosen(lane.missing[0])]
        if not links:
            continue
        # Of a splitter cable a single branch may be out.
        piece = difference.row[links[0][0]][0].piece
        whole = len(links) == site.links[piece]
        for link in links[:1] if whole else links:
            kind, why = texts.missing(link)
            number = difference.row[link[0]][0].number
            found.append(Addition(number, link, f"{kind}: {why}", job.number, tuple(links[1:]) if whole else ()))
    return sorted(found, key=lambda one: one.cable)


def applied(located: Located, moves: Sequence[Move], removals: Sequence[Removal], additions: Sequence[Addition]) -> Located:
    """Return the fabric after cables are taken out, plugs moved and missing links put in.

    Raises
    ------
    ValueError
        When a move begins at a port without a link, or two plugs would be in one port.
    """
    gone = {sorted_pair(*link) for one in removals for link in (one.ports, *one.lanes)}
    links = [link for link in located.links if link not in gone]
    to: dict[Plugged, Plugged] = {}
    for move in moves:
        for source, target in ((move.from_port, move.to_port), *move.lanes):
            to[Plugged(move.device, source)] = Plugged(move.to_device, target)
    if len(to) != sum(1 + len(move.lanes) for move in moves) or not to.keys() <= {port for link in links for port in link}:
        raise ValueError("a move begins at a port without a link, or at the port of another move")
    made: list[Joined] = [sorted_pair(to.get(a, a), to.get(b, b)) for a, b in links]
    made += [sorted_pair(*link) for one in additions for link in (one.ports, *one.lanes)]
    ports = {port for link in made for port in link}
    if len(ports) != 2 * len(made):
        raise ValueError("two plugs would be in one port")
    before = {port for link in located.links for port in link}
    dark = {port: state for port, state in located.dark.items() if port not in ports} | dict.fromkeys(before - ports, "down")
    removed = {port for one in removals for port in one.ports}
    foreign = [(port, text) for port, text in located.foreign if port not in removed]
    slow = {link: reason for link, reason in located.slow.items() if link in set(made)}
    return replace(located, links=dict.fromkeys(made, ""), dark=dark, foreign=foreign, slow=slow)


def _suggestions(
    removals: Sequence[Removal], additions: Sequence[Addition], difference: Difference, evidence: Evidence
) -> list[str]:
    """Return for each cable to take out the missing link that it may serve: two plug moves instead of a new cable.

    A cable that is known to be the planned one goes first, then the longest link that it can serve.
    """
    row = difference.row
    left = [one for one in additions if one.what.startswith("missing")]
    left.sort(key=lambda one: (-row[one.ports[0]][0].run_mm, one.cable))
    found = []
    for removal in removals:
        if any(port.port == 0 for port in removal.ports):
            continue
        length = next((evidence.reach_mm[port] for port in removal.ports if port in evidence.reach_mm), None)
        for one in left:
            planned = row[one.ports[0]][0]
            fits = one.cable == removal.cable or (removal.cable == 0 and (length is None or length >= planned.run_mm))
            if fits and len(one.lanes) == len(removal.lanes):
                left.remove(one)
                (a, b), known = removal.ports, bool(removal.cable) or length is not None
                condition = "" if known else f" if it is {planned.part} and at least {planned.run_mm / 1000:g} m long"
                text = (
                    f"The cable between {a.device} port {a.port} and {b.device} port {b.port} may serve as cable {planned.number}"
                )
                found.append(f"{text}{condition}: two plug moves instead of a new cable.")
                break
    return found
