"""How kernels are compiled: by settings of their own, whoever else uses Numba, and whatever its next version hides."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from planner.commands.new import TEMPLATE
from planner.kernels import _cache, _internals, always_inlined, compiled, copied_into_callers, uncounted

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

KINDS = {"uncounted": uncounted, "always_inlined": always_inlined, "copied_into_callers": copied_into_callers}


def element(array, place):
    return array[place]


def second_last(array, place):
    return array[-2] + place


def code(kernel):
    return "".join(kernel.inspect_llvm().values())


def python(script: str, *arguments: str, **environment: str) -> str:
    """Return what a script prints in a process of its own."""
    command = [sys.executable, "-c", script, *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_uncounted_kernels_do_not_test_the_sign_of_an_index_and_others_do(monkeypatch):
    # Without the cache, whose kernels cannot be looked into.
    monkeypatch.setattr("planner.kernels._numba.CACHE_FOLDER", "")
    front, creating, others = uncounted(element), compiled(element), numba.njit(_nrt=False)(element)
    numbers = np.arange(5)
    assert front(numbers, 3) == creating(numbers, 3) == others(numbers, 3) == 3
    assert creating(numbers, -1) == others(numbers, -1) == 4
    assert "icmp slt i64" in code(others)
    assert "icmp slt i64" not in code(front)


@pytest.mark.parametrize("kind", KINDS)
def test_constants_may_count_from_the_end(kind):
    assert KINDS[kind](second_last)(np.arange(5), 10) == 13


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64])
def test_whole_numbers_of_any_width_are_handed_on_in_one(kind):
    kernel = uncounted(element)
    assert kernel(np.arange(5), kind(2)) == 2
    assert kernel(np.arange(5), 4) == 4
    assert [signature[1] for signature in kernel.signatures] == [numba.int64]


def test_few_modules_know_the_compiler():
    """Only one of them knows its private names; its events are documented."""
    knowing, private = [], []
    for path in sorted((ROOT / "planner").rglob("*.py")):
        imports = [line.split() for line in path.read_text().splitlines() if line.lstrip().startswith(("import ", "from "))]
        if any(word.split(".")[0] in ("numba", "llvmlite") for line in imports for word in line):
            knowing.append(path.name)
        if re.search(r"numba\.(core|np)(?!\.config)\b(?! import event$)|_nrt=|forceinline", path.read_text(), re.MULTILINE):
            private.append(path.name)
    assert knowing == ["_cache.py", "_internals.py", "_numba.py", "_signatures.py"]
    assert private == ["_internals.py"]


def test_the_private_names_are_there():
    """In the oldest and the newest version of Numba; without one of them kernels are slower."""
    assert _internals.UNCOUNTED == {"_nrt": False}
    assert _internals.INLINED == {"forceinline": True}
    assert _internals.arrays is not None
    assert _internals.ENTRY
    assert _internals.LOCATOR
    assert type(_internals.lock).__module__ == "numba.core.compiler_lock"
    assert _internals.reload_config.__module__ == "numba.core.config"


VECTORIZED = """
import gc, tempfile, os
# No cache: what comes from there cannot be looked into.
tempfile.tempdir = os.environ["XDG_CACHE_HOME"] = "/dev/null"
import numpy
from numba.core.registry import CPUDispatcher
from planner.kernels import compiled, vectorized

@vectorized
def add(row):
    for k in range(len(row)):
        row[k] += 1

@compiled
def total(row):
    add(row)
    return row[0]

assert total(numpy.arange(100)) == 1
kernels = [kernel for kernel in gc.get_objects() if isinstance(kernel, CPUDispatcher) and kernel.py_func is add.py_func]
code = "".join(text for kernel in kernels for text in kernel.inspect_llvm().values())
assert " x i64>" in code, code
"""


@pytest.mark.slow
def test_a_vectorized_kernel_is_vectorized_for_its_callers():
    python(VECTORIZED)


UNCHANGED = """
import os, numba
from numba.np import arrayobj
settings = lambda: {name: getattr(numba.config, name) for name in dir(numba.config) if name.isupper()}
state = lambda: (dict(os.environ), arrayobj.fix_integer_index, settings())
before = state()
import planner.simulation
from planner.network import metrics, topology
metrics.bisection(topology.build("torus", sizes=[4, 4]))
assert state() == before
"""


@pytest.mark.slow
def test_nothing_of_the_process_is_changed():
    python(UNCHANGED)


MACHINE_CODE = """
import gc, hashlib, os, re, sys, tempfile, numpy
# No cache: what comes from there cannot be looked into.
tempfile.tempdir = os.environ["XDG_CACHE_HOME"] = "/dev/null"
if sys.argv[1] == "others first":
    import numba
    @numba.njit
    def others(numbers):
        order, total = numpy.argsort(numbers), 0
        for k in range(len(numbers)):
            total += numbers[k] * numbers[-1 - k]
        return total + order[-1]
    others(numpy.arange(9)), others(numpy.arange(9.0))
import planner.simulation
from planner.network import metrics, topology
metrics.bisection(topology.build("torus", sizes=[4, 4]))
from planner.kernels import instructions
from planner.kernels.graph import bfs
from planner.kernels.placement import layout
from planner.design.qap import Qap, solve
flow, distance = numpy.random.default_rng(7).integers(0, 100, (2, 12, 12))
for algorithm in ("tabu", "anneal"):
    solve(Qap(flow, distance), seed=1, moves=2000, algorithm=algorithm)

def plain(code):
    # Names of symbols count compilations; everything else has to agree.
    names = {}
    text = chr(10).join(line.split("#")[0] for line in code.splitlines() if not line.strip().startswith((".", "/")))
    text = re.sub(r"[._A-Za-z]*_ZN[\\w.$]+", lambda found: names.setdefault(found[0], f"name{len(names)}"), text)
    return re.sub(r"[.]const[.]pickle[\\w.]+|\\d{9,}", "address", text)

from numba.core.registry import CPUDispatcher
for kernel in gc.get_objects():
    if isinstance(kernel, CPUDispatcher) and kernel.py_func.__module__.startswith("planner"):
        for signature, code in kernel.inspect_asm().items():
            digest = hashlib.sha256((str(signature) + plain(code)).encode()).hexdigest()
            print(kernel.py_func.__module__, kernel.py_func.__name__, digest)
"""


@pytest.mark.nightly
def test_the_order_of_imports_and_the_environment_do_not_change_the_machine_code():
    """The processor apart: whoever creates the first function of a process decides on it."""
    baseline = {f"NUMBA_{name}": value for name, value in _cache.processor().items()}
    first = python(MACHINE_CODE, "ours first").splitlines()
    second = python(MACHINE_CODE, "others first", NUMBA_LOOP_VECTORIZE="1", NUMBA_SLP_VECTORIZE="1", **baseline).splitlines()
    assert sorted(first) == sorted(second)
    assert len(first) > 20


MOVED = """
import importlib.abc, importlib.machinery, importlib.util, re, sys
names = sys.argv[1].split()

class Renamed(importlib.machinery.SourceFileLoader):
    def get_code(self, name):
        text = self.get_data(self.path).decode()
        if not any(old in text for old in names):
            return super().get_code(name)
        for old in names:
            text = re.sub(rf"\\\\b{old}\\\\b", old + "_moved", text)
        return compile(text, self.path, "exec", dont_inherit=True)

class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.split(".")[0] != "numba":
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if isinstance(spec and spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Renamed(name, spec.origin)
        return spec

sys.meta_path.insert(0, Finder())
import numpy
from planner.kernels import _internals, always_inlined, instructions, load, uncounted
from planner.network import metrics, topology

load()

@always_inlined
def pick(numbers, place):
    return numbers[place]

@uncounted
def total(numbers):
    found = 0
    for place in range(len(numbers)):
        found += pick(numbers, place)
    return found + numbers[-1] + instructions.lowest_bit(40)

assert total(numpy.arange(5)) == 10 + 4 + 3
if "fix_integer_index" in names:
    assert _internals.arrays is None
    assert uncounted(lambda numbers, place: numbers[place])(numpy.arange(5), -1) == 4
assert metrics.bisection(topology.build("hypercube", dimensions=4)).upper == 8
print(bool(_internals.ENTRY), *_internals.UNCOUNTED, *_internals.INLINED)
""".replace("\\\\b", "\\b")

PRIVATE = [
    "UserProvidedCacheLocator",
    "JITCodeLibrary",
    "fix_integer_index",
    "global_compiler_lock",
    "_nrt",
    "forceinline",
    "reload_config",
    "CPUTargetOptions",
]


@pytest.mark.slow
@pytest.mark.parametrize("names", [" ".join(PRIVATE), *(pytest.param(name, marks=pytest.mark.nightly) for name in PRIVATE)])
def test_kernels_do_without_private_names_of_numba(names, tmp_path):
    links, *options = python(MOVED, names, XDG_CACHE_HOME=str(tmp_path)).split()
    assert links == str("JITCodeLibrary" not in names)
    assert options == [name for name in ("_nrt", "forceinline") if name not in names and "CPUTargetOptions" not in names]


@pytest.mark.slow
def test_nothing_is_left_to_load_for_the_first_kernel(tmp_path):
    """A compiled kernel from the cache brings no module of Numba, nor of cffi, into a process that has loaded them."""
    script = """
import sys
from planner import kernels
from planner.network import metrics, topology
network = topology.build("hypercube", dimensions=4)
if sys.argv[1] == "load":
    kernels.load()
before = set(sys.modules)
metrics.distances(network)
print(len([name for name in set(sys.modules) - before if name.split(".")[0] in ("numba", "cffi")]))
"""
    given = {"XDG_CACHE_HOME": str(tmp_path)}
    python(script, "", **given)
    assert int(python(script, "", **given)) > 20
    assert int(python(script, "load", **given)) == 0


@pytest.mark.slow
def test_kernels_of_each_kind_and_build_have_a_cache_of_their_own(tmp_path):
    script = """
from planner.kernels import uncounted, compiled, always_inlined, copied_into_callers
from planner.kernels.graph import cuts
print(*(kind(cuts.refine.py_func)._cache.cache_path for kind in (uncounted, compiled, always_inlined, copied_into_callers)))
"""
    folders = []
    for build in ("fast", "checked"):
        folders += python(script, XDG_CACHE_HOME=str(tmp_path), PLANNER_KERNELS=build).split()
    assert len(set(folders)) == 8
    assert all(folder.startswith(str(tmp_path)) for folder in folders)
    # The same for every copy of the package.
    assert {Path(folder).name for folder in folders} == {"planner.kernels.graph"}


CHECKED = """
import sys
lost = []
# Errors that nobody can catch end here.
sys.unraisablehook = lambda error: lost.append(error.exc_value)
import numpy as np
from planner.core import registry
from planner.network import metrics, topology
from planner.kernels import uncounted, compiled
from planner.kernels.packet import records
from planner.simulation.routing import Network, minimal, routing_function
from planner.kernels.routing.view import candidate_array
from planner.core.errors import InputError

def element(array, place):
    return array[place]

for kind in (uncounted, compiled):
    for place in (-1, 5):
        try:
            kind(element)(np.arange(5), place)
        except IndexError:
            continue
        raise SystemExit(f"element {place} of 5 was found")

def beyond(here, packet, tables: minimal.Tables, found):
    return tables.neighbor[7, 0]

network = topology.build("torus", sizes=(4,))
made = minimal.prepare(Network(network, np.ones(8, np.int32)))
view = made.view((16, 4, 4), np.zeros(2, records.PACKET), np.zeros(2, records.OUTPUT), candidate_array(2))
try:
    routing_function(beyond)(0, 0, 1, 0, view.address)
except IndexError:
    pass
else:
    raise SystemExit("a routing read router 7 of 4")

from benchmarks.simulation import run
networks = [topology.build(name, **registry.load("topology", name).EXAMPLE)
            for name in ("dragonfly", "hyperx", "polarstar", "swapped_dragonfly", "fattree")]
ran = set()
for routing in registry.names("routing"):
    for network in networks:
        try:
            found = run(network, (0.3,), warmup=100, cycles=200, routing=routing)
        except InputError:
            continue
        assert found.delivered[0] > 0
        ran.add(routing)
        break
assert ran == set(registry.names("routing")), ran
for options in ({"flow_control": "wormhole"}, {"arbitration": "age"}, {"arbitration": "round_robin"}, {"input_speedup": 1}):
    run(networks[0], (0.3,), warmup=100, cycles=200, **options)
metrics.figures(networks[2], effort="high")
metrics.multiway_cut(networks[2], 4)
for objective in ("mean", "diameter"):
    better = topology.build("jellyfish", routers=24, degree=3, improve={"moves": 2000, "hot": 1.0, "objective": objective})
    assert better.family == "improved jellyfish"
from planner.design.qap import Qap, solve
flow, distance = np.random.default_rng(7).integers(0, 100, (2, 12, 12))
for algorithm in ("tabu", "anneal", "descent"):
    solve(Qap(flow, distance), seed=1, moves=2000, algorithm=algorithm)
from planner.commands.console.cli import main
assert main(["run", sys.argv[1], "--quiet"]) == 0
assert not lost, lost
print("no index beyond the end")
"""


STUDY = (
    TEMPLATE.format(name="tiny")
    .replace("q = 5", "q = 3")
    .replace('algorithm = "auto"', 'algorithm = "anneal"\nmoves = 2_000')
    .replace("[0.1, 0.3, 0.5, 0.7, 0.9]", "[0.2]\ncycles = 100\nmax_cycles = 100")
    .replace('["pdf", "xlsx", "csv"]', '["csv"]')
)


@pytest.mark.nightly
def test_the_checked_build_finds_indices_beyond_the_end_and_the_kernels_have_none(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    assert python(CHECKED, str(tmp_path), PLANNER_KERNELS="checked") == "no index beyond the end\n"
    assert (tmp_path / "tiny.csv").exists()


@pytest.mark.slow
def test_an_unknown_build_is_refused():
    done = subprocess.run(
        [sys.executable, "-m", "planner", "topology", "torus", "sizes=[3]"],
        env=os.environ | {"PLANNER_KERNELS": "chekced"}, capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 2
    assert "PLANNER_KERNELS" in done.stderr
    assert "checked" in done.stderr
