"""Arrays that workers share: the same values, writable by each for itself, and no file left behind."""

import pickle
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from shared import tasks

from planner.core.executors import shared
from planner.core.executors.processes import Processes

LARGE, SMALL = np.arange(shared.SHARED_BYTES, dtype=np.int16), np.arange(5)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of shared files, empty at first."""
    monkeypatch.setattr(shared, "FOLDERS", (tmp_path,))
    return tmp_path


def test_values_arrive_and_the_file_goes(folder):
    value = {"large": LARGE, "again": LARGE, "turned": LARGE.reshape(4, -1).T, "small": SMALL, "name": "x"}
    with shared.packed(value) as blob:
        assert len(blob) < shared.SHARED_BYTES
        (file,) = folder.iterdir()
        got = shared.unpacked(blob)
    assert not list(folder.iterdir())
    assert not file.exists()
    for name in ("large", "again", "turned", "small"):
        np.testing.assert_array_equal(got[name], value[name])
        assert got[name].dtype == value[name].dtype
        assert got[name].flags.writeable
    assert got["large"].ctypes.data % 64 == 0
    got["large"][0] = 7
    assert LARGE[0] == 0


def test_small_values_need_no_file(folder):
    with shared.packed(SMALL) as blob:
        assert not list(folder.iterdir())
        np.testing.assert_array_equal(pickle.loads(blob), SMALL)


def test_the_file_goes_when_the_context_fails(folder):
    with pytest.raises(KeyError), shared.packed(LARGE):
        raise KeyError
    assert not list(folder.iterdir())


def test_without_space_the_pickle_has_the_arrays(monkeypatch):
    def full(**options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    with shared.packed(LARGE) as blob:
        assert len(blob) > LARGE.nbytes
        np.testing.assert_array_equal(shared.unpacked(blob), LARGE)


def test_workers_map_the_array_and_keep_their_changes(folder):
    """Each of two workers changes its own copy of the first page alone: a worker's second task sees its first one's change."""
    total = int(LARGE.sum(dtype=np.int64))
    with Processes(2) as workers:
        seen = list(workers.map(partial(tasks.sum_of, LARGE.astype(np.int64)), range(6)))
        assert not list(folder.iterdir())
    assert [task for _, task in seen] == list(range(6))
    assert {before for before, _ in seen} == {total, total - 1}
    assert not list(Path(folder).iterdir())
