"""Every script of examples/ runs in an empty folder, and prints or writes what it promises; one of them as a process."""

import ast
import io
import os
import runpy
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))


@pytest.fixture(scope="module")
def script():
    """Function that runs a script as a program, in a folder, and returns what it prints."""

    def run(name, folder, *arguments):
        with pytest.MonkeyPatch.context() as patch, io.StringIO() as printed, redirect_stdout(printed):
            patch.chdir(folder)
            patch.syspath_prepend(ROOT)
            patch.setenv("MPLBACKEND", "Agg")
            patch.setattr(sys, "argv", [name, *arguments])
            runpy.run_module(f"examples.{name}", run_name="__main__")
            return printed.getvalue()

    return run


@pytest.fixture(scope="module")
def plan(script, tmp_path_factory):
    """Folder of a plan made from Python, and what that prints."""
    folder = tmp_path_factory.mktemp("examples")
    return folder, script("plan_from_python", folder)


@pytest.mark.slow
def test_a_plan_from_python_is_read_with_pandas(plan, script):
    folder, printed = plan
    # 45 links and 36 endpoints, a cable each.
    assert printed.startswith("slimfly-36: 81 cables")
    assert "first label 000001-A" in printed
    table = script("plan_with_pandas", folder, "slimfly-36")
    meters = printed.split(", ")[1].split()[0]
    assert ["A01", "A01", "copper", "81", meters] in [line.split()[:5] for line in table.splitlines()]


@pytest.mark.slow
def test_an_installation_is_followed(plan, script):
    folder, _ = plan
    printed = script("installation", folder, "slimfly-36")
    # 40 of 81 cables; one of them is in a wrong port.
    assert printed.startswith("slimfly-36: 39 of 81 cables installed; 120 events")
    assert "cable 8: end b is in R000 11" in printed


@pytest.mark.slow
def test_an_own_topology_is_measured_by_a_process_of_its_own(tmp_path):
    command = [sys.executable, "-m", "examples.own_topology"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    own, shipped = process.stdout.splitlines()
    # C(50; 1, 7, 16) has degree 6, the Hoffman-Singleton graph degree 7, diameter 2 and 42 of 49 routers at 2 hops.
    assert own.startswith("circulant: 150 links")
    assert shipped == f"slimfly: 175 links, diameter 2, {(7 + 2 * 42) / 49:.3f} mean hops"


@pytest.mark.slow
def test_an_own_routing_carries_a_low_load_and_less_than_an_adaptive_one_beyond(script, tmp_path):
    lines = script("own_routing", tmp_path).splitlines()
    (low, adaptive), (own_low, own) = ([float(word) for word in line.split("[")[1].split("]")[0].split()] for line in lines)
    assert low == pytest.approx(0.3, abs=0.01)
    assert own_low == pytest.approx(0.3, abs=0.01)
    assert own < adaptive


@pytest.mark.slow
def test_a_sweep_is_plotted(script, tmp_path):
    printed = script("sweep_with_plot", tmp_path)
    assert (tmp_path / "sweep.svg").read_text(encoding="utf-8").count("<path") > 10
    first = printed.splitlines()[2].split()
    assert [float(word) for word in first] == pytest.approx([0.2, 0.2, 0.2], abs=0.02)


def test_examples_are_short_and_use_public_names_only():
    assert len(SCRIPTS) == 7
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        assert len([line for line in text.splitlines() if line.strip()]) <= 40, script.name
        for node in ast.walk(ast.parse(text)):
            names = node.module.split(".") if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            names += [node.attr] if isinstance(node, ast.Attribute) else []
            private = [name for name in names if name.startswith("_")]
            assert not private, f"{script.name}: {private}"


@pytest.mark.slow
def test_polarized_routes_are_not_closed_under_reversal(script, tmp_path):
    """In a ring of four routers they are: both neighbors are as near; in a Slim Fly of 18 routers a tenth are not."""
    assert script("polarized_reversal", tmp_path, "torus", "sizes=[4]").startswith("0 of")
    assert script("polarized_reversal", tmp_path, "slimfly", "q=3").startswith("540 of 5,742")
