"""Kernels that repair and improve a packing by moving items between cabinets within all limits.

`label` is the cabinet of each item, int64 (U,); `content` (U, 3), `indptr`, `indices`, `links`,
`foe_indptr`, `foe_indices` describe the items; `per_box` and `table` the limits. `load` is the
content of each cabinet, int64 (C, 3); `near` is work space of zeros, int64 (C,).
"""

from __future__ import annotations

from planner.kernels import compiled


@compiled
def first_fit(order, light, label, load, content, foe_indptr, foe_indices, per_box, table):
    """Put every item, in this order, into the first cabinet with space for it; return the number of cabinets.

    `light` (3,) is the minimum content of any item: leading cabinets without space for it are closed.
    """
    used, closed = 0, 0
    for unit in order:
        while closed < used and not _fits(
            load[closed, 0] + light[0], load[closed, 1] + light[1], load[closed, 2] + light[2], per_box, table
        ):
            closed += 1
        cabinet = closed
        while cabinet < used and not _joins(unit, cabinet, label, load, content, foe_indptr, foe_indices, per_box, table):
            cabinet += 1
        used = max(used, cabinet + 1)
        _put(unit, cabinet, label, load, content)
    return used


@compiled
def repair(label, load, near, head, after, before, content, indptr, indices, links, foe_indptr, foe_indices, per_box, table):
    """Move items out of cabinets that violate a limit or hold conflicting items, each time the one with the smallest loss.

    `head` (C,), `after` and `before` (U,) are the items of each cabinet as linked lists. Return True if
    every cabinet keeps all limits.
    """
    for cabinet in range(len(load)):
        while True:
            over = not _fits(load[cabinet, 0], load[cabinet, 1], load[cabinet, 2], per_box, table)
            best, goal, smallest = -1, -1, 0
            any_bad = False
            unit = head[cabinet]
            while unit >= 0:
                if over or _foe_in(unit, cabinet, label, foe_indptr, foe_indices):
                    any_bad = True
                    _count(unit, 1, label, near, indptr, indices, links)
                    for k in range(indptr[unit], indptr[unit + 1]):
                        other = label[indices[k]]
                        loss = near[cabinet] - near[other]
                        if (
                            other != cabinet
                            and (best < 0 or loss < smallest)
                            and _joins(unit, other, label, load, content, foe_indptr, foe_indices, per_box, table)
                        ):
                            best, goal, smallest = unit, other, loss
                    _count(unit, -1, label, near, indptr, indices, links)
                unit = after[unit]
            if not any_bad:
                break
            if best < 0:
                # No neighbor's cabinet has space: use any other.
                unit = head[cabinet]
                while unit >= 0 and best < 0:
                    if over or _foe_in(unit, cabinet, label, foe_indptr, foe_indices):
                        for other in range(len(load)):
                            if other != cabinet and _joins(
                                unit, other, label, load, content, foe_indptr, foe_indices, per_box, table
                            ):
                                best, goal = unit, other
                                break
                    unit = after[unit]
            if best < 0:
                return False
            _take(best, label, load, content)
            if before[best] >= 0:
                after[before[best]] = after[best]
            else:
                head[cabinet] = after[best]
            if after[best] >= 0:
                before[after[best]] = before[best]
            _put(best, goal, label, load, content)
            after[best], before[best] = head[goal], -1
            if head[goal] >= 0:
                before[head[goal]] = best
            head[goal] = best
    return True


@compiled
def exchange(label, load, near, members, place, content, indptr, indices, links, foe_indptr, foe_indices, per_box, table):
    """One pass over all items: move or swap each to maximize the links inside cabinets; return the gain.

    `members` (C, M) are the items of each cabinet, M at least the maximum number per cabinet, with -1
    for no item; `place` (U,) is the position of each item there. A swap gains only if one of the
    two items gains on its own, so cabinets to which an item has no more links than to its own are skipped.
    """
    total, last = 0, members.shape[1] - 1
    for unit in range(len(label)):
        home = label[unit]
        _count(unit, 1, label, near, indptr, indices, links)
        best, goal, partner = 0, -1, -1
        for k in range(indptr[unit], indptr[unit + 1]):
            other = label[indices[k]]
            alone = near[other] - near[home]
            if other == home or alone <= 0:
                continue
            room = members[other, last] < 0 and _joins(unit, other, label, load, content, foe_indptr, foe_indices, per_box, table)
            if alone > best and room:
                best, goal, partner = alone, other, -1
            for slot in range(members.shape[1]):
                mate = members[other, slot]
                if mate < 0:
                    break
                gain = alone
                for j in range(indptr[mate], indptr[mate + 1]):
                    if indices[j] == unit:
                        gain -= 2 * links[j]
                    # The item itself is still in its cabinet, so its links to the mate count there once.
                    if label[indices[j]] == home:
                        gain += links[j]
                    elif label[indices[j]] == other:
                        gain -= links[j]
                if gain > best and _change_fits(unit, mate, label, load, content, foe_indptr, foe_indices, per_box, table):
                    best, goal, partner = gain, other, mate
        _count(unit, -1, label, near, indptr, indices, links)
        if best > 0:
            total += best
            _take(unit, label, load, content)
            here = place[unit]
            if partner >= 0:
                _take(partner, label, load, content)
                _put(partner, home, label, load, content)
                members[goal, place[partner]] = unit
                members[home, here] = partner
                place[unit], place[partner] = place[partner], here
            else:
                filled = last
                while members[home, filled] < 0:
                    filled -= 1
                members[home, here] = members[home, filled]
                place[members[home, here]] = here
                members[home, filled] = -1
                free = 0
                while members[goal, free] >= 0:
                    free += 1
                members[goal, free], place[unit] = unit, free
            _put(unit, goal, label, load, content)
    return total


@compiled
def _fits(routers, endpoints, ports, per_box, table):
    boxes = (endpoints + per_box - 1) // per_box
    for row in range(len(table)):
        need = table[row, 0] * routers + table[row, 1] * boxes + table[row, 2] * ports + table[row, 3]
        need += table[row, 5] * ((routers + table[row, 6] - 1) // table[row, 6])
        need += table[row, 7] * ((boxes + table[row, 8] - 1) // table[row, 8])
        if need > table[row, 4]:
            return False
    return True


@compiled
def _foe_in(unit, cabinet, label, foe_indptr, foe_indices):
    found = False
    for k in range(foe_indptr[unit], foe_indptr[unit + 1]):
        found = found or label[foe_indices[k]] == cabinet
    return found


@compiled
def _joins(unit, cabinet, label, load, content, foe_indptr, foe_indices, per_box, table):
    """Return whether an item from another cabinet fits into a cabinet."""
    if not _fits(
        load[cabinet, 0] + content[unit, 0],
        load[cabinet, 1] + content[unit, 1],
        load[cabinet, 2] + content[unit, 2],
        per_box,
        table,
    ):
        return False
    return not _foe_in(unit, cabinet, label, foe_indptr, foe_indices)


@compiled
def _change_fits(a, b, label, load, content, foe_indptr, foe_indices, per_box, table):
    """Return whether both cabinets keep all limits if two items are swapped."""
    here, there = label[a], label[b]
    routers, endpoints, ports = content[b, 0] - content[a, 0], content[b, 1] - content[a, 1], content[b, 2] - content[a, 2]
    if not _fits(load[here, 0] + routers, load[here, 1] + endpoints, load[here, 2] + ports, per_box, table):
        return False
    if not _fits(load[there, 0] - routers, load[there, 1] - endpoints, load[there, 2] - ports, per_box, table):
        return False
    label[a], label[b] = -1, -1
    bad = _foe_in(a, there, label, foe_indptr, foe_indices) or _foe_in(b, here, label, foe_indptr, foe_indices)
    label[a], label[b] = here, there
    return not bad


@compiled
def _count(unit, sign, label, near, indptr, indices, links):
    """Add the links of an item to the cabinets of its neighbors."""
    for k in range(indptr[unit], indptr[unit + 1]):
        near[label[indices[k]]] += sign * links[k]


@compiled
def _take(unit, label, load, content):
    for k in range(3):
        load[label[unit], k] -= content[unit, k]
    label[unit] = -1


@compiled
def _put(unit, cabinet, label, load, content):
    for k in range(3):
        load[cabinet, k] += content[unit, k]
    label[unit] = cabinet
