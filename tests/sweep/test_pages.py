"""What the pages on sweeps and clusters show is what the program does."""

import csv
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from shared.job_queue import dask_jobqueue
from shared.small_sweeps import run, write

from planner.commands.console.cli import main
from planner.studies import sweep
from planner.studies.sweep import tables
from planner.studies.sweep.store import FIXED

DOCS = Path(__file__).parents[2] / "docs"
SWEEPS = (DOCS / "sweeps.md").read_text(encoding="utf-8")
CLUSTER = (DOCS / "cluster.md").read_text(encoding="utf-8")
EXAMPLE = DOCS / "examples" / "sweep.toml"


def blocks(page, language):
    """Fenced blocks of a page; those in lists without their indentation."""
    found = re.findall(r"^( *)```(\w*)\n(.*?)^ *```$", page, re.M | re.S)
    return [re.sub(rf"^{indent}", "", text, flags=re.M) for indent, named, text in found if named == language]


def test_the_example_is_the_file():
    assert blocks(SWEEPS, "toml") == [EXAMPLE.read_text(encoding="utf-8")]
    assert len(sweep.load(EXAMPLE).studies) == 12
    assert "2 x 2 x 3 = 12 runs" in SWEEPS


@pytest.mark.slow
def test_the_commands_of_the_page(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    study = f"{EXAMPLE} --set simulation.cycles=50 --set simulation.max_cycles=50"
    commands = re.findall(r"^    planner (.*?)(?:   +.*)?$", SWEEPS.split("## Axes")[0], re.M)
    assert [command.split()[0] for command in commands] == ["sweep", "sweep", "plot"]
    for command in commands:
        words = command.replace("docs/examples/sweep.toml", f"{study} --store own.sqlite --jobs 1").split()
        assert main([word for word in words if command.startswith("sweep") or word not in ("--store", "--jobs")]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"own.sqlite", "slim.csv", "slim.curve.csv", "plot.pdf"}
    capsys.readouterr()


def test_the_row_of_a_failure(tmp_path):
    text = '[topology]\nfamily = "slimfly"\n[sweep]\nstages = ["topology"]\n"topology.q" = [5, 6, 7]\n'
    run(write(tmp_path, text), tmp_path / "t.sqlite")
    with sweep.Store(tmp_path / "t.sqlite") as store:
        tables.export(store, tmp_path / "t.csv")
    with (tmp_path / "t.csv").open() as file:
        names, *found = csv.reader(file)
    shown = [row.replace(",…,", ",,,demo,").split(",") for row in next(b for b in blocks(SWEEPS, "") if "…" in b).splitlines()]
    assert shown[0] == names

    def own(row):
        return [cell for name, cell in zip(names, row, strict=True) if name not in ("fingerprint", "program", "study")]

    assert [own(row) for row in shown[1:]] == [own(row) for row in found]


def test_every_status_and_column_is_on_the_page():
    for word in (*FIXED, "done", "infeasible", "failed", "killed", "waiting"):
        assert f"`{word}`" in SWEEPS, word


@pytest.mark.nightly
def test_the_bar_shows_the_rate_and_the_time_left(tmp_path):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "planner", "sweep", str(write(tmp_path)), "--jobs", "1"]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "120"}
    with subprocess.Popen(command, stderr=theirs, stdout=subprocess.DEVNULL, env=environment) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:
            # So ends a terminal whose program has ended.
            pass
        os.close(ours)
    assert process.returncode == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert "8/8" in text
    assert re.search(r"\d+\.\d/(s|min)\s+(\d+:)?\d+:\d\d\s+left", text), text


@pytest.mark.slow
def test_the_slurm_settings_are_those_of_a_job(monkeypatch):
    jobqueue = dask_jobqueue()
    yaml = pytest.importorskip("yaml")
    dask = pytest.importorskip("dask")
    (text,) = (block for block in blocks(CLUSTER, "yaml") if "jobqueue" in block)
    given = yaml.safe_load(text)["jobqueue"]["slurm"]
    defaults = dask.config.get("jobqueue.slurm")
    assert given.keys() <= defaults.keys(), "no key that Dask does not know"
    with (
        dask.config.set({"jobqueue.slurm": defaults | given}),
        jobqueue.SLURMCluster(scheduler_options={"dashboard_address": ":0"}) as made,
    ):
        script = made.job_script()
    for line in ("#SBATCH -p batch", "#SBATCH --cpus-per-task=1", "#SBATCH --mem=4G", "#SBATCH -t 04:00:00"):
        assert line in script, script
    assert "export OMP_NUM_THREADS=1" in script
    assert "--nthreads 1" in script
