"""The command line: exit codes, one message each, no traceback."""

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from planner import __version__
from planner.commands.console.cli import main
from planner.commands.new import TEMPLATE
from planner.core import registry
from planner.core.errors import PlannerWarning

TEXT = (
    TEMPLATE.format(name="tiny")
    .replace("q = 5", "q = 3")
    .replace('algorithm = "auto"', 'algorithm = "anneal"\nmoves = 500')
    .replace('["pdf", "xlsx", "csv"]', '["csv"]')
)
TEXT = TEXT[: TEXT.index("[simulation]")] + TEXT[TEXT.index("[report]") :]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "study.toml").write_text(TEXT)
    return tmp_path


@pytest.mark.slow
def test_new_run_report_check(tmp_path, capsys):
    name = tmp_path / "mine"
    assert main(["new", str(name)]) == 0
    assert main(["new", str(name)]) == 2
    (name / "study.toml").write_text(TEXT)
    assert main(["run", str(name)]) == 0
    out = capsys.readouterr().out
    assert "18 routers" in out
    assert "no violations" in out
    assert (name / "tiny.csv").exists()
    assert main(["report", str(name), "--format", "csv", "--out", str(tmp_path / "elsewhere")]) == 0
    assert (tmp_path / "elsewhere" / "tiny.csv").read_bytes() == (name / "tiny.csv").read_bytes()
    assert main(["check", str(name)]) == 0
    assert main(["check", str(name), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("q = 3", "qq = 3", 2, "has no such key"),
        ('cabinet = "apc-ar3300"', 'cabinet = "apc-ar9"', 2, "apc-ar9"),
        ("[topology]", "[topology", 2, "study.toml:7: is not valid TOML"),
        ("q = 3", "q = 13", 1, "slots too few"),
        ('plan = "lab"', 'plan = "missing.toml"', 2, "there is no file"),
    ],
)
def test_one_message_each_and_no_traceback(folder, capsys, old, new, code, message):
    (folder / "study.toml").write_text(TEXT.replace(old, new))
    assert main(["run", str(folder)]) == code
    printed = capsys.readouterr()
    assert message in printed.err
    assert "Traceback" not in printed.err + printed.out
    assert len(printed.err.strip().splitlines()) == (2 if "qq" in new else 1), printed.err


def test_a_catalog_of_ones_own_with_a_negative_price(folder, capsys):
    (folder / "mine.toml").write_text(
        '[[labor]]\nid = "mine"\nsource = "me"\nconfidence = "D"\nin_cabinet_cents = -5\nbetween_cabinets_cents = 1\n'
    )
    (folder / "study.toml").write_text(TEXT.replace("[room]", 'files = ["mine.toml"]\nlabor = "mine"\n\n[room]'))
    assert main(["run", str(folder)]) == 2
    error = capsys.readouterr().err
    assert "mine.toml:5" in error
    assert "not -5" in error
    assert sorted(path.name for path in folder.iterdir()) == ["mine.toml", "study.toml"]


@pytest.mark.slow
def test_a_room_of_ones_own(folder, capsys):
    from planner.core import shipped

    text = (shipped.folder("floorplans") / "lab.toml").read_text()
    (folder / "mine.toml").write_text(text.replace('title = "Laboratory"', 'title = "Mine"'))
    (folder / "study.toml").write_text(TEXT.replace('plan = "lab"', 'plan = "mine.toml"'))
    assert main(["run", str(folder), "--until", "placement"]) == 0
    assert "in Mine (16 slots)" in capsys.readouterr().out


@pytest.mark.slow
def test_broken_rules_give_exit_code_1(folder, capsys):
    from planner.core import shipped

    text = (shipped.folder("floorplans") / "lab.toml").read_text().replace("width_mm = 300", "width_mm = 20")
    (folder / "mine.toml").write_text(text.replace("height_mm = 100", "height_mm = 10"))
    (folder / "study.toml").write_text(TEXT.replace('plan = "lab"', 'plan = "mine.toml"'))
    assert main(["run", str(folder), "--set", "placement.groups=ignored", "--set", "topology.q=5"]) == 1
    assert "error: trays_within_fill: tray" in capsys.readouterr().out


@pytest.mark.slow
def test_list_and_help_are_quick_and_light():
    for command in (["--help"], ["list"], ["list", "topology", "--json"], ["--version"]):
        start = "import sys\nfrom planner.commands.console.cli import main\n"
        code = f"{start}try:\n    main({command!r})\nfinally:\n    print(sorted(sys.modules))"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        loaded = run.stdout.splitlines()[-1]
        for heavy in ("'numpy'", "'numba'", "'scipy'", "'pydantic'", "'rich'", "'shapely'"):
            assert heavy not in loaded


def test_other_systems_than_linux_and_macos_are_refused_with_what_to_do():
    code = "import sys\nsys.platform = 'win32'\nimport planner"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1].startswith("ImportError: Planner runs on Linux and macOS; on Windows run it in")


def test_list_shows_the_rows_of_a_catalog(capsys):
    assert main(["list", "routers"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "nvidia-sn2201 " in line]
    assert line.split(maxsplit=1)[1] == "ports: 48 RJ45 at 1 Gb/s; uplink: 4 QSFP28 at 100 Gb/s; mgmt: 1 RJ45 at 1 Gb/s"
    assert main(["list", "cabinet", "--json"]) == 0
    assert "ocp-orv3-44ou" in {row["id"] for row in json.loads(capsys.readouterr().out)}


@pytest.mark.slow
def test_list_names_every_element(capsys):
    assert main(["list"]) == 0
    text = capsys.readouterr().out
    for kind in registry.KINDS:
        for name in registry.names(kind):
            assert f"\n  {name} " in text
    assert main(["list", "topologies", "--json"]) == 0
    assert {e["name"] for e in json.loads(capsys.readouterr().out)} == set(registry.names("topology"))


def test_a_bug_of_ours_states_how_to_report_it(folder, capsys, monkeypatch):
    from planner.studies import pipeline

    monkeypatch.setattr(pipeline, "run", lambda *a, **k: 1 / 0)
    assert main(["run", str(folder)]) == 3
    error = capsys.readouterr().err
    assert "please report it" in error
    log = error.rsplit(" ", 1)[1].strip()
    assert "ZeroDivisionError" in Path(log).read_text()
    os.remove(log)


def test_interrupt_is_no_bug(folder, capsys, monkeypatch):
    from planner.studies import pipeline

    def interrupt(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "run", interrupt)
    assert main(["run", str(folder)]) == 130
    assert "finished stages are kept" in capsys.readouterr().err


def test_workers_and_wrong_options(folder, capsys):
    assert main(["run", str(folder), "--jobs", "0"]) == 2
    assert main(["report", str(folder), "--format", "docx"]) == 2
    assert "there is no report 'docx'" in capsys.readouterr().err
    assert main(["check", str(folder / "nowhere")]) == 2
    with pytest.raises(SystemExit) as stop:
        main(["fly"])
    assert stop.value.code == 2


def test_version(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert __version__ in capsys.readouterr().out


@pytest.mark.slow
def test_figures_of_one_network(capsys):
    assert main(["topology", "slimfly", "q=5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["figures"]
    assert (found["routers"], found["diameter"], found["girth"]) == (50, 2, 5)
    assert main(["topology", "polarstar", "q=3", "supernode_degree=3", "supernode=iq", "--effort", "low"]) == 0
    assert "104" in capsys.readouterr().out
    assert main(["topology", "slimfly", "q=6"]) == 2
    assert "nearest: 5 and 7" in capsys.readouterr().err
    assert main(["topology", "slimfly", "5"]) == 2
    assert "is not KEY=VALUE" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("sizes=[3,4]", "--json"), ("--json", "sizes=[3,4]")])
def test_parameters_may_stand_before_and_behind_options(capsys, words):
    assert main(["topology", "torus", *words]) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["parameters"]["sizes"] == [3, 4]


def test_words_that_no_command_takes_are_named(capsys):
    for given, named in ((("topology", "torus", "--sizes", "sizes=[3,4]"), "--sizes"), (("check", "a", "b"), "b")):
        with pytest.raises(SystemExit, match="2"):
            main(list(given))
        assert f"unrecognized arguments: {named}" in capsys.readouterr().err


def test_complaints_about_options_quote_no_control_characters(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["list", "--\x1b[2J"])
    assert ended.value.code == 2
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize("name", ['a"b', "a\nb", "x" * 121, "a\x1b[2J"])
def test_new_refuses_names_that_no_study_can_have(tmp_path, capsys, name):
    assert main(["new", str(tmp_path / name)]) == 2
    assert "name: " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_warnings_are_about_the_study_not_about_lines_of_code(capsys):
    main(["list", "router"])
    assert warnings.formatwarning(PlannerWarning("takes long"), PlannerWarning, "a.py", 1) == "planner: warning: takes long\n"
    assert warnings.formatwarning(UserWarning("x"), UserWarning, "a.py", 1).startswith("a.py:1: UserWarning: x")
