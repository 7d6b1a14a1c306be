"""Ports as found: interface names, labels and numbers, and what number of a plan each can mean."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from planner.fabric.verify.normal._cages import Cages

_KNOWN = (
    r"swp|sw|port|p|ethernet|ethe|eth|et|etp|xe|ge|ae|e|lan|sfp|te|gi|hu|fo|twe|fourhundredgige|twohundredgige|hundredgige"
    r"|fortygige|twentyfivegige|tengige|gigabitethernet|hundredgigabitethernet|fourhundredgigabitethernet|fh|ib|cage|x"
)
_TEXT = re.compile(
    rf"^(?P<word>(?:{_KNOWN})?)(?P<gap>[ _-]?)(?P<nums>\d+(?:[/:]\d+){{0,3}})(?P<lane>s\d+|p\d+(?:s\d+)?|[a-h])?$", re.IGNORECASE
)
_BLADE = re.compile(r"^blade[ _]?(\d+)_port[ _]?(\d+)/(\d+)$", re.IGNORECASE)
_MANAGEMENT = re.compile(
    r"^(?:eth\d|mgmt-?(?:eth)?\d*|management[\d/]*|ma\d(?:/\d)?|fxp\d|em\d|me\d|vme|re\d:mgmt-?\d|oob\d*|bmc|ipmi|ilo|idrac|usb\d|lo\d?"
    r"|mgmteth[\d/rspcpu]+)$",
    re.IGNORECASE,
)


def is_number(text: str) -> bool:
    """Return whether a text is a number of at most nine digits."""
    return len(text) < 10 and text.isdecimal()


class Parsed(NamedTuple):
    """A port's text: its family (texts of one shape), its numbers from outside to inside, and whether lanes count from 0."""

    family: str
    numbers: tuple[int, ...]


@lru_cache(maxsize=1 << 16)
def parsed(text: str) -> Parsed | None:
    """Return the numbers in the text of a port; None for free text.

    >>> parsed("swp12"), parsed("Ethernet1/12"), parsed("swp6s1")
    (Parsed(family='swp#', numbers=(12,)), Parsed(family='ethernet#/#', numbers=(1, 12)), Parsed(family='swp#s#', numbers=(6, 1)))
    >>> parsed("Eth5(Port5)"), parsed("sfp2.665").numbers, parsed("uplink to R012"), parsed("R005")
    (Parsed(family='eth#', numbers=(5,)), (2,), None, None)
    """
    text = text.strip().strip('"').casefold()
    text = re.sub(r"\(.*\)$", "", text).strip()
    text = re.sub(r"(?<=\d)\.\d+$", "", text)
    if text.isdecimal():
        return Parsed("#", (int(text),)) if is_number(text) else None
    if (match := _BLADE.match(text)) and len(text) < 40:
        return Parsed("blade#_port#/#", tuple(map(int, match.groups())))
    if len(text) > 40 or not (match := _TEXT.match(text)):
        return None
    if re.search(r"\d{10}", text):
        return None
    numbers = [int(number) for number in re.findall(r"\d+", match["nums"])]
    lane = match["lane"] or ""
    numbers += [ord(lane) - ord("a") + 1] if lane.isalpha() else [int(number) for number in re.findall(r"\d+", lane)]
    if len(numbers) > 4:
        return None
    shape = re.sub(r"\d+", "#", match["nums"]) + ("a" if lane.isalpha() else re.sub(r"\d+", "#", lane))
    return Parsed(f"{match['word']}{shape}", tuple(numbers))


def is_management(text: str) -> bool:
    """Return whether a port of a switch is one for management.

    >>> [is_management(text) for text in ("eth0", "mgmt0", "Management1", "Eth1/1", "Ethernet0")]
    [True, True, True, False, False]
    """
    return bool(_MANAGEMENT.match(text.strip()))


class Rule(NamedTuple):
    """How texts of one family become numbers of a plan.

    `at` is the position of the port or cage, `offset` is added to it after division by `step`. With `lane` the number is that
    of a lane: `per_cage` ports in a cage, lanes counted from `lane_from`; with `split` a port of a cage is split once more.
    """

    at: int = -1
    offset: int = 0
    step: int = 1
    lane: bool = False
    per_cage: int = 1
    lane_from: int = 1
    split: bool = False

    def number(self, numbers: tuple[int, ...], cages: Cages | None = None) -> int:
        """Return the port of a plan, or 0 if the numbers cannot be read so; `cages` are those of a box where they differ."""
        if cages is not None:
            return self._in_cages(numbers, cages)
        if self.lane:
            cage, lane = numbers[self.at] + self.offset, numbers[-1] - self.lane_from + 1
            if self.split:
                lane = (numbers[-2] - 1) * 2 + lane if self.per_cage >= 4 else numbers[-2]
            return (cage - 1) * self.per_cage + lane if cage > 0 and 0 < lane <= self.per_cage else 0
        number, rest = divmod(numbers[self.at], self.step)
        return 0 if rest or number + self.offset < 1 else number + self.offset

    def _in_cages(self, numbers: tuple[int, ...], cages: Cages) -> int:
        cage = numbers[self.at] + self.offset
        if self.lane:
            return cages.port(cage, numbers[-1] - self.lane_from + 1)
        if self.step == 1:
            return cages.port(cage, 1)
        number, lane = divmod(numbers[self.at], self.step)
        return cages.port(number + self.offset, lane + 1, self.step)


def rules_of_cages(family: str) -> list[Rule]:
    """Return how a family of texts can be read at a box whose cages differ: by its cages."""
    if family.startswith("blade"):
        return []
    count = family.count("#") + family.endswith("a")
    bases = _bases(family)
    if count == 1:
        return _single(family)
    # A last number after a colon or an s is a lane; after a slash it may be the cage.
    first = [0, 1] if "s#" in family or (":#" in family and not family.startswith("#")) else [1, 0]
    lanes = [Rule(-2, base, lane=True, lane_from=start) for start in first for base in bases]
    return lanes if family[-2:] in ("s#", ":#") else [*lanes, *(Rule(-1, base) for base in bases)]


def rules_for(family: str, per_cage: tuple[int, ...]) -> list[Rule]:
    """Return how a family of texts can be read, the usual first; `per_cage` as the switches of the plan have them."""
    count = family.count("#") + family.endswith("a")
    several = [k for k in per_cage if k > 1]
    if count == 1:
        return _single(family)
    if family.startswith("blade"):
        return []
    if family in ("#/#/#/#", "sw#p#s#"):
        first = 1 if family.startswith("#") else 0
        return [Rule(-3, 0, 1, True, k, first, True) for k in several or (4,)] + [Rule(-3)]
    if "s#" in family or ":#" in family:
        # Aruba CX counts lanes from 1, all others from 0.
        first = 1 if family.startswith("#") else 0
        lanes = [Rule(-2, o, 1, True, k, first) for k in several or (4, 2, 8) for o in _bases(family)]
        return [*lanes, *(Rule(-2, o, 1, False) for o in _bases(family))]
    if "p#" in family or family.endswith("a"):
        return [Rule(-2, 0, 1, True, k) for k in several or (2, 4)] + [Rule(-2)]
    last = [Rule(-1, o) for o in _bases(family)]
    lanes = [Rule(-2, 0, 1, True, k) for k in several]
    cages = [Rule(-2), *(Rule(-2, 0, 1, True, k) for k in (2, 4) if k not in several)]
    return [*lanes, *last, *cages] if several else [*last, *cages]


def _single(family: str) -> list[Rule]:
    if family in ("#", "swp#", "sw#", "etp#", "port#", "p#"):
        return [Rule()]
    zero = Rule(-1, 1)
    if family == "ethernet#":
        return [Rule(), zero, *(Rule(-1, 1, step) for step in (4, 8, 2))]
    return [Rule(), zero]


def _bases(family: str) -> tuple[int, ...]:
    """Return what to add to a count from 0 or 1: Junos counts from 0."""
    return (1,) if family.startswith(("et#/", "xe#/", "ge#/")) else (0, 1)
