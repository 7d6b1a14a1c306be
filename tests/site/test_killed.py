"""A killed process loses no event that it acknowledged."""

import multiprocessing
import os
import random
import signal
import time

import pytest
from shared.site_events import PLAN, plain_state, random_events, state_of

from planner.install.site.journal import Journal


def write(path, seed, receipts):
    """Record events, and write the ids of every batch after its receipt."""
    events = random_events(20_000, seed)
    with Journal(path) as journal, os.fdopen(receipts, "w") as out:
        for start in range(0, len(events), 5):
            batch = events[start : start + 5]
            receipt = journal.append(batch, crew="blue", role="crew")
            assert not receipt.refused, receipt
            print(" ".join(each["id"] for each in batch), file=out, flush=True)


def killed(path, seed, wait_s):
    """Return the ids that a process acknowledged before it was killed, `wait_s` after its first receipt."""
    out, receipts = os.pipe()
    process = multiprocessing.get_context("fork").Process(target=write, args=(path, seed, receipts))
    process.start()
    os.close(receipts)
    with os.fdopen(out, "rb") as file:
        first = file.readline()
        time.sleep(wait_s)
        process.kill()
        text = (first + file.read()).decode()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    # A line that was cut off was never acknowledged to anybody.
    return text[: text.rindex("\n")].split()


def check(tmp_path, moments):
    draw = random.Random(moments)
    for moment in range(moments):
        path = tmp_path / f"{moment}.db"
        with Journal(path) as journal:
            journal.write("test", "plan", "INSERT INTO plan VALUES (?, 0, '')", [(PLAN,)])
        acknowledged = killed(path, moment, draw.random() * 0.3)
        events = random_events(20_000, moment)
        with Journal(path) as journal:
            there = [event.id for _, event in journal.events()]
            assert acknowledged == there[: len(acknowledged)]
            # What is beyond is one whole batch whose receipt did not come out.
            assert len(there) - len(acknowledged) in (0, 5)
            assert state_of(journal) == plain_state(events[: len(there)])
            # The phone sends again what was not acknowledged.
            receipt = journal.append(events[len(acknowledged) : len(acknowledged) + 50], crew="blue", role="crew")
            assert receipt.new + receipt.known == 50
            assert state_of(journal) == plain_state(events[: len(acknowledged) + 50])


@pytest.mark.slow
def test_killed_at_five_moments(tmp_path):
    check(tmp_path, 5)


@pytest.mark.nightly
def test_killed_at_fifty_moments(tmp_path):
    check(tmp_path, 50)
