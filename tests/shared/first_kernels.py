"""Compilation of kernels and tests before the workers of tests start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]


def compile_side_by_side() -> None:
    """Compile all kernels, and halves of the tests, in processes; what fails there fails in a test as well."""
    commands = [["planner.kernels"]]
    # What starts the workers has compiled the file of fixtures already.
    if not sys.dont_write_bytecode and not any(TESTS.glob("__pycache__/test_*-pytest-*")):
        files = sorted(str(path) for path in TESTS.rglob("test_*.py"))
        commands += [["pytest", "--collect-only", "-qq", *files[half::2]] for half in (0, 1)]
    processes = [subprocess.Popen([sys.executable, "-m", *words], cwd=TESTS, stdout=subprocess.DEVNULL) for words in commands]
    for process in processes:
        process.wait()
