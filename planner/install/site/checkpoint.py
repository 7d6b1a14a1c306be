"""Checkpoints of a journal: what shows that two journals have the same events, up to some number.

Each write sets one: the number of its last event, and a mark, which is the hash of the mark before and of the ids of the new
events. A journal that was restored from an older copy, or rebuilt from its events, never had the checkpoints that phones know,
even if it has as many events by now.
"""

from __future__ import annotations

import hashlib
import sqlite3

_LENGTH = 32
"""Digits of a mark, 128 bits."""


def chain(writer: sqlite3.Connection) -> None:
    """Set a checkpoint after the events since the last one, if there are any."""
    before, mark = writer.execute("SELECT seq, mark FROM checkpoint ORDER BY seq DESC LIMIT 1").fetchone() or (0, "")
    found = writer.execute("SELECT seq, id FROM event WHERE seq > ? ORDER BY seq", (before,)).fetchall()
    if found:
        text = "\n".join([mark, *(key for _, key in found)])
        row = (found[-1][0], hashlib.sha256(text.encode()).hexdigest()[:_LENGTH])
        writer.execute("INSERT INTO checkpoint VALUES (?, ?)", row)


def mark(reader: sqlite3.Connection, seq: int) -> str:
    """Return the mark of a checkpoint; empty where there is none at this number."""
    found = reader.execute("SELECT mark FROM checkpoint WHERE seq = ?", (seq,)).fetchone()
    return found[0] if found else ""
