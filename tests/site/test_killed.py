"""A killed process loses no event that it acknowledged."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from shared.site_events import PLAN, plain_state, random_events, state_of

from planner.site.journal import Journal

WRITER = Path(__file__).parents[1] / "shared" / "site_writer.py"


def killed(path, seed, wait_s):
    """Return the ids that a writer acknowledged before it was killed, `wait_s` after its first receipt."""
    process = subprocess.Popen([sys.executable, str(WRITER), str(path), str(seed)], stdout=subprocess.PIPE)
    first = process.stdout.readline()
    time.sleep(wait_s)
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read()
    process.stdout.close()
    assert process.wait() == -signal.SIGKILL
    # A line that was cut off was never acknowledged to anybody.
    text = (first + rest).decode()
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
def test_killed_at_ten_moments(tmp_path):
    check(tmp_path, 10)


@pytest.mark.nightly
def test_killed_at_fifty_moments(tmp_path):
    check(tmp_path, 50)
