"""The order of tasks and the schedule of crews against plain implementations of the same definitions."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from planner.kernels.heap import Heap
from planner.kernels.work.order import order, schedule

TASKS = st.lists(
    st.tuples(
        st.lists(st.integers(0, 5), min_size=1, max_size=2, unique=True),
        st.lists(st.integers(0, 4), max_size=3, unique=True),
        st.integers(0, 2),
        st.integers(1, 9),
        st.booleans(),
        st.booleans(),
    ),
    min_size=1,
    max_size=25,
)
"""Places, trays, stage, time, jumpers, trunk."""


def rows(lists):
    start = np.cumsum([0, *map(len, lists)])
    return np.array([each for one in lists for each in one], np.int64), start.astype(np.int64)


def lists(values, start):
    return [values[a:b].tolist() for a, b in pairwise(start.tolist())]


@given(TASKS, st.randoms(use_true_random=False))
def test_the_task_whose_places_are_idle_longest_comes_next(tasks, draw):
    """Each task in a layer of every tray it uses, which it shares with the tasks of its stage and time there."""
    count = len(tasks)
    rank = list(range(count))
    draw.shuffle(rank)
    keys = sorted({(stage, tray, -time) for _, trays, stage, time, *_ in tasks for tray in trays})
    layers = [[keys.index((stage, tray, -time)) for tray in trays] for _, trays, stage, time, *_ in tasks]
    content = [[task for task in range(count) if layer in layers[task]] for layer in range(len(keys))]
    covered = [n + 1 < len(keys) and keys[n + 1][:2] == keys[n][:2] for n in range(len(keys))]
    bottom = [not n or not covered[n - 1] for n in range(len(keys))]
    stages = [task[2] for task in tasks]

    expected, last = [], dict.fromkeys(range(6), -1)
    for stage in range(3):
        left = {task for task in range(count) if stages[task] == stage}
        while left:
            free = [task for task in left if all(bottom[layer] or not set(content[layer - 1]) & left for layer in layers[task])]
            task = min(free, key=lambda task: (max(last[place] for place in tasks[task][0]), rank[task]))
            last |= dict.fromkeys(tasks[task][0], len(expected))
            expected.append(task)
            left.remove(task)

    by_stage = np.argsort(stages, kind="stable")
    begins = by_stage, np.searchsorted(np.array(stages)[by_stage], np.arange(4))
    listed = np.empty(count, np.int64)
    waits = np.array([sum(not bottom[layer] for layer in own) for own in layers], np.int64)
    heap = Heap(np.empty(count), np.empty(count), np.empty(count, np.int32))
    done = order(
        begins, np.array(rank), *rows([task[0] for task in tasks]), *rows(layers), *rows(content),
        np.array([len(own) for own in content], np.int64), np.array(covered, np.uint8), waits, np.full(6, -1), heap, listed,
    )  # fmt: skip
    assert done == count
    assert listed.tolist() == expected


@given(TASKS, st.integers(1, 3))
def test_a_task_starts_when_a_crew_and_its_places_and_trays_are_free(tasks, crews):
    count = len(tasks)
    needed = np.array([task[3] for task in tasks], np.int64)
    pulling = needed // 2
    jumpers, trunk = (np.array([task[column] for task in tasks], np.uint8) for column in (4, 5))
    start, crew = np.zeros((2, count), np.int64)
    listed = np.arange(count)[::-1].copy()
    schedule(
        listed, needed, pulling, *rows([task[1] for task in tasks]), *rows([task[0] for task in tasks]), jumpers, trunk,
        np.zeros(5, np.int64), np.zeros((3, 6), np.int64), np.zeros(crews, np.int64), start, crew,
    )  # fmt: skip

    free, before = [0] * crews, []
    for task in listed.tolist():
        places, trays, _, _, waits, _ = tasks[task]
        at = min(free)
        for other in before:
            end = int(start[other] + needed[other])
            shared = set(places) & set(tasks[other][0])
            if set(trays) & set(tasks[other][1]):
                at = max(at, int(start[other] + pulling[other]))
            # Work inside a cabinet excludes all other work there.
            if shared and (len(places) == 1 or len(tasks[other][0]) == 1 or (waits and tasks[other][5])):
                at = max(at, end)
        number = free.index(min(free))
        assert (int(start[task]), int(crew[task])) == (at, number)
        free[number] = at + int(needed[task])
        before.append(task)
