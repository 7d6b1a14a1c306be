"""Bursts of events from many phones, with resends and reordering, as a busy floor sends them."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence

from planner.install.site.journal import Journal


def bursts(journal: Journal, events: Sequence[dict], phones: int, *, batch: int = 10, seed: int = 1) -> list[float]:
    """Send all events from threads, every fifth batch twice and batches out of order; return the seconds of each batch."""
    took: list[list[float]] = [[] for _ in range(phones)]
    failures: list[object] = []

    def phone(number: int) -> None:
        draw = random.Random(seed * 1000 + number)
        own = events[number::phones]
        batches = [own[start : start + batch] for start in range(0, len(own), batch)]
        draw.shuffle(batches)
        for place, each in enumerate(batches):
            for content in [each] * (2 if place % 5 == 0 else 1):
                started = time.perf_counter()
                receipt = journal.append(draw.sample(content, len(content)), crew=f"crew {number}", role="crew")
                took[number].append(time.perf_counter() - started)
                if receipt.refused:
                    failures.append(receipt)

    threads = [threading.Thread(target=phone, args=(number,)) for number in range(phones)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    return [seconds for own in took for seconds in own]
