"""Kernels compiled ahead of their use: which ones, for what, and where they are found again."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import planner
from planner.kernels import _cache, _signatures, ahead
from planner.kernels.packet import records

ROOT = Path(__file__).parents[2]
PACKAGE = Path(planner.__file__).parent

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


def test_every_kernel_that_python_calls_is_listed_with_its_signatures():
    spec = importlib.util.spec_from_file_location("signatures", ROOT / "tools" / "signatures.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    listed = _signatures.read(_signatures.LIST)
    assert {kernel.name for kernel in listed} == tool.called(), "see tools/signatures.py"
    for kernel in listed:
        assert _signatures.texts(_signatures.kinds(kernel.arguments)) == kernel.arguments


def test_types_are_written_and_read():
    rules = records.Rules(*range(len(records.Rules._fields)))
    readonly = np.zeros((2, 3), np.uint8)
    readonly.flags.writeable = False
    values = [3, 0.5, True, np.uint8(1), np.zeros(3, np.int32), readonly, np.zeros((4, 4)).T, (1, np.zeros(2)), rules]
    kinds = tuple(map(numba.typeof, [*values, np.zeros(2, records.PACKET)]))
    texts = _signatures.texts(kinds)
    assert texts[4:7] == ["int32 1 C", "uint8 2 C readonly", "float64 2 F"]
    assert texts[-1] == "planner.kernels.packet.records.PACKET 1 C unaligned"
    assert _signatures.kinds(json.loads(json.dumps(texts))) == kinds


def copied(folder: Path) -> Path:
    """Return a copy of the package with two kernels in its list."""
    shutil.copytree(PACKAGE, folder / "planner", ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / "planner" / "kernels" / "signatures.jsonl"
    lines = [
        line for line in path.read_text().splitlines() if "bfs.diameter" in line or "packet.planes" in line or "_nothing" in line
    ]
    path.write_text("\n".join(lines) + "\n")
    return folder


def run(tree: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess:
    """Run Python with one of the copies, as a user with a home folder."""
    environment = os.environ | {"PYTHONPATH": str(tree), "HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")}
    return subprocess.run([sys.executable, *arguments], env=environment, cwd=tree, capture_output=True, text=True, check=True)


def compiled(home: Path) -> list[str]:
    """Return the names of the kernels that were compiled into a cache."""
    (path,) = home.glob(".cache/planner/kernels-*/fast.jsonl")
    return [kernel.name for kernel in _signatures.read(path)]


NEEDED = """
import numpy as np
from planner.kernels.packet.planes import fill_planes
from planner.kernels._numba import load
load()
fill_planes(np.zeros(4, np.int64), np.zeros(4, np.int64), 2, np.zeros(4, np.int64))
assert sum(fill_planes.stats.cache_hits.values()) == int(__import__("sys").argv[1]), fill_planes.stats
"""


@pytest.mark.slow
def test_another_copy_and_another_user_find_compiled_kernels(tmp_path):
    first, second = (copied(tmp_path / name) for name in ("first", "second"))
    alice, bob, carol = (tmp_path / name for name in ("alice", "bob", "carol"))
    done = run(first, alice, "-m", "planner.kernels", "--archive", str(tmp_path))
    assert done.stderr.startswith("compiling kernels 0 of 2\n2 kernels compiled in ")
    assert "2 kernels compiled in" in done.stderr
    # Once compiled there is nothing to report.
    assert run(first, alice, "-m", "planner.kernels").stderr == ""
    # A copied cache serves another copy of the sources, and a shipped one another user.
    shutil.copytree(alice / ".cache", bob / ".cache")
    run(second, bob, "-c", NEEDED, "1")
    archive = Path(done.stdout.strip())
    shutil.copy(archive, second / "planner" / "kernels")
    run(second, carol, "-c", NEEDED, "1")
    assert compiled(alice) == compiled(bob) == compiled(carol)
    # Other sources do not use it.
    with (second / "planner" / "kernels" / "heap.py").open("a") as file:
        file.write("\n")
    shutil.rmtree(carol)
    run(second, carol, "-c", NEEDED, "0")


def test_the_processor_is_a_baseline_of_the_architecture(monkeypatch):
    monkeypatch.setattr(_cache.platform, "machine", lambda: "x86_64")
    every = dict.fromkeys(("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"), True)
    monkeypatch.setattr(_cache.binding, "get_host_cpu_features", lambda: every)
    assert _cache.processor() == {"CPU_NAME": "x86-64-v3", "CPU_FEATURES": ""}
    # An older processor gets code of its own, another architecture as well; a user decides first.
    monkeypatch.setattr(_cache.binding, "get_host_cpu_features", lambda: every | {"avx2": False})
    assert _cache.processor() == {}
    monkeypatch.setattr(_cache.platform, "machine", lambda: "aarch64")
    assert _cache.processor() == {"CPU_NAME": "generic", "CPU_FEATURES": ""}
    monkeypatch.setattr(_cache.platform, "machine", lambda: "riscv64")
    assert _cache.processor() == {}
    monkeypatch.setattr(_cache.platform, "machine", lambda: "aarch64")
    monkeypatch.setattr(numba.config, "CPU_NAME", "neoverse-n1")
    assert _cache.processor() == {}


def test_ctrl_c_ends_it_cleanly(monkeypatch, capsys):
    class Workers:
        def __enter__(self):
            return self

        def __exit__(self, *failure):
            pass

        def each(self, function, tasks):
            raise KeyboardInterrupt

    monkeypatch.setattr(ahead, "COMPILED", "")
    monkeypatch.setattr(ahead, "CACHE_FOLDER", "somewhere")
    monkeypatch.setattr(ahead, "executor", Workers)
    assert ahead.compile_all() == 130
    assert f"interrupted: 0 of {len(_signatures.read(_signatures.LIST))} kernels are compiled" in capsys.readouterr().err


def test_without_a_cache_nothing_is_compiled_ahead(monkeypatch, capsys):
    monkeypatch.setattr(ahead, "CACHE_FOLDER", "")
    assert ahead.compile_all() == 0
    assert capsys.readouterr().err == ""


def test_a_kernel_that_is_not_in_the_cache_is_reported(caplog, monkeypatch):
    monkeypatch.setattr("planner.kernels._numba.CACHE_FOLDER", "")

    @planner.kernels.compiled
    def made_here():
        return 7

    with caplog.at_level("INFO", "planner.kernels"):
        assert made_here() == 7
        assert made_here() == 7
    name = made_here.py_func.__qualname__
    assert [record.getMessage() for record in caplog.records] == [f"compiling kernel {__name__}.{name}"]


def test_an_archive_needs_a_folder():
    command = [sys.executable, "-m", "planner.kernels", "--archive", "/no/such/folder"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith("error: --archive: there is no folder /no/such/folder\n")
