"""Progress by stage, row and crew, and the time to finish at the pace of the crews."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from planner.install.site.board import Board
from planner.install.site.status import STEPS, Status

BREAK_US = 30 * 60 * 10**6
"""Longest time between two events of a crew that counts as work; longer ones are breaks."""

_SHORTEST_S = 60.0
"""Shortest time of work that gives a pace: several events may be recorded in one second."""


@dataclass(frozen=True)
class Pace:
    """What a crew has done so far.

    Attributes
    ----------
    work_s
        Work that it did, in seconds that the plan allows for it; without a work order in units of one minute for each pull and
        for all plugs of a cable.
    active_s
        Time in which it did it, without breaks.
    cables
        Cables of which it plugged in the last end.
    """

    crew: str
    work_s: float
    active_s: float
    cables: int

    @property
    def speed(self) -> float:
        """Work done in the time that it took: 1 is as planned. 0 where nothing can be stated yet."""
        return self.work_s / self.active_s if self.active_s >= _SHORTEST_S else 0.0


@dataclass(frozen=True)
class Share:
    """Progress of a part of the plan.

    Attributes
    ----------
    steps
        Number of cables by step.
    left_s
        Work that is left, as `Pace.work_s`.
    finish_s
        Working time until it is finished at the pace of its crews; None where no crew has a pace.
    """

    name: str
    cables: int
    done: int
    blocked: int
    wrong: int
    steps: dict[str, int]
    left_s: float
    finish_s: float | None = None


@dataclass(frozen=True)
class Progress:
    """Progress of a plan: as a whole, by install stage, by row of cabinets, by planned crew.

    Cables between two rows count in both.
    """

    whole: Share
    stages: list[Share]
    rows: list[Share]
    crews: list[Share]
    paces: list[Pace] = field(default_factory=list)


def progress(board: Board) -> Progress:
    """Return how far the installation is.

    Crews of the work order are those named by their number, such as ``2`` or ``crew 2``.
    """
    statuses = list(board.statuses.values())
    found = paces(board)
    speed = sum(pace.speed for pace in found)
    own_speed = {number: pace.speed for pace in found if (number := number_of(pace.crew))}
    groups: dict[str, dict[str | int, list[Status]]] = {"stage": {}, "row": {}, "crew": {}}
    for status in statuses:
        groups["stage"].setdefault(status.cable.stage, []).append(status)
        for row in status.cable.floor_rows:
            groups["row"].setdefault(row, []).append(status)
        if status.crew:
            groups["crew"].setdefault(status.crew, []).append(status)
    crews = [_share(f"crew {number}", own, own_speed.get(int(number), 0.0)) for number, own in sorted(groups["crew"].items())]
    whole = _share("all", statuses, speed)
    ends = [share.finish_s for share in crews]
    if ends and None not in ends and all(number_of(pace.crew) in groups["crew"] for pace in found):
        # As planned every crew does its own tasks; others take them from the list.
        whole = replace(whole, finish_s=max(end for end in ends if end is not None))
    return Progress(
        whole,
        [_share(str(name), own, speed) for name, own in groups["stage"].items()],
        [_share(str(name), own, speed) for name, own in sorted(groups["row"].items())],
        crews,
        found,
    )


def number_of(crew: str) -> int:
    """Return the number of a crew in the work order, from its name; 0 for other names.

    >>> number_of("2"), number_of("crew 2"), number_of("blue")
    (2, 2, 0)
    """
    text = crew.lower().removeprefix("crew").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


def _share(name: str, statuses: Sequence[Status], speed: float) -> Share:
    steps = Counter(status.step for status in statuses)
    left_s = sum(map(work_left_s, statuses))
    return Share(
        name,
        len(statuses),
        sum(status.is_done for status in statuses),
        sum(bool(status.blocked) for status in statuses),
        sum(bool(status.wrong) for status in statuses),
        {step: steps[step] for step in STEPS},
        left_s,
        0.0 if not left_s else left_s / speed if speed > 0 else None,
    )


def work_left_s(status: Status) -> float:
    """Return the work that is left on a cable, in seconds that the plan allows for it."""
    if status.step in STEPS[STEPS.index("both ends") :]:
        return 0.0
    cable = status.cable
    open_plugs = sum(end is None for end in status.ends) / len(status.ends)
    return cable.plug_s * open_plugs + (0.0 if status.is_pulled else cable.pull_s)


def paces(board: Board) -> list[Pace]:
    """Return the pace of each crew, by name."""
    work: defaultdict[str, float] = defaultdict(float)
    cables: Counter[str] = Counter()
    for status in board.statuses.values():
        for crew, seconds in _earned(status):
            work[crew] += seconds
        if status.is_plugged:
            cables[max((end for end in status.ends if end), key=lambda end: end.order).crew] += 1
    active = _active_s(board)
    return [Pace(crew, work[crew], active.get(crew, 0.0), cables[crew]) for crew in sorted(work)]


def _earned(status: Status) -> Iterable[tuple[str, float]]:
    """Yield the crews that worked on a cable, and the work of each: the first event of a cable shows that it is pulled."""
    ends = [end for end in status.ends if end]
    pulled = status.values.get(("pulled", "")) or min(ends, key=lambda end: end.order, default=None)
    if pulled is not None:
        yield pulled.crew, status.cable.pull_s
    for end in ends:
        yield end.crew, status.cable.plug_s / len(status.ends)


def _active_s(board: Board) -> dict[str, float]:
    """Return the time of work of each crew, from the clocks of its events."""
    rows = board.journal.query(
        "SELECT crew, sum(gap) FROM (SELECT crew, clock - lag(clock) OVER (PARTITION BY crew ORDER BY clock) AS gap "
        "FROM event WHERE field IN ('pulled', 'plugged')) WHERE gap <= ? GROUP BY crew",
        (BREAK_US,),
    )
    return {crew: gap / 1e6 for crew, gap in rows}
