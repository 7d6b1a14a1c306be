"""Ports of hosts: which adapter is meant, and its rank among the adapters of such hosts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from planner.fabric.verify.found import Place
from planner.fabric.verify.normal._boxes import Boxes
from planner.fabric.verify.normal._names import is_address, plain
from planner.fabric.verify.normal._planned import Names
from planner.fabric.verify.normal._ports import is_number

Item = tuple[str, str]
"""Adapter and port of a host, as texts; the adapter is empty where it has no name."""

UNNAMED = "?"
"""First character of an adapter without a name, followed by its address, its key, or the port at its other end."""


_GUID = 16
"""Digits of a GUID: an adapter under a GUID is one, whatever its name."""

_ALIKE = 4
"""Hosts with more adapters, for each host without them, that show that it lacks some."""


class Hosts:
    """Adapters of hosts, collected first, ranked after `rank`.

    `at` are the adapters that files of each format name at a port of a switch, by host; `unnamed` the hosts of which no file
    names any port.
    """

    def __init__(self, boxes: Boxes, names: Names) -> None:
        self.boxes, self.names = boxes, names
        self.items: dict[str, set[Item]] = defaultdict(set)
        self.at: dict[tuple[str, Place], dict[str, set[Item]]] = defaultdict(lambda: defaultdict(set))
        self.keys: Counter[str] = Counter(boxes.of.values())
        self.places: dict[tuple[str, Item], Place] = {}
        self.unnamed: set[str] = set()
        self._guids: set[str] = set()
        self._addresses: dict[tuple[str, Item], dict[Place, str]] = defaultdict(dict)
        self._apart: dict[tuple[str, Item], dict[Place, Item]] = {}

    def item(self, key: str, port: str, others: Sequence[str] = (), plane: int = 0) -> Item:
        """Return the adapter and port that a file means, and remember it."""
        box = self.boxes.of[key]
        if len(key) == _GUID and is_address(key):
            self._guids.add(box)
        adapter = self.boxes.adapter.get(key, "")
        if adapter:
            item = (adapter, "1" if plane else port or "1")
        else:
            texts = [text for text in (port, *others) if text and " " not in text and not is_address(text)]
            address = _address((port, *others))
            named = next((text for text in texts if not is_number(text)), "")
            if named:
                item = (named, "1")
            elif texts:
                item = ("" if self.keys[box] == 1 else UNNAMED + key, "1" if plane else texts[0])
            else:
                item = (UNNAMED + (address or (key if self.keys[box] > 1 else "")), "1")
        self.items[box].add(item)
        return item

    def hear(self, box: str, item: Item, at: Place, form: str, texts: Sequence[str]) -> None:
        """Remember that a port of a switch hears an adapter, in a format, under some texts."""
        self.at[box, at][form].add(item)
        self._addresses[box, item][at] = _address(texts)

    def place(self, box: str, item: Item, far: Place | None) -> Place:
        """Return the place of an adapter with a port of a switch at its other end."""
        apart = self._apart.get((box, item))
        if apart is None:
            return self.places[box, item]
        return self.places[box, apart[far]] if far in apart else Place(box, 0)

    def rank(self) -> None:
        """Give each adapter its rank; what two formats call the adapter at one port of a switch is one adapter."""
        self._divide()
        same: dict[str, dict[Item, Item]] = defaultdict(dict)
        for (box, place), by_format in self.at.items():
            planes = place.device in self.boxes.chips
            items = set().union(*by_format.values())
            if len(items) > 1 and (planes or all(len(found) == 1 for found in by_format.values())):
                first = min(items, key=_order)
                same[box].update((item, first) for item in items if item != first)
        sets = {box: tuple(sorted({_last(same[box], item) for item in items}, key=_order)) for box, items in self.items.items()}
        counted = Counter(sets.values())
        frequent = [(found, number) for found, number in counted.items() if number >= _ALIKE]
        fuller = {found: _fullest(found, number, frequent) for found, number in counted.items()}
        for box, found in sets.items():
            planned = self.names.devices.get(self.boxes.devices[box].name.casefold())
            whole = found if planned and len(planned.used) == len(found) else fuller[found]
            for item in self.items[box]:
                self.places[box, item] = Place(box, whole.index(_last(same[box], item)) + 1)
            if len(found) > 1 and all(item[0].startswith(UNNAMED) for item in found):
                self.unnamed.add(box)

    def _divide(self) -> None:
        """Divide what several ports of switches hear under one text: two ports of switches never mean one port of a host.

        A text that few hosts have at several ports names a port: two switches that hear it contradict each other, unless their
        addresses differ.
        """
        heard: dict[tuple[str, Item], set[Place]] = defaultdict(set)
        for (box, place), by_format in self.at.items():
            for item in set().union(*by_format.values()):
                heard[box, item].add(place)
        times, repeated = Counter(item for _, item in heard), Counter(item for (_, item), at in heard.items() if len(at) > 1)
        for (box, item), places in heard.items():
            planned = self.names.devices.get(self.boxes.devices[box].name.casefold())
            single = planned is not None and len(planned.used) == 1
            if len(places) < 2 or single or box in self._guids:
                continue
            usual = repeated[item] > 1 and 2 * repeated[item] >= times[item]
            known = [address for address in self._addresses[box, item].values() if address]
            differ = len(known) == len(places) == len(set(known))
            if not (differ or usual or item[0].startswith(UNNAMED) or len(self.items[box]) == 1):
                continue
            apart = {place: (f"{UNNAMED}{item[0]} {place.device} {place.port:04}", "1") for place in places}
            self._apart[box, item] = apart
            self.items[box].discard(item)
            self.items[box].update(apart.values())
            for place, divided in apart.items():
                for items in self.at[box, place].values():
                    if item in items:
                        items.discard(item)
                        items.add(divided)

    def adapters(self) -> dict[Place, str]:
        """Return the adapter of each port in words; the number of a port alone where its adapter has no name."""
        found: dict[Place, str] = {}
        for (_, (adapter, port)), place in sorted(self.places.items(), key=lambda entry: _order(entry[0][1]), reverse=True):
            if adapter.startswith(UNNAMED) or not place.port:
                continue
            found[place] = port if not adapter else adapter if port == "1" else f"{adapter} port {port}"
        return found


def _address(texts: Sequence[str]) -> str:
    return next((plain(text) for text in texts if text and is_address(text)), "")


def _fullest(found: tuple[Item, ...], number: int, frequent: list[tuple[tuple[Item, ...], int]]) -> tuple[Item, ...]:
    """Return the adapters of hosts of this kind: those of many hosts that have these and more, or these."""
    own = set(found)
    larger = [(count, other) for other, count in frequent if count >= _ALIKE * number and own < set(other)]
    return max(larger, key=lambda entry: (entry[0], -len(entry[1]), entry[1]))[1] if larger else found


def _last(same: dict[Item, Item], item: Item) -> Item:
    for _ in range(len(same) + 1):
        if item not in same:
            break
        item = same[item]
    return item


def _order(item: Item) -> tuple:
    return tuple(
        (is_number(part), int(part) if is_number(part) else 0, part) for text in item for part in re.split(r"(\d+)", text)
    )
