"""Rack units of boxes whose cables are bought one by one: the best moves within each cabinet, one after the other.

The price of a row depends on the units of its two boxes alone. Boxes of a cabinet are `members[first[c]:first[c + 1]]`, rows at a
box `ends[at[b]:at[b + 1]]`, each as 2 * row + side. Arrays of a row have the suffix ``_of`` and its two sides as columns.
"""

from __future__ import annotations

import numpy as np

from planner.kernels import always_inlined, uncounted


@always_inlined
def _price(run, own, start, limit, cents, hint):
    """Return the price of a run length from the price list `own`, and its place in the list, searched from place `hint`."""
    low, high = start[own], start[own + 1] - 1
    place = min(max(hint, low), high)
    while place < high and limit[place] < run:
        place += 1
    while place > low and limit[place - 1] >= run:
        place -= 1
    beyond = run - limit[high]
    if beyond > 0:
        return cents[high] + beyond * cents[high] // limit[high], place
    return cents[place], place


@always_inlined
def _run(row, mine, theirs, side, rows, tables):
    """Return the run length of a row with its end `side` in unit `mine` and the other in unit `theirs`."""
    _, cabinet_of, rise_of, fixed_mm, kind_of, set_mm = rows
    rise, near, slack_mm, percent = tables
    if set_mm[row] >= 0:
        return set_mm[row]
    kind = kind_of[row]
    if cabinet_of[row, 0] == cabinet_of[row, 1]:
        if side == 0:
            return near[kind, mine, theirs]
        return near[kind, theirs, mine]
    length = fixed_mm[row] + rise[rise_of[row, side], mine] + rise[rise_of[row, 1 - side], theirs]
    return length + slack_mm + np.int64(np.ceil(length * percent / 100))


@always_inlined
def _prices_of(box, price, unit, ends, at, own, rows, tables, lists):
    """Fill `price`, int64 (units,), with the price of the rows of a box for each of its units, all others in place."""
    start, limit, cents = lists
    box_of = rows[0]
    for u in range(len(price)):
        price[u] = 0
    for k in range(at[box], at[box + 1]):
        row, side = ends[k] >> 1, ends[k] & 1
        theirs = unit[box_of[row, 1 - side]]
        hint = np.int64(0)
        for u in range(1, len(price)):
            value, hint = _price(_run(row, u, theirs, side, rows, tables), own[row], start, limit, cents, hint)
            price[u] += value


@always_inlined
def _together(a, b, unit, ends, at, own, rows, tables, lists):
    """Return what the sum of the savings of two boxes, each moved alone to the unit of the other, counts twice for their rows.

    A swap leaves the length of these rows as it is.
    """
    start, limit, cents = lists
    box_of = rows[0]
    total = np.int64(0)
    for k in range(at[a], at[a + 1]):
        row, side = ends[k] >> 1, ends[k] & 1
        if box_of[row, 1 - side] == b:
            now, hint = _price(_run(row, unit[a], unit[b], side, rows, tables), own[row], start, limit, cents, np.int64(0))
            moved, hint = _price(_run(row, unit[b], unit[b], side, rows, tables), own[row], start, limit, cents, hint)
            total += 2 * (now - moved)
    return total


@always_inlined
def _fits(box, u, height, owner):
    """Return whether the units from `u` upward are free or the box's own."""
    if u + height > len(owner):
        return False
    for v in range(u, u + height):  # noqa: SIM110 - no generators in kernels
        if owner[v] != -1 and owner[v] != box:
            return False
    return True


@always_inlined
def _best(here, price, owner, meets, unit, height, like, stays, ends, at, own, rows, tables, lists):
    """Return saving, box, unit and partner (-1: none) of the best move: free units by box and unit, then swaps by pair."""
    best = (np.int64(0), np.int64(-1), np.int64(-1), np.int64(-1))
    for i in range(len(here)):
        box = here[i]
        if stays[box] == 0:
            now = price[box, unit[box]]
            for u in range(price.shape[1]):
                if now - price[box, u] > best[0] and u != unit[box] and _fits(box, u, height[box], owner):
                    best = (now - price[box, u], box, np.int64(u), np.int64(-1))
    free = best[0]
    swap = (np.int64(0), np.int64(-1), np.int64(-1), np.int64(-1))
    for i in range(len(here)):
        a = here[i]
        if like[a] < 0:
            continue
        for j in range(i + 1, len(here)):
            b = here[j]
            if like[b] != like[a]:
                continue
            saving = price[a, unit[a]] - price[a, unit[b]] + price[b, unit[b]] - price[b, unit[a]]
            if meets[i, j]:
                saving -= _together(a, b, unit, ends, at, own, rows, tables, lists)
            if saving > swap[0]:
                swap = (saving, a, unit[b], b)
    if free > swap[0]:
        return best
    return swap


@uncounted
def settle(visits, waiting, members, first, unit, height, like, stays, taken, ends, at, own, rows, tables, lists, buffers):
    """Make the best move of each waiting cabinet until none lowers the price; return the saving and the number that wait.

    Parameters
    ----------
    visits
        Maximum number of cabinets to visit in this call.
    waiting
        Cabinets to visit, the lowest first, uint8 (C,); updated. A move lets the cabinets at the other ends of its rows wait.
    unit, height
        Lowest unit, updated, and height of each box, int64 (B,).
    like
        Boxes with the same number may be swapped; negative for boxes that stay, int64 (B,).
    stays
        Boxes that move to no free unit, uint8 (B,).
    taken
        Units that no box may use, uint8 (C, U).
    own
        Price list of each row, int64 (W,).
    rows
        Boxes and cabinets at both sides, int64 (W, 2); rows of `rise`, int64 (W, 2); drops and tray, int64 (W,); plane of `near`,
        int64 (W,); run length set by hand, -1 for none, int64 (W,).
    tables
        `rise`: rise in each unit, int64 (N, U); `near`: run length inside a cabinet with both ends in each unit, int64 (K, U, U);
        slack between cabinets, int64, and per cent.
    lists
        Start of each price list, and their limits and prices, int64.
    buffers
        Prices by box and unit, int64 (B, U), and boxes to price again, uint8 (B,), all at first; whether two boxes of a cabinet
        share rows, uint8 (b, b), b at least the number of boxes of any cabinet; owner of each unit, int64 (U,).
    """
    saved, cabinet = np.int64(0), 0
    box_of, cabinet_of = rows[0], rows[1]
    units = taken.shape[1]
    price, stale, meets, owner = buffers
    while visits > 0:
        while cabinet < len(waiting) and waiting[cabinet] == 0:
            cabinet += 1
        if cabinet == len(waiting):
            break
        visits -= 1
        waiting[cabinet] = 0
        here = members[first[cabinet] : first[cabinet + 1]]
        for i in range(len(here)):
            for j in range(len(here)):
                meets[i, j] = 0
            for k in range(at[here[i]], at[here[i] + 1]):
                row, side = ends[k] >> 1, ends[k] & 1
                if cabinet_of[row, 0] == cabinet_of[row, 1]:
                    meets[i, np.searchsorted(here, box_of[row, 1 - side])] = 1
        lowest = len(waiting)
        while True:
            for u in range(units):
                owner[u] = -2 if taken[cabinet, u] else -1
            for i in range(len(here)):
                if stale[here[i]]:
                    _prices_of(here[i], price[here[i]], unit, ends, at, own, rows, tables, lists)
                    stale[here[i]] = 0
                for u in range(unit[here[i]], unit[here[i]] + height[here[i]]):
                    owner[u] = here[i]
            saving, box, goal, partner = _best(
                here, price, owner, meets, unit, height, like, stays, ends, at, own, rows, tables, lists
            )
            if saving <= 0:
                break
            saved += saving
            if partner >= 0:
                unit[partner] = unit[box]
            unit[box] = goal
            for moved in (box, partner):
                if moved < 0:
                    continue
                for k in range(at[moved], at[moved + 1]):
                    stale[box_of[ends[k] >> 1, 1 - (ends[k] & 1)]] = 1
                    far = cabinet_of[ends[k] >> 1, 1 - (ends[k] & 1)]
                    if far != cabinet:
                        waiting[far] = 1
                        lowest = min(lowest, far)
        cabinet = min(cabinet, lowest)
    count = np.int64(0)
    for each in waiting:
        count += each
    return saved, count
