"""A disk that is full: nothing half-written, nothing acknowledged that is not there, and it goes on when there is room."""

import pytest
from shared.site_events import PLAN, batch_event, plain_state, state_of

from planner.install.site import backup
from planner.install.site.journal import Journal


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "site.db") as journal:
        journal.write("test", "plan", "INSERT INTO plan VALUES (?, 0, '')", [(PLAN,)])
        yield journal


def fill(journal, pages=None):
    """Bound the file to some pages more than it has, as a full disk does; without a number it is free again."""
    with journal.writing() as writer:
        count = writer.execute("PRAGMA page_count").fetchone()[0]
    writer.execute(f"PRAGMA max_page_count={2**30 if pages is None else count + pages}")


def remark(number):
    return batch_event(number, field="remark", value="x" * 1500)


def test_what_was_acknowledged_is_there_and_the_rest_is_sent_again(journal):
    events = [remark(number) for number in range(60)]
    fill(journal, pages=10)
    acknowledged, refused = [], []
    for start in range(0, 60, 5):
        batch = events[start : start + 5]
        try:
            receipt = journal.append(batch, crew="blue", role="crew")
            assert receipt.new == 5
            acknowledged += batch
        except OSError as error:
            assert "full" in str(error)
            refused += batch
    assert acknowledged
    assert refused
    # A batch is there as a whole or not at all, in the state too.
    assert [event.id for _, event in journal.events()] == [each["id"] for each in acknowledged]
    assert state_of(journal) == plain_state(acknowledged)
    assert journal.query("PRAGMA integrity_check") == [("ok",)]
    fill(journal)
    assert journal.append(events, crew="blue", role="crew")[1:3] == (len(refused), len(acknowledged))
    assert state_of(journal) == plain_state(events)
    assert journal.has(*(lambda found: (found.seq, found.mark))(journal.changes()))


def test_a_copy_for_which_there_is_no_room_leaves_nothing_and_the_older_ones_stay(journal, tmp_path, monkeypatch):
    journal.append([remark(1)], crew="blue", role="crew")
    folder = tmp_path / "backups"
    kept = backup.backup(journal, folder)
    (folder / "site-20200101T000000000000Z.partial").write_bytes(b"of a process that was killed")

    def full(path):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("planner.install.site.backup.check", full)
    with pytest.raises(OSError, match="No space left"):
        backup.backup(journal, folder)
    assert list(folder.iterdir()) == [kept]
