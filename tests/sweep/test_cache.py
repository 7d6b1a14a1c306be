"""Stages that runs share: made once, kept within bounds."""

import pytest
from shared.small_sweeps import run, write

from planner.studies import pipeline, study
from planner.studies.sweep.cache import Cache, Memory


@pytest.mark.slow
def test_stages_are_shared_between_runs(tmp_path, monkeypatch):
    monkeypatch.setattr("planner.studies.sweep.cache.MIN_FILE_S", 0)
    taken, made = [], []
    find, keep = Cache.find, Cache.keep

    def finding(self, name, stage, key):
        record = find(self, name, stage, key)
        taken.append((name, record is not None))
        return record

    monkeypatch.setattr(Cache, "find", finding)
    monkeypatch.setattr(Cache, "keep", lambda self, name, *rest: made.append(name) or keep(self, name, *rest))
    monkeypatch.setattr("planner.studies.sweep.cache.memory", Memory(2**20))
    run(write(tmp_path), tmp_path / "sweep.sqlite", cache=tmp_path / "cache")
    assert made.count("topology") == 2
    assert made.count("simulation") == 8
    assert len(list((tmp_path / "cache").glob("topology-*.npz"))) == 2
    # Another process finds them in the folder.
    monkeypatch.setattr("planner.studies.sweep.cache.memory", Memory(2**20))
    made.clear()
    run(tmp_path / "study.toml", tmp_path / "again.sqlite", cache=tmp_path / "cache")
    assert made == []


def test_the_folder_of_stages_is_bounded(tmp_path):
    record = pipeline.make(study.check({"topology": {"family": "slimfly", "q": 5}}), ["topology"]).topology
    cache = Cache(tmp_path, max_bytes=0)
    cache.keep("topology", record, "one", 1.0)
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert size == 0
    cache = Cache(tmp_path, max_bytes=20_000)
    for number in range(40):
        cache.keep("topology", record, f"key{number}", 1.0)
    files = list(tmp_path.iterdir())
    assert 1 <= len(files) < 40
    assert sum(path.stat().st_size for path in files) <= 20_000
    assert (tmp_path / "topology-key39.npz").exists()


def test_the_memory_of_a_worker_is_bounded_and_keeps_what_was_used_last():
    record = pipeline.make(study.check({"topology": {"family": "slimfly", "q": 5}}), ["topology"]).topology
    memory = Memory(max_bytes=10 * 4096)
    for number in range(1000):
        memory.keep(f"key{number}", record)
        assert memory.find("key0") is not None
    kept = [number for number in range(1000) if memory.find(f"key{number}") is not None]
    assert 1 < len(kept) < 10
    assert kept == [0, *range(1001 - len(kept), 1000)]
    memory.keep("key0", record)
    assert [number for number in range(1000) if memory.find(f"key{number}") is not None] == kept, "kept once, counted once"
