"""How a plan counts the ports of a director: by module and chip, or by module."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_PRINTED = re.compile(r"^[a-z]*[ _-]?(\d{1,4})(?:/u?(\d{1,4}))?/p?(\d{1,4})$")
_BLADE = re.compile(r"[ _-]port[ _-]?")
"""What NDT writes between a module and its chip: ``Blade 1_Port 2/7``."""


@dataclass(frozen=True)
class Modules:
    """How the plan counts the ports of a director: ports of a module and of a chip in it; 0 where that is not known.

    `by_chip` is whether its ports are printed as module, chip and port, not as module and port; `printed` are those ports, with
    chip 0 where it is not printed.
    """

    module: int
    chip: int
    by_chip: bool
    printed: Mapping[tuple[int, int, int], int] = field(default_factory=dict, repr=False, compare=False)

    def number(self, module: int, chip: int, port: int, chips: int = 0, width: int = 0) -> int:
        """Return the port of the plan at a chip; 0 if it is not known.

        Parameters
        ----------
        chips, width
            Chips of a module, and ports of a chip that lead out of the box, as found; 0 if unknown.
        """
        if self.by_chip and (known := self.printed.get((module, chip, port))):
            return known
        own = self.chip or width
        whole = self.module or own * chips
        if not (own or chip == 1) or not (whole or module == 1) or not 0 < port <= (own or port):
            return 0
        return (module - 1) * whole + (chip - 1) * own + port

    def stated(self, text: str) -> int:
        """Return the port of the plan of a text such as those that it prints; 0 for other texts."""
        match = _PRINTED.match(_BLADE.sub("/", text))
        if match is None or (match[2] is not None) != self.by_chip:
            return 0
        known = self.printed.get((int(match[1]), int(match[2] or 0), int(match[3])))
        return known or self.number(int(match[1]), int(match[2] or 1), int(match[3]))


def modules_of(printed: Mapping[str, int]) -> Modules | None:
    """Return how a plan counts the ports of a device with modules, from its printed ports; None for other devices.

    >>> modules_of({"1/1/5": 5, "1/2/6": 26, "2/1/7": 47})
    Modules(module=40, chip=20, by_chip=True)
    >>> modules_of({"leaf01/5": 5, "leaf02/7": 47}), modules_of({"1": 1, "2": 2}), modules_of({"1/1": 1, "2/1": 3})
    (Modules(module=40, chip=0, by_chip=False), None, None)
    """
    entries = []
    for text, port in printed.items():
        match = _PRINTED.match(_BLADE.sub("/", text))
        if match is None:
            if text == "mgmt":
                continue
            return None
        # A number and a number are cage and port of other boxes: modules have a name.
        if match[2] is None and not text[:1].isalpha():
            return None
        entries.append((int(match[1]), int(match[2] or 0), int(match[3]), port))
    by_chip = {bool(chip) for _, chip, _, _ in entries}
    if len(by_chip) != 1:
        return None
    chips = {(port - n) // (chip - 1) for module, chip, n, port in entries if module == 1 and chip > 1}
    own = chips.pop() if len(chips) == 1 else 0
    wholes = {(port - n - max(chip - 1, 0) * own) // (module - 1) for module, chip, n, port in entries if module > 1}
    whole = wholes.pop() if len(wholes) == 1 else 0
    found = Modules(whole, own, by_chip.pop(), {(module, chip, n): port for module, chip, n, port in entries})
    if wholes or chips or any(found.number(module, max(chip, 1), n) not in (0, port) for module, chip, n, port in entries):
        return None
    return found
