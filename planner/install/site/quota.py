"""How many remarks, photos and findings a crew may record: they only grow in number, and every phone loads them."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from planner.install.site.database import Database
from planner.install.site.event import Event, Refused
from planner.install.site.fields import FABRIC, FIELDS

MAX_NOTES = 5_000
"""Maximum number of entries of a crew."""

MAX_BYTES = 2_000_000
"""Maximum size of their texts together."""

_GROWING = ", ".join(f"'{name}'" for name, each in FIELDS.items() if each.grows)
_COUNT = f"SELECT count(*), coalesce(sum(length(CAST(value AS BLOB))), 0) FROM event WHERE crew = ? AND field IN ({_GROWING})"


class Quota:
    """Counts of what each crew has recorded; they are read once, and then kept."""

    def __init__(self, database: Database):
        self._database = database
        self._lock = threading.Lock()
        self._used: dict[str, tuple[int, int]] = {}

    def within(self, events: Sequence[Event], crew: str) -> tuple[list[Event], list[Refused]]:
        """Return the events that a crew may record, and the others; those that the journal has are known and cost nothing."""
        if crew == FABRIC or not any(FIELDS[event.field].grows for event in events):
            return list(events), []
        taken, refused = [], []
        with self._lock:
            count, size = self._used.get(crew) or self._database.query(_COUNT, (crew,))[0]
            for event in events:
                if FIELDS[event.field].grows and not self._is_known(event):
                    more = len(event.value.encode())
                    if count >= MAX_NOTES or size + more > MAX_BYTES:
                        reason = (
                            f"crew {crew} has {count:,} remarks and photos, the limit is {MAX_NOTES:,} or {MAX_BYTES / 1e6:g} MB"
                        )
                        refused.append(Refused(event.id, reason))
                        continue
                    count, size = count + 1, size + more
                taken.append(event)
            self._used[crew] = count, size
        return taken, refused

    def forget(self, crew: str) -> None:
        """Count again: what was allowed has not been recorded, or not all of it."""
        with self._lock:
            self._used.pop(crew, None)

    def _is_known(self, event: Event) -> bool:
        return bool(self._database.query("SELECT 1 FROM event WHERE id = ?", (event.id,)))
