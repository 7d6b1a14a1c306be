"""The cache of kernels, shared by processes: one compiles a kernel, the others wait."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from planner.core.locks import lock
from planner.kernels import _cache

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


def test_a_function_is_compiled_by_one_process_at_a_time_and_a_killed_one_lets_go(tmp_path):
    command = [sys.executable, "-c", HELD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        (held,) = tmp_path.glob("*.lock")
        with held.open("ab") as file:
            with pytest.raises(BlockingIOError):
                lock(file.fileno(), wait=False)
            other.kill()
            lock(file.fileno())
    function.__module__ = "__main__"
    with _cache.alone(str(tmp_path), function):
        assert list(tmp_path.glob("*.lock")) == [held]


def test_without_a_folder_that_can_be_written_all_compile(tmp_path):
    for folder in ("", str(tmp_path / "missing")):
        with _cache.alone(folder, function):
            assert list(tmp_path.iterdir()) == []


def test_the_cache_is_in_no_folder_that_others_can_write(tmp_path, monkeypatch):
    """Where the user's own is not writable it is with the temporary files, of which other users have theirs."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    found = Path(_cache.folder())
    assert found.parent.parent == tmp_path
    assert found.parent.stat().st_mode & 0o777 == 0o700
    for others in (0o777, 0o750):
        found.parent.chmod(others)
        assert _cache.folder() == ""
