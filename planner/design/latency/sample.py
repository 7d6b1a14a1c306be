"""Means over sampled sources, and their errors."""

from __future__ import annotations

import math

import numpy as np


def mean_and_error(totals: np.ndarray, counts: np.ndarray, population: int) -> tuple[float, float]:
    """Estimate a mean over all pairs from sampled sources, each with all of its pairs.

    Parameters
    ----------
    totals, counts
        Sum over the pairs of each source, and their number, (sources,).
    population
        Total number of sources; if all are given, nothing is estimated.

    Returns
    -------
    mean
        Ratio estimator: all totals over all counts; 0 without pairs.
    error
        Half-width of its 95 % confidence interval by Student's t; 0 when all sources count,
        infinite for a single one.

    Notes
    -----
    The sources are a simple random sample of clusters without replacement. With n of N sources,
    totals y, counts m and ratio r the variance of r is estimated by (1 - n / N) s² / (n m̄²), where
    s² is the variance of y - r m over n - 1 [1].

    References
    ----------
    .. [1] W. Cochran, "Sampling Techniques", 3rd edition, Wiley 1977, sections 6.3, 9A.1.

    Examples
    --------
    >>> mean_and_error(np.array([10, 20]), np.array([5, 5]), 2)
    (3.0, 0.0)
    """
    sources, pairs = len(counts), int(counts.sum())
    if not pairs:
        return 0.0, 0.0
    mean = float(totals.sum(dtype=np.float64)) / pairs
    if sources == population:
        return mean, 0.0
    if sources == 1:
        return mean, math.inf
    from scipy.special import stdtrit

    off = totals - mean * counts
    variance = (1 - sources / population) * float(off @ off) / (sources - 1) / sources / (pairs / sources) ** 2
    return mean, float(stdtrit(sources - 1, 0.975)) * math.sqrt(variance)
