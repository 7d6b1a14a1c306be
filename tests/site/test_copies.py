"""A journal that was restored from a copy: phones learn of it, and nothing that they recorded is lost or doubled."""

import random
import shutil
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared.site_events import PLAN, batch_event, plain_state, random_events, state_of
from shared.sites import ROWS, Floor, site_of

from planner.core.errors import InputError
from planner.install.site import backup, files, phones
from planner.install.site.board import Board
from planner.install.site.journal import Journal


def opened(path):
    journal = Journal(path)
    journal.write("test", "plan", "INSERT OR IGNORE INTO plan VALUES (?, 0, '')", [(PLAN,)])
    return journal


def sent(journal, events):
    return journal.append(list(events), crew="blue", role="crew")


def known(journal):
    """Return sequence number and mark of a journal, as a phone keeps them."""
    found = journal.changes()
    return found.seq, found.mark


def test_marks_are_those_of_the_events(tmp_path):
    events = random_events(30, 1)
    with opened(tmp_path / "one.db") as one, opened(tmp_path / "two.db") as two:
        assert known(one) == (0, "")
        for start in range(0, 30, 10):
            sent(one, events[start : start + 10])
            sent(two, events[start : start + 10])
            assert known(one) == known(two)
            assert one.has(*known(two))
        before = known(one)
        sent(one, [batch_event(40)])
        sent(two, [batch_event(41)])
        # Both went through the state before, and neither through that of the other.
        assert one.has(*before)
        assert two.has(*before)
        assert not two.has(*known(one))
        assert sent(one, events).new == 0
        assert one.has(*known(one))


def test_a_copy_that_goes_on_is_another_journal_though_it_has_as_many_events(tmp_path):
    events = random_events(40, 2)
    with opened(tmp_path / "site.db") as journal:
        sent(journal, events[:20])
        copy = backup.backup(journal, tmp_path / "backups")
        early = known(journal)
        sent(journal, events[20:30])
        late = known(journal)
    shutil.copy(copy, tmp_path / "restored.db")
    with opened(tmp_path / "restored.db") as restored:
        assert restored.has(*early)
        # Another phone recorded as much meanwhile: the number alone would not show it.
        sent(restored, events[30:])
        assert known(restored)[0] == late[0]
        assert not restored.has(*late)
        # The phone sends all of its events again.
        receipt = sent(restored, events[:30])
        assert (receipt.new, receipt.known) == (10, 20)
        assert state_of(restored) == plain_state(events)


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(2, 60), st.floats(0, 1))
def test_phones_bring_back_what_a_copy_lacks(tmp_path_factory, seed, count, share):
    """Whatever the copy has, and whatever order phones send in: the state is that of all events."""
    folder = tmp_path_factory.mktemp("copies")
    events, draw = random_events(count, seed), random.Random(seed)
    at = int(share * count)
    with opened(folder / "site.db") as journal:
        sent(journal, events[:at])
        copy = backup.backup(journal, folder / "backups")
        for start in range(at, count, 7):
            sent(journal, events[start : start + 7])
        phone = known(journal)
    with opened(copy) as restored:
        assert restored.has(*phone) == (at == count)
        again = draw.sample(events, count)
        for start in range(0, count, 5):
            sent(restored, again[start : start + 5])
        assert state_of(restored) == plain_state(events)
        assert restored.query("SELECT count(*) FROM event") == [(count,)]


def test_what_a_phone_receives(tmp_path):
    with Journal(tmp_path / "site.db") as journal:
        floor = Floor(journal, site_of())
        floor.does(1, "pulled", "yes")
        first = phones.state(floor.board)
        copy = backup.backup(journal, tmp_path / "backups")
        floor.does(2, "pulled", "yes")
        second = phones.state(floor.board, first["seq"], first["mark"])
        assert (second["whole"], second["other_journal"]) == (False, False)
        assert not phones.state(floor.board)["other_journal"]
    with Journal(copy) as restored:
        board = Board(restored, site_of(ROWS))
        found = phones.state(board, second["seq"], second["mark"])
        assert (found["whole"], found["other_journal"]) == (True, True)
        assert [line[0] for line in found["cables"]] == [1]
        # One that knows no more than the copy goes on.
        assert not phones.state(board, first["seq"], first["mark"])["whole"]
        # A phone of an older version states no mark.
        assert phones.state(board, first["seq"])["whole"]


def test_a_journal_that_is_rebuilt_from_lines_is_another_one(tmp_path):
    with opened(tmp_path / "site.db") as journal:
        for start in range(0, 20, 5):
            sent(journal, random_events(20, 3)[start : start + 5])
        files.write_lines(journal, tmp_path / "site.jsonl")
        mark = known(journal)
        with Journal(tmp_path / "other.db") as other:
            assert files.read_lines(other, tmp_path / "site.jsonl").new == 20
            assert state_of(other) == state_of(journal)
            assert not other.has(*mark)


FORMAT_1 = """
DROP TABLE checkpoint; DROP TABLE scan;
CREATE TABLE old(hash TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;
INSERT INTO old SELECT hash, content FROM photo; DROP TABLE photo; ALTER TABLE old RENAME TO photo;
PRAGMA user_version=1;
"""


@pytest.mark.parametrize("count", [0, 12])
def test_a_journal_of_the_format_before_is_taken_over(tmp_path, count):
    events = random_events(20, 4)
    path = tmp_path / "site.db"
    with opened(path) as journal:
        journal.write("test", "photo", "INSERT INTO photo(hash, content) VALUES (?, ?)", [("aa", b"x")])
        sent(journal, events[:count])
        before = state_of(journal)
    connection = sqlite3.connect(path)
    connection.executescript(FORMAT_1)
    connection.close()
    with opened(path) as journal:
        assert state_of(journal) == before
        assert journal.query("SELECT hash, crew FROM photo") == [("aa", "")]
        # Phones load everything once, and go on from there.
        assert journal.has(*known(journal)) == (count > 0)
        sent(journal, events)
        assert state_of(journal) == plain_state(events)
        assert journal.has(*known(journal))
    with opened(path) as journal:
        assert len(list(journal.events())) == 20


def test_a_copy_takes_the_place_of_a_journal_that_nobody_uses(tmp_path):
    path = tmp_path / "site.db"
    with opened(path) as journal:
        sent(journal, random_events(5, 1))
        copy = backup.backup(journal, tmp_path / "backups")
        sent(journal, random_events(9, 1))
        with pytest.raises(InputError, match="end planner serve first"):
            backup.restore(copy, path)
        assert len(list(journal.events())) == 9
    before = backup.restore(copy, path)
    with Journal(path) as journal, Journal(before) as other:
        assert (len(list(journal.events())), len(list(other.events()))) == (5, 9)
    # There is nothing else: neither halves nor what SQLite keeps next to a journal.
    assert {each.name for each in tmp_path.iterdir()} == {"site.db", before.name, "backups"}
    path.unlink()
    assert backup.restore(copy, path) is None


@pytest.mark.parametrize("content", [b"", b"no database, but text that is long enough to have a header" * 20, None])
def test_what_is_no_copy_replaces_nothing(tmp_path, content):
    path, copy = tmp_path / "site.db", tmp_path / "copy.db"
    with opened(path) as journal:
        sent(journal, random_events(5, 1))
    if content is not None:
        copy.write_bytes(content)
    with pytest.raises(InputError):
        backup.restore(copy, path)
    with pytest.raises(InputError, match="the journal itself"):
        backup.restore(path, path)
    with Journal(path) as journal:
        assert len(list(journal.events())) == 5
    assert not [each for each in tmp_path.iterdir() if "partial" in each.name or "replaced" in each.name]


def test_a_damaged_copy_is_not_restored(tmp_path):
    path = tmp_path / "site.db"
    with opened(path) as journal:
        sent(journal, random_events(300, 1))
        copy = backup.backup(journal, tmp_path / "backups")
    content = bytearray(copy.read_bytes())
    content[4096 * 3 :] = b"\xa5" * (len(content) - 4096 * 3)
    copy.write_bytes(content)
    with pytest.raises(InputError, match="is damaged"):
        backup.restore(copy, path)
    with Journal(path) as journal:
        assert len(list(journal.events())) == 300
