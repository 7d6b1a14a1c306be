"""Rules of labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check._places import error
from planner.model import Plan, Violation

LOOK_ALIKES = str.maketrans("OI", "01")
"""Characters that people take for each other: the label rule `charset` of ``catalogs/labels/rules.toml``."""


def labels_unique(plan: Plan) -> Iterator[Violation]:
    """No two cable ends bear the same label, and an end that several links share bears one."""
    sockets: dict[str, set[tuple[int, ...]]] = {}
    texts: dict[tuple[int, ...], set[str]] = {}
    for text, socket in _ends(plan):
        sockets.setdefault(text, set()).add(socket)
        texts.setdefault(socket, set()).add(text)
    for text, ends in sorted(sockets.items()):
        if len(ends) > 1:
            yield error("labels_unique", repr(text), len(ends), 1, "cable ends", "one label on several ends")
    for own in texts.values():
        if len(own) > 1:
            yield error("labels_unique", " and ".join(map(repr, sorted(own))), len(own), 1, "labels", "several labels on one end")


def labels_legible(plan: Plan) -> Iterator[Violation]:
    """No two labels differ only by O for 0 or I for 1, and no label is empty (warnings)."""
    texts = np.unique(np.concatenate([plan.cables.label_a, plan.cables.label_b])).tolist()
    seen: dict[str, str] = {}
    for text in texts:
        if not text.strip():
            yield Violation("labels_legible", repr(text), 0.0, 1.0, "characters", "warning", "a label without text")
        alike = seen.setdefault(text.translate(LOOK_ALIKES), text)
        if alike != text:
            where = f"{alike!r} and {text!r}"
            yield Violation("labels_legible", where, 0.0, 1.0, "", "warning", "people take O for 0 and I for 1")


def _ends(plan: Plan) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Label and socket (piece, device, cage) of both ends of every row."""
    cables = plan.cables
    for side, label in enumerate((cables.label_a, cables.label_b)):
        columns = (cables.piece, cables.device[:, side], cables.cage[:, side])
        yield from zip(label.tolist(), zip(*(column.tolist() for column in columns), strict=True), strict=True)
