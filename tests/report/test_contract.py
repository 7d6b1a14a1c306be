"""Contract of every report format: each file of the folder is tested."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace

import pytest
from shared.odd_names import oddly_named
from shared.small_plans import lonely, make_plan

from planner import formats
from planner.core import reading, registry
from planner.core.errors import InputError
from planner.design.work import work
from planner.domain.model import PanelPlan, Plan, Room, Violation, Violations

FORMATS = registry.names("report")


def apart(room: Room) -> Room:
    """Two routers to a cabinet, so that a small network has cables of every stage."""
    return replace(room, cabinet_routers=2)


def small(**changes) -> Plan:
    """Eight routers in four cabinets."""
    given = {"family": "hypercube", "dimensions": 3, "endpoints_per_router": 2, "change_room": apart} | changes
    made = make_plan(**given)
    return replace(made, work=work(made.catalog, made.cables, PanelPlan.none(), made.room.segment_mm, crews=2))


def stopped(plan: Plan, *, after: str) -> Plan:
    """The plan as it is when its study ran until a stage: `network`, `room` or `placement`."""
    left = {"bill": None, "work": None, "latency": None, "simulation": None, "violations": None, "cables": None, "quantities": {}}
    if after in ("network", "room"):
        left["placement"] = None
    if after == "network":
        left["room"] = None
    return replace(plan, **left)


@pytest.fixture(scope="module")
def plan():
    return small()


@pytest.fixture(scope="module")
def plans(plan):
    violation = Violation("labels_unique", "=1+1", 2.5, 1.0, "cable ends", "error", "one label on <two> ends")
    return {
        "whole": replace(plan, violations=Violations(("labels_unique",), (violation,))),
        "odd names": small(
            change_room=lambda room: oddly_named(apart(room)), name='plan "Ä", 1', title="Plan <Ä> & „B“", simulate=False
        ),
        "one cabinet": make_plan(network=lonely(), simulate=False, title="x" * 60),
        "without endpoints": small(endpoints_per_router=0, simulate=False, label="serial"),
        "after placement": stopped(plan, after="placement"),
        "after room": stopped(plan, after="room"),
        "after network": stopped(plan, after="network"),
        "bare": Plan("bare", "", {}),
        "ids": small(label="serial", title="x" * 60, simulate=False),
    }


COMPLETE = ("whole", "odd names", "one cabinet", "without endpoints")
EARLY = ("after placement", "after room", "after network", "bare")


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_its_first_line_and_options_are_documented(name):
    line, _ = registry.summary("report", name)
    assert 10 < len(line) < 130
    assert line.endswith(".")
    module = registry.load("report", name)
    options = [p for p in inspect.signature(module.write).parameters.values() if p.name not in ("plan", "path")]
    for option in options:
        assert option.kind is inspect.Parameter.KEYWORD_ONLY, option.name
        assert option.default is not inspect.Parameter.empty, option.name
        assert option.annotation is not inspect.Parameter.empty, option.name
    documented = inspect.getdoc(module.write) or ""
    assert documented
    # Options are in the section Parameters, alone or several on a line.
    listed = re.findall(r"^([a-z_]+(?:, [a-z_]+)*)$", documented, re.MULTILINE)
    assert {option.name for option in options} <= {each for line in listed for each in line.split(", ")}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_its_file_has_its_ending_and_no_two_formats_share_one(name):
    file = formats.file_name("plan", name, {})
    assert re.fullmatch(r"(plan|published)(\.[a-z0-9-]+)+", file)
    assert file not in [formats.file_name("plan", other, {}) for other in FORMATS if other != name]


@pytest.mark.slow
@pytest.mark.parametrize("which", COMPLETE)
@pytest.mark.parametrize("name", FORMATS)
def test_a_plan_is_written_twice_alike(name, which, plans, tmp_path):
    plan = plans[which]
    first = formats.write(plan, tmp_path / "one", name).read_bytes()
    assert first == formats.write(plan, tmp_path / "two", name).read_bytes()
    if which != "one cabinet":
        assert first
    assert len(list((tmp_path / "one").iterdir())) == 1


@pytest.mark.slow
@pytest.mark.parametrize("which", EARLY)
@pytest.mark.parametrize("name", FORMATS)
def test_a_plan_stopped_early_gives_a_file_or_one_clear_complaint(name, which, plans, tmp_path):
    try:
        assert formats.write(plans[which], tmp_path, name).is_file()
    except InputError as error:
        (problem,) = error.problems
        assert problem.remedy
        assert re.match("the plan (has|places) no ", problem.message)
        assert list(tmp_path.iterdir()) == []


SELECTING = [name for name in FORMATS if "crew" in reading.parameters(registry.function("report", name))]


@pytest.mark.slow
@pytest.mark.parametrize("option", ["cabinet", "row", "stage"])
@pytest.mark.parametrize("name", SELECTING)
def test_a_part_that_does_not_exist_is_named(name, option, plan, tmp_path):
    with pytest.raises(InputError, match=f"there is no {option} 'nowhere'"):
        formats.write(plan, tmp_path, name, **{option: "nowhere"})
    assert list(tmp_path.iterdir()) == []
    known = {"cabinet": "A02", "row": "A", "stage": "in cabinet"}
    assert formats.write(plan, tmp_path, name, **{option: known[option]}).is_file()
