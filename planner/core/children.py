"""Processes that end with the one that started them, and functions on data of strangers within limits of time and memory."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing import connection
from typing import Any, TypeVar

from planner.core import registry
from planner.core.errors import CheckFailed, PlannerError

SECONDS = 300.0
"""How long work on one upload may take."""

MEMORY_BYTES = 4 * 2**30
"""Memory that it may take beyond what the program itself needs."""

R = TypeVar("R")


class TooMuch(PlannerError):
    """Work on data of strangers took more time or memory than it may."""


def end_with_parent() -> None:
    """End this process as soon as the one that started it ends, however that ends."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), name="parent", daemon=True).start()


def _follow(sentinel: int) -> None:
    # A pipe of which the parent holds the other end.
    connection.wait([sentinel])
    os._exit(1)


def bounded(function: Callable[..., R], *arguments: Any, seconds: float | None = None, memory_bytes: int | None = None) -> R:
    """Return what a function returns that runs in a process of its own, where no plug-in is imported.

    Parameters
    ----------
    function
        A function of a module, so that the process can import it.
    seconds, memory_bytes
        Limits; by default `SECONDS` and `MEMORY_BYTES`.

    Raises
    ------
    TooMuch
        When it exceeds a limit, or is killed.
    PlannerError
        What the function raises.
    """
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe(duplex=False)
    limit_s = SECONDS if seconds is None else seconds
    limit_bytes = MEMORY_BYTES if memory_bytes is None else memory_bytes
    process = spawn.Process(target=_work, args=(theirs, limit_bytes, function, arguments), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(limit_s):
            raise TooMuch(f"took more than {limit_s:,.0f} s")
        found, value = ours.recv()
    except EOFError:
        raise TooMuch(f"took more than {limit_bytes / 1e9:,.1f} GB of memory, or was ended from outside") from None
    finally:
        process.kill()
        process.join()
        ours.close()
    if not found:
        raise value
    return value


def _work(pipe: connection.Connection, memory_bytes: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    # Ctrl-C reaches all processes of the group; the one that waits ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    _limit(memory_bytes)
    try:
        with registry.own_code(False):
            answer = True, function(*arguments)
    except PlannerError as error:
        answer = False, error
    except MemoryError:
        answer = False, TooMuch(f"took more than {memory_bytes / 1e9:,.1f} GB of memory")
    except Exception as error:
        # A bug: tracebacks cannot be sent, and the terminal of the server shows this one.
        import traceback

        traceback.print_exc()
        answer = False, CheckFailed(f"{type(error).__name__}: {error}")
    pipe.send(answer)
    pipe.close()


def _limit(memory_bytes: int) -> None:
    """Limit the memory of this process to what it has and some bytes more; macOS has no such limit."""
    if sys.platform == "darwin":
        return
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            own_bytes = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        own_bytes = 0
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = own_bytes + memory_bytes
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
