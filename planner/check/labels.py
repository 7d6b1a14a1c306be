"""Rules of labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check._places import error
from planner.model import Plan, Violation


def labels_unique(plan: Plan) -> Iterator[Violation]:
    """No two cable ends bear the same label."""
    texts, count = np.unique(np.concatenate([plan.cables.label_a, plan.cables.label_b]), return_counts=True)
    for text, uses in zip(texts[count > 1].tolist(), count[count > 1], strict=True):
        yield error("labels_unique", repr(text), uses, 1, "cable ends", "one label on several ends")
