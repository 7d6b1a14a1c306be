"""Plans on the floor: schedules by hand, and a board with phones that send."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from planner.fabric.baseline import Planned
from planner.install.site.board import Board
from planner.install.site.cables import Site, key
from planner.install.site.journal import Journal
from planner.view.schedule import Connection, End


def row(number: int, a: tuple[str, int], b: tuple[str, int], *, piece: int = 0, part: str = "dac", stock_mm: int = 3000, **other):
    """A row; the device R12 is in cabinet A01, unit 12."""
    ends = [
        End(
            name,
            port,
            other.get(f"printed_{side}", str(port)),
            "A01",
            int(name[1:]),
            other.get(f"label_{side}", f"L{number}{side}"),
        )
        for side, (name, port) in zip("ab", (a, b), strict=True)
    ]
    stage = other.get("stage", "one")
    return Connection(number, piece or number, "", "", *ends, part, ("", ""), "copper", stock_mm, 2500, "", "", stage)


ROWS = (
    row(1, ("R1", 1), ("R2", 1)),
    row(2, ("R1", 2), ("R3", 1)),
    row(3, ("R2", 2), ("R3", 2), stage="two"),
    # A splitter: one plug in R1, two others.
    row(4, ("R1", 3), ("R4", 1), printed_a="3/1", stage="two"),
    row(5, ("R1", 4), ("R5", 1), piece=4, printed_a="3/2", stage="two"),
)


def site_of(rows=ROWS, plan=None) -> Site:
    return Site.of(Planned(list(rows), Path("hall"), plan))


@dataclass
class Floor:
    """A board, and phones that record by number of the row with ever later clocks."""

    journal: Journal
    site: Site
    clock: int = 0

    def __post_init__(self):
        self.board = Board(self.journal, self.site)

    def does(self, number: int, field: str, value: str, end: str = "", *, crew: str = "crew 1", after_s: float = 60, role="crew"):
        rows = {row.number: row for row in self.site.rows}
        return self.about(key(rows[number]), field, value, end, crew=crew, after_s=after_s, role=role)

    def about(self, target: str, field: str, value: str, end: str = "", *, crew="crew 1", after_s: float = 60, role="crew"):
        self.clock += int(after_s * 1e6)
        event = {
            "id": str(uuid4()), "plan": self.site.revision, "phone": f"phone-{crew[-1]}", "clock": self.clock, "target": target,
            "end": end, "field": field, "value": value, "seen": self.board.seen,
        }  # fmt: skip
        receipt = self.journal.append([event], crew=crew, role=role)
        assert receipt.new == 1, receipt
        self.board.refresh()
        return event["id"]

    def status(self, number: int):
        return self.board.statuses[number]
