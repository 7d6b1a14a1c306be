"""CP-SAT searches that Ctrl-C ends early."""

from __future__ import annotations

import threading
from typing import Any

POLL_S = 0.05
"""Time between two polls of a search, in which Ctrl-C is noticed."""


def solve(solver: Any, model: Any, callback: Any = None) -> tuple[int, bool]:
    """Solve a model; return the status of the solver, and whether Ctrl-C ended the search.

    CP-SAT's own handling of Ctrl-C leaves the process without any: the next one would kill it. So the search runs in a
    thread and the main thread, where Python raises KeyboardInterrupt, waits for it.

    Parameters
    ----------
    solver
        A `CpSolver` with its parameters set; it holds the best solution so far afterwards.
    model
        A `CpModel`.
    callback
        Called by the solver with each solution, in the thread of the search.
    """
    solver.parameters.catch_sigint_signal = False
    found: list[Any] = []
    failed: list[BaseException] = []
    # Not `Thread.join`: interrupted, it takes the thread for ended.
    done = threading.Event()

    def search() -> None:
        try:
            found.append(solver.solve(model, callback))
        except BaseException as error:
            failed.append(error)
        finally:
            done.set()

    threading.Thread(target=search, name="cp-sat").start()
    interrupted = False
    while not done.is_set():
        try:
            while not done.wait(POLL_S):
                if interrupted:
                    # It may not have begun when it was stopped first.
                    solver.stop_search()
        except KeyboardInterrupt:
            interrupted = True
    if failed:
        raise failed[0]
    return found[0], interrupted
