"""Linear assignment in exact integers, by shortest augmenting paths.

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
def assign(cost, n, column_of, row_of, low, way, done):
    """Solve the assignment problem of `cost` [:n, :n] int64, leave its reduced costs there, and return the least cost.

    The reduced costs are 0 or more, and 0 where ``column_of`` assigns: subtracting a number from a
    row or column changes every assignment alike. `column_of`, `row_of`, `way` int64 (n,) and `low`
    int64 (n,), `done` bool (n,) are scratch; the first two hold the assignment at the end.
    """
    total = np.int64(0)
    for i in range(n):
        row = cost[i]
        least = row[0]
        for j in range(1, n):
            least = min(least, row[j])
        column_of[i] = -1
        total += least
        if least != 0:
            for j in range(n):
                row[j] -= least
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
            total += _augment(cost, n, free, column_of, row_of, low, way, done)
    return total


@compiled
def _augment(cost, n, free, column_of, row_of, low, way, done):
    """Assign row `free` along a shortest path, make the costs reduced again, return the length of the path."""
    for j in range(n):
        low[j] = FAR
        done[j] = False
    row, reach, last = free, np.int64(0), -1
    while last < 0:
        near, least = -1, FAR
        costs = cost[row]
        for j in range(n):
            if not done[j]:
                length = reach + costs[j]
                if length < low[j]:
                    low[j] = length
                    way[j] = row
                # Among equals an unassigned column ends the search.
                if low[j] < least or (low[j] == least and row_of[j] < 0):
                    least, near = low[j], j
        reach = least
        done[near] = True
        if row_of[near] < 0:
            last = near
        else:
            row = row_of[near]
    # Rows of the tree rise by what is left of the path, its columns fall by the same.
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
        row = way[last]
        row_of[last] = row
        last, column_of[row] = column_of[row], last
        if row == free:
            return reach
