"""Forward error correction: the code of each link, and its delay."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from planner.core.errors import InputError, Problem, suggestion
from planner.domain.parts import Assembly, DelayModel

_KP4 = "fec-kp4"


def fec_of(assemblies: Sequence[Assembly], fec: str, models: Sequence[DelayModel]) -> tuple[tuple[str, ...], np.ndarray]:
    """Return for each assembly the row of its code, "" without, and the code's delay in ps, int64.

    Raises
    ------
    InputError
        When no row has that id, or when two rows apply to the same rate and medium.
    """
    codes = examine(fec, models)
    if fec == "none":
        chosen = [""] * len(assemblies)
    elif fec == "auto":
        chosen = [_needed(assembly, codes) for assembly in assemblies]
    else:
        chosen = [fec] * len(assemblies)
    return tuple(chosen), np.array([_delay_ps(codes[name], codes) if name else 0 for name in chosen], np.int64)


def examine(fec: str, models: Sequence[DelayModel]) -> dict[str, DelayModel]:
    """Return the rows of codes by id.

    Raises
    ------
    InputError
        When `fec` is none of them, nor ``none`` or ``auto``.
    """
    codes = {row.id: row for row in models if row.code}
    if fec not in ("none", "auto", *codes):
        raise InputError(Problem("fec", f"there is no code {fec!r}", suggestion(fec, ["none", "auto", *codes])))
    return codes


def _needed(assembly: Assembly, codes: dict[str, DelayModel]) -> str:
    claims = [row.id for row in codes.values() if assembly.rate_gbps in row.rates_gbps and assembly.medium in row.media]
    if len(claims) > 1:
        message = f"rows {' and '.join(claims)} are both for {assembly.rate_gbps} Gb/s over {assembly.medium} cables"
        raise InputError(Problem("fec", message, "name the one that counts"))
    return claims[0] if claims else ""


def _delay_ps(row: DelayModel, codes: dict[str, DelayModel]) -> int:
    """Return the midpoint of the row's figures, rounded up."""
    if row.added_ns:
        return math.ceil(1000 * (min(row.added_ns) + max(row.added_ns)) / 2)
    if row.relative_to_kp4 is not None and _KP4 in codes:
        return math.ceil(row.relative_to_kp4 * _delay_ps(codes[_KP4], codes))
    raise InputError(Problem(f"delay_model {row.id}", "has no delay", "add added_ns"))
