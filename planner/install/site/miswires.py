"""Statistics of miswires: how often plugs went into a wrong port, and how long it took to notice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from planner.core.spreadsheet import Writer
from planner.core.storage import replacing
from planner.install.site.board import Board
from planner.install.site.event import Event
from planner.install.site.fields import AS_PLANNED

_HOUR_US = 3600e6


def statistics(board: Board) -> list[tuple[str, str]]:
    """Return figures by name: miswired cables by source and crew, findings of scans by kind, and times.

    A cable counts as miswired once a plug of it was recorded in another port than planned, or a scan found its link to be wrong;
    rates are per 1,000 cables that were in: those with all plugs recorded, and those whose link a scan found up or wrong.
    """
    plugged = {number for number, status in board.statuses.items() if status.is_plugged}
    counted = _counted(board)
    by_crew, by_scan = counted.by_crew, counted.by_scan
    count = len(by_crew.keys() | by_scan.keys())
    installed = max(len(plugged | by_crew.keys() | counted.linked), 1)

    def rate(number: int) -> str:
        return f"{number:,}, {number / installed * 1000:.1f} per 1,000"

    found = [
        ("cables", f"{len(board.statuses):,}"),
        ("cables with all plugs in", f"{len(plugged):,}"),
        ("miswired", rate(count)),
        ("miswired, recorded by crews", rate(len(by_crew))),
        ("miswired, found by scans", rate(len(by_scan))),
        ("still wrong", rate(sum(bool(status.wrong) for status in board.statuses.values()))),
    ]
    done = Counter(
        crew for status in board.statuses.values() if status.is_plugged for crew in {end.crew for end in status.ends if end}
    )
    wrong = Counter(crew for crews in (by_crew | by_scan).values() for crew in crews)
    found += [(f"miswired, crew {crew}", f"{wrong[crew]:,} of {number:,}") for crew, number in sorted(done.items())]
    found += [(f"finding: {kind}", rate(number)) for kind, number in sorted(counted.kinds.items())]
    if hours := [value for value in counted.hours.values() if value >= 0]:
        found.append(("hours from the last plug to a scan that finds the link up", f"median {median(hours):.1f}"))
    return found


def write_statistics(board: Board, path: Path) -> None:
    """Write the figures as CSV."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        rows = Writer(file)
        rows.writerow(("figure", "value"))
        rows.writerows(statistics(board))


@dataclass
class _Counted:
    """Cables by number: crews of miswired ones by what reported them, those that a scan found up or wrong, findings by kind.

    `hours` are from the last plug to the first scan that finds the link up.
    """

    by_crew: defaultdict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    by_scan: defaultdict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    linked: set[int] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)
    hours: dict[int, float] = field(default_factory=dict)


def _counted(board: Board) -> _Counted:
    found = _Counted()
    plugs: defaultdict[int, dict[str, Event]] = defaultdict(dict)
    kinds: defaultdict[str, set[int]] = defaultdict(set)
    for number, event in _events(board):
        if event.field == "plugged" and event.value:
            plugs[number][event.end] = event
            if event.value != AS_PLANNED:
                found.by_crew[number].add(event.crew)
        elif event.field == "link" and event.value in ("up", "wrong"):
            found.linked.add(number)
            if event.value == "wrong":
                found.by_scan[number] |= {plug.crew for plug in plugs[number].values()}
            elif plugs[number]:
                last = max(plug.clock for plug in plugs[number].values())
                found.hours.setdefault(number, (event.clock - last) / _HOUR_US)
        elif event.field == "finding":
            kinds[event.value].add(number)
    found.kinds.update({kind: len(numbers) for kind, numbers in kinds.items()})
    return found


def _events(board: Board) -> Iterator[tuple[int, Event]]:
    """Yield all events about cables of the plan with the number of the cable, by their clocks."""
    events = sorted((event for _, event in board.journal.events()), key=lambda event: event.order)
    for event in events:
        place = board.site.place(event.target)
        if place is not None:
            yield place.cable.number, event
