"""Records on disk: nothing lost, nothing half-written, damage is named."""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner import storage
from planner.errors import InputError
from planner.model import Bill, CablePlan, Catalog, Latency, Placement, Room, Topology, Violations

RECORDS = {
    "catalog": Catalog, "room": Room, "topology": Topology, "placement": Placement,
    "cables": CablePlan, "bill": Bill, "latency": Latency, "violations": Violations,
}  # fmt: skip


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_comes_back_as_it_was(small_plan, tmp_path, name):
    record = getattr(small_plan, name)
    path = tmp_path / f"{name}.npz"
    storage.save(record, path)
    again = storage.restore(RECORDS[name], path)
    assert again.fingerprint == record.fingerprint
    storage.save(again, tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()


def test_another_record_is_refused(small_plan, tmp_path):
    path = tmp_path / "bill.npz"
    storage.save(small_plan.bill, path)
    with pytest.raises(InputError, match="it holds a Bill"):
        storage.restore(Room, path)
    with pytest.raises(InputError, match="not a readable Room record"):
        storage.restore(Room, tmp_path / "none.npz")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_file_is_refused_or_harmless(small_plan, tmp_path, data):
    path = tmp_path / "latency.npz"
    storage.save(small_plan.latency, path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(bytes(content[: data.draw(st.integers(0, len(content)))]))
    try:
        again = storage.restore(Latency, path)
    except InputError as error:
        assert "remove it and run the study again" in str(error)
        return
    assert isinstance(again, Latency)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.json"
    storage.write_json({"a": 1}, path)
    with pytest.raises(RuntimeError, match="disk"), storage.replacing(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError("the disk is full")
    assert path.read_text() == '{\n "a": 1\n}\n'
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_full_disk_leaves_nothing(tmp_path, small_plan, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(OSError, match="No space left"):
        storage.save(small_plan.bill, tmp_path / "bill.npz")
    assert os.listdir(tmp_path) == []
