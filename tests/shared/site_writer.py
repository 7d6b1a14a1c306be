"""A process that records events, and prints the ids of every batch after its receipt: `python site_writer.py FILE SEED`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from planner.site.journal import Journal
from shared.site_events import random_events


def main(path: str, seed: str) -> None:
    events = random_events(20_000, int(seed))
    with Journal(path) as journal:
        for start in range(0, len(events), 5):
            batch = events[start : start + 5]
            receipt = journal.append(batch, crew="blue", role="crew")
            assert not receipt.refused, receipt
            print(" ".join(each["id"] for each in batch), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
