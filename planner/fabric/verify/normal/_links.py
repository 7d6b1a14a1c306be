"""Which claims are links: claims of both ends before those of one, measurements before records, each port once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from planner.fabric.verify.found import HOST, Contradiction, Place, Port, Scan
from planner.fabric.verify.normal._boxes import Boxes
from planner.fabric.verify.normal._claims import Claim, Claims, Pair


@dataclass
class Chosen:
    """Claims that are links, contradictions, counts for notes, and boxes whose list of neighbors is not complete."""

    links: list[Claim] = field(default_factory=list)
    contradictions: list[Contradiction] = field(default_factory=list)
    several: int = 0
    one_sided: int = 0
    overruled: int = 0
    partial: dict[str, tuple[int, int]] = field(default_factory=dict)


class _Chooser:
    def __init__(self, scans: Sequence[Scan], boxes: Boxes, claims: Claims, answering: frozenset[str]) -> None:
        self.scans, self.boxes, self.claims, self.answering = scans, boxes, claims, answering
        self.chosen = Chosen()
        self.taken: dict[Place, Claim] = {}
        self.own_far: dict[Place, set[Place]] = defaultdict(set)

    def choose(self) -> Chosen:
        """Return the links."""
        if self.claims.open:
            self._pair_open()
        shared = Counter(place for pair in self.claims.links for place in pair)
        links = []
        for claim in self.claims.links.values():
            a, b = claim.pair
            if claim.measured and claim.mutual and shared[a] == 1 == shared[b] and a.port and b.port:
                self._take(claim)
            else:
                links.append(claim)
                if claim.sides & 1:
                    self.own_far[a].add(b)
                if claim.sides & 2:
                    self.own_far[b].add(a)
        links.sort(key=self._rank)
        losers = [claim for claim in links if claim.measured and claim.mutual and not self._take(claim)]
        single = [claim for claim in links if claim.measured and not claim.mutual]
        single, lost = self._undoubted(single)
        losers += lost
        losers += [claim for claim in single if not self._take(claim)]
        for claim in losers:
            self._contradict(claim)
        for claim in links:
            if not claim.measured:
                self._record(claim)
        self.chosen.links.sort(key=lambda claim: claim.pair)
        return self.chosen

    def _rank(self, claim: Claim) -> tuple:
        """Sort claims: known ports, both ends, newest file, number of files, last name of a file, youngest entry."""
        files = sorted(((self.scans[number].taken, self.scans[number].file) for number in claim.scans), reverse=True)
        newest, last = files[0]
        named = sum(bool(self.boxes.devices[place.device].name) for place in claim.pair)
        age = -1 if claim.age_s is None else claim.age_s
        known = sum(place.port > 0 for place in claim.pair)
        return (-known, not claim.mutual, _Down(newest), -len(files), -named, _Down(last), age, claim.pair)

    def _take(self, claim: Claim) -> bool:
        """Accept a claim if both of its ports are free."""
        places = [place for place in claim.pair if place.port]
        if any(place in self.taken for place in places):
            return False
        for place in places:
            self.taken[place] = claim
        self.chosen.links.append(claim)
        return True

    def _undoubted(self, single: list[Claim]) -> tuple[list[Claim], list[Claim]]:
        """Divide claims of one end: those that count, and those that the other end contradicts by what it lists."""
        kept, lost, silent_about = [], [], []
        missing: Counter[str] = Counter()
        for claim in single:
            a, b = claim.pair
            own, far = (a, b) if claim.sides & 1 else (b, a)
            if (
                own in self.taken
                or far in self.taken
                or (far in self.own_far and own not in self.own_far[far])
                or far in self.claims.down
            ):
                lost.append(claim)
            elif far in self.claims.management:
                # Lists of neighbors leave out the port over which they are collected.
                kept.append(claim)
            elif far.device in self.answering and self.boxes.devices[far.device].kind != HOST:
                silent_about.append(claim)
                missing[far.device] += 1
            else:
                kept.append(claim)
        listed = self._listed() if silent_about else Counter()
        widespread = not self.chosen.links or len(silent_about) > max(3, 0.25 * (len(self.chosen.links) + len(single)))
        for claim in silent_about:
            a, b = claim.pair
            far = b if claim.sides & 1 else a
            count, known = missing[far.device], listed[far.device]
            if not known or (count >= 3 and 4 * count >= count + known):
                self.chosen.partial[far.device] = (known, known + count)
            if widespread or far.device in self.chosen.partial:
                kept.append(claim)
                self.chosen.one_sided += 1
            else:
                lost.append(claim)
        kept.sort(key=self._rank)
        return kept, lost

    def _listed(self) -> Counter[str]:
        """Return the number of ports with a neighbor that each box lists."""
        listed = Counter(place.device for place in self.own_far)
        listed.update(place.device for claim in self.chosen.links for place in claim.pair if place not in self.own_far)
        return listed

    def _contradict(self, claim: Claim) -> None:
        """List a claim that is not a link, unless it is one of several neighbors of a port that is known otherwise."""
        a, b = claim.pair
        winners = [self.taken[place] for place in claim.pair if place in self.taken]
        if any({place.device for place in other.pair} == {a.device, b.device} for other in winners):
            self.chosen.several += 1
            return
        own, far = (a, b) if claim.sides & 1 else (b, a)
        if not claim.mutual and own in self.taken and far not in self.taken and far.device not in self.answering:
            self.chosen.several += 1
            return
        files = tuple(sorted({self.scans[number].file for entry in (claim, *winners) for number in entry.scans}))
        ports = tuple(Port(place.device, str(place.port)) for place in claim.pair)
        if claim.mutual:
            text = f"{self._said(claim)}, but {' and '.join(self._said(other) for other in winners)}: the latter is used"
            self.chosen.contradictions.append(Contradiction("contradiction", text, files, ports))
            return
        why = f"{self._name(far)} does not list it"
        if far in self.taken:
            why = " and ".join(self._said(other) for other in winners)
        elif far in self.claims.down:
            why = f"{self._name(far)} is {self.claims.down[far]}"
        elif winners:
            why = " and ".join(self._said(other) for other in winners)
        text = f"only {self._name(own)} lists {self._name(far)} as its neighbor ({self._files(claim)}), but {why}: not used"
        self.chosen.contradictions.append(Contradiction("stale", text, files, ports))

    def _record(self, claim: Claim) -> None:
        """Take a link of a record where nothing was measured; count what measurements overrule."""
        a, b = claim.pair
        winners = [self.taken[place] for place in claim.pair if place in self.taken]
        if any(winner.measured for winner in winners) or any(place in self.claims.down for place in claim.pair):
            self.chosen.overruled += all(winner.pair != claim.pair for winner in winners)
        elif a.device in self.claims.heard or b.device in self.claims.heard:
            self.chosen.overruled += 1
        elif not self._take(claim):
            self._contradict(claim)

    def _pair_open(self) -> None:
        """Complete claims that name only the device at the far end, by the claims of that device."""
        ports: dict[Pair, list[Claim]] = defaultdict(list)
        for pair, claim in self.claims.links.items():
            a, b = pair
            for own, far, side in ((a, b, 1), (b, a, 2)):
                if (
                    not far.port
                    and own.port
                    and own.device != far.device
                    and claim.sides & side
                    and self.boxes.devices[far.device].kind != HOST
                ):
                    ports[Place(own.device, 0), Place(far.device, 0)].append(claim)
        known = {(place, other.device) for pair in self.claims.links for place, other in (pair, pair[::-1]) if other.port}
        explicit: dict[Place, list[tuple[Pair, Claim]]] = defaultdict(list)
        for pair, claim in self.claims.links.items():
            if pair[0].port and pair[1].port:
                explicit[pair[0]].append((pair, claim))
                explicit[pair[1]].append((pair, claim))
        done = set()
        for (one, two), claims in sorted(ports.items()):
            if (two, one) in done:
                continue
            done.add((one, two))
            mine = sorted(_own(claim, one.device) for claim in claims)
            theirs = sorted(_own(claim, two.device) for claim in ports.get((two, one), ()))
            for place in (*mine, *theirs):
                other = two if place in mine else one
                if (place, other.device) in known:
                    self._forget(place, other)
                    for pair, claim in explicit[place]:
                        if other.device in (pair[0].device, pair[1].device):
                            claim.sides |= 1 if pair[0] == place else 2
            mine = [place for place in mine if (place, two.device) not in known]
            theirs = [place for place in theirs if (place, one.device) not in known]
            if len(mine) == len(theirs):
                for place, other in zip(mine, theirs, strict=True):
                    self._merge(place, other)

    def _forget(self, place: Place, other: Place) -> Claim:
        pair = (place, other) if place <= other else (other, place)
        return self.claims.links.pop(pair)

    def _merge(self, place: Place, other: Place) -> None:
        one = self._forget(place, Place(other.device, 0))
        two = self._forget(other, Place(place.device, 0))
        pair = (place, other) if place <= other else (other, place)
        first, second = (one, two) if pair[0] == place else (two, one)
        texts = (_text(first, pair[0]), _text(second, pair[1]))
        self.claims.links[pair] = Claim(
            pair,
            3,
            one.whole or two.whole,
            one.measured or two.measured,
            one.scans | two.scans,
            texts,
            min(filter(None, (one.width, two.width)), default=0),
            one.speed or two.speed,
            one.slow or two.slow,
            one.planes | two.planes,
            one.age_s,
        )

    def _name(self, place: Place) -> str:
        device = self.boxes.devices[place.device]
        name = device.name or self.boxes.described.get(place.device) or place.device
        return f"{name[:60]} port {place.port or '?'}"

    def _said(self, claim: Claim) -> str:
        return f"{self._name(claim.pair[0])} is joined to {self._name(claim.pair[1])} ({self._files(claim)})"

    def _files(self, claim: Claim) -> str:
        return ", ".join(sorted({self.scans[number].file for number in claim.scans})[:2])


def _own(claim: Claim, device: str) -> Place:
    return claim.pair[0] if claim.pair[0].device == device and claim.pair[0].port else claim.pair[1]


def _text(claim: Claim, place: Place) -> str:
    return claim.texts[claim.pair.index(place)]


class _Down(str):
    """Text that sorts backwards."""

    def __lt__(self, other: str) -> bool:
        return str.__gt__(self, other)


def chosen(scans: Sequence[Scan], boxes: Boxes, claims: Claims, answering: frozenset[str]) -> Chosen:
    """Return the links among the claims, and what contradicts them."""
    return _Chooser(scans, boxes, claims, answering).choose()
