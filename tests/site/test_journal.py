"""The journal: nothing lost, nothing doubled, equal in any order, whatever a phone sends."""

import random
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared.site_events import PLAN, batch_event, plain_state, random_events, state_of

from planner.core.errors import InputError
from planner.install.site.journal import MAX_AHEAD_US, Journal


@pytest.fixture
def journal(tmp_path):
    with opened(tmp_path / "site.db") as journal:
        yield journal


def opened(path):
    journal = Journal(path)
    journal.write("test", "plan", "INSERT OR IGNORE INTO plan VALUES (?, 0, '')", [(PLAN,)])
    return journal


def sent(journal, *batch, crew="blue", role="crew"):
    return journal.append(list(batch), crew=crew, role=role)


def test_a_batch_sent_twice_is_recorded_once(journal):
    events = random_events(50, 1)
    assert sent(journal, *events)[1:] == (50, 0, ())
    assert sent(journal, *events)[1:] == (0, 50, ())
    assert [event.id for _, event in journal.events()] == [each["id"] for each in events]


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(1, 120))
def test_the_state_is_equal_in_any_order_with_resends(tmp_path_factory, seed, count):
    events = random_events(count, seed)
    draw = random.Random(seed)
    arrivals = [*events, *draw.sample(events, count // 3)]
    draw.shuffle(arrivals)
    with opened(tmp_path_factory.mktemp("any") / "site.db") as journal:
        start = 0
        while start < len(arrivals):
            size = draw.randint(1, 9)
            sent(journal, *arrivals[start : start + size])
            start += size
        incremental = state_of(journal)
        assert incremental == plain_state(events)
        before = journal.registers()
        journal.rebuild()
        assert journal.registers() == before


def test_two_phones_that_did_not_know_of_each_other_are_a_conflict_until_somebody_decides(journal):
    sent(journal, batch_event(1, end="a", field="plugged", value="as planned", clock=10), crew="blue")
    seen = journal.changes().seen
    assert journal.conflicts() == []
    later = {"end": "a", "field": "plugged", "phone": "p2"}
    sent(journal, batch_event(2, value="R9 4", clock=20, **later), crew="red")
    (found,) = journal.conflicts()
    assert (found.lost_value, found.lost_crew, found.value, found.crew) == ("as planned", "blue", "R9 4", "red")
    # Somebody who had seen both decides.
    seen = journal.changes().seen
    sent(journal, batch_event(3, value="R9 5", clock=30, seen=seen, **{**later, "phone": "p3"}), crew="foreman")
    assert journal.conflicts() == []
    assert len(journal.history("R1 1 - R2 1")) == 3


def test_a_change_by_one_who_knew_the_old_value_is_no_conflict(journal):
    sent(journal, batch_event(1, field="tested", value="fail", clock=10))
    sent(journal, batch_event(2, field="tested", value="pass", clock=20, phone="p2", seen=journal.changes().seen))
    assert journal.conflicts() == []


def test_an_event_with_a_low_clock_that_arrives_late_is_kept_and_shown(journal):
    sent(journal, batch_event(1, field="tested", value="fail", clock=20))
    sent(journal, batch_event(2, field="tested", value="pass", clock=10, phone="p2"))
    assert state_of(journal)["R1 1 - R2 1", "", "tested", ""][0] == "fail"
    assert [each.lost_value for each in journal.conflicts()] == ["pass"]


def test_a_clock_far_ahead_is_refused_and_does_not_advance_that_of_the_server(journal):
    ahead = journal.clock + 2 * MAX_AHEAD_US
    receipt = sent(journal, batch_event(1, clock=ahead))
    assert receipt.new == 0
    assert receipt.refused[0].retry
    assert receipt.clock < ahead - MAX_AHEAD_US // 2
    assert sent(journal, batch_event(1, clock=receipt.clock)).new == 1


def test_the_clock_of_the_server_never_goes_back(journal, monkeypatch):
    first = sent(journal, batch_event(1)).clock
    monkeypatch.setattr("time.time_ns", lambda: 1000)
    assert sent(journal, batch_event(2)).clock > first
    again = Journal(journal.path)
    assert sent(again, batch_event(3)).clock > first
    again.close()


def test_an_id_with_other_content_is_refused(journal):
    sent(journal, batch_event(1))
    assert sent(journal, batch_event(1, value="")).refused[0].reason == "another event has this id"
    # Sent again through another link it stays what it is.
    assert sent(journal, batch_event(1), crew="red")[1:] == (0, 1, ())
    assert state_of(journal)["R1 1 - R2 1", "", "pulled", ""][0] == "yes"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"id": "1"}, "UUID"),
        ({"id": 7}, "UUID"),
        ({"plan": "f" * 16}, "plan is not known"),
        ({"plan": "../x"}, "revision"),
        ({"phone": "p 1"}, "phone"),
        ({"clock": -1}, "clock"),
        ({"clock": True}, "clock"),
        ({"clock": 2**53}, "clock"),
        ({"clock": "9"}, "clock"),
        ({"target": ""}, "target is empty"),
        ({"target": "a\x1b[2J"}, "control character"),
        ({"target": "x" * 501}, "more than 500"),
        ({"field": "seq"}, "'seq' is not a field"),
        ({"field": ["pulled"]}, "not text"),
        ({"value": "no"}, "not one of yes"),
        ({"end": "c"}, "not an end"),
        ({"end": "a"}, "pulled is not recorded for an end"),
        ({"field": "remark", "value": "x" * 2001}, "more than 2,000"),
        ({"field": "remark", "value": ""}, "remark is empty"),
        ({"field": "remark", "value": "a\u202eb"}, "reorders"),
        ({"field": "length_mm", "value": "1e9"}, "length"),
        ({"field": "plugged", "end": "a", "value": "R1"}, "number of a port"),
        ({"field": "plugged", "end": "a", "value": "R1 0"}, "number of a port"),
        ({"field": "photo", "value": "../../etc/passwd"}, "SHA-256"),
        ({"field": "accepted"}, "the role crew may not"),
        ({"field": "link", "value": "up"}, "the role crew may not"),
        ({"undoes": "x"}, "undoes"),
    ],
)
def test_what_is_out_of_bounds_is_refused_by_itself(journal, change, reason):
    receipt = sent(journal, {**batch_event(1), **change}, batch_event(2))
    assert receipt.new == 1
    assert reason in receipt.refused[0].reason


_ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["a", "pulled", "yes", PLAN]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.slow
@given(st.lists(st.dictionaries(st.sampled_from([*batch_event(1), "end", "seen", "undoes", "crew"]), _ANY) | _ANY, max_size=5))
def test_any_content_is_recorded_or_refused(tmp_path_factory, content):
    with opened(tmp_path_factory.mktemp("strange") / "site.db") as journal:
        receipt = sent(
            journal, *[{**batch_event(n), **each} if isinstance(each, dict) else each for n, each in enumerate(content)]
        )
        assert receipt.new + receipt.known + len(receipt.refused) == len(content)
        assert all(event.crew == "blue" for _, event in journal.events())


@pytest.mark.parametrize("batch", [None, {}, "x", [{}] * 2001])
def test_what_is_no_batch_is_refused_as_a_whole(journal, batch):
    assert journal.append(batch, crew="blue", role="crew")[1:3] == (0, 0)


@pytest.mark.slow
def test_threads_write_and_read_at_the_same_time(journal):
    events = random_events(400, 3, cables=50)

    def phone(number):
        own = events[number * 50 : number * 50 + 50]
        for start in range(0, 50, 5):
            sent(journal, *own[start : start + 5])
            sent(journal, *own[start : start + 5])
            journal.registers()

    threads = [threading.Thread(target=phone, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(journal.events())) == 400
    assert state_of(journal) == plain_state(events)


def test_changes_hold_all_fields_of_what_changed(journal):
    sent(journal, batch_event(1, target="x"), batch_event(2, target="y"), batch_event(3, target="y", field="blocked", value="z"))
    seq = journal.changes().seq
    sent(journal, batch_event(4, target="y", value="", clock=9))
    assert [(r.target, r.field, r.value) for r in journal.changes(seq).registers] == [("y", "blocked", "z"), ("y", "pulled", "")]
    assert journal.changes(journal.changes().seq).registers == []


def test_the_value_before_an_event_is_what_an_undo_records(journal):
    sent(journal, batch_event(1, field="tested", value="fail"), batch_event(2, field="tested", value="pass"))
    event, value = journal.value_before(batch_event(2)["id"])
    assert (event.field, value) == ("tested", "fail")
    assert journal.value_before(batch_event(1)["id"])[1] == ""
    assert journal.value_before("none") is None


def test_other_files_are_refused(tmp_path):
    (tmp_path / "text.db").write_text("no database, but text that is long enough to have a header" * 20)
    with pytest.raises(InputError, match="it is no journal, or damaged"):
        Journal(tmp_path / "text.db")
    with pytest.raises(InputError, match="no journal"):
        Journal(tmp_path / "none.db", make=False)
    with pytest.raises(InputError, match="folder does not exist"):
        Journal(tmp_path / "x" / "site.db")


@pytest.mark.parametrize("statement", ["UPDATE event SET value = ''", "DELETE FROM event"])
def test_events_are_only_appended(journal, statement):
    sent(journal, batch_event(1))
    with pytest.raises(OSError, match="only appended"):
        journal.write("test", "change", statement, [()])
    assert journal.registers()[0].value == "yes"
    assert sent(journal, batch_event(2)).new == 1
