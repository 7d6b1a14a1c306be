"""Whether the backlog of a run is bounded or drifts: the packets created and neither delivered nor dropped.

In a network that is filled, as many packets are on cables and in routers' pipelines as its load states, more or less by chance.
What drifts are those that wait, in queues and at sources. Only these are counted: their number varies less, so that a drift is
excluded after fewer cycles.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtri, stdtrit

TOLERANCE = 0.0025
"""A drift below this fraction of the created packets counts as none."""

_CONFIDENCE = 0.997
"""Confidence of intervals: a run of ten decisions, which are correlated, then errs in about one of a hundred cases."""

CHANCE = 0.001
"""Error probability: some source queue of a network at its limit is mistaken for one that grows without bound."""

_MIN_BATCHES = 6

_BIAS = 12.0
"""Mean of n (1 - r) of a random walk of n steps around a line, r its estimated lag-1 correlation; less for few steps."""

_AT_LIMIT = 0.7
"""Drift that is fitted, next to a logarithm, to queues exactly at their limit, as a ratio to `filling`: the share of √t that is
neither constant nor a logarithm, where a tenth of the run is left out; less where more is."""

_FITTED_LIMIT = 0.4
"""Fitted drift, as a ratio to `filling`, from which a run drifts: between that of filled queues, 0, and `_AT_LIMIT`. Queues
within their limit are then mistaken no more often than without the fit by runs three times as long."""

_SERVICE = 2.0
"""Variance of a queue's growth as a ratio to that of creation, where service varies as much as creation."""

_MANY = 0.1
"""Share of the sources that grow from which all queues count as filling: where all are at their limit, others fill inside the
network. Under uniform traffic it is nearly always larger."""

_FILLED_SHARE = 0.1
"""Share of a run that is left out where filling is fitted."""


@dataclass(frozen=True)
class Window:
    """Counters per batch from cycle `start` on: int64 (B,) each."""

    start: int
    lengths: np.ndarray
    """Cycles."""
    created: np.ndarray
    """Packets created."""
    growth: np.ndarray
    """Growth of the packets that wait in queues or at sources."""
    created_before: int
    waiting: int
    """Packets that wait at the end."""
    grown: np.ndarray
    """Growth of the queue at each source, packets, int64 (H,)."""

    @property
    def end(self) -> int:
        return self.start + int(self.lengths.sum())

    def since(self, cycle: float) -> Window:
        """Return the batches that begin at a cycle or later; `grown` is unchanged."""
        starts = self.start + np.cumsum(self.lengths) - self.lengths
        kept = np.s_[int(np.count_nonzero(starts < cycle)) :]
        skipped, before = self.lengths[: kept.start].sum(), self.created[: kept.start].sum()
        return Window(
            self.start + int(skipped), self.lengths[kept], self.created[kept], self.growth[kept],
            self.created_before + int(before), self.waiting, self.grown,
        )  # fmt: skip


@dataclass(frozen=True)
class Verdict:
    """Decision on the backlog from a window."""

    drifts: bool
    final: bool
    """Whether a longer run is unlikely to change the decision."""
    sure: bool
    """Whether the decision is statistically significant."""
    filled: bool
    """Whether the network was filled when the window began."""
    tolerance: float
    """Uncertainty of the load limit, as a fraction of the load."""
    fitted: bool = field(default=False, compare=False)
    """Whether filling was fitted: the error that remains is what is unknown about it."""
    clear: bool = field(default=False, compare=False)
    """Whether the drift, without filling, differs significantly from its limit."""
    drift: float = field(default=float("nan"), compare=False)
    """Estimate of the drift as a fraction of the packets created."""


DEADLOCKED = Verdict(True, True, True, True, 0.0)
"""Verdict for a deadlocked network."""


def share(window: Window, rate: float | None, *, walk: bool = False, filling: bool = False) -> tuple[float, float]:
    """Return the drift as a fraction of the packets created, and half the width of its 99 % interval; NaN for few batches.

    The drift is the slope of a straight line through the number of packets that wait, by generalized least squares, since the
    deviations from it are correlated. Those of queues at their limit or beyond are a random walk: the slope is then the mean of
    the growth. Random variation of the packets created also changes how many wait; it is known and used as a control
    variate [2]_.

    Parameters
    ----------
    rate
        Long-run packets per cycle of all sources; None if unknown.
    walk
        Whether deviations are a random walk; otherwise their lag-1 correlation is the estimated one, corrected by its bias for a
        random walk [1]_.
    filling
        Whether queues that still fill are fitted next to the line, as `_FILLING` states.

    References
    ----------
    .. [1] E. Canjels, M. Watson, "Estimating deterministic trends in the presence of serially correlated errors", Review of
       Economics and Statistics 79, 1997 (the estimate of Prais and Winsten).
    .. [2] A. Law, "Simulation modeling and analysis", 5th edition, 2015, section 11.4 (control variates).

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
    if count < _MIN_BATCHES or not created:
        return float("nan"), float("nan")
    surplus = np.zeros(count) if rate is None else window.created - rate * window.lengths
    mean = rate or created / window.lengths.sum()
    times = np.cumsum(window.lengths).astype(np.float64)
    filled = np.log(window.start + times) * filling
    design, values = np.stack([times, np.cumsum(surplus), np.ones(count), filled], axis=1), np.cumsum(window.growth)
    _, _, left = _fitted(design, values)
    squares = float(left @ left)
    kept = float(left[1:] @ left[:-1]) / squares if squares else 0.0
    kept = 1.0 if walk else min(1.0, max(0.0, kept + _BIAS / count))
    slope, error, _ = _fitted(_independent(design, kept), _independent(values, kept))
    return slope / mean, error / mean


def _independent(series: np.ndarray, kept: float) -> np.ndarray:
    """Return a series whose deviations have the lag-1 correlation `kept` as one whose deviations are independent."""
    return np.concatenate([np.sqrt(1 - kept**2) * series[:1], series[1:] - kept * series[:-1]])


def _fitted(columns: np.ndarray, values: np.ndarray) -> tuple[float, float, np.ndarray]:
    """Return the first coefficient of a linear fit, half the width of its interval, and the residuals."""
    design = columns[:, columns.any(axis=0)]
    scale = np.abs(design).max(axis=0)
    design = design / scale
    inverse = np.linalg.pinv(design.T @ design)
    fit = inverse @ design.T @ values
    left = values - design @ fit
    freedom = len(values) - design.shape[1]
    deviation = float(np.sqrt(max(0.0, left @ left / freedom * inverse[0, 0])))
    return float(fit[0] / scale[0]), float(stdtrit(freedom, (1 + _CONFIDENCE) / 2) * deviation / scale[0]), left


def filling(window: Window, sources: int) -> float:
    """Return the fraction of the packets created that queues exactly at their limit retain in the middle of a window.

    Such a queue is a reflected random walk: its mean length after n packets is √(2 V n / π), V the variance-to-mean ratio of
    the packets created in an interval [1]_; its growth is the derivative by n.

    References
    ----------
    .. [1] J. M. Harrison, "Brownian motion and stochastic flow systems", 1985, section 1.8.
    """
    packets = (window.created_before + window.created.sum() / 2) / sources
    mean = window.created.mean() if len(window.created) else 0.0
    surplus = window.created - mean * window.lengths / window.lengths.mean() if mean else window.created
    dispersion = max(1.0, float(surplus.var(ddof=1) / mean)) if mean and len(window.created) > 1 else 1.0
    return min(1.0, (dispersion / (2 * np.pi * packets)) ** 0.5) if packets else 1.0


def growing_share(window: Window, sources: int) -> float:
    """Return the share of the sources whose queues grow, Jain's index of their growth [1]_, over `_MANY`; at most 1.

    References
    ----------
    .. [1] R. Jain, D. Chiu, W. Hawe, "A quantitative measure of fairness and discrimination for resource allocation in shared
       computer systems", DEC-TR-301, 1984.
    """
    grown = np.maximum(window.grown, 0).astype(np.float64)
    squares = float(grown @ grown) * sources
    return min(1.0, float(grown.sum()) ** 2 / squares / _MANY) if squares else 1.0


def retained(window: Window, sources: int, growing: float) -> float:
    """Return an upper bound of the fraction of the packets created that queues at their limit retain in a window.

    It is what they retain where all of them are at their limit, for the share of the sources that grow. Since the growth of such
    queues slows down, it is also below their mean growth so far, the fraction of all packets that waits at the end: this bounds
    it where few queues inside the network fill, and none at a source.
    """
    created = window.created_before + int(window.created.sum())
    return min(filling(window, sources) * growing, window.waiting / created if created else 1.0)


def single(window: Window, expected: np.ndarray) -> bool:
    """Return whether the queue of some source grew significantly, by Bernstein's bound over all sources [1]_.

    Parameters
    ----------
    expected
        Mean packets that each source creates in the window, float64 (H,).

    References
    ----------
    .. [1] S. Boucheron, G. Lugosi, P. Massart, "Concentration inequalities", 2013, section 2.8.
    """
    deviations = -float(ndtri(CHANCE / max(1, len(expected))))
    # Both the creation and the acceptance of packets vary.
    return bool((window.grown > deviations * np.sqrt(2 * expected) + deviations**2 / 3).any())


def _error_of_few(window: Window, growing: float) -> float:
    """Return half the width of the interval of the drift of few sources at their limit, each a random walk; 0 if they are many.

    Other queues vary around a mean, and where they are many they hide these walks from an estimate of the correlation.
    """
    if growing == 1:
        return 0.0
    return float(ndtri((1 + _CONFIDENCE) / 2)) * (_SERVICE * _MANY * growing / max(1.0, float(window.created.sum()))) ** 0.5


def _light(window: Window, rates: np.ndarray | None) -> bool:
    """Return whether the packets that wait are below `TOLERANCE` of all created, and these are not fewer than expected."""
    created = window.created_before + int(window.created.sum())
    fewer = rates is not None and created < (1 - TOLERANCE) * rates.sum() * window.end
    return window.waiting < TOLERANCE * created and not fewer


def verdict(window: Window, rates: np.ndarray, *, known: bool, settled: int) -> Verdict:
    """Return whether the backlog drifts.

    It drifts if its growth is significantly larger than that of all queues at their limit, or if the queue of a single source
    grows significantly; it is bounded if its growth is significantly below `TOLERANCE`, or if the packets that wait are below
    that fraction of all packets. Otherwise the run must be continued, and the point estimate gives a preliminary verdict: a
    drift if it is larger than what those queues retain that grow.

    Parameters
    ----------
    window
        The end of the run.
    rates
        Long-run packets per cycle of each source, float64 (H,).
    known
        Whether `rates` is valid: not with faults, since sources of failed routers stop.
    settled
        Cycles until the network is filled.
    """
    end = window.end
    late, nearly_all = window.since(end / 2), window.since(max(settled, _FILLED_SHARE * end))
    alone = known and single(window, rates * window.lengths.sum())
    rate = float(rates.sum()) if known else None
    mean, error = share(late, rate, walk=True)
    sources = max(1, int(np.count_nonzero(rates)))
    growing = growing_share(window, sources)
    by_all, by_growing = (retained(late, sources, ratio) for ratio in (1.0, growing))
    filled = late.start >= settled and not np.isnan(mean)
    if filled:
        if mean - error > _SERVICE**0.5 * by_all or alone:
            return Verdict(True, True, True, True, 0.0, drift=mean)
        mean, error = share(late, rate)
        if mean + max(error, _error_of_few(late, growing)) < TOLERANCE or _light(late, rates if known else None):
            return Verdict(False, True, True, True, TOLERANCE, drift=mean)
    at_limit, limit = max(TOLERANCE, _AT_LIMIT * by_all), max(TOLERANCE, _FITTED_LIMIT * by_growing)
    drift, deviation = share(nearly_all, rate, walk=True, filling=True)
    clear = drift - deviation > at_limit or drift + deviation < limit
    if filled and (deviation < limit or clear):
        return Verdict(drift > limit, False, True, True, limit, fitted=True, clear=clear, drift=drift)
    limit = max(TOLERANCE, by_growing / 2)
    drifts = alone or bool(mean > max(limit, error))
    return Verdict(drifts, False, bool(error < limit), filled, float(np.nanmax([limit, error])), drift=mean)
