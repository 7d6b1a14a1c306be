"""When a discovery file was made, as it states it."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime

_TIMES = (
    re.compile(r"generated on\s+([\w :,+\-]{8,40})", re.IGNORECASE),
    re.compile(r"^[#\s-]*(?:date|time|run date|timestamp)\s*[:=]\s*\"?([\w :,+\-.]{8,40})", re.IGNORECASE | re.MULTILINE),
    re.compile(r"\b(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)"),
)
_FORMATS = ("%a %b %d %H:%M:%S %Y", "%d %b %Y %H:%M:%S", "%Y-%m-%d %H:%M:%S")


def stated_time(head: str) -> str:
    """Return the time that the beginning of a file states, as ISO 8601; empty without.

    >>> stated_time("# Topology file: generated on Tue Mar 10 10:00:00 2026\\n# Initiated from node")
    '2026-03-10T10:00:00'
    >>> stated_time("taken 2026-11-23 14:00 by crew 2"), stated_time("generated on a rainy day")
    ('2026-11-23T14:00:00', '')
    """
    for pattern in _TIMES:
        for match in pattern.finditer(head):
            text = " ".join(match[1].split())
            with suppress(ValueError):
                return datetime.fromisoformat(text).isoformat()
            for form in _FORMATS:
                with suppress(ValueError):
                    return datetime.strptime(text, form).isoformat()
    return ""
