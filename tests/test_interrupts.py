"""Ctrl-C: after every algorithm it still raises KeyboardInterrupt, and in every search it keeps the best so far."""

import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest
from ortools.sat.python import cp_model
from shared.built_fabrics import PLAN

from planner.commands.console.cli import main
from planner.commands.new import TEMPLATE
from planner.core import registry
from planner.design import cp_sat
from planner.domain import stored

STUDY = (
    TEMPLATE.format(name="small")
    .replace("q = 5", "q = 3")
    .replace('"pdf", "xlsx", "csv"', '"csv"')
    .replace("[simulation]", "[simulation]\ncycles = 200")
)

LONG = {
    "anneal": "moves = 2_000_000_000",
    "tabu": "seconds = 500",
    "multilevel": "moves = 2_000_000_000",
}
"""Parameters with which a search lasts for minutes."""


def market_split():
    """A model that has solutions at once, and whose proof takes ages (Cornuejols and Dawande 1998)."""
    draw = random.Random(1)
    model = cp_model.CpModel()
    x = [model.new_bool_var("") for _ in range(50)]
    slack = []
    for _ in range(6):
        weights = [draw.randrange(100) for _ in x]
        over, under = (model.new_int_var(0, 10**4, "") for _ in range(2))
        model.add(sum(w * b for w, b in zip(weights, x, strict=True)) + under - over == sum(weights) // 2)
        slack += [over, under]
    model.minimize(sum(slack))
    return model


@pytest.mark.slow
def test_a_search_of_cp_sat_ends_and_the_next_interrupt_is_python_s():
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = 120
    timer = threading.Timer(1.0, signal.raise_signal, (signal.SIGINT,))
    started = time.monotonic()
    timer.start()
    status, interrupted = cp_sat.solve(solver, market_split())
    assert interrupted
    assert time.monotonic() - started < 60
    assert status == cp_model.FEASIBLE
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_errors_of_a_model_come_through():
    with pytest.raises(AttributeError):
        cp_sat.solve(cp_model.CpSolver(), None)


@pytest.mark.nightly
def test_after_every_algorithm_an_interrupt_is_python_s(tmp_path):
    """In a process of its own: an algorithm that resets the handler would kill it."""
    code = """
import signal
from planner.core import registry
from planner.domain import catalog
from planner.hall import floor
from planner.network import topology
from planner.design.cabling import cable
from planner.hall.floor import Lengths, Slack
from planner.design.inventory import inventory
from planner.design.placement import place
network = topology.build("slimfly", q=3, endpoints_per_router=2)
parts, room = catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300"), floor.room("lab", routers=1)
lengths = Lengths(room, parts.cabinet, Slack())
few = {"exact": {"method": "cp-sat", "work": 0.1}, "anneal": {"moves": 100}, "tabu": {"moves": 100}, "auto": {}}
todo = [(name, "auto", few.get(name, {})) for name in registry.names("placement") if name != "manual"]
todo += [("identity", name, {"groups": "ignored"}) for name in registry.names("packing")]
for algorithm, packing, options in todo:
    placed = place(network, parts, lengths, seed=1, algorithm=algorithm, packing=packing, **options)
    cable(inventory(network, parts), parts, placed, lengths)
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        print(algorithm, packing)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    expected = {(name, "auto") for name in registry.names("placement") if name != "manual"}
    expected |= {("identity", name) for name in registry.names("packing")}
    assert {tuple(line.split()) for line in ran.stdout.splitlines()} == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "algorithm", ["anneal", *(pytest.param(name, marks=pytest.mark.nightly) for name in LONG if name != "anneal")]
)
def test_an_interrupted_run_ends_with_the_best_so_far(tmp_path, algorithm):
    section = f'[placement]\nalgorithm = "{algorithm}"\n{LONG[algorithm]}\n'
    (tmp_path / "study.toml").write_text(STUDY.replace('[placement]\nalgorithm = "auto"', section))
    command, errors = [sys.executable, "-m", "planner", "run", str(tmp_path)], tmp_path / "errors"
    deadline = time.monotonic() + 240
    with errors.open("wb") as file:
        bars = {**os.environ, "FORCE_COLOR": "1"}
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=file, env=bars)
        # The progress bar of placement shows the objective once the search has begun.
        while b"objective" not in errors.read_bytes():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=240) == 130
    complaints = [line for line in errors.read_text().splitlines() if "planner:" in line]
    assert len(complaints) == 1
    assert "planner: interrupted: the results hold the best so far" in complaints[0]
    assert not [name for name in os.listdir(tmp_path) if "partial" in name]
    plan = stored.restore(tmp_path)
    assert not plan.placement.complete
    assert plan.violations is not None
    assert plan.provenance["stages"]["placement"]["key"] == ""


@pytest.mark.slow
def test_a_job_queue_leaves_ctrl_c_to_python():
    script = (
        "import signal\nfrom planner.core.errors import InputError\nfrom planner.core.executors import cluster\n"
        "try:\n    cluster.slurm_cluster(1)\nexcept InputError:\n    pass\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


WHOLE = {
    "verify": ([PLAN, PLAN.parent / "sf-mixed" / "ibnetdiscover.txt"], "planner.fabric.verify.outputs.workbook"),
    "accept": ([PLAN, PLAN.parent / "sf-clean" / "ibnetdiscover.txt"], "planner.fabric.accept.outputs.json"),
    "diff": ([PLAN, PLAN], "planner.studies.diff.outputs.page"),
}
"""Commands that write several files, and the one during which Ctrl-C comes."""


@pytest.mark.slow
@pytest.mark.parametrize("command", WHOLE)
def test_an_interrupt_leaves_all_files_of_a_set_or_none(tmp_path, monkeypatch, capsys, command):
    words, module = WHOLE[command]

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(f"{module}.write", interrupted)
    out = tmp_path / "out"
    assert main([command, *map(str, words), "--out", str(out), "--quiet"]) == 130
    assert "planner: interrupted: no file is half-written; run the same command again" in capsys.readouterr().err
    assert not out.exists() or not list(out.iterdir())


@pytest.mark.slow
def test_an_interrupt_before_the_server_listens(tmp_path, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("planner.install.serve.run.baseline.read", interrupted)
    assert main(["serve", str(PLAN), "--db", str(tmp_path / "site.db")]) == 130
    assert "the plan was not served yet; nothing was recorded" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["0", "1000001", "x", "-1", "9" * 30, "²", "1.0"])
def test_numbers_of_options_name_both_limits(capsys, text):
    with pytest.raises(SystemExit):
        main(["floor", "check", "lab", "--routers", text])
    assert "expected an integer from 1 to 1,000,000" in capsys.readouterr().err
