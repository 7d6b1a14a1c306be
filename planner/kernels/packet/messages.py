"""State of messages with dependencies: which are due, which are delivered.

A step of a rank is due when its last message has arrived and the previous step is done; after its compute
time it appends all its messages to the queue of its endpoint. A message of which packets were dropped joins this queue again
after a timeout, with all packets dropped by then. See `planner.simulation.messages`.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from planner.kernels import uncounted
from planner.kernels.heap import Heap, pop, push
from planner.kernels.packet.records import NONE

COUNTS = np.dtype((np.record, [("waiting", "i8"), ("left", "i8"), ("last", "i8"), ("timeout", "i8")]))
"""waiting: entries of the heap; left: messages and steps not yet done; last: cycle in which the last one was done; timeout:
cycles from the drop of a packet until its source sends it again."""

Books = namedtuple(
    "Books",
    "source target first then compute waits wake_first wake unsent missing lost label started delivered next head tail carried "
    "woken key tie node counts",
)
"""State of a motif, arrays only.

For each message: endpoints `source` and `target`, `wake_first`, packets `unsent`, `missing` at the target and `lost`, to be
sent again, `label` of its packets, cycles `started` and `delivered`, and the `next` one in its source's queue. For each step:
`first` message, `then` (the next step of its rank), `compute` (cycles), `waits` (number of events it still waits
for). For each endpoint: `head` and `tail` of its queue, and the list `woken` of those whose queue was
empty. `carried` is the message of each packet; `key`, `tie` and `node` are the heap of steps that compute, and of messages
with dropped packets, numbered after the steps.
"""


@uncounted
def begin(books):
    """Start computing in all steps that wait for nothing."""
    for step in range(len(books.waits)):
        if books.waits[step] == 0:
            _compute(books, step, 0)


@uncounted
def run_due_steps(books, now):
    """Send the messages of all due steps, and dropped packets again; return the length of `woken`."""
    counts, steps = books.counts[0], len(books.waits)
    woken = 0
    while counts.waiting > 0 and books.key[0] <= now:
        step = books.node[0]
        counts.waiting = pop(Heap(books.key, books.tie, books.node), counts.waiting)
        if step >= steps:
            message = step - steps
            idle = books.unsent[message] == 0
            books.unsent[message] += books.lost[message]
            books.lost[message] = 0
            if idle:
                woken = _queue(books, message, woken)
            continue
        _done(books, now)
        for message in range(books.first[step], books.first[step + 1]):
            books.started[message] = now
            if books.source[message] == books.target[message]:
                _deliver(books, message, now)
            else:
                woken = _queue(books, message, woken)
        if books.then[step] != NONE:
            fulfill(books, books.then[step], now)
    return woken


@uncounted
def _queue(books, message, woken):
    """Append a message to the queue of its source; return the length of `woken`."""
    endpoint = books.source[message]
    books.next[message] = NONE
    if books.head[endpoint] == NONE:
        books.head[endpoint] = message
        books.woken[woken] = endpoint
        woken += 1
    else:
        books.next[books.tail[endpoint]] = message
    books.tail[endpoint] = message
    return woken


@uncounted
def lost(books, message, now):
    """Count a dropped packet; the first one of a message starts the timeout."""
    if books.lost[message] == 0:
        counts = books.counts[0]
        node = len(books.waits) + message
        counts.waiting = push(Heap(books.key, books.tie, books.node), counts.waiting, now + counts.timeout, 0.0, node)
    books.lost[message] += 1


@uncounted
def arrived(books, message, now):
    """Count a packet that arrived at its target."""
    books.missing[message] -= 1
    if books.missing[message] == 0:
        _deliver(books, message, now)


@uncounted
def _deliver(books, message, now):
    books.delivered[message] = now
    _done(books, now)
    for entry in range(books.wake_first[message], books.wake_first[message + 1]):
        fulfill(books, books.wake[entry], now)


@uncounted
def _done(books, now):
    books.counts[0].left -= 1
    books.counts[0].last = now


@uncounted
def fulfill(books, step, now):
    """Count an event that a step waits for; after the last one it computes."""
    books.waits[step] -= 1
    if books.waits[step] == 0:
        _compute(books, step, now)


@uncounted
def _compute(books, step, now):
    counts = books.counts[0]
    counts.waiting = push(Heap(books.key, books.tie, books.node), counts.waiting, now + books.compute[step], 0.0, step)


@uncounted
def longest(first, then, compute, waits, wake_first, wake, delay, ready, order):
    """Return the cycle in which all would be done if every message took `delay` cycles; -1 for a cyclic dependency of steps.

    `waits` (int32, T) is modified; `ready` (int64, T) and `order` (int64, T) are scratch.
    """
    ready[:] = 0
    known = 0
    for step in range(len(waits)):
        if waits[step] == 0:
            order[known] = step
            known += 1
    end = 0
    for i in range(len(waits)):
        if i == known:
            return -1
        step = order[i]
        start = ready[step] + compute[step]
        end = max(end, start)
        for message in range(first[step], first[step + 1]):
            arrival = start + delay[message]
            end = max(end, arrival)
            for entry in range(wake_first[message], wake_first[message + 1]):
                known = _known(waits, ready, order, wake[entry], arrival, known)
        if then[step] != NONE:
            known = _known(waits, ready, order, then[step], start, known)
    return end


@uncounted
def _known(waits, ready, order, step, time, known):
    """Decrement the wait count of a step; return the number of steps known to be due."""
    ready[step] = max(ready[step], time)
    waits[step] -= 1
    if waits[step] == 0:
        order[known] = step
        known += 1
    return known
