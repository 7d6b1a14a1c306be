"""Server of an installation on loopback: 50 phones that send 100,000 events in bursts, with resends and reordering.

Server and phones are two processes on this machine. Batches of ten events; every fifth batch is sent twice. A batch counts from
the request until its receipt, which means that the events are on the disk. First all phones send at once without pauses, then
each pauses for a second between batches, as busy crews would, and then one phone is alone.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from planner.fabric import baseline
from planner.install.site.cables import key
from planner.install.site.journal import Journal

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from shared.built_fabrics import PLAN
from shared.http_phones import bursts, phone_events, plain_by_number, server, sessions, state_by_number

EVENTS, PHONES = 100_000, 50


def main() -> None:
    rows = baseline.read(PLAN).rows
    events = phone_events(EVENTS, 1, cables=len(rows), phones=PHONES)
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "site.db"
        cookies = sessions(db, PHONES)
        print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        with server(PLAN, db) as (_, port):
            started = time.perf_counter()
            sent = asyncio.run(bursts(port, cookies, events))
            seconds = time.perf_counter() - started
            _shown("without pauses", [each for phone in sent for each in phone.took_s], f"{EVENTS / seconds:,.0f} events/s")
            paced = phone_events(PHONES * 100, 2, cables=len(rows), phones=PHONES)
            for number, each in enumerate(paced):
                each["id"] = f"00000000-0000-4000-8000-{number:012x}"
            sent = asyncio.run(bursts(port, cookies, paced, pause_s=1.0))
            _shown("a batch each second", [each for phone in sent for each in phone.took_s])
            alone = phone_events(300, 3, cables=len(rows), phones=1)
            for number, each in enumerate(alone):
                each["id"] = f"00000000-0000-4000-9000-{number:012x}"
            sent = asyncio.run(bursts(port, cookies[:1], alone, batch=1))
            _shown("one event alone", sent[0].took_s)
        with Journal(db) as journal:
            every = [*events, *paced, *alone]
            assert journal.query("SELECT count(*) FROM event") == [(len(every),)]
            if state_by_number(journal, {key(row): row.number for row in rows}) != plain_by_number(every):
                raise SystemExit("the state differs from the plain fold")
        print(f"none lost or doubled; the state is the plain fold; load average after: {os.getloadavg()[0]:.1f}")


def _shown(what: str, took_s: list[float], more: str = "") -> None:
    took_ms = 1000 * np.array(took_s)
    low, middle, high = (np.quantile(took_ms, share) for share in (0.5, 0.95, 0.99))
    tail = f"; {more}" if more else ""
    print(f"{what}: {len(took_ms):,} batches, median {low:.0f} ms, 95 % {middle:.0f} ms, 99 % {high:.0f} ms{tail}", flush=True)
