"""planner qap: the same figures as the library, one message for bad input."""

import json
import shutil
from pathlib import Path

import pytest

from planner.commands.console.cli import main
from planner.design.qap.assess import assess
from planner.design.qap.files import read, read_solution

QAPLIB = Path(__file__).parents[2] / "benchmarks" / "qaplib"


def test_json_matches_the_library(capsys, tmp_path):
    path, out = QAPLIB / "nug12.dat", tmp_path / "found.sln"
    assert main(["qap", str(path), "--moves", "2000000", "--json", "--out", str(out)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == assess(path, moves=2_000_000).figures()
    assert printed["objective"] == printed["known"] == 578
    assert printed["known_gap_percent"] == 0
    assert printed["bound"] <= 578
    assert read_solution(out, read(path)).objective == 578


def test_text(capsys, tmp_path):
    shutil.copy(QAPLIB / "chr12a.dat", tmp_path / "mine.dat")
    assert main(["qap", str(tmp_path / "mine.dat"), "--exact"]) == 0
    text = capsys.readouterr().out
    assert "9,552" in text
    assert "proven optimal" in text
    assert "best known" not in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.dat"], "nowhere.dat: cannot be read"),
        ([str(QAPLIB / "README.md")], "not an integer"),
        ([str(QAPLIB / "nug12.dat"), "--seconds", "-1"], "seconds"),
        ([str(QAPLIB / "nug12.dat"), "--algorithm", "anneel"], "did you mean anneal"),
        ([str(QAPLIB / "sko49.dat"), "--exact"], "at most 40"),
    ],
)
def test_bad_input(capsys, arguments, message):
    assert main(["qap", *arguments]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_an_interrupted_bound_leaves_the_solution(monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("planner.design.qap.bounds.best", interrupted)
    found = assess(QAPLIB / "nug12.dat", moves=2_000_000)
    assert found.solution.objective == 578
    assert found.bound is None
    assert "lower bound" not in found.text()
