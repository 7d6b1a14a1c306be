"""Bursts over HTTP: 50 phones at once, with resends and reordering; nothing is lost or doubled."""

import pytest
from shared import loops
from shared.built_fabrics import PLAN
from shared.http_phones import bursts, forked, phone_events, plain_by_number, sessions, state_by_number

from planner.fabric import baseline
from planner.install.site.cables import key
from planner.install.site.journal import Journal


def check(db, count, phones=50):
    rows = baseline.read(PLAN).rows
    events = phone_events(count, 7, cables=len(rows), phones=phones)
    cookies = sessions(db, phones)
    with forked(PLAN, db) as (_, port):
        sent = loops.run(bursts(port, cookies, events))
    assert {each for phone in sent for each in phone.acknowledged} == {each["id"] for each in events}
    with Journal(db) as journal:
        assert journal.query("SELECT count(*), count(DISTINCT id) FROM event") == [(count, count)]
        keys = {key(row): row.number for row in rows}
        state = state_by_number(journal, keys)
        assert state == plain_by_number(events)
        journal.rebuild()
        assert state_by_number(journal, keys) == state


@pytest.mark.slow
def test_bursts_of_fifty_phones(tmp_path):
    check(tmp_path / "site.db", 2000)


@pytest.mark.nightly
def test_a_hundred_thousand_events(tmp_path):
    check(tmp_path / "site.db", 100_000)
