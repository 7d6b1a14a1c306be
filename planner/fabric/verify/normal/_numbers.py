"""Numbers of switch ports, decided for each box by the ports that the plan uses and by what both ends report."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from planner.fabric.verify.found import SWITCH, Port, Reading, Scan
from planner.fabric.verify.normal._boxes import Boxes
from planner.fabric.verify.normal._cages import Cages
from planner.fabric.verify.normal._modules import Modules
from planner.fabric.verify.normal._names import is_address
from planner.fabric.verify.normal._planned import Names, Planned
from planner.fabric.verify.normal._ports import Rule, is_management, is_number, parsed, rules_for, rules_of_cages

MANAGEMENT = -1
"""Number of a port for management that the plan lacks."""

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


class Numbers:
    """Ports of switches as numbers of the plan.

    Attributes
    ----------
    undecided
        Boxes with texts of ports that have no number.
    """

    def __init__(self, scans: Sequence[Scan], boxes: Boxes, names: Names) -> None:
        self.boxes, self.names = boxes, names
        self.undecided: dict[str, set[str]] = defaultdict(set)
        self.known: dict[tuple[str, str], int] = {}
        self.plans = {box: names.devices.get(device.name.casefold()) for box, device in boxes.devices.items() if device.name}
        self.chip_of = {chip: box for box, chips in boxes.chips.items() for chip in chips}
        self.chosen = self._choose(scans)
        self.directors = {box: Director(box, boxes, scans, self._modules(box)) for box in boxes.chips}
        self._learn(scans)

    def _learn(self, scans: Sequence[Scan]) -> None:
        """Note the numbers of ports under the texts by which their own devices call them; ports before labels."""
        found: dict[tuple[str, str], tuple[bool, int]] = {}
        for scan in scans:
            for reading in scan.readings:
                port = reading.port
                if (reading.label or not is_number(port.port)) and self.is_switch(port.device):
                    number = self._own(port, reading.label)
                    for is_label, text in enumerate((port.port, reading.label)):
                        if text and number:
                            key, entry = (self._place(port.device), text.casefold()), (bool(is_label), number)
                            found[key] = min(found.get(key, entry), entry)
        self.known = {key: number for key, (_, number) in found.items()}

    def _modules(self, box: str) -> Modules | None:
        """Return how the plan counts the ports of a director; of one without a name as all directors of the plan."""
        if (plan := self.plans.get(box)) is not None:
            return plan.modules
        every = {device.modules for device in self.names.devices.values() if device.modules is not None}
        return every.pop() if len(every) == 1 else None

    @property
    def uncounted(self) -> set[str]:
        """Directors with ports that neither a label nor the plan numbers."""
        return {box for box in self.directors if self.undecided.get(box)}

    def is_switch(self, key: str) -> bool:
        box = self.boxes.of.get(key)
        return box is not None and self.boxes.devices[box].kind == SWITCH

    def own(self, reading: Reading) -> int:
        """Return the number of the port that a reading is about."""
        port = reading.port
        if not reading.label and is_number(port.port) and port.device not in self.chip_of:
            return int(port.port)
        return self._own(port, reading.label)

    def far(self, far: Port, others: Sequence[str]) -> int:
        """Return the number of a port as its far end names it; 0 if it does not."""
        if not far.port and not others:
            return 0
        place = self._place(far.device)
        if self.known:
            for text in (far.port, *others):
                if text and (number := self.known.get((place, text.casefold()))) is not None:
                    return number
        if is_number(far.port) and not others and far.device not in self.chip_of:
            return int(far.port)
        label = next((text for text in others if _is_label(text)), "")
        if far.device in self.chip_of:
            return self._own(far, label)
        texts = [far.port, *others]
        for text in sorted(texts, key=lambda text: is_number(text)):
            if text and (number := self._number(self.boxes.of[far.device], text, is_number(far.port))):
                return number
        self.undecided[self.boxes.of[far.device]].update(text for text in texts if text and not is_address(text))
        return 0

    def _place(self, key: str) -> str:
        return key if key in self.chip_of else self.boxes.of.get(key, key)

    def _own(self, port: Port, label: str) -> int:
        box = self.boxes.of[port.device]
        if port.device in self.chip_of:
            return self._of_chip(port, label, box)
        for text in (label, port.port):
            if text and (number := self._number(box, text, is_number(port.port))):
                return number
        if port.port:
            self.undecided[box].add(port.port)
        return 0

    def _of_chip(self, port: Port, label: str, box: str) -> int:
        if label and not is_number(label) and (number := self._number(box, label, True)):
            return number
        if number := self.directors[box].number(port, label):
            return number
        self.undecided[box].add(f"{self.boxes.unit.get(port.device, '')} {port.port}".strip())
        return 0

    def _number(self, box: str, text: str, has_number: bool) -> int:
        """Return the number of a text at a box; `has_number` if a plain number is known too, which then wins over guesses."""
        folded = text.casefold()
        plan = self.plans.get(box)
        if not is_number(text) and (number := _printed(plan, self.names, folded)):
            return number
        if plan is not None and not plan.host and (number := plan.stated(folded)):
            return number
        if is_management(text):
            return _printed(plan, self.names, "mgmt") or MANAGEMENT
        found = parsed(text)
        if found is None:
            return 0
        if found.family == "#":
            return found.numbers[0]
        several = plan.per_cage > 1 or plan.cages.mixed if plan else any(k > 1 for k in self.names.per_cage)
        if has_number and found.family.startswith("#/") and not several:
            return 0
        rule = self.chosen.get((box, found.family)) or self.chosen.get(("", found.family))
        return rule.number(found.numbers, _mixed(plan)) if rule else 0

    def _choose(self, scans: Sequence[Scan]) -> dict[tuple[str, str], Rule]:
        """Return how each family of texts is read at each box, and in general (box empty)."""
        texts: dict[tuple[str, str], set[tuple[int, ...]]] = defaultdict(set)
        for box, text in self._texts(scans):
            found = parsed(text)
            if found is not None and found.family != "#" and not is_management(text):
                texts[box, found.family].add(found.numbers)
        shares: dict[str, list[Counter[Rule]]] = defaultdict(list)
        own: dict[tuple[str, str], dict[Rule, float]] = {}
        for (box, family), numbers in texts.items():
            plan = self.plans.get(box)
            per_cage = (plan.per_cage,) if plan else tuple(self.names.per_cage)
            used = plan.used if plan and not plan.host else self.names.used
            mixed = _mixed(plan)
            rules = rules_for(family, per_cage) if mixed is None else rules_of_cages(family)
            scores = {rule: _score(rule, numbers, used, mixed) for rule in rules}
            own[box, family] = scores
            shares[family].append(Counter({rule: max(score, 0.0) for rule, score in scores.items()}))
        general = {family: _mean(counted) for family, counted in shares.items()}
        chosen = {}
        for (box, family), scores in own.items():
            usual = general[family]
            ranked = list(scores)
            if ranked:
                chosen[box, family] = max(
                    ranked, key=lambda rule: (round(scores[rule] + usual.get(rule, 0.0), 9), -ranked.index(rule))
                )
        for family, usual in general.items():
            ranked = rules_for(family, tuple(self.names.per_cage))
            if ranked:
                chosen["", family] = max(ranked, key=lambda rule: (round(usual.get(rule, 0.0), 9), -ranked.index(rule)))
        return chosen

    def _texts(self, scans: Sequence[Scan]) -> Iterable[tuple[str, str]]:
        """Yield boxes with the texts of their ports; links of management ports that the plan lacks are left out."""
        for scan in scans:
            for reading in scan.readings:
                far = reading.far
                ends = [(reading.port, reading.label), *([(far, "")] if far is not None else [])]
                if any(self._is_aside(port) for port, _ in ends):
                    continue
                if box := self._switch(reading.port):
                    yield from ((box, text) for text in (reading.port.port, reading.label) if text and not is_number(text))
                if far is None or (is_number(far.port) and not reading.far_names):
                    continue
                if box := self._switch(far):
                    yield from ((box, text) for text in (far.port, *reading.far_names) if text and not is_number(text))

    def _switch(self, port: Port) -> str:
        box = self.boxes.of.get(port.device, "")
        return box if box and self.boxes.devices[box].kind == SWITCH else ""

    def _is_aside(self, port: Port) -> bool:
        """Return whether a port is one for management that the plan lacks."""
        if not is_management(port.port) or not (box := self._switch(port)):
            return False
        return not _printed(self.plans.get(box), self.names, "mgmt")


def _printed(plan: Planned | None, names: Names, text: str) -> int:
    if plan is not None and not plan.host:
        return plan.printed.get(text, 0) or (names.printed.get(text, 0) if plan.per_cage > 1 else 0)
    return names.printed.get(text, 0)


def _is_label(text: str) -> bool:
    found = parsed(text)
    return found is not None and found.family.replace("#", "").strip("/") == ""


def _mixed(plan: Planned | None) -> Cages | None:
    """Return the cages of a planned router where ports do not follow from a number of ports in each cage."""
    return plan.cages if plan is not None and plan.cages.mixed and not plan.host else None


def _score(rule: Rule, numbers: set[tuple[int, ...]], used: set[int], cages: Cages | None) -> float:
    """Return the share of ports that the plan uses, less those that cannot be, and those that coincide."""
    found = [rule.number(entry, cages) for entry in numbers]
    valid = [number for number in found if number > 0]
    hits = sum(number in used for number in set(valid))
    return (hits - 2 * (len(found) - len(valid)) - 2 * (len(valid) - len(set(valid)))) / len(found)


def _mean(counted: list[Counter[Rule]]) -> dict[Rule, float]:
    total: Counter[Rule] = Counter()
    for entry in counted:
        for rule, score in entry.items():
            total[rule] += score
    return {rule: score / len(counted) for rule, score in total.items()}


def _slot(unit: str) -> tuple[int, ...]:
    return tuple(int(part[1:]) for part in unit.split("/") if is_number(part[1:]))
