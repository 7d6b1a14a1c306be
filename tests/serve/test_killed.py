"""A server that is killed loses no event that it acknowledged, and goes on from there."""

import asyncio
import random

import pytest
from shared import loops
from shared.built_fabrics import PLAN
from shared.http_phones import Phone, batches_of, forked, phone_events, plain_by_number, sessions, state_by_number

from planner.fabric import baseline
from planner.install.site.cables import key
from planner.install.site.journal import Journal

PHONES = 4


async def until_it_is_killed(process, port, cookies, events, wait_s):
    """Let phones send until the server is killed; return what they have receipts of."""
    phones = [await Phone(port, cookie).begin() for cookie in cookies]
    sending = [asyncio.create_task(phone.sends(batches_of(events, n, PHONES, batch=5))) for n, phone in enumerate(phones)]
    await asyncio.sleep(wait_s)
    process.kill()
    for each in await asyncio.gather(*sending, return_exceptions=True):
        assert isinstance(each, OSError | EOFError | AssertionError), each
    await asyncio.gather(*(phone.end() for phone in phones))
    return {each for phone in phones for each in phone.acknowledged}


def check(db, moments):
    """Kill the server at random moments, each time with the journal that is there; phones send again what has no receipt."""
    rows = baseline.read(PLAN).rows
    keys = {key(row): row.number for row in rows}
    cookies = sessions(db, PHONES)
    draw = random.Random(moments)
    acknowledged: set[str] = set()
    every: dict[str, dict] = {}
    for moment in range(moments):
        events = phone_events(3_000, moment, cables=len(rows), phones=PHONES)
        for number, each in enumerate(events):
            each["id"] = f"{moment:08x}-0000-4000-8000-{number:012x}"
        every |= {each["id"]: each for each in events}
        with forked(PLAN, db) as (process, port):
            acknowledged |= loops.run(until_it_is_killed(process, port, cookies, events, draw.random() * 0.5))
        with Journal(db) as journal:
            there = [event.id for _, event in journal.events()]
            assert acknowledged <= set(there)
            assert len(there) == len(set(there))
            assert state_by_number(journal, keys) == plain_by_number([every[each] for each in there])
    assert acknowledged


@pytest.mark.slow
def test_killed_at_three_moments(tmp_path):
    check(tmp_path / "site.db", 3)


@pytest.mark.nightly
def test_killed_at_fifty_moments(tmp_path):
    check(tmp_path / "site.db", 50)
