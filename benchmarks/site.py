"""Journal of an installation: 50 phones that send 100,000 events in bursts, with resends and reordering.

Batches of ten events; every fifth batch is sent twice. A batch counts from the call until its events are on the disk, waiting for
the batches of other phones included: all phones send at once, without pauses.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from planner.install.site.journal import Journal

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from shared.site_bursts import bursts
from shared.site_events import PLAN, plain_state, random_events, state_of

EVENTS, PHONES = 100_000, 50


def main() -> None:
    events = random_events(EVENTS, 1, cables=13_300, phones=PHONES)
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "site.db") as journal:
        journal.write("benchmark", "plan", "INSERT INTO plan VALUES (?, 0, '')", [(PLAN,)])
        started = time.perf_counter()
        took_ms = 1000 * np.array(bursts(journal, events, PHONES))
        seconds = time.perf_counter() - started
        state = state_of(journal)
        if state != plain_state(events):
            raise SystemExit("the state differs from the plain fold")
        print(f"{len(took_ms):,} batches, {EVENTS / seconds:,.0f} events/s")
        print(
            f"batch: median {np.median(took_ms):.0f} ms, 95 % {np.quantile(took_ms, 0.95):.0f} ms, maximum {took_ms.max():.0f} ms"
        )
        for name, call in (("fold again", journal.rebuild), ("conflicts", journal.conflicts), ("all values", journal.registers)):
            started = time.perf_counter()
            call()
            print(f"{name}: {time.perf_counter() - started:.2f} s")
        # One phone alone waits for no other.
        alone_ms = []
        for number, event in enumerate(random_events(EVENTS + 300, 2)[-300:]):
            started = time.perf_counter()
            journal.append([event | {"clock": number + 1}], crew="crew 1", role="crew")
            alone_ms.append(1000 * (time.perf_counter() - started))
        print(f"one event alone: median {np.median(alone_ms):.1f} ms, 95 % {np.quantile(alone_ms, 0.95):.1f} ms")
