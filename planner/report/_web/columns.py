"""Arrays as text, each in the narrowest type, so that a page of 20,000 cables stays small."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import numpy as np

_WHOLE = ("u1", "u2", "u4", "i1", "i2", "i4")
"""Types of whole numbers that a browser reads as they are, in the order in which they are tried."""


def packed(values: np.ndarray | Sequence[float]) -> dict[str, str]:
    """Return an array, flattened by rows, as ``{"dtype": …, "base64": …}``; little-endian.

    Examples
    --------
    >>> packed([1, 2, 300])
    {'dtype': 'u2', 'base64': 'AQACACwB'}
    """
    values = np.ravel(np.asarray(values))
    dtype = _narrowest(values)
    return {"dtype": dtype, "base64": base64.b64encode(values.astype(f"<{dtype}").tobytes()).decode("ascii")}


def _narrowest(values: np.ndarray) -> str:
    if values.dtype.kind == "b":
        return "u1"
    if values.dtype.kind == "f":
        return "f4" if values.dtype.itemsize <= 4 else "f8"
    low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
    for name in _WHOLE:
        limits = np.iinfo(name)
        if limits.min <= low and high <= limits.max:
            return name
    # Integers beyond 32 bits: a browser is exact up to 2⁵³, far above any length, price or power here.
    return "f8"
