"""Options of reports: which formats have them, how they enter the file's name, and the messages for wrong ones."""

import argparse
import re
import sys
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from planner import formats
from planner.commands import report as command
from planner.core.errors import InputError
from planner.design.work import work
from planner.domain.model import PanelPlan
from planner.formats import Selection
from planner.studies import pipeline, study
from planner.view.selection import named


@pytest.fixture
def two(monkeypatch):
    """Two formats of somebody's own, importable by dotted names."""
    found = []
    for name, options in (("plain", ""), ("rich", ", *, row: str | None = None, sheet: int = 1")):
        module = ModuleType(f"mylab_{name}")
        module.ENDING = f".{name}.txt"
        exec(
            f"from pathlib import Path\nfrom planner.domain.model import PanelPlan, Plan\n"
            f"def write(plan: Plan, path: Path{options}) -> None:\n    path.write_text('{name}')",
            module.__dict__,
        )
        package = ModuleType(f"mylab{name}")
        package.report = module
        monkeypatch.setitem(sys.modules, f"mylab{name}", package)
        monkeypatch.setitem(sys.modules, f"mylab{name}.report", module)
        found.append(f"mylab{name}.report")
    return found


def complaint(function, *given, **more):
    with pytest.raises(InputError) as error:
        function(*given, **more)
    return str(error.value)


def test_an_option_goes_to_the_formats_that_know_it(two):
    plain, rich = two
    assert formats.share_out(two, {"sheet": 2}) == {plain: {}, rich: {"sheet": 2}}
    given = {"sheet": 2, rich: {"row": "B", "sheet": 3}}
    assert formats.share_out(two, given) == {plain: {}, rich: {"row": "B", "sheet": 3}}


@pytest.mark.slow
def test_an_option_that_no_format_knows_is_wrong(two):
    assert "paper: csv has no such option; it is an option of pdf" in complaint(formats.share_out, ["csv"], {"paper": "a4"})
    assert "did you mean sheet?" in complaint(formats.share_out, two, {"shet": 2})
    assert f"{two[1]}.sheet: must be a valid integer" in complaint(formats.share_out, two, {"sheet": "x"})
    assert "there is no report 'pdv'; did you mean pdf?" in complaint(formats.share_out, ["pdv"], {})


def test_a_format_that_cannot_select_is_named_even_among_others_that_can():
    for chosen, able in ((["html"], []), (["csv", "html", "graph_golf"], ["csv"])):
        text = complaint(formats.share_out, chosen, {"crew": 1})
        unable = ", ".join(name for name in chosen if name not in able)
        assert re.match(rf"crew: {unable} cannot select a part of the plan by crew; formats that can: .*\bpdf\b", text)
        assert "graph_golf" not in text.partition(";")[2]
    # A network is an option of formats for one network, too; a table of one format leaves the others alone.
    assert formats.share_out(["graph_golf", "csv"], {"network": "a"}) == {"graph_golf": {"network": "a"}, "csv": {"network": "a"}}
    assert formats.share_out(["html", "csv"], {"csv": {"crew": 1}}) == {"html": {}, "csv": {"crew": 1}}
    both = complaint(formats.share_out, ["html", "ifc"], {"crew": 1, "task": 2})
    assert both.count("cannot select") == 2


def test_files_are_called_by_their_options(two, plan, tmp_path):
    written = pipeline.write_reports(plan, tmp_path, formats.share_out(two, {two[1]: {"row": "A/1"}}))
    assert [path.name for path in written] == ["small.plain.txt", "small.row-A%2F1.rich.txt"]
    assert formats.write(plan, tmp_path, two[1], sheet=1).name == "small.rich.txt"
    names = {formats.file_name("p", two[1], {"row": row}) for row in ("a b", "a_b", "a%5Fb", "a.b", "a/b", "A b", "", None)}
    assert len(names) == 8
    assert len(formats.file_name("p", two[1], {"row": "北" * 200}).encode()) < 200


def test_a_missing_package_is_named_with_its_extra(two, plan, tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.metadata.requires", lambda name: ["some-thing>=2; extra == 'web'"])
    for package, remedy in (("some_thing", "pip install 'planner[web]'"), ("other", "pip install other")):

        def write(plan, path, package=package):
            raise ModuleNotFoundError(f"No module named {package!r}", name=f"{package}.inner")

        monkeypatch.setattr(sys.modules[two[0]], "write", write)
        text = complaint(formats.write, plan, tmp_path, two[0])
        assert f"needs the package {package}" in text
        assert text.endswith(remedy)
        assert not list(tmp_path.iterdir())


def test_options_stand_in_tables_of_the_study():
    data = {
        "name": "x", "topology": {"family": "slimfly", "q": 5}, "room": {"plan": "lab"},
        "catalog": {"router": "nvidia-sb7800", "endpoint": "server-half-unit", "cabinet": "apc-ar3300"},
    }  # fmt: skip
    checked = study.check(data | {"report": {"formats": ["csv", "pdf"], "pdf": {"paper": "letter"}}})
    assert study.reports(checked.sections["report"]) == {"csv": {}, "pdf": {"paper": "letter"}}
    wrong = {"formats": ["pdf"], "pdf": {"papr": "a4"}, "pdff": {"paper": "a4"}, "csv": {"x": 1}, "form": 1}
    text = complaint(study.check, data | {"report": wrong})
    assert "report.pdf.papr: pdf has no such key; did you mean paper?" in text
    assert "report.pdff: there is no report 'pdff'; did you mean pdf?" in text
    assert "report.csv.x: csv has no such key" in text
    assert "report.form: report has no such key; did you mean formats?" in text


def test_cabinets_rows_and_stages_are_found_by_name(plan):
    names = np.array(plan.room.slot_names)[plan.placement.slot_of]
    name = str(names[0])
    assert names[Selection(cabinet=name).cabinets(plan)].tolist() == [name]
    row = plan.room.row_names[plan.room.slot_row[plan.placement.slot_of[0]]]
    assert len(Selection(row=row).cabinets(plan)) == len(names)
    stage = plan.cables.stage_names[0]
    chosen = Selection(cabinet=name, stage=stage).cables(plan)
    inside = [
        cable
        for cable in range(plan.cables.cable_count)
        if 0 in plan.cables.cabinet[cable] and plan.cables.stage_names[plan.cables.stage[cable]] == stage
    ]
    assert chosen.tolist() == inside != []
    assert len(Selection().cables(plan)) == plan.cables.cable_count
    assert Selection(cabinet=name).ends(plan).tolist() == (plan.cables.cabinet == 0).tolist()


def test_crews_share_the_cables(plan):
    plan = replace(plan, work=work(plan.catalog, plan.cables, PanelPlan.none(), plan.room.segment_mm, crews=3))
    crews = [Selection(crew=crew).cables(plan) for crew in (1, 2, 3)]
    assert sorted(np.concatenate(crews)) == list(range(plan.cables.cable_count))
    assert all((plan.work.crew[plan.work.task[cables]] == crew).all() for crew, cables in enumerate(crews))
    assert "there is no crew 99" in complaint(Selection(crew=99).cables, plan)


def test_tasks_and_routers_select_their_cables(plan):
    plan = replace(plan, work=work(plan.catalog, plan.cables, PanelPlan.none(), plan.room.segment_mm, crews=3))
    tasks = [Selection(task=task + 1).cables(plan) for task in range(plan.work.task_count)]
    assert [cables.tolist() for cables in tasks] == [
        np.flatnonzero(plan.work.task == task).tolist() for task in range(plan.work.task_count)
    ]
    assert f"there is no task 999; there are {plan.work.task_count}" in complaint(Selection(task=999).cables, plan)
    router = str(plan.inventory.names[3])
    assert Selection(router=router).ends(plan).tolist() == (plan.cables.device == 3).tolist()
    assert Selection(router=router).cables(plan).tolist() == np.flatnonzero((plan.cables.device == 3).any(axis=1)).tolist()
    cabinet = np.array(plan.room.slot_names)[plan.placement.slot_of][plan.placement.cabinet[3]]
    other = Selection(router=router, cabinet=str(cabinet), task=int(tasks[0][0]) + 1)
    assert str(other) == f"task {int(tasks[0][0]) + 1}, cabinet {cabinet}, router {router}"
    assert f"there is no router 'R99'; there are {plan.inventory.router_count}" in complaint(Selection(router="R99").cables, plan)
    # Nodes are no routers.
    assert "there is no router" in complaint(Selection(router=str(plan.inventory.names[-1])).cables, plan)


def test_a_selection_is_described():
    assert str(Selection(cabinet="A01", stage="in row", crew=2)) == "stage in row, crew 2, cabinet A01"
    assert Selection(cabinet="A01", row="A").is_place
    assert not Selection(cabinet="A01", router="R000").is_place
    assert Selection().is_whole
    assert not Selection(crew=1).is_whole


def test_the_command_line_has_every_option_of_a_selection():
    parser = argparse.ArgumentParser()
    command.arguments(parser)
    taken = vars(parser.parse_args(["folder", "--crew", "2", "--task", "7"]))
    assert {field.name for field in fields(Selection)} <= taken.keys()
    assert taken["crew"] == 2


def test_wrong_names_are_answered_with_near_ones(plan):
    name = str(np.array(plan.room.slot_names)[plan.placement.slot_of][0])
    text = complaint(Selection(cabinet=name.lower()).cabinets, plan)
    assert f"there is no cabinet {name.lower()!r}; did you mean {name}" in text
    assert "there is no row 'Z'" in complaint(Selection(row="Z").cabinets, plan)
    assert "there is no stage" in complaint(Selection(stage="instde cabinet").cables, plan)
    assert "there are none" in complaint(named, "row", "A", [])
    assert "there are 20, a0 to a19" in complaint(named, "cabinet", "a99", [f"a{n}" for n in range(20)])
    stopped = replace(plan, placement=None, cables=None)
    assert "places no cabinets" in complaint(Selection(row="A").cabinets, stopped)
    assert "has no cables" in complaint(Selection().cables, stopped)
    assert "has no work order" in complaint(Selection(crew=1).cables, replace(plan, work=None))


STUDY = """
name = "small"
[topology]
family = "hyperx"
sizes = [3, 3]
[catalog]
router = "nvidia-sb7800"
endpoint = "server-half-unit"
cabinet = "apc-ar3300"
[room]
plan = "lab"
[near_misses]
detailed = 0
[report]
formats = []
"""


@pytest.mark.parametrize("elsewhere", [False, True])
def test_options_are_those_of_the_study_as_it_is_now(tmp_path, capsys, elsewhere):
    folder = tmp_path / "small"
    folder.mkdir()
    file = folder / ("mine.toml" if elsewhere else "study.toml")
    file.write_text(STUDY)
    out = tmp_path / "out" if elsewhere else folder
    pipeline.run(study.load(file), out=out)

    def weights():
        parser = argparse.ArgumentParser()
        command.arguments(parser)
        assert command.run(parser.parse_args([str(out), "--format", "edge_list", "--quiet"])) == 0
        printed = capsys.readouterr()
        (path,) = printed.out.split()
        return next(line.split() for line in Path(path).read_text().splitlines())[2:], printed.err

    assert weights() == ([], "")
    file.write_text(STUDY + '[report.edge_list]\nweight = "stock_mm"\n')
    found, errors = weights()
    assert (len(found), errors) == (1, "")
    # Other sections may have changed, or be wrong: the plan is not that of them anyway.
    file.write_text(STUDY.replace("sizes = [3, 3]", "sizes = 3") + '[report.edge_list]\nweight = "delay_ps"\n')
    assert weights()[0] != found
    file.write_text(STUDY + '[report.edge_list]\nweight = "mass"\n[report."no.such.module"]\n')
    with pytest.raises(InputError, match=rf"{file.name}:\d+: report.edge_list.weight: must be 'none', 'run_mm'"):
        weights()
    file.write_text(STUDY + '[report.edge_list]\nweight = "run_mm"\n')
    pipeline.run(study.load(file), out=out)
    file.unlink()
    found, errors = weights()
    assert len(found) == 1
    assert "the study of the plan is not there any more: options of formats are those that were stored with the plan" in errors
