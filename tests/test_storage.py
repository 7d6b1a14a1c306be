"""Records on disk: nothing lost, nothing half-written, damage is named."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.core import storage
from planner.core.errors import InputError
from planner.domain import stored
from planner.domain.model import Bill, CablePlan, Catalog, Latency, Placement, Room, Topology, Violations
from planner.network import topology
from planner.studies.stages import SECTIONS

RECORDS = {
    "catalog": Catalog, "room": Room, "topology": Topology, "placement": Placement,
    "cables": CablePlan, "bill": Bill, "latency": Latency, "violations": Violations,
}  # fmt: skip


@pytest.mark.slow
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


@pytest.mark.slow
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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

    monkeypatch.setattr(np.lib.format, "write_array", full)
    with pytest.raises(OSError, match=r"disk is full: the file needs up to [\d.]+ MB.*bill\.npz"):
        storage.save(small_plan.bill, tmp_path / "bill.npz")
    assert os.listdir(tmp_path) == []


@pytest.mark.slow
def test_a_file_size_limit_is_reported_with_the_file_and_its_size(tmp_path):
    """The limit is the operating system's own; archives raise other errors while they close."""
    code = f"""
import resource
from pathlib import Path
import numpy as np
from planner.core import storage
from planner.domain.model import Bisection
from planner.network.topology import build
network = build("slimfly", q=7)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    storage.save(network, Path({str(tmp_path)!r}) / "topology.npz")
except OSError as error:
    print(error.filename, error.strerror)
"""
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.startswith(f"{tmp_path}/topology.npz cannot be written, the file-size limit is reached: the file needs up to")
    assert os.listdir(tmp_path) == []


@pytest.mark.slow
def test_the_next_writer_removes_what_a_killed_one_left(tmp_path):
    """Files that another process is still writing stay."""
    code = """
import sys, time
from pathlib import Path
from planner.core import storage
with storage.replacing(Path(sys.argv[1])) as file:
    file.write_text("half")
    print(file, flush=True)
    time.sleep(60)
"""
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path / name)], stdout=subprocess.PIPE, text=True)
        for name in ("killed.json", "living.json")
    ]
    try:
        half = [Path(writer.stdout.readline().strip()) for writer in writers]
        writers[0].kill()
        writers[0].wait()
        assert all(file.read_text() == "half" for file in half)
        storage.write_json({}, tmp_path / "next.json")
        assert sorted(os.listdir(tmp_path)) == [half[1].name, "next.json"]
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()


def test_an_archive_that_unpacks_without_end_is_refused(tmp_path, monkeypatch, small_plan):
    path = tmp_path / "bill.npz"
    storage.save(small_plan.bill, path)
    monkeypatch.setattr(storage, "MAX_BYTES", 1000)
    with pytest.raises(InputError, match="the limit is 1,000"):
        storage.restore(Bill, path)


@pytest.mark.parametrize(
    ("family", "parameters"),
    [("torus", {"sizes": [4, 3, 3]}), ("hyperx", {"sizes": [3, 4], "endpoints_per_router": 2}), ("slimfly", {"q": 5})],
)
def test_parameters_keep_their_order_and_their_kinds(tmp_path, family, parameters):
    """What is printed of a plan does not depend on whether it was stored in between."""
    made = topology.build(family, **parameters)
    storage.save(made, tmp_path / "topology.npz")
    assert repr(storage.restore(Topology, tmp_path / "topology.npz").params) == repr(made.params)


def test_sections_that_are_lists_of_tables_are_those_of_the_stages():
    assert set(stored.TABLES) == {name for name, each in SECTIONS.items() if each.is_list}
