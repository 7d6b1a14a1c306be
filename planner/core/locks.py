"""Locks on open files and folders, which the system releases when their process ends, however that ends.

Systems without them are refused by `planner` itself.
"""

from __future__ import annotations

import fcntl


def lock(handle: int, *, wait: bool = True) -> None:
    """Lock an open file or folder against other processes.

    Parameters
    ----------
    handle
        Its descriptor; closing it releases the lock.
    wait
        Whether to wait for a process that has the lock.

    Raises
    ------
    BlockingIOError
        When another process has the lock, without waiting.
    """
    fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
