"""Dual ascent for quadratic assignment (level-1 reformulation-linearization), in exact integers.

The problem is stored as `leader` int64 (n, n), the cost of item i at location j, and `pair` int64
(n, n, n, n), the cost of item i at j *and* item k at l, together with a constant, the bound. Three
moves preserve the cost of every permutation:

- a *leader* spreads over its submatrix: exactly one element of each of the n - 1 other rows counts
  when the leader counts; the remainder modulo n - 1 stays in the leader;
- ``pair[i, j, k, l]`` and ``pair[k, l, i, j]`` count together: cost moves freely between them;
- the minimum assignment of a submatrix moves to its leader, the minimum assignment of the leaders to
  the bound; reduced costs stay.

All costs but the first ones stay non-negative, so that the bound never exceeds the optimum. The first
round is the Gilmore–Lawler bound.

Differs from [1]_: a submatrix takes half of the cost of its complements and gives half of the reduced cost back, instead of all
of it to each in turn.

References
----------
.. [1] P. Hahn, T. Grant, "Lower bounds for the quadratic assignment problem based upon a dual
   formulation", Operations Research 46, 1998.
.. [2] P. Hahn, T. Grant, N. Hall, "A branch-and-bound algorithm for the quadratic assignment problem
   based on the Hungarian method", European J. Operational Research 108, 1998.
"""

from __future__ import annotations

from planner.kernels import compiled
from planner.kernels.qap.assignment import assign


@compiled
def ascend(leader, pair, bound, target, rounds, stall, sub, column_of, row_of, low, previous, done):
    """Raise `bound` until it reaches `target`, for `rounds` rounds, or until a round stalls.

    Parameters
    ----------
    stall
        Stop when a round raises the bound by less than 1 / `stall` of its gap to `target`.
    sub
        int64 (n, n): scratch, as are the arrays of `planner.kernels.qap.assignment.assign`.

    Returns
    -------
    bound, rounds done
    """
    n = len(leader)
    for turn in range(rounds):
        before = bound
        # Spread all leaders first: their cost can then move to other submatrices through complements.
        _spread(leader, pair)
        for i in range(n):
            for j in range(n):
                if n > 1:
                    _collect(pair, i, j, sub)
                    leader[i, j] += assign(sub, n - 1, column_of, row_of, low, previous, done)
                    _give_back(pair, i, j, sub)
        bound += assign(leader, n, column_of, row_of, low, previous, done)
        if bound >= target or (target - before) > (bound - before) * stall:
            return bound, turn + 1
    return bound, rounds


@compiled
def gilmore_lawler(leader, pair, sub, column_of, row_of, low, previous, done):
    """Perform the first step only: unmodified submatrices, then leaders; return the bound."""
    n = len(leader)
    for i in range(n):
        for j in range(n):
            if n > 1:
                _take(pair, i, j, sub)
                leader[i, j] += assign(sub, n - 1, column_of, row_of, low, previous, done)
                _give(pair, i, j, sub)
    return assign(leader, n, column_of, row_of, low, previous, done)


@compiled
def _take(pair, i, j, sub):
    """Copy submatrix (i, j) without row i and column j to `sub`."""
    n = len(pair)
    for k in range(n):
        if k != i:
            row, source = sub[k - (k > i)], pair[i, j, k]
            for at in range(j):
                row[at] = source[at]
            for at in range(j + 1, n):
                row[at - 1] = source[at]


@compiled
def _give(pair, i, j, sub):
    """Copy `sub` back."""
    n = len(pair)
    for k in range(n):
        if k != i:
            row, target = sub[k - (k > i)], pair[i, j, k]
            for at in range(j):
                target[at] = row[at]
            for at in range(j + 1, n):
                target[at] = row[at - 1]


@compiled
def _spread(leader, pair):
    """Spread every leader evenly over the rows of its submatrix."""
    n = len(leader)
    for i in range(n):
        for j in range(n):
            share = leader[i, j] // (n - 1) if n > 1 else 0
            if share != 0:
                leader[i, j] -= share * (n - 1)
                for k in range(n):
                    if k != i:
                        row = pair[i, j, k]
                        for at in range(n):
                            if at != j:
                                row[at] += share


@compiled
def _collect(pair, i, j, sub):
    """Put into `sub` the cost of submatrix (i, j) and half of its complements': what all took first would lack elsewhere."""
    n = len(pair)
    for k in range(n):
        if k != i:
            row, source, others = sub[k - (k > i)], pair[i, j, k], pair[k]
            for at in range(n):
                if at != j:
                    kept = others[at, i, j] >> 1
                    row[at - (at > j)] = source[at] + others[at, i, j] - kept
                    others[at, i, j] = kept


@compiled
def _give_back(pair, i, j, sub):
    """Split the reduced costs evenly between submatrix (i, j) and its complements."""
    n = len(pair)
    for k in range(n):
        if k != i:
            row, target, others = sub[k - (k > i)], pair[i, j, k], pair[k]
            for at in range(n):
                if at != j:
                    cost = row[at - (at > j)]
                    kept = cost >> 1
                    target[at] = kept
                    others[at, i, j] += cost - kept


@compiled
def fill_pairs(flow, distance, symmetric, scale, pair):
    """Fill `pair` from the normal form, scaled by `scale`; symmetric costs are split over both complements."""
    n = len(flow)
    for i in range(n):
        for j in range(n):
            for k in range(n):
                out = flow[i, k] * scale
                if symmetric:
                    out //= 2
                for at in range(n):
                    pair[i, j, k, at] = out * distance[j, at]


@compiled
def fix(leader, pair, i, j, child_leader, child_pair):
    """Fill the arrays (n - 1, …) of the subproblem with item `i` at location `j`."""
    n = len(leader)
    for k in range(n):
        if k != i:
            kk = k - (k > i)
            for at in range(n):
                if at != j:
                    ll = at - (at > j)
                    child_leader[kk, ll] = leader[k, at] + pair[i, j, k, at] + pair[k, at, i, j]
                    for other in range(n):
                        if other != i:
                            row, source = child_pair[kk, ll, other - (other > i)], pair[k, at, other]
                            for place in range(j):
                                row[place] = source[place]
                            for place in range(j + 1, n):
                                row[place - 1] = source[place]
