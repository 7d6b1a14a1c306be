"""Output analysis: warm-up truncation, batch means, confidence intervals."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

BATCHES = 20
"""Number of batches; few enough that batch means are nearly independent [2]_.

References
----------
.. [2] B. Schmeiser, "Batch size effects in the analysis of simulation output", Operations Research 30(3), 1982
   (10 to 30 batches).
"""

_GROUP = 5

_LEVEL = 0.02
"""Allowed difference of the halves of a level series, relative to the mean."""


def truncation(series: np.ndarray) -> int:
    """Return the number of warm-up entries of a series by MSER-5 [1]_.

    The truncation point minimizes the standard error of the remaining means of five entries.

    Parameters
    ----------
    series
        Float64 (N,).

    Returns
    -------
    int
        A multiple of 5; `N` if the minimum is in the second half: the series has not settled.

    References
    ----------
    .. [1] K. P. White, M. J. Cobb, S. C. Spratt, "A comparison of five steady-state truncation heuristics for simulation",
       Winter Simulation Conference 2000.

    Examples
    --------
    >>> import numpy as np
    >>> truncation(np.array([9.0] * 10 + [1.0, 2.0] * 30))
    10
    >>> truncation(np.arange(60.0))
    60
    """
    groups = len(series) // _GROUP
    means = np.asarray(series[: groups * _GROUP], np.float64).reshape(groups, _GROUP).mean(axis=1)
    if groups < 4:
        return len(series)
    left = groups - np.arange(groups)
    sums, squares = (np.cumsum(values[::-1])[::-1] for values in (means - means.mean(), (means - means.mean()) ** 2))
    error = (squares - sums**2 / left) / left**2
    # The error of the last few groups is unreliable.
    cut = int(error[:-2].argmin())
    return len(series) if cut > groups // 2 else cut * _GROUP


def half_width(values: np.ndarray) -> float:
    """Return half the width of the 95 % confidence interval of the mean of independent values; NaN for fewer than two.

    Examples
    --------
    >>> round(half_width([1.0, 2.0, 3.0]), 3)
    2.484
    """
    count = len(values)
    if count < 2:
        return float("nan")
    return float(stdtrit(count - 1, 0.975) * np.std(values, ddof=1) / np.sqrt(count))


def ratio_half_width(sums: np.ndarray, counts: np.ndarray) -> float:
    """Return half the width of the 95 % confidence interval of ``sums.sum() / counts.sum()`` over independent batches [1]_.

    Parameters
    ----------
    sums, counts
        Per batch: sum of a measure over packets, and number of packets.

    References
    ----------
    .. [1] A. Law, "Simulation modeling and analysis", 5th edition, 2015, section 9.5 (ratio estimator).
    """
    sums, counts = np.asarray(sums, np.float64), np.asarray(counts, np.float64)
    if len(sums) < 2 or not counts.sum():
        return float("nan")
    return half_width((sums - sums.sum() / counts.sum() * counts) / counts.mean())


def is_level(rates: np.ndarray) -> bool:
    """Return whether both halves of a series have the same mean within confidence intervals or 2 %.

    Parameters
    ----------
    rates
        Means of successive batches, float64 (N,).

    Examples
    --------
    >>> is_level(np.array([0.49, 0.51] * 8)), is_level(np.arange(16.0))
    (True, False)
    """
    half = len(rates) // 2
    if half < 2:
        return False
    first, second = rates[:half], rates[half:]
    change = abs(float(second.mean() - first.mean()))
    return change <= max(_LEVEL * abs(float(rates.mean())), half_width(first) + half_width(second))


def regrouped(series: np.ndarray, batches: int = BATCHES) -> np.ndarray:
    """Return the sums over `batches` nearly equal parts of a series; a shorter series is returned unchanged.

    Examples
    --------
    >>> import numpy as np
    >>> regrouped(np.arange(6), 3)
    array([1, 5, 9])
    """
    if len(series) <= batches:
        return series
    return np.add.reduceat(series, np.arange(batches) * len(series) // batches)
