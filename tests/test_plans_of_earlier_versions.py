"""Plans that earlier versions stored open for good, and records may change: fields are added, renamed and removed."""

import csv
import io
import json
import shutil
from dataclasses import dataclass, make_dataclass
from pathlib import Path

import numpy as np
import pytest
from shared.written_scans import Built, links_printed

from planner.commands.console.cli import main
from planner.core import storage
from planner.core.errors import CheckFailed, InputError
from planner.core.record import Record, array, plain, value
from planner.domain import stored
from planner.domain.model import Reserved, Topology
from planner.domain.model.plan import RECORDS
from planner.fabric import baseline
from planner.view import schedule

PLANS = sorted(path.parent for path in (Path(__file__).parent / "data/plans").glob("*/*/provenance.json"))
NAMES = [f"{path.parent.name}/{path.name}" for path in PLANS]

of_each = pytest.mark.parametrize("kept", PLANS, ids=NAMES)


@pytest.fixture
def folder(kept, tmp_path):
    return Path(shutil.copytree(kept, tmp_path / kept.name))


@of_each
def test_a_plan_opens_with_its_fingerprints_and_figures(kept):
    plan = stored.restore(kept)
    figures = json.loads((kept / "quantities.json").read_text(encoding="utf-8"))
    assert {name: plain(plan.quantities)[name] for name in figures} == figures
    assert plan.provenance["plan"] == stored.fingerprint(json.loads((kept / "provenance.json").read_text())["stages"])


@of_each
def test_a_plan_is_checked_and_reported_as_it_was(folder, capsys):
    (file,) = folder.glob("*.csv")
    before = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    assert main(["check", str(folder)]) == 0
    assert "no violations" in capsys.readouterr().out
    assert main(["report", str(folder), "--format", "csv,html", "--quiet"]) == 0
    now = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    # Columns may be added.
    assert [{name: row[name] for name in before[0]} for row in now] == before


@of_each
def test_a_plan_is_compared_and_its_fabric_verified(folder):
    assert main(["diff", str(folder), str(folder), "--quiet"]) == 0
    planned = baseline.read(folder)
    assert {row.number for row in planned.rows} == {row.number for row in baseline.read(next(folder.glob("*.csv"))).rows}
    (scan,) = links_printed(Built.of(planned.plan), folder / "scan")
    assert main(["verify", str(folder), str(scan), "--quiet"]) == 0


@pytest.mark.slow
@of_each
def test_a_plan_is_kept(folder, tmp_path):
    text = (folder / "study.toml").read_text(encoding="utf-8").replace('name = "', 'name = "again-', 1)
    (tmp_path / "study.toml").write_text(f'{text}\n[keep]\nplan = "{folder}"\n', encoding="utf-8")
    out = tmp_path / "again"
    assert main(["run", str(tmp_path / "study.toml"), "--out", str(out), "--set", "report.formats=[]", "--quiet"]) == 0
    plan, old = stored.restore(out), stored.restore(folder)
    assert plan.quantities["moved_devices"]["value"] == plan.quantities["new_connections"]["value"] == 0
    assert plan.quantities["kept_devices"]["value"] == len(old.inventory.names)
    rows = [{(end.device, end.port) for end in row.ends} for row in schedule.of_plan(plan)]
    assert all({(end.device, end.port) for end in row.ends} in rows for row in schedule.of_plan(old))


@of_each
def test_an_edited_record_of_an_earlier_version_is_found(folder, capsys):
    topology = storage.restore(Topology, folder / "topology.npz")
    with np.load(folder / "topology.npz") as file:
        content = {name: file[name] for name in file.files}
    content["link_class"] = topology.link_class[::-1] ^ 1
    np.savez(folder / "topology.npz", **content)
    assert main(["check", str(folder)]) == 2
    assert "topology.npz: has fingerprint" in capsys.readouterr().err


@of_each
def test_every_record_has_the_fingerprint_that_its_run_noted(kept):
    """Also records of types that have fields of later versions."""
    entries = json.loads((kept / "provenance.json").read_text(encoding="utf-8"))["stages"]
    for name, entry in entries.items():
        assert storage.opened(RECORDS[name], kept / f"{name}.npz").fingerprint == entry["fingerprint"], name


# --- records that change

LINKS = np.array([[0, 1], [1, 2]], np.int32)


@dataclass(frozen=True, eq=False)
class First(Record):
    """The first version of a record."""

    title: str = value("a title")
    link_kind: np.ndarray = array("uint8", "L", "kind of each link")
    links: np.ndarray = array("int32", "L,2", "links")


def _links_have_a_class(content):
    content["link_class"] = content.pop("link_kind")


def _ends_are_sorted(content):
    content["links"] = np.sort(content["links"], axis=1)
    content["sorted"] = True


def renamed(later, first="First"):
    """Return a type of records under the name of the first one, as if it were that type in a later version."""
    later.__name__ = first
    return later


@renamed
@dataclass(frozen=True, eq=False)
class Added(Record):
    """The same record with further fields, anywhere among the others."""

    delay_ns: np.ndarray = array("int32", "L", "delay of each link", default=-1)
    title: str = value("a title")
    names: np.ndarray = array("str", "L+1", "names", default="?")
    link_kind: np.ndarray = array("uint8", "L", "kind of each link")
    links: np.ndarray = array("int32", "L,2", "links")
    note: str = value("a note", default="none")


@renamed
@dataclass(frozen=True, eq=False)
class Changed(Record, migrations=(_links_have_a_class, _ends_are_sorted)):
    """The same record after a field was renamed, and its links sorted."""

    title: str = value("a title")
    link_class: np.ndarray = array("uint8", "L", "class of each link")
    links: np.ndarray = array("int32", "L,2", "links, the lower router first")
    sorted: bool = value("whether links are sorted")


@pytest.fixture
def first(tmp_path):
    record = First("a", [0, 1], LINKS[:, ::-1])
    storage.save(record, tmp_path / "first.npz")
    return record


def test_an_added_field_needs_a_default_and_no_migration(first, tmp_path):
    found = storage.opened(Added, tmp_path / "first.npz")
    assert found.fingerprint == first.fingerprint != found.record.fingerprint
    assert (found.record.title, found.record.note) == ("a", "none")
    assert found.record.delay_ns.tolist() == [-1, -1]
    assert found.record.delay_ns.dtype == np.int32
    assert found.record.names.tolist() == ["?"] * 3
    assert not found.record.delay_ns.flags.writeable
    storage.save(found.record, tmp_path / "again.npz")
    assert storage.opened(Added, tmp_path / "again.npz").fingerprint == found.record.fingerprint


def test_a_default_needs_an_array_of_its_size():
    fields = [("delay_ns", np.ndarray, array("int32", "X", "delays", default=0))]
    alone = make_dataclass("Alone", fields, bases=(Record,), frozen=True, eq=False)
    with pytest.raises(CheckFailed, match=r"Alone.delay_ns has a default, and no other array has the size X"):
        alone()


def test_a_renamed_field_is_a_migration(first, tmp_path):
    found = storage.opened(Changed, tmp_path / "first.npz")
    assert found.fingerprint == first.fingerprint
    assert found.record.link_class.tolist() == first.link_kind.tolist()
    assert found.record.links.tolist() == LINKS.tolist()
    storage.save(found.record, tmp_path / "again.npz")
    again = storage.restore(Changed, tmp_path / "again.npz")
    assert again.fingerprint == found.record.fingerprint


def test_a_record_of_a_later_version_is_refused(tmp_path):
    storage.save(Changed("a", [0, 1], LINKS, True), tmp_path / "first.npz")
    with pytest.raises(InputError) as refused:
        storage.restore(First, tmp_path / "first.npz")
    (problem,) = refused.value.problems
    assert problem.message == "is version 3 of First, and this Planner knows it up to version 1"
    assert "install the version of Planner that wrote it" in problem.remedy


def test_a_removed_field_needs_a_migration(first, tmp_path):
    """What an earlier version stored is not dropped by mistake."""
    titled = make_dataclass("Titled", [("title", str, value("a title"))], bases=(Record,), frozen=True, eq=False)
    with pytest.raises(InputError, match=r"KeyError: 'link_kind'"):
        storage.restore(renamed(titled), tmp_path / "first.npz")


def test_reserved_ports_of_earlier_versions_are_of_phases():
    """The record named them stages."""
    content = {"stages": ("2027", "2028"), "stage": np.array([1], np.uint8)}
    for migrate in Reserved.migrations:
        migrate(content)
    assert content == {"phases": ("2027", "2028"), "phase": np.array([1], np.uint8)}
