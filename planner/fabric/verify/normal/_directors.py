"""Ports of directors: boxes of several chips in modules, each with its own numbers of the ports on the panel."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from planner.fabric.verify.found import Port, Scan
from planner.fabric.verify.normal._boxes import Boxes
from planner.fabric.verify.normal._modules import Modules
from planner.fabric.verify.normal._ports import is_number

_UNIT = re.compile(r"^l(\d{1,4})(?:/u(\d{1,4}))?$", re.IGNORECASE)


class Director:
    """Numbers of the panel of a box with several chips.

    Labels that no two chips share are the numbers themselves, and so are labels of planes. Otherwise leaf modules are counted:
    module 2 continues after the last port of module 1. Without labels, module, chip and port of the chip are those that the plan
    prints, if it prints them; `modules` is how it counts them.
    """

    def __init__(self, box: str, boxes: Boxes, scans: Sequence[Scan], modules: Modules | None) -> None:
        self.modules = modules
        chips = set(boxes.chips[box])
        self.unit = {chip: match for chip in chips if (match := _UNIT.match(boxes.unit.get(chip, "")))}
        labels: dict[str, set[int]] = defaultdict(set)
        inside: list[int] = []
        for scan in scans:
            for reading in scan.readings:
                port = reading.port
                if port.device not in chips:
                    continue
                if is_number(reading.label):
                    labels[port.device].add(int(reading.label))
                if reading.far is not None and boxes.of.get(reading.far.device) == box and port.device in self.unit:
                    inside += [int(port.port)] if is_number(port.port) else []
        self.width = min(inside, default=0) - 1 if inside else 0
        self.chips = max((int(match[2] or 1) for match in self.unit.values()), default=0)
        self.before: dict[str, int] = defaultdict(int)
        modules_found: dict[str, list[str]] = defaultdict(list)
        for chip in sorted(labels, key=lambda chip: _slot(boxes.unit.get(chip, ""))):
            modules_found[boxes.unit.get(chip, "").partition("/")[0].casefold()].append(chip)
        shared = sum(map(len, labels.values())) > len(set().union(*labels.values())) if labels else False
        if not shared or not any(module.startswith("l") for module in modules_found):
            return
        last = max(max(found) for found in labels.values())
        overlap = any(
            sum(len(labels[chip]) for chip in module) > len(set().union(*(labels[chip] for chip in module)))
            for module in modules_found.values()
        )
        width = max(map(len, modules_found.values())) if overlap else 1
        for name, module in modules_found.items():
            slot = int(name[1:]) if is_number(name[1:]) else 1
            for place, chip in enumerate(module):
                self.before[chip] = (slot - 1) * last * width + (place * last if overlap else 0)

    def number(self, port: Port, label: str) -> int:
        """Return the number of a port of a chip; 0 if neither a label nor the plan states it."""
        if is_number(label):
            return self.before[port.device] + int(label)
        unit = self.unit.get(port.device)
        if unit is None or self.modules is None or not is_number(port.port):
            return 0
        return self.modules.number(int(unit[1]), int(unit[2] or 1), int(port.port), self.chips, self.width)


def _slot(unit: str) -> tuple[int, ...]:
    return tuple(int(part[1:]) for part in unit.split("/") if is_number(part[1:]))
