"""Follow an installation: two crews record what they do, a plug goes into a wrong port, and the board shows what is left."""

import sys
from pathlib import Path
from uuid import uuid4

from planner.fabric import baseline
from planner.install.site.board import Board
from planner.install.site.cables import Cable, Site
from planner.install.site.journal import Journal
from planner.install.site.terminal import lines


def installed(site: Site, cable: Cable, crew: int, clock: int, port: str) -> list[dict]:
    """Return the events of a phone: the cable is pulled, then both plugs are in; 12 seconds for each."""
    steps = (("pulled", "", "yes"), ("plugged", "a", "as planned"), ("plugged", "b", port))
    about = {"plan": site.revision, "phone": f"phone-{crew}", "target": cable.target}
    return [
        {**about, "id": str(uuid4()), "clock": clock + 12_000_000 * n, "end": end, "field": field, "value": value}
        for n, (field, end, value) in enumerate(steps)
    ]


def main(folder: str) -> None:
    site = Site.of(baseline.read(Path(folder)))
    with Journal(Path(folder) / "site.db") as journal:
        board = Board(journal, site)
        start = journal.clock - 3_600_000_000
        for place, number in enumerate(list(site.cables)[:40]):
            crew, cable = 1 + place % 2, site.cables[number]
            port = "R000 11" if place == 7 else "as planned"
            events = installed(site, cable, crew, start + 36_000_000 * (place // 2), port)
            journal.append(events, crew=f"crew {crew}", role="crew")
        board.refresh()
        print("\n".join(lines(board)))


if __name__ == "__main__":
    main(sys.argv[1])
