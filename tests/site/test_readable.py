"""Journals on full and write-protected disks, damaged ones, and clocks that were set back."""

import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import tempfile
import time
from pathlib import Path

import pytest
from shared.site_events import PLAN, batch_event, random_events, state_of

from planner.commands.console.cli import main
from planner.core.errors import InputError
from planner.install.site import access, backup, rescue
from planner.install.site.journal import Journal

FORMAT_1 = """
DROP TABLE checkpoint; DROP TABLE scan; ALTER TABLE photo DROP COLUMN crew; PRAGMA user_version=1;
"""


def opened(path):
    journal = Journal(path)
    journal.write("test", "plan", "INSERT OR IGNORE INTO plan VALUES (?, 0, '')", [(PLAN,)])
    return journal


def filled(path, count=40):
    with opened(path) as journal:
        journal.append(random_events(count, 1), crew="blue", role="crew")
        return state_of(journal)


@pytest.fixture
def public():
    """A folder that every user may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def seen(path):
    """What a reader finds in a journal, and the message when it writes."""
    with Journal(path, make=False) as journal:
        found = journal.changes()
        numbers = [found.seq, len(found.registers), bool(found.mark), len(list(journal.events())), len(access.links(journal))]
        with pytest.raises(OSError, match="cannot be read or written"):
            journal.note("a", "b")
    return numbers


def read(path, how):
    """Read a journal as a user who may not write, or where no file can grow."""
    pipe = os.pipe()
    if (child := os.fork()) == 0:
        try:
            if how == "full":
                resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
            elif os.getuid() == 0:
                os.setuid(65534)
            answer = seen(path)
        except BaseException as error:
            answer = repr(error)
        os.write(pipe[1], json.dumps(answer).encode())
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(pipe[1])
    with open(pipe[0], "rb") as file:
        answer = json.loads(file.read())
    os.waitpid(child, 0)
    return answer


def sizes(folder):
    return {path.name: path.stat().st_size for path in folder.iterdir() if path.stat().st_size}


def protect(folder):
    for path in (*folder.iterdir(), folder):
        path.chmod(path.stat().st_mode & ~0o222)


def unprotect(folder):
    folder.chmod(0o755)


@pytest.mark.slow
@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize(("how", "is_killed"), [("protected", False), ("protected", True), ("full", False)])
def test_a_journal_that_cannot_be_written_can_be_read(public, how, is_old, is_killed):
    """Also one of the format before, and one whose server was killed: acknowledged events may be in the log next to it."""
    path = public / "site.db"
    state = filled(path)
    if is_old:
        with sqlite3.connect(path) as connection:
            connection.executescript(FORMAT_1)
        connection.close()
    if is_killed:
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("INSERT INTO audit(at, who, what) VALUES (1, 'a', 'b')")
        # The index goes with the disk, or with the memory of the machine.
        for name in ("site.db", "site.db-wal"):
            shutil.copy(public / name, public / f"killed-{name}")
        connection.close()
        path = public / "killed-site.db"
    if how == "protected":
        protect(public)
    before = sizes(public)
    try:
        found = read(path, how)
    finally:
        unprotect(public)
    assert found == [40, len(state), not is_old, 40, 0]
    assert sizes(public) == before


def test_reading_does_not_migrate(tmp_path):
    path = tmp_path / "site.db"
    state = filled(path)
    with sqlite3.connect(path) as connection:
        connection.executescript(FORMAT_1)
    connection.close()
    content = path.read_bytes()
    with Journal(path) as journal:
        assert state_of(journal) == state
        assert journal.changes().mark == ""
        assert path.read_bytes() == content
        journal.append([batch_event(99)], crew="blue", role="crew")
        # From now on it is one of the present format, for this thread, too.
        assert journal.changes().mark
        assert journal.query("SELECT crew FROM photo") == []
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    connection.close()


# -- damage -----------------------------------------------------------------------------------------


def damaged(path, seed):
    """Overwrite a part of every fifth page, but not those from which tables are found."""
    with sqlite3.connect(path) as connection:
        roots = {page for (page,) in connection.execute("SELECT rootpage FROM sqlite_master")}
    connection.close()
    content = bytearray(path.read_bytes())
    for page in {*range(1 + seed % 5, len(content) // 4096, 5)} - {root - 1 for root in roots}:
        content[page * 4096 + seed % 7 : page * 4096 + 300] = b"\xa5" * (300 - seed % 7)
    path.write_bytes(content)


@pytest.mark.parametrize("seed", range(3))
def test_the_command_in_the_message_brings_the_journal_back(tmp_path, capsys, seed):
    path = tmp_path / "site.db"
    events = random_events(400, seed)
    with opened(path) as journal:
        journal.append(events[:200], crew="blue", role="crew")
        copy = backup.backup(journal, tmp_path / "backups")
        journal.append(events[200:], crew="blue", role="crew")
    damaged(path, seed)
    with pytest.raises((InputError, OSError)) as error, Journal(path) as journal:
        journal.changes()
        list(journal.events())
    words = str(error.value)
    command = f"planner site restore PLAN {copy} --db {path}"
    assert "damaged" in words
    assert command in words
    before = backup.restore(copy, path)
    assert before is not None
    with Journal(path) as journal:
        assert len(list(journal.events())) == 200
        found = rescue.read_journal(journal, before)
        assert found.lost > 0
        assert found.receipt.new > 50
        there = {each["id"]: each for each in events}
        recorded = [event for _, event in journal.events()]
        assert len(recorded) >= 200
        # What was read is what had been recorded.
        assert all(each.value == there[each.id].get("value", "") for each in recorded if each.id in there)
        assert {each["id"] for each in events[:200]} <= {each.id for each in recorded}
    assert {each.name for each in tmp_path.iterdir()} == {"site.db", before.name, "backups"}


def test_all_of_a_sound_journal_is_taken_over(tmp_path):
    state = filled(tmp_path / "old.db", 300)
    with Journal(tmp_path / "site.db") as journal:
        found = rescue.read_journal(journal, tmp_path / "old.db")
        assert (found.receipt.new, found.lost) == (300, 0)
        assert state_of(journal) == state
        assert rescue.read_journal(journal, tmp_path / "old.db").receipt[1:3] == (0, 300)
        with pytest.raises(InputError, match="is the journal itself"):
            rescue.read_journal(journal, tmp_path / "site.db")
        (tmp_path / "text.db").write_text("no journal" * 100)
        with pytest.raises(InputError, match="has nothing of a journal that can be read"):
            rescue.read_journal(journal, tmp_path / "text.db")


@pytest.mark.slow
def test_bytes_that_sqlite_does_not_see_are_damage(tmp_path):
    """Another field, or text that is no text, in a file whose pages are right."""
    path = tmp_path / "site.db"
    filled(path)
    content = path.read_bytes()
    for old, new in (
        (b"pulled", b"polled"),
        (b"plugged", b"pl\xffgged"),
        (b"as planned", b"as pl\xdened"),
        (b"tested", b"\x00ested"),
    ):
        path.write_bytes(content.replace(old, new))
        with pytest.raises((InputError, OSError), match="damaged"), Journal(path) as journal:
            journal.changes()


def test_values_that_no_event_has_are_damage(tmp_path):
    """Somebody with an editor of databases, or bytes that are none of SQLite's business."""
    path = tmp_path / "site.db"
    filled(path)
    content = path.read_bytes()
    for statement in (
        "UPDATE event SET field = 'x' WHERE seq = 3",
        "UPDATE event SET value = 'R1 x' WHERE field = 'plugged'",
        "UPDATE OR IGNORE state SET end = 'c' WHERE field = 'plugged'",
        "UPDATE OR IGNORE state SET field = '' WHERE field = 'pulled'",
    ):
        path.write_bytes(content)
        with sqlite3.connect(path) as connection:
            connection.execute("DROP TRIGGER no_change")
            assert connection.execute(statement).rowcount, statement
        connection.close()
        with Journal(path) as journal, pytest.raises(OSError, match="damaged"):
            journal.changes()
            list(journal.events())


@pytest.mark.slow
def test_commands_on_a_damaged_journal_end_with_one_message(tmp_path, capsys):
    schedule = Path(__file__).parents[1] / "data" / "verify" / "plan-slimfly-200.csv"
    path = tmp_path / "site.db"
    filled(path, 300)
    content = path.read_bytes()
    for seed in range(20):
        path.write_bytes(content)
        if seed < 5:
            damaged(path, seed)
        elif seed < 12:
            path.write_bytes(content[: len(content) * (seed - 5) // 8])
        else:
            # Bytes all over the file, so that definitions of tables are hit, too.
            draw, spoiled = random.Random(seed), bytearray(content)
            for _ in range(len(content) // 150):
                spoiled[draw.randrange(100, len(content))] = draw.randrange(256)
            path.write_bytes(spoiled)
        for action in ("status", "backup", "export"):
            words = ["--journal", str(tmp_path / "out.jsonl")] if action == "export" else []
            code = main(["site", action, str(schedule), "--db", str(path), *words])
            complaints = capsys.readouterr().err.splitlines()
            assert code in (0, 1, 2)
            if code == 2:
                assert len(complaints) == 1
                assert "planner site restore PLAN" in complaints[0]
        aside, fresh = tmp_path / "site-damaged.db", tmp_path / f"new-{seed}.db"
        path.rename(aside)
        assert main(["site", "import", str(schedule), str(aside), "--db", str(fresh)]) in (0, 1, 2)
        capsys.readouterr()


# -- clocks -----------------------------------------------------------------------------------------


def test_the_clock_goes_on_from_the_last_event_after_a_restart(tmp_path, monkeypatch):
    path = tmp_path / "site.db"
    with opened(path) as journal:
        first = journal.append([batch_event(1)], crew="blue", role="crew").clock
        token = access.issue(journal, "blue", hours=1)
    now = time.time_ns()
    monkeypatch.setattr("planner.install.site.journal.time.time_ns", lambda: now - 3600 * 10**9)
    with Journal(path) as journal:
        assert journal.clock > first
        assert access.who(journal, token)
        # A phone that adopts this clock writes after what it knows.
        event = batch_event(2) | {"clock": journal.clock}
        assert journal.append([event], crew="blue", role="crew").new == 1
        assert journal.events is not None
        assert [each.clock for _, each in journal.events()][-1] > first
