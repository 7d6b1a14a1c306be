"""Every script of examples/ runs as a process in an empty folder, and prints or writes what it promises."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))


def _printed(name, folder, *arguments):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"}
    command = [sys.executable, "-m", f"examples.{name}", *arguments]
    process = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.mark.slow
def test_a_plan_from_python_is_read_with_pandas(tmp_path):
    plan = _printed("plan_from_python", tmp_path)
    # 45 links and 36 endpoints, a cable each.
    assert plan.startswith("slimfly-36: 81 cables")
    assert "first label 000001-A" in plan
    table = _printed("plan_with_pandas", tmp_path, "slimfly-36")
    meters = plan.split(", ")[1].split()[0]
    assert ["A01", "A01", "copper", "81", meters] in [line.split()[:5] for line in table.splitlines()]


@pytest.mark.slow
def test_an_installation_is_followed(tmp_path):
    _printed("plan_from_python", tmp_path)
    printed = _printed("installation", tmp_path, "slimfly-36")
    # 40 of 81 cables; one of them is in a wrong port.
    assert printed.startswith("slimfly-36: 39 of 81 cables installed; 120 events")
    assert "cable 8: end b is in R000 11" in printed


@pytest.mark.slow
def test_an_own_topology_is_measured(tmp_path):
    own, shipped = _printed("own_topology", tmp_path).splitlines()
    # C(50; 1, 7, 16) has degree 6, the Hoffman-Singleton graph degree 7, diameter 2 and 42 of 49 routers at 2 hops.
    assert own.startswith("circulant: 150 links")
    assert shipped == f"slimfly: 175 links, diameter 2, {(7 + 2 * 42) / 49:.3f} mean hops"


@pytest.mark.slow
def test_an_own_routing_carries_a_low_load_and_less_than_an_adaptive_one_beyond(tmp_path):
    lines = _printed("own_routing", tmp_path).splitlines()
    (low, adaptive), (own_low, own) = ([float(word) for word in line.split("[")[1].split("]")[0].split()] for line in lines)
    assert low == pytest.approx(0.3, abs=0.01)
    assert own_low == pytest.approx(0.3, abs=0.01)
    assert own < adaptive


@pytest.mark.slow
def test_a_sweep_is_plotted(tmp_path):
    printed = _printed("sweep_with_plot", tmp_path)
    assert (tmp_path / "sweep.svg").read_text(encoding="utf-8").count("<path") > 10
    first = printed.splitlines()[2].split()
    assert [float(word) for word in first] == pytest.approx([0.2, 0.2, 0.2], abs=0.02)


def test_examples_are_short_and_use_public_names_only():
    assert len(SCRIPTS) == 6
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        assert len([line for line in text.splitlines() if line.strip()]) <= 40, script.name
        for node in ast.walk(ast.parse(text)):
            names = node.module.split(".") if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            names += [node.attr] if isinstance(node, ast.Attribute) else []
            private = [name for name in names if name.startswith("_")]
            assert not private, f"{script.name}: {private}"
