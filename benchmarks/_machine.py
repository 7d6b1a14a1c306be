"""The machine that a table was measured on, and time measured so that other work on it matters little."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path

from planner.core.executors import processors


def described() -> str:
    """Return the processor, its cores, and the versions of system and Python."""
    system = f"{platform.system()} {platform.machine()}"
    return f"{processor()}, {processors()} cores, {system}, Python {platform.python_version()}"


def load() -> str:
    """Return the load average of the last minute."""
    return f"load average {os.getloadavg()[0]:.1f}"


def processor() -> str:
    """Return the model of the processor where Linux names it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def cpu_s(work: Callable[[], object]) -> float:
    """Return the CPU seconds of a call."""
    began = time.process_time()
    work()
    return time.process_time() - began
