"""Options of reports: which formats have them, how they enter the file's name, and the messages for wrong ones."""

import re
import sys
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest

from planner import flow, report, study
from planner.errors import InputError
from planner.report._chosen import cabinet_numbers, cable_numbers, named, stage_number


@pytest.fixture
def formats(monkeypatch):
    """Two formats of somebody's own, importable by dotted names."""
    found = []
    for name, options in (("plain", ""), ("rich", ", *, row: str | None = None, sheet: int = 1")):
        module = ModuleType(f"mylab_{name}")
        module.ENDING = f".{name}.txt"
        exec(
            f"from pathlib import Path\nfrom planner.model import Plan\n"
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


def test_an_option_goes_to_the_formats_that_know_it(formats):
    plain, rich = formats
    assert report.share_out(formats, {"row": "A"}) == {plain: {}, rich: {"row": "A"}}
    assert report.share_out(formats, {"row": "A", rich: {"row": "B", "sheet": 2}}) == {plain: {}, rich: {"row": "B", "sheet": 2}}


def test_an_option_that_no_format_knows_is_wrong(formats):
    assert re.search(
        r"crew: csv has no such option; it is an option of .*\bpdf\b", complaint(report.share_out, ["csv"], {"crew": 1})
    )
    assert "did you mean sheet?" in complaint(report.share_out, formats, {"shet": 2})
    assert f"{formats[1]}.sheet: must be a valid integer" in complaint(report.share_out, formats, {"sheet": "x"})
    assert "there is no report 'pdv'; did you mean pdf?" in complaint(report.share_out, ["pdv"], {})


def test_files_are_called_by_their_options(formats, plan, tmp_path):
    written = flow.write_reports(plan, tmp_path, report.share_out(formats, {"row": "A/1"}))
    assert [path.name for path in written] == ["small.plain.txt", "small.row-A%2F1.rich.txt"]
    assert report.write(plan, tmp_path, formats[1], sheet=1).name == "small.rich.txt"
    names = {report.file_name("p", formats[1], {"row": row}) for row in ("a b", "a_b", "a%5Fb", "a.b", "a/b", "A b", "", None)}
    assert len(names) == 8
    assert len(report.file_name("p", formats[1], {"row": "北" * 200}).encode()) < 200


def test_a_missing_package_is_named_with_its_extra(formats, plan, tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.metadata.requires", lambda name: ["some-thing>=2; extra == 'web'"])
    for package, remedy in (("some_thing", "pip install 'planner[web]'"), ("other", "pip install other")):

        def write(plan, path, package=package):
            raise ModuleNotFoundError(f"No module named {package!r}", name=f"{package}.inner")

        monkeypatch.setattr(sys.modules[formats[0]], "write", write)
        text = complaint(report.write, plan, tmp_path, formats[0])
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
    assert names[cabinet_numbers(plan, cabinet=name)].tolist() == [name]
    row = plan.room.row_names[plan.room.slot_row[plan.placement.slot_of[0]]]
    assert len(cabinet_numbers(plan, row=row)) == len(names)
    stage = plan.cables.stage_names[0]
    assert stage_number(plan, stage) == 0
    chosen = cable_numbers(plan, cabinet=name, stage=stage)
    assert all(0 in plan.cables.cabinet[cable] and plan.cables.stage[cable] == 0 for cable in chosen)
    assert len(cable_numbers(plan)) == plan.cables.cable_count


def test_wrong_names_are_answered_with_near_ones(plan):
    name = str(np.array(plan.room.slot_names)[plan.placement.slot_of][0])
    assert f"there is no cabinet {name.lower()!r}; did you mean {name}" in complaint(cabinet_numbers, plan, cabinet=name.lower())
    assert "there is no row 'Z'" in complaint(cabinet_numbers, plan, row="Z")
    assert "there is no stage" in complaint(stage_number, plan, "instde cabinet")
    assert "there are none" in complaint(named, "row", "A", [])
    assert "there are 20, a0 to a19" in complaint(named, "cabinet", "a99", [f"a{n}" for n in range(20)])
    stopped = replace(plan, placement=None, cables=None)
    assert "places no cabinets" in complaint(cabinet_numbers, stopped, row="A")
    assert "has no cables" in complaint(cable_numbers, stopped)
