"""What a site adds to the names of all of its devices, such as ``dc1-`` before them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import islice
from typing import NamedTuple

_SAMPLE = 2_000
"""Names that are examined."""

_BETWEEN = "-_.:/ "
"""What separates them from the planned name: ``node1`` is not e1 with something before it."""

_LONGEST = 100
"""Longest name that is examined, in characters."""


class Affix(NamedTuple):
    """Texts before and after the planned name of each device, in lower case."""

    before: str = ""
    after: str = ""

    def without(self, name: str) -> str:
        """Return a name without the texts; the name itself if it does not have them.

        >>> Affix("dc1-").without("DC1-leaf01"), Affix("", "-ib").without("leaf01-ib"), Affix("dc1-").without("leaf01")
        ('leaf01', 'leaf01', 'leaf01')
        """
        low = name.casefold()
        if len(low) != len(name) or not (low.startswith(self.before) and low.endswith(self.after)):
            return name
        return name[len(self.before) : len(name) - len(self.after)] or name


def affix_of(found: Iterable[str], planned: Collection[str]) -> Affix:
    """Return what the majority of the found names have in addition to planned ones; nothing where these are found as they are.

    Parameters
    ----------
    planned
        Planned names in lower case.

    >>> affix_of(["dc1-leaf1", "dc1-leaf2", "dc1-x"], {"leaf1", "leaf2"})
    Affix(before='dc1-', after='')
    >>> affix_of(["leaf1", "leaf2", "dc1-x"], {"leaf1", "leaf2"})
    Affix(before='', after='')
    """
    names = list(islice(dict.fromkeys(name.casefold() for name in found if 0 < len(name) <= _LONGEST), _SAMPLE))
    counted: Counter[Affix] = Counter()
    for name in names:
        if name in planned:
            counted[Affix()] += 1
            continue
        # The longest planned name counts: leaf11 and not leaf1 of dc1-leaf11.
        cuts = range(1, len(name))
        before = next((Affix(name[:at]) for at in cuts if name[at - 1] in _BETWEEN and name[at:] in planned), None)
        after = next((Affix("", name[at:]) for at in reversed(cuts) if name[at] in _BETWEEN and name[:at] in planned), None)
        counted.update(affix for affix in (before, after) if affix is not None)
    affix, times = counted.most_common(1)[0] if counted else (Affix(), 0)
    return affix if times > 1 and 2 * times >= len(names) else Affix()
