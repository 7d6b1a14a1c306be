"""Code that a plan names runs on the command line of the one who wrote it, and nowhere else."""

import json
import shutil
import sys
from contextvars import copy_context
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from shared.served import Hall
from shared.small_study import SMALL

from planner.commands.console.cli import main
from planner.core import children, registry
from planner.core.errors import InputError
from planner.fabric import baseline
from planner.install.editing.desk import Desk
from planner.install.site.journal import Journal
from planner.studies import pipeline
from planner.studies.stages import SECTIONS

PLUGIN = """
from pathlib import Path
Path(__file__).with_suffix(".ran").touch()
from planner.network.topology.torus import build
"""


@pytest.fixture(scope="session")
def computed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    (folder / "study.toml").write_text(SMALL)
    pipeline.run(folder)
    return folder


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """A module that notes that it was imported."""
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "their_code.py").write_text(PLUGIN)
    (folder / "pack").mkdir()
    (folder / "pack" / "evil.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(str(folder))
    yield folder / "pack" / "evil.ran"
    for name in ("pack", "pack.evil"):
        sys.modules.pop(name, None)


def naming(folder: Path, place: str, value: object) -> Path:
    """Name something in the study of a stored plan."""
    file = folder / "provenance.json"
    content = json.loads(file.read_text())
    *parts, key = place.split(".")
    table = content["study"]
    for part in parts:
        table = table.setdefault(part, {})
    table[key] = value
    file.write_text(json.dumps(content))
    return folder


PLACES = {
    "topology.family": "pack.evil", "topology.nucleus": "pack.evil", "placement.algorithm": "pack.evil",
    "placement.packing": "pack.evil", "cabling.bundling": "pack.evil", "report.formats": ["csv", "pack.evil"],
    "simulation.routing": "pack.evil", "simulation.traffic": "pack.evil", "growth.method": "pack.evil",
    "workload.jobs": [{"motif": "pack.evil"}], "network": [{"attach": [{"rule": "pack.evil"}]}],
    "topology.parameters": {"plane": "pack.evil"}, "placement.bound": "pack.evil",
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_a_received_plan_that_names_code_is_refused(computed, plugin, tmp_path, capsys, place):
    folder = naming(Path(shutil.copytree(computed, tmp_path / "plan")), place, PLACES[place])
    scan = tmp_path / "scan.txt"
    scan.write_text("nothing")
    for command in (
        ["check", folder], ["report", folder, "--format", "csv"], ["verify", folder, scan], ["accept", folder, scan],
        ["diff", computed, folder], ["site", "status", folder], ["serve", folder, "--port", "1"],
    ):  # fmt: skip
        assert main([str(word) for word in command]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "'pack.evil'" in line
        assert "--own-code" in line
    assert not plugin.exists()


def test_the_option_imports_it(computed, plugin, tmp_path, capsys):
    folder = naming(Path(shutil.copytree(computed, tmp_path / "plan")), "topology.family", "pack.evil")
    assert main(["check", str(folder), "--own-code"]) != 2
    assert plugin.exists()


def test_a_study_of_your_own_runs_its_code(plugin, tmp_path):
    (tmp_path / "study.toml").write_text(SMALL.replace('"torus"', '"pack.evil"'))
    assert main(["run", str(tmp_path), "--until", "topology", "--quiet"]) == 0
    assert plugin.exists()


def test_a_format_on_the_command_line_is_code_too(computed, plugin, capsys):
    assert main(["report", str(computed), "--format", "pack.evil"]) == 2
    assert "--own-code" in capsys.readouterr().err
    assert not plugin.exists()


def test_keys_that_choose_elements_are_known():
    """A section that chooses an element by another key would let a name pass until it is used."""
    keys = {section.variant.key for section in SECTIONS.values() if section.variant is not None}
    keys |= {kind for section in SECTIONS.values() for kind in section.elements}
    for key in keys | {"family", "nucleus", "plane", "rule", "motif", "formats"}:
        with registry.own_code(False):
            (problem,) = registry.refused({"any": [{key: "a.b"}]})
        assert problem.place == f"any.0.{key}"


def test_names_that_look_like_code_are_none():
    study = {
        "name": "a.b", "room": {"plan": "hall.toml"}, "catalog": {"files": ["own.parts"]}, "node": [{"name": "rack.one"}],
        "report": {"formats": ["csv"]}, "network": [{"attach": [{"rule": "table", "table": "links.csv"}]}],
    }  # fmt: skip
    with registry.own_code(False):
        assert registry.refused(study) == []


def test_refusal_ends_with_the_block_and_is_not_undone_in_it():
    with registry.own_code(False):
        with registry.own_code(True):
            assert not registry.runs_own_code()
        found = []
        thread = Thread(target=copy_context().run, args=(lambda: found.append(registry.runs_own_code()),))
        thread.start()
        thread.join()
        assert found == [False]
    assert registry.runs_own_code()


def test_a_deeply_nested_plan_is_refused(computed, tmp_path):
    folder = Path(shutil.copytree(computed, tmp_path / "plan"))
    text = (folder / "provenance.json").read_text()
    (folder / "provenance.json").write_text(
        text.replace('"sizes":', '"deep": ' + '{"a":' * 900 + "1" + "}" * 900 + ', "sizes":', 1)
    )
    assert main(["check", str(folder)]) == 2


# -- the server -------------------------------------------------------------------------------------


@pytest.fixture
def hall(computed, tmp_path):
    folder = Path(shutil.copytree(computed, tmp_path / "plan"))
    with Journal(tmp_path / "site.db") as journal:
        yield Hall(journal, planned=baseline.read(folder))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["bundling", "router", "row_without_power"])
def test_names_from_the_network_are_chosen_from_lists(hall, plugin, key):
    """The planner's link of a site is no shell on the server."""
    boss = hall.guest("planner")
    answer = boss.post("/api/planning/what-if", {key: "pack.evil"})
    assert answer.status_code == 400
    (problem,) = answer.json()["problems"]
    assert problem["place"] == f"what-if.{key}"
    assert not plugin.exists()


@pytest.mark.slow
def test_a_study_next_to_the_plan_is_no_code_for_the_server(hall, plugin):
    """Planning opens the study of the folder, which may name other things than the plan."""
    study = hall.planned.path / "study.toml"
    study.write_text(study.read_text().replace('"torus"', '"pack.evil"'))
    answer = hall.guest("planner").get("/api/planning/state")
    assert answer.status_code == 400
    assert "--own-code" in answer.text
    assert not plugin.exists()
    permitted = Hall(hall.journal, replace(hall.options, own_code=True), hall.planned)
    permitted.guest("planner").get("/api/planning/state")
    assert plugin.exists()


@pytest.mark.slow
def test_long_work_of_a_server_imports_no_code(computed, plugin, tmp_path):
    folder = Path(shutil.copytree(computed, tmp_path / "plan"))
    with registry.own_code(False):
        desk = Desk.open(folder)
        job = desk.work.what_if({"design_fill": 0.2})
        study = job.folder / "study.toml"
        # Whatever becomes of the study before its process reads it.
        study.write_text(study.read_text().replace('"torus"', '"pack.evil"'))
        assert job.wait(120)
    assert "--own-code" in job.error
    assert not plugin.exists()
    desk.close()


def test_a_process_for_uploads_imports_no_code(plugin):
    with pytest.raises(InputError, match="--own-code"):
        children.bounded(registry.load, "topology", "pack.evil")
    assert not plugin.exists()
