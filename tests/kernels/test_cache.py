"""The cache of kernels, shared by processes: one compiles a kernel, the others wait."""

import subprocess
import sys

import pytest

from planner.kernels import _cache

fcntl = _cache.fcntl

HELD = """
import sys, time
from planner.kernels import _cache
def function(): pass
with _cache.alone(sys.argv[1], function):
    print("held", flush=True)
    sys.stdin.read()
"""


def function():
    """Have the name of the function that the other process compiles."""


@pytest.mark.skipif(fcntl is None, reason="files cannot be locked")
def test_a_function_is_compiled_by_one_process_at_a_time_and_a_killed_one_lets_go(tmp_path):
    command = [sys.executable, "-c", HELD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        (lock,) = tmp_path.glob("*.lock")
        with lock.open("ab") as file:
            with pytest.raises(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            other.kill()
            fcntl.flock(file, fcntl.LOCK_EX)
    function.__module__ = "__main__"
    with _cache.alone(str(tmp_path), function):
        assert list(tmp_path.glob("*.lock")) == [lock]


def test_without_a_folder_that_can_be_written_all_compile(tmp_path):
    for folder in ("", str(tmp_path / "missing")):
        with _cache.alone(folder, function):
            assert list(tmp_path.iterdir()) == []
