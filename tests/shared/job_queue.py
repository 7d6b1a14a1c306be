"""The package of job queues, without what importing it does to Ctrl-C."""

from __future__ import annotations

import signal
from types import ModuleType

import pytest


def dask_jobqueue() -> ModuleType:
    """Return the package; skip the test where it is not installed."""
    handler = signal.getsignal(signal.SIGINT)
    try:
        return pytest.importorskip("dask_jobqueue")
    finally:
        signal.signal(signal.SIGINT, handler)
