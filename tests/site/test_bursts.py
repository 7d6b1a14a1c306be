"""Bursts: 50 phones at once, with resends and reordering; nothing is lost or doubled."""

import pytest
from shared.site_bursts import bursts
from shared.site_events import PLAN, plain_state, random_events, state_of

from planner.install.site.journal import Journal


def check(path, count):
    events = random_events(count, 11, cables=2000, phones=50)
    with Journal(path) as journal:
        journal.write("test", "plan", "INSERT INTO plan VALUES (?, 0, '')", [(PLAN,)])
        bursts(journal, events, 50)
        assert {event.id for _, event in journal.events()} == {each["id"] for each in events}
        assert journal.query("SELECT count(*) FROM event") == [(count,)]
        state = state_of(journal)
        assert state == plain_state(events)
        journal.rebuild()
        assert state_of(journal) == state


@pytest.mark.slow
def test_bursts_of_fifty_phones(tmp_path):
    check(tmp_path / "site.db", 5000)


@pytest.mark.nightly
def test_a_hundred_thousand_events(tmp_path):
    check(tmp_path / "site.db", 100_000)
