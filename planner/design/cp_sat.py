"""CP-SAT searches that can be interrupted by Ctrl-C."""

from __future__ import annotations

import threading
from typing import Any

POLL_S = 0.05
"""Interval for polling Ctrl-C during a search."""


def solve(solver: Any, model: Any, callback: Any = None) -> tuple[int, bool]:
    """Solve a model; return the solver status and whether the search was interrupted.

    CP-SAT's own handler disables Ctrl-C handling afterwards, so that the next Ctrl-C would kill the process. Therefore the search
    runs in a thread, and the main thread, where Python raises KeyboardInterrupt, waits for it.

    Parameters
    ----------
    solver
        A configured `CpSolver`; it holds the best solution afterwards.
    model
        A `CpModel`.
    callback
        Called by the solver for each solution, in the search thread.
    """
    solver.parameters.catch_sigint_signal = False
    found: list[Any] = []
    failed: list[BaseException] = []
    # An interrupted `Thread.join` would consider the thread finished.
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
                    # The first stop may have come before the search started.
                    solver.stop_search()
        except KeyboardInterrupt:
            interrupted = True
    if failed:
        raise failed[0]
    return found[0], interrupted
