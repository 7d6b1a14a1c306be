"""The command `planner site`."""

import csv
import json
import sqlite3

import pytest
from shared.sites import Floor
from shared.verifications import DATA, SCHEDULE

from planner.commands.console.cli import main
from planner.fabric import baseline
from planner.install.site.cables import Site
from planner.install.site.journal import Journal

SCAN = DATA / "sf-mixed" / "ibnetdiscover.txt"


@pytest.fixture
def db(tmp_path):
    """A journal with the work of two crews on some cables of the schedule."""
    path = tmp_path / "site.db"
    with Journal(path) as journal:
        floor = Floor(journal, Site.of(baseline.read(SCHEDULE)))
        for number in range(1, 6):
            floor.does(number, "pulled", "yes", crew="blue")
            for end in "ab":
                floor.does(number, "plugged", "as planned", end, crew="blue")
        floor.does(6, "plugged", "R000 33", "a", crew="red")
        floor.does(7, "blocked", "tray is full", crew="red")
    return path


def site(action, *arguments, db):
    files = [str(each) for each in arguments if not str(each).startswith("--") and "=" not in str(each)]
    options = [str(each) for each in arguments if str(each) not in files]
    return main(["site", action, str(SCHEDULE), *files, *options, f"--db={db}"])


@pytest.mark.slow
def test_status_shows_what_is_done_and_what_is_wrong(db, capsys):
    assert site("status", db=db) == 1
    printed = capsys.readouterr().out
    assert "5 of 375 cables installed; 17 events" in printed
    assert "cable 6: end a is in R000 33" in printed
    assert "cable 7: tray is full" in printed
    assert "crew blue: 5 cables in" in printed
    assert site("status", "--rebuild", db=db) == 1
    assert capsys.readouterr().out == printed


@pytest.mark.slow
def test_exports_come_back_into_an_empty_journal(db, tmp_path, capsys):
    lines = tmp_path / "site.jsonl"
    built, left, figures = (tmp_path / f"{name}.csv" for name in ("built", "left", "figures"))
    code = site("export", f"--journal={lines}", f"--as-built={built}", f"--remaining={left}", f"--statistics={figures}", db=db)
    assert code == 0
    assert "17 events" in capsys.readouterr().out
    assert len(baseline.read(built).rows) == 375
    with left.open() as file:
        assert [row["cable"] for row in csv.DictReader(file)] == [str(number) for number in range(6, 376)]
    other = tmp_path / "other.db"
    assert site("import", lines, db=other) == 0
    assert "17 new events, 0 known" in capsys.readouterr().out
    site("status", db=db)
    first = capsys.readouterr().out
    site("status", db=other)
    assert capsys.readouterr().out == first


@pytest.mark.slow
def test_discovery_files_are_verified_and_recorded(db, capsys):
    assert site("import", SCAN, db=db) == 0
    assert "397 new events" in capsys.readouterr().out
    assert site("import", SCAN, db=db) == 0
    assert "0 new events, 397 known" in capsys.readouterr().out
    assert site("status", db=db) == 1
    assert "link is wrong" in capsys.readouterr().out


@pytest.mark.slow
def test_a_backup_opens_as_a_journal(db, tmp_path, capsys):
    assert site("backup", f"--to={tmp_path / 'copies'}", "--keep=2", db=db) == 0
    (copy,) = (tmp_path / "copies").iterdir()
    capsys.readouterr()
    assert site("status", db=copy) == 1
    assert "17 events" in capsys.readouterr().out
    assert site("import", SCAN, db=db) == 0
    capsys.readouterr()
    assert site("restore", copy, db=db) == 0
    printed = capsys.readouterr().out
    assert "17 events" in printed
    assert "site-replaced-" in printed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (["status", "--as-built=x.csv", "--to=y"], ["--as-built: belongs to export", "--to: belongs to backup"]),
        (["export"], ["names no file to write"]),
        (["export", "--journal=x.txt", "--netbox-ids=y"], ["has another ending", "--netbox-ids: belongs to --netbox"]),
        (["export", "--netbox=x.csv"], ["give the folder of the plan"]),
        (["import"], ["name the files to import"]),
        (["restore"], ["name one copy of the journal"]),
        (["export", "--netbox-device-ids=y"], ["--netbox-device-ids: belongs to --netbox-devices"]),
    ],
)
def test_wrong_options_are_refused_together(db, capsys, arguments, messages):
    assert site(*arguments, db=db) == 2
    printed = capsys.readouterr().err
    assert all(message in printed for message in messages)


def test_what_cannot_be_restored_is_one_clear_error_and_changes_nothing(db, tmp_path, capsys):
    before = db.read_bytes()
    for name, content, words in (
        ("none.db", None, "cannot be read: No such file or directory"),
        ("empty.db", b"", "is empty"),
        ("text.db", b"no journal", "file is not a database"),
    ):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        assert site("restore", tmp_path / name, db=db) == 2
        (line,) = capsys.readouterr().err.strip().splitlines()
        assert name in line
        assert words in line
        assert "name a copy of a journal" in line
        assert "Errno" not in line
    assert site("restore", db, db=tmp_path / "nowhere" / "site.db") == 2
    assert "--db: cannot be written: No such file or directory" in capsys.readouterr().err
    assert db.read_bytes() == before
    assert not [*db.parent.glob("*partial*")]


def test_a_missing_or_damaged_journal_is_one_clear_error(tmp_path, capsys):
    assert site("status", db=tmp_path / "none.db") == 2
    assert "there is no journal" in capsys.readouterr().err
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE x(y)")
    other.close()
    assert site("status", db=tmp_path / "other.db") == 2
    assert "not a journal" in capsys.readouterr().err
    (tmp_path / "wrong.jsonl").write_text(json.dumps({"type": "event"}))
    assert site("import", tmp_path / "wrong.jsonl", db=tmp_path / "new.db") == 2
    assert "wrong.jsonl:1" in capsys.readouterr().err


def test_a_damaged_page_is_an_error_without_traceback(db, capsys):
    with Journal(db) as journal:
        journal.query("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(db.read_bytes())
    content[4096 * 2 :] = b"\xa5" * (len(content) - 4096 * 2)
    db.write_bytes(content)
    assert site("status", db=db) == 2
    printed = capsys.readouterr().err
    assert "site.db" in printed
    assert "Traceback" not in printed
