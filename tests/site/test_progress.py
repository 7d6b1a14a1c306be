"""Progress, pace, and the division of the rest of the work."""

from collections import Counter
from uuid import uuid4

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.install.site.progress import paces, progress, work_left_s
from planner.install.site.replan import give, replanned
from planner.install.site.status import STEPS


def install(floor, number, crew, after_s):
    floor.does(number, "pulled", "yes", crew=crew, after_s=after_s / 3)
    for end in "ab":
        floor.does(number, "plugged", "as planned", end, crew=crew, after_s=after_s / 3)


def test_progress_counts_every_cable_once_by_stage(floor):
    install(floor, 1, "blue", 60)
    floor.does(2, "pulled", "yes")
    floor.does(3, "blocked", "no key")
    found = progress(floor.board)
    assert (found.whole.cables, found.whole.done, found.whole.blocked) == (4, 1, 1)
    assert [(share.name, share.cables, share.done) for share in found.stages] == [("one", 2, 1), ("two", 2, 0)]
    assert found.whole.steps == dict.fromkeys(STEPS, 0) | {"planned": 2, "pulled": 1, "both ends": 1}
    assert [(share.name, share.cables) for share in found.rows] == [("A", 4)]
    # Cable 2: both plugs; cables 3 and 4: all of it; a minute for each pull, and for the plugs.
    assert found.whole.left_s == 60 + 120 + 120


def test_a_few_seconds_give_no_pace(floor):
    for end in "ab":
        floor.does(1, "plugged", "as planned", end, crew="blue", after_s=2)
    (pace,) = paces(floor.board)
    assert (pace.active_s, pace.speed) == (2, 0)
    assert progress(floor.board).whole.finish_s is None


def test_the_pace_is_work_by_the_time_without_breaks(floor):
    floor.does(1, "pulled", "yes", crew="blue")
    floor.does(1, "plugged", "as planned", "a", crew="blue", after_s=45)
    floor.does(1, "plugged", "as planned", "b", crew="blue", after_s=45)
    # Lunch is no work.
    floor.does(2, "pulled", "yes", crew="blue", after_s=3600)
    floor.does(2, "plugged", "as planned", "a", crew="blue", after_s=60)
    floor.does(2, "plugged", "as planned", "b", crew="red", after_s=60)
    blue, red = paces(floor.board)
    assert (blue.crew, blue.work_s, blue.active_s, blue.cables) == ("blue", 60 + 60 + 60 + 30, 150, 1)
    assert (red.crew, red.work_s, red.active_s, red.cables) == ("red", 30, 0, 1)
    assert blue.speed == pytest.approx(210 / 150)
    assert red.speed == 0
    found = progress(floor.board)
    assert found.whole.finish_s == pytest.approx(240 / (210 / 150))


def test_without_a_pace_there_is_no_time(floor):
    found = progress(floor.board)
    assert found.whole.finish_s is None
    assert found.paces == []


def test_the_work_of_all_cables_is_that_of_the_work_order(small, small_plan):
    order = small_plan.work
    whole = progress(small.board).whole
    assert whole.left_s == pytest.approx(order.total_s() / order.workers)
    by_crew = [share.left_s for share in progress(small.board).crews]
    persons_s = order.person_s.sum(axis=1)
    assert by_crew == pytest.approx([persons_s[order.crew == crew].sum() / order.workers for crew in range(order.crews)])


def test_a_slow_crew_hands_tasks_over(small):
    cables = list(small.site.cables.values())
    for crew in (1, 2, 3):
        own = sorted((cable for cable in cables if cable.crew == crew), key=lambda cable: cable.task)[:4]
        for cable in own:
            # The second crew takes four times as long as the others.
            install(small, cable.number, f"crew {crew}", (cable.pull_s + cable.plug_s) * (4 if crew == 2 else 1))
    found = replanned(small.board)
    assert max(found.finish_s, key=found.finish_s.get) == 2
    assert found.moved
    assert found.after_s < found.before_s
    assert progress(small.board).whole.finish_s == pytest.approx(found.before_s)
    assert Counter(each.from_crew for each in found.moved).most_common(1)[0][0] == 2
    begun = {status.cable.task for status in small.board.statuses.values() if status.is_pulled}
    assert not begun & {each.task for each in found.moved}
    # The rest divided by hand: work of each crew after the moves, at its pace.
    speed = {int(pace.crew[-1]): pace.speed for pace in paces(small.board)}
    crew_of = {each.task: each.to_crew for each in found.moved}
    load = dict.fromkeys(speed, 0.0)
    for status in small.board.statuses.values():
        crew = crew_of.get(status.cable.task, status.cable.crew)
        load[crew] += work_left_s(status) / speed[crew]
    assert max(load.values()) == pytest.approx(found.after_s)
    assert np.ptp(list(load.values())) < np.ptp(list(found.finish_s.values()))
    # The foreman gives the tasks to these crews: then nothing more is to be moved, and figures are those of the new crews.
    assert give(small.board, crew_of, crew="boss").new == sum(each.cables for each in found.moved)
    again = replanned(small.board)
    assert again.moved == []
    assert again.before_s == pytest.approx(found.after_s)
    assert {share.name: share.left_s for share in progress(small.board).crews} == pytest.approx(
        {f"crew {crew}": seconds * speed[crew] for crew, seconds in load.items()}
    )
    assert give(small.board, crew_of, crew="boss").new == 0
    # A crew may not take tasks by itself.
    event = {"id": str(uuid4()), "plan": small.site.revision, "phone": "p", "clock": 1, "target": cables[0].target,
             "field": "crew", "value": "1"}  # fmt: skip
    assert "the role crew may not" in small.journal.append([event], crew="crew 1", role="crew").refused[0].reason


def test_tasks_and_crews_that_are_not_there_are_refused_together(small):
    with pytest.raises(InputError) as refused:
        give(small.board, {9999: 1, 1: 77, 2: 1}, crew="boss")
    assert len(refused.value.problems) == 2
    assert small.journal.last == 0


def test_nothing_is_moved_where_crews_keep_pace_or_nothing_is_known(floor, small):
    assert replanned(floor.board) is None
    assert replanned(small.board) is None
