"""Linear assignment in exact integers, by shortest augmenting paths.

Differs from [1]_: rows and columns are reduced and zeros assigned in order before paths are augmented, without its reduction
transfer and augmenting row reduction; reduced costs stay in the matrix in place of dual variables, as the dual ascent needs them.

References
----------
.. [1] R. Jonker, A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear
   assignment problems", Computing 38, 1987.
.. [2] D. Crouse, "On implementing 2D rectangular assignment algorithms", IEEE Trans. Aerospace and
   Electronic Systems 52, 2016.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled

FAR = np.int64(2**62)


@compiled
def assign(cost, n, column_of, row_of, low, previous, done):
    """Solve the assignment problem of `cost` [:n, :n] int64, leave its reduced costs there, and return the minimum cost.

    The reduced costs are 0 or more, and 0 for assigned pairs: subtracting a constant from a
    row or column changes the cost of every assignment equally. `column_of`, `row_of`, `previous` int64 (n,) and `low`
    int64 (n,), `done` bool (n,) are scratch; the first two hold the assignment at the end.
    """
    total = np.int64(0)
    for i in range(n):
        row = cost[i]
        lowest = row[0]
        for j in range(1, n):
            lowest = min(lowest, row[j])
        column_of[i] = -1
        total += lowest
        if lowest != 0:
            for j in range(n):
                row[j] -= lowest
    for j in range(n):
        low[j] = cost[0, j]
    for i in range(1, n):
        row = cost[i]
        for j in range(n):
            low[j] = min(low[j], row[j])
    for j in range(n):
        row_of[j] = -1
        total += low[j]
    for i in range(n):
        row = cost[i]
        for j in range(n):
            row[j] -= low[j]
            if row[j] == 0 and column_of[i] < 0 and row_of[j] < 0:
                column_of[i] = j
                row_of[j] = i
    for free in range(n):
        if column_of[free] < 0:
            total += _augment(cost, n, free, column_of, row_of, low, previous, done)
    return total


@compiled
def _augment(cost, n, free, column_of, row_of, low, previous, done):
    """Assign row `free` along a shortest augmenting path, update reduced costs, return the path length."""
    for j in range(n):
        low[j] = FAR
        done[j] = False
    row, reach, last = free, np.int64(0), -1
    while last < 0:
        near, lowest = -1, FAR
        costs = cost[row]
        for j in range(n):
            if not done[j]:
                length = reach + costs[j]
                if length < low[j]:
                    low[j] = length
                    previous[j] = row
                # Ties: an unassigned column ends the search.
                if low[j] < lowest or (low[j] == lowest and row_of[j] < 0):
                    lowest, near = low[j], j
        reach = lowest
        done[near] = True
        if row_of[near] < 0:
            last = near
        else:
            row = row_of[near]
    # Update the dual variables of the rows and columns of the tree.
    if reach > 0:
        costs = cost[free]
        for j in range(n):
            costs[j] -= reach
        for k in range(n):
            if done[k]:
                slack = reach - low[k]
                if slack > 0 and k != last:
                    costs = cost[row_of[k]]
                    for j in range(n):
                        costs[j] -= slack
        for k in range(n):
            if done[k]:
                slack = reach - low[k]
                if slack > 0:
                    for i in range(n):
                        cost[i, k] += slack
    while True:
        row = previous[last]
        row_of[last] = row
        last, column_of[row] = column_of[row], last
        if row == free:
            return reach
