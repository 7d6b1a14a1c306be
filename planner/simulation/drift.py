"""Whether the backlog of a run is bounded or drifts: the packets created and neither delivered nor dropped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

TOLERANCE = 0.0025
"""A drift below this share of the packets created is not distinguished from none."""

_CONFIDENCE = 0.99
_CHANCE = 0.001
"""Chance that the queue of any source of a network at its limit is taken for one that grows without end."""

_LEAST_BATCHES = 6

_UNIT_ROOT = -27.0
"""A random walk of 100 steps around a line has n (r - 1) below this once in a hundred, r the correlation of neighbors."""


@dataclass(frozen=True)
class Window:
    """What was counted in the cycles from `start` on, batch by batch: int64 (B,) each."""

    start: int
    lengths: np.ndarray
    """Cycles."""
    created: np.ndarray
    """Packets created."""
    growth: np.ndarray
    """Growth of the backlog, packets."""
    created_before: int
    backlog: int
    """At the end."""
    grown: np.ndarray
    """Growth of the packets that wait at each source, int64 (H,)."""

    @property
    def end(self) -> int:
        return self.start + int(self.lengths.sum())

    def late(self) -> Window:
        """Return the batches that lie in the second half of the run; `grown` stays that of all."""
        ends = self.start + np.cumsum(self.lengths)
        kept = np.s_[int(np.count_nonzero(ends - self.lengths < ends[-1] / 2)) :] if len(ends) else np.s_[:]
        skipped, before = self.lengths[: kept.start].sum(), self.created[: kept.start].sum()
        return Window(
            self.start + int(skipped), self.lengths[kept], self.created[kept], self.growth[kept],
            self.created_before + int(before), self.backlog, self.grown,
        )  # fmt: skip


@dataclass(frozen=True)
class Verdict:
    """What a window says of the backlog."""

    drifts: bool
    final: bool
    """Whether a longer run would hardly say otherwise."""
    sure: bool
    """Whether chance plays no part in it."""
    filled: bool
    """Whether the network had filled when the window began."""
    tolerance: float
    """How far the load may lie on the other side of the limit all the same, as a share of it."""


STUCK = Verdict(True, True, True, True, 0.0)
"""Of a network in which no packet can move."""


def share(window: Window, rate: float | None) -> tuple[float, float]:
    """Return the drift as a share of the packets created, and half the width of its 99 % interval; NaN for few batches.

    What sources create by chance beyond their rate makes the backlog grow as well; it is known, and regressed out [1]_. Where
    the backlog keeps to a straight line, as the test of Dickey and Fuller tells [2]_, the drift is its slope, else the mean
    of its growth, which is less sure.

    Parameters
    ----------
    rate
        Packets that all sources create in a cycle in the long run; None where that is not known.

    References
    ----------
    .. [1] A. Law, "Simulation modeling and analysis", 5th edition, 2015, section 11.4 (control variates).
    .. [2] D. Dickey, W. Fuller, "Distribution of the estimators for autoregressive time series with a unit root", Journal of
       the American Statistical Association 74, 1979.

    Examples
    --------
    >>> chance = np.array([3, -2, 0, 1, -4, 2, 1, -1])
    >>> even = np.full(8, 100)
    >>> window = Window(0, even, 50 + chance, 5 + chance, 0, 40, np.zeros(1))
    >>> mean, error = share(window, 0.5)
    >>> round(mean, 6), round(error, 6)
    (0.1, 0.0)
    """
    count, created = len(window.lengths), int(window.created.sum())
    if count < _LEAST_BATCHES or not created:
        return float("nan"), float("nan")
    surplus = np.zeros(count) if rate is None else window.created - rate * window.lengths
    mean = rate or created / window.lengths.sum()
    times = np.cumsum(window.lengths).astype(np.float64)
    level = np.stack([times, np.cumsum(surplus), np.ones(count)], axis=1)
    slope, error, left = _fitted(level, np.cumsum(window.growth))
    squares = float(left @ left)
    kept = float(left[1:] @ left[:-1]) / squares if squares else 0.0
    if count * (kept - 1) > _UNIT_ROOT:
        # The backlog itself wanders; only its growth is independent from batch to batch.
        slope, error, _ = _fitted(np.stack([window.lengths.astype(np.float64), surplus], axis=1), window.growth)
    else:
        error *= float(np.sqrt((1 + max(0.0, kept)) / (1 - max(0.0, kept))))
    return slope / mean, error / mean


def _fitted(columns: np.ndarray, values: np.ndarray) -> tuple[float, float, np.ndarray]:
    """Return the first coefficient of a linear fit, half the width of its interval, and what is left of the values."""
    design = columns[:, columns.any(axis=0)]
    inverse = np.linalg.pinv(design.T @ design)
    fit = inverse @ design.T @ values
    left = values - design @ fit
    freedom = len(values) - design.shape[1]
    deviation = float(np.sqrt(max(0.0, left @ left / freedom * inverse[0, 0])))
    return float(fit[0]), float(stdtrit(freedom, (1 + _CONFIDENCE) / 2) * deviation), left


def filling(window: Window, sources: int) -> float:
    """Return the share of the packets created that queues exactly at their limit keep back in the middle of a window.

    Such a queue is a reflected random walk: after n packets it holds √(2 V n / π) in the mean, V the variance of the packets
    created in some time over their mean [1]_; its growth is the derivative by n.

    References
    ----------
    .. [1] J. M. Harrison, "Brownian motion and stochastic flow systems", 1985, section 1.8.
    """
    packets = (window.created_before + window.created.sum() / 2) / sources
    mean = window.created.mean() if len(window.created) else 0.0
    dispersion = max(1.0, float(window.created.var(ddof=1) / mean)) if mean and len(window.created) > 1 else 1.0
    return min(1.0, (dispersion / (2 * np.pi * packets)) ** 0.5) if packets else 1.0


def single(window: Window, expected: np.ndarray) -> bool:
    """Return whether the queue of a source grew by more than chance explains of any of them, by Bernstein's bound [1]_.

    Parameters
    ----------
    expected
        Packets that each source creates in the window in the mean, float64 (H,).

    References
    ----------
    .. [1] S. Boucheron, G. Lugosi, P. Massart, "Concentration inequalities", 2013, section 2.8.
    """
    deviations = -float(ndtri(_CHANCE / max(1, len(expected))))
    # What a source creates varies, and what the network takes from it as much again.
    return bool((window.grown > deviations * np.sqrt(2 * expected) + deviations**2 / 3).any())


def _light(window: Window, rates: np.ndarray | None) -> bool:
    """Return whether the backlog is less than `TOLERANCE` of all packets, and these are no fewer than expected."""
    created = window.created_before + int(window.created.sum())
    fewer = rates is not None and created < (1 - TOLERANCE) * rates.sum() * window.end
    return window.backlog < TOLERANCE * created and not fewer


def verdict(window: Window, rates: np.ndarray, *, known: bool, settled: int) -> Verdict:
    """Return whether the backlog drifts.

    It does when its growth is surely larger than queues at their limit would still show, or when the queue of a single source
    grows beyond chance; it is bounded when its growth is surely below `TOLERANCE`, or all of it is less than that share of
    all packets. Else the run is to be continued, and the sign decides for the time being.

    Parameters
    ----------
    window
        The end of the run.
    rates
        Packets that each source creates in a cycle in the long run, float64 (H,).
    known
        Whether that holds: sources of failed routers stop.
    settled
        Cycles before which a network still fills.
    """
    late = window.late()
    alone = known and single(window, rates * window.lengths.sum())
    mean, error = share(late, float(rates.sum()) if known else None)
    most = filling(late, max(1, np.count_nonzero(rates)))
    filled = late.start >= settled and not np.isnan(mean)
    if filled:
        if mean - error > most or alone:
            return Verdict(True, True, True, True, 0.0)
        if mean + error < TOLERANCE or _light(late, rates if known else None):
            return Verdict(False, True, True, True, TOLERANCE)
    limit = max(TOLERANCE, most / 2)
    drifts = alone or bool(mean > max(limit, error))
    return Verdict(drifts, False, bool(error < limit), filled, float(np.nanmax([limit, error])))
