"""Plug-ins: a package that is installed next to this one adds elements of every kind."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from planner.core import registry
from planner.core.errors import InputError
from planner.studies import study
from planner.studies.identity import identity

PAIRS = '''"""Pairs: routers linked two by two, in a line."""

import numpy as np

from planner.network.topology import from_links

EXAMPLE = {"pairs": 3}


def build(pairs: int, endpoints_per_router: int = 1):
    line = np.arange(2 * pairs - 1)
    links = np.column_stack([line, line + 1])
    return from_links("pairs", {"pairs": pairs}, 2 * pairs, links, endpoints=endpoints_per_router)
'''

COUNT = '''"""Number of cables, as text."""

ENDING = ".count"


def write(plan, path, *, words: str = "cables") -> None:
    path.write_text(f"{plan.cables.cable_count} {words}\\n", encoding="utf-8")
'''

FILES = {
    "lab/__init__.py": "",
    "lab/pairs.py": PAIRS,
    "lab/count.py": COUNT,
    "lab-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: lab\nVersion: 1.0\n",
    "lab-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "lab-1.0.dist-info/entry_points.txt": (
        "[planner.topologies]\npairs = lab.pairs\nslimfly = lab.pairs\ngone = lab.gone\n[planner.formats]\ncount = lab.count\n"
    ),
}

STUDY = """
name = "lab"
[topology]
family = "pairs"
pairs = 4
[catalog]
router = "nvidia-sb7800"
endpoint = "server-half-unit"
cabinet = "apc-ar3300"
[room]
plan = "lab"
[report]
formats = ["count"]
[report.count]
words = "things to pull"
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder into which the package is installed."""
    folder = tmp_path_factory.mktemp("site")
    wheel = folder / "lab-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in FILES.items():
            archive.writestr(name, text)
        archive.writestr("lab-1.0.dist-info/RECORD", "".join(f"{name},,\n" for name in FILES))
    options = ["--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", "--target", str(folder / "lib")]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(wheel)], check=True)
    return folder / "lib"


@pytest.fixture
def planner(site, tmp_path):
    """Runs a command where the package is installed."""
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")

    def run(*words):
        environment = os.environ | {"PYTHONPATH": str(site)}
        command = [sys.executable, "-m", "planner", *words]
        return subprocess.run(command, cwd=tmp_path, env=environment, text=True, capture_output=True, check=False)

    return run


@pytest.mark.slow
def test_a_plan_of_an_installed_plug_in(planner, site, tmp_path):
    done = planner("run", ".", "--quiet")
    assert done.returncode == 0, done.stderr
    # Seven links and eight endpoints.
    (count,) = tmp_path.glob("*.count")
    assert count.read_text() == "15 things to pull\n"
    # Installed code is not code of the plan.
    for command in (("check", "."), ("report", ".", "--format", "count")):
        done = planner(*command)
        assert done.returncode == 0, done.stderr
    stages = json.loads((tmp_path / "provenance.json").read_text())["stages"]
    # A changed plug-in is another program.
    (site / "lab/pairs.py").write_text(PAIRS + "\n# changed\n", encoding="utf-8")
    assert planner("run", ".", "--quiet").returncode == 0
    again = json.loads((tmp_path / "provenance.json").read_text())["stages"]
    assert again["topology"]["key"] != stages["topology"]["key"]
    assert again["topology"]["fingerprint"] == stages["topology"]["fingerprint"]


@pytest.mark.slow
def test_plug_ins_are_listed_and_suggested(planner):
    done = planner("list", "topology")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^ +pairs +Pairs: routers linked two by two", done.stdout, re.MULTILINE)
    done = planner("run", ".", "--set", "topology.family='pair'")
    assert done.returncode == 2
    assert "did you mean pairs?" in done.stderr


@pytest.mark.slow
def test_a_broken_or_double_plug_in(planner):
    """A built-in element keeps its name; what an entry point names and the package does not have is one clear error."""
    done = planner("run", ".", "--set", "topology.family='gone'")
    assert done.returncode == 2
    assert "topology gone cannot be imported: No module named 'lab.gone'; install lab again, or remove it" in done.stderr
    done = planner("topology", "slimfly", "q=5", "--json", "--quiet")
    assert json.loads(done.stdout)["parameters"]["q"] == 5


def test_every_kind_has_a_group_of_entry_points():
    groups = [kind.group for kind in registry.KINDS.values()]
    assert len({*groups}) == len(groups)
    page = (Path(__file__).parents[1] / "docs/adding.md").read_text(encoding="utf-8")
    assert [group for group in groups if f"`{group}`" not in page] == []


def test_an_unknown_element_is_refused():
    with pytest.raises(InputError, match="there is no topology 'pairs'"):
        registry.load("topology", "pairs")


def test_results_of_sweeps_depend_on_plug_ins(tmp_path, monkeypatch):
    """Also on one without a package, named by its module."""
    (tmp_path / "lab_of_sweeps").mkdir()
    file = tmp_path / "lab_of_sweeps/pairs.py"
    file.write_text(PAIRS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    named = {"name": "pairs", "topology": {"family": "lab_of_sweeps.pairs", "pairs": 4}}
    own, other = study.check(named, base=tmp_path), study.check({"topology": {"family": "torus", "sizes": [4]}}, base=tmp_path)
    before = identity(own), identity(other)
    file.write_text(PAIRS + "# changed\n", encoding="utf-8")
    assert identity(own) != before[0]
    assert identity(other) == before[1]
