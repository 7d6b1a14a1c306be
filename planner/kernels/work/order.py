"""The order of tasks, and the schedule of crews.

Tasks have places (cabinets) and layers, both as rows of CSR arrays: ``*_start`` int64 (N+1,), the rest int64.
"""

from __future__ import annotations

from planner.kernels import always_inlined, uncounted
from planner.kernels.heap import pop, push


@always_inlined
def _last_use(task, places, place_start, last_use):
    """Return when one of the places of a task was last used."""
    latest = last_use[places[place_start[task]]]
    for k in range(place_start[task] + 1, place_start[task + 1]):
        latest = max(latest, last_use[places[k]])
    return latest


@uncounted
def order(
    begins,
    rank,
    places,
    place_start,
    layers,
    layer_start,
    content,
    content_start,
    missing,
    covered,
    waits,
    last_use,
    heap,
    listed,
):
    """Fill `listed` with all tasks, of each stage those first whose places have been idle longest, and return their number.

    Parameters
    ----------
    begins
        Tasks by stage, ascending, and start of each stage, int64 (N,) and (stages + 1,).
    rank
        Breaks ties, int64 (N,).
    layers
        Layers of each task.
    content
        Tasks of each layer; the layer above has the next number.
    missing
        Number of tasks of each layer not yet listed, int64; updated.
    covered
        Whether there is a layer above, uint8.
    waits
        Number of layers that each task waits for, int64 (N,); updated.
    last_use
        Number of the last listed task at each place, -1 for none, int64; updated.
    heap
        `planner.kernels.heap.Heap` of N entries.
    """
    tasks, start = begins
    count = 0
    for stage in range(len(start) - 1):
        waiting = 0
        for k in range(start[stage], start[stage + 1]):
            task = tasks[k]
            if waits[task] == 0:
                waiting = push(heap, waiting, float(_last_use(task, places, place_start, last_use)), float(rank[task]), task)
        while waiting:
            task, before = heap.node[0], heap.key[0]
            waiting = pop(heap, waiting)
            now = _last_use(task, places, place_start, last_use)
            if now != before:
                # Another task has been at one of its places in between.
                waiting = push(heap, waiting, float(now), float(rank[task]), task)
                continue
            for k in range(place_start[task], place_start[task + 1]):
                last_use[places[k]] = count
            listed[count] = task
            count += 1
            for k in range(layer_start[task], layer_start[task + 1]):
                layer = layers[k]
                missing[layer] -= 1
                if missing[layer] == 0 and covered[layer]:
                    for place in range(content_start[layer + 1], content_start[layer + 2]):
                        other = content[place]
                        waits[other] -= 1
                        if waits[other] == 0:
                            latest = _last_use(other, places, place_start, last_use)
                            waiting = push(heap, waiting, float(latest), float(rank[other]), other)
    return count


@uncounted
def schedule(
    listed, needed_s, pulling_s, trays, tray_start, places, place_start, jumpers, trunk, tray_free, done, free, start, crew
):
    """Give each listed task to the crew that is free first; fill `start` and `crew`, int64 (N,).

    Parameters
    ----------
    needed_s, pulling_s
        Time of the crew, and of that the time in trays, int64 (N,).
    jumpers, trunk
        Whether tasks are jumpers, which wait for the trunks at their places, or trunks, uint8 (N,).
    tray_free
        When each tray segment is free, int64; updated.
    done
        End of the work inside each place, of all work there, and of its trunks, int64 (3, places); updated.
    free
        When each crew is free, int64 (crews,); updated.
    """
    inside, everything, trunks = done[0], done[1], done[2]
    for task in listed:
        number = 0
        for other in range(1, len(free)):
            if free[other] < free[number]:
                number = other
        at = free[number]
        alone = place_start[task + 1] - place_start[task] == 1
        occupied = everything if alone else inside
        for k in range(place_start[task], place_start[task + 1]):
            at = max(at, occupied[places[k]])
            if jumpers[task]:
                at = max(at, trunks[places[k]])
        for k in range(tray_start[task], tray_start[task + 1]):
            at = max(at, tray_free[trays[k]])
        for k in range(tray_start[task], tray_start[task + 1]):
            tray_free[trays[k]] = at + pulling_s[task]
        end = at + needed_s[task]
        for k in range(place_start[task], place_start[task + 1]):
            place = places[k]
            everything[place] = max(everything[place], end)
            if alone:
                inside[place] = end
            if trunk[task]:
                trunks[place] = max(trunks[place], end)
        start[task], crew[task], free[number] = at, number, end
    return 0
