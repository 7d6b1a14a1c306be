"""Random streams: one seed per study, one stream per stage."""

from __future__ import annotations

import zlib

import numpy as np


def stream(seed: int, stage: str) -> np.random.Generator:
    """Return the random generator of one stage."""
    return np.random.default_rng(np.random.SeedSequence([seed, zlib.crc32(stage.encode())]))


def state(seed: int, stage: str) -> np.ndarray:
    """Return the initial random state of a kernel, uint64 (1,)."""
    return stream(seed, stage).integers(0, 2**64, 1, dtype=np.uint64)
