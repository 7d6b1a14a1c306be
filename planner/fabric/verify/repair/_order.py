"""Order of jobs: cabinet by cabinet, with the network connected at every step where that is possible."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from planner.fabric.verify.repair._jobs import Job
from planner.fabric.verify.repair._site import Site
from planner.fabric.verify.result import Joined, Plugged

_MAX_STATES = 2_000
"""Maximum number of partial orders that are tried where right links alone do not connect the network."""
_MAX_LINKS = 2_000_000
"""Maximum number of links at all moments of all jobs for such a search."""


def by_cabinet(jobs: Iterable[Job], site: Site) -> list[Job]:
    """Sort jobs by the first and last cabinet where plugs move, so that each cabinet and pair of cabinets is visited once."""

    def key(job: Job) -> tuple[object, ...]:
        ports = [port for step in job.reading.steps for port in step[:2]] or list(
            job.reading.removed or job.reading.missing or ()
        )
        ranks = sorted(site.rank.get(site.cabinet(port), -1) for port in ports)
        return ranks[0], ranks[-1], -max(site.unit(port) for port in ports), min(ports)

    return sorted(jobs, key=key)


class _Sets:
    """Disjoint sets of names, and their number."""

    def __init__(self, names: Iterable[str]) -> None:
        self.parent = {name: name for name in names}
        self.count = len(self.parent)

    def find(self, name: str) -> str:
        root = name
        while (above := self.parent[root]) != root:
            root = above
        while name != root:
            self.parent[name], name = root, self.parent[name]
        return root

    def join(self, links: Iterable[tuple[str, str]]) -> None:
        """Join the sets of both names of each link, until there is one."""
        for one, other in links:
            a, b = self.find(one), self.find(other)
            self.parent[a] = b
            self.count -= a != b
            if self.count == 1:
                return


Pairs = frozenset[tuple[str, str]]


def connected(jobs: Sequence[Job], right: Iterable[Joined], devices: Collection[str]) -> tuple[list[Job], list[Job] | None]:
    """Return the jobs in an order that never divides the network further, and those that divide it in every order tried.

    The network is that of the given devices. Links that are right stay up; if they connect it, any order does. Otherwise what
    they connect is one point, and partial orders are searched depth-first, in the given order; None instead of the jobs that
    divide it if too many links are wrong for a search.
    """
    sets = _Sets(devices)
    sets.join((a.device, b.device) for a, b in right if a.device in devices and b.device in devices)
    if sets.count <= 1:
        return list(jobs), []
    if sum(len(job.reading.steps) * len(job.up) for job in jobs) > _MAX_LINKS:
        return list(jobs), None

    def points(links: Iterable[Joined]) -> Pairs:
        ends = [(a.device, b.device) for a, b in links if a.device in devices and b.device in devices]
        return frozenset((sets.find(a), sets.find(b)) for a, b in ends)

    moments = [[points(links) for links in _moments(job)] for job in jobs]
    names = {sets.find(name) for name in devices}
    critical = [number for number, states in enumerate(moments) if any(a != b for links in states for a, b in links)]
    order, dividing = _search(critical, moments, names)
    following = iter(order)
    places = set(critical)
    return [jobs[next(following) if number in places else number] for number in range(len(jobs))], [jobs[n] for n in dividing]


def _moments(job: Job) -> list[list[Joined]]:
    """Return the links of a job that are up before it, at each moment of it, and after it."""
    up = {link: None for component in job.components for link in map(frozenset, component.wrong)}
    found = []

    def record() -> None:
        found.append([(min(link), max(link)) for link in up])

    def pull(links: Iterable[frozenset[Plugged]]) -> None:
        for link in links:
            up.pop(link, None)
        record()

    record()
    pull(frozenset(lane.removed) for lane in job.lanes if lane.removed)
    steps = list(zip(*(lane.steps for lane in job.lanes), strict=True))
    for lanes in steps:
        pull(frozenset((step.source, step.kept)) for step in lanes)
        if not (job.holds and lanes is steps[0]):
            up.update(dict.fromkeys(frozenset((step.target, step.kept)) for step in lanes))
    if job.holds:
        up.update(dict.fromkeys(frozenset((step.target, step.kept)) for step in steps[0]))
    record()
    return found


def _search(critical: Sequence[int], moments: Sequence[Sequence[Pairs]], names: set[str]) -> tuple[list[int], list[int]]:
    """Return an order of the critical jobs, and those of them that divide the network."""
    budget = _MAX_STATES
    failed: set[frozenset[int]] = set()
    longest: list[int] = []

    def classes(done: set[int], during: int | None = None, moment: Pairs = frozenset()) -> int:
        sets = _Sets(names)
        for number in critical:
            if number != during:
                sets.join(moments[number][-1 if number in done else 0])
        sets.join(moment)
        return sets.count

    def safe(number: int, done: set[int]) -> bool:
        before = classes(done)
        return all(classes(done, number, moment) <= before for moment in moments[number])

    dividing: list[int] = []
    order: list[int] = []
    while len(order) < len(critical):
        # Depth-first with an explicit stack of candidates: the best prefix is kept if the search runs out of states.
        stack = [iter([number for number in critical if number not in order])]
        base = len(order)
        longest = list(order)
        while stack and len(order) < len(critical) and budget > 0:
            number = next(stack[-1], None)
            if number is None:
                failed.add(frozenset(order))
                stack.pop()
                if len(order) > base:
                    order.pop()
                continue
            budget -= 1
            if frozenset((*order, number)) in failed or not safe(number, set(order)):
                continue
            order.append(number)
            longest = max(longest, list(order), key=len)
            stack.append(iter([other for other in critical if other not in order]))
        if len(order) < len(critical):
            order = longest
            rest = [number for number in critical if number not in order]
            dividing.append(rest[0])
            order.append(rest[0])
    return order, dividing
