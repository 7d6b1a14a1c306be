"""The command `verify`: arguments to one call of the library, exit codes."""

import json
import sys
from types import ModuleType

import pytest
from shared.verifications import SCHEDULE, answer, verification

from planner.commands.console import cli
from planner.core.errors import InputError, Problem
from planner.formats import Selection


@pytest.fixture
def calls(monkeypatch):
    """What the command hands to the library, which returns what it should find."""
    found: list[dict] = []

    def verified(plan, files, **options):
        found.append({"plan": plan, "files": files, **options})
        name = files[0].parent.name
        if name not in ("sf-clean", "sf-mixed", "sf-device-swap"):
            raise InputError(Problem("", "is no discovery file", "give one", str(files[0])))
        return verification(name)

    module = ModuleType("planner.fabric.verify.run")
    module.verified = verified
    monkeypatch.setitem(sys.modules, "planner.fabric.verify.run", module)
    return found


def scan(name: str) -> str:
    return str(SCHEDULE.parent / name / "ibnetdiscover.txt")


@pytest.mark.parametrize(("name", "code"), [("sf-clean", 0), ("sf-mixed", 1), ("other", 2)])
def test_exit_codes(calls, name, code, capsys):
    assert cli.main(["verify", str(SCHEDULE), scan(name), "--quiet"]) == code
    printed = capsys.readouterr()
    assert bool(printed.err) == (code == 2)


def test_json_is_printed_alone(calls, capsys):
    assert cli.main(["verify", str(SCHEDULE), scan("sf-mixed"), "--json"]) == 1
    content = json.loads(capsys.readouterr().out)
    assert content["min_plug_moves"] == answer("sf-mixed")["min_plug_moves"]


def test_options_reach_the_library(calls, tmp_path):
    options = ["--cabinet", "A01", "--stage", "in cabinet", "--crew", "2", "--strict", "--anchors", "a.csv", "--names", "n.csv"]
    cli.main(["verify", str(SCHEDULE), scan("sf-clean"), scan("sf-mixed"), *options])
    (call,) = calls
    assert (call["plan"], len(call["files"])) == (SCHEDULE, 2)
    assert call["selection"] == Selection(cabinet="A01", stage="in cabinet", crew=2)
    assert call["strict"] is True
    assert (str(call["anchors"]), str(call["names"])) == ("a.csv", "n.csv")


@pytest.mark.slow
def test_outputs_are_written_and_named(calls, tmp_path, capsys):
    assert (
        cli.main(["verify", str(SCHEDULE), scan("sf-mixed"), "--out", str(tmp_path), "--as-built", str(tmp_path / "b.csv")]) == 1
    )
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"verification.json", "verification.xlsx", "moves.pdf", "node-name-map", "b.csv"}
    printed = capsys.readouterr().out
    assert all(str(tmp_path / name) in printed for name in names)


def test_a_part_of_a_plan_has_no_schedule_as_built(calls, tmp_path, capsys):
    command = ["verify", str(SCHEDULE), scan("sf-mixed"), "--cabinet", "A01", "--as-built", str(tmp_path / "b.csv")]
    assert cli.main(command) == 2
    assert "leave one of them out" in capsys.readouterr().err
    assert not calls
    assert not list(tmp_path.iterdir())
