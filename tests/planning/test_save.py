"""A saved layout, study or built plan prints the figures that the session shows."""

import pytest
from shared.edited_plans import write

from planner.core.errors import InputError
from planner.install.editing import Move, Session, save
from planner.studies import pipeline
from planner.studies import study as studies


@pytest.fixture(params=[pytest.param("plain", marks=pytest.mark.nightly), "twin ports", "nodes apart"])
def session(request, tmp_path):
    opened = Session.open(write(request.param, tmp_path / "study"))
    names = opened.plan.room.slot_names
    opened.move(Move("cabinet", names[opened.layout.places.slot[0]], names[-1]))
    router = str(opened.plan.inventory.names[3])
    opened.move(Move("device", router, unit=1 + int(opened.plan.inventory.of_part("units")[3])))
    opened.move(Move("pin", router))
    return opened


@pytest.mark.slow
def test_a_saved_study_prints_the_same_figures(session, tmp_path):
    figures = session.figures
    counted = session.recount()
    path = save.study(session, tmp_path / "saved")
    plan = pipeline.run(path)
    wanted = {name: each for name, each in counted.quantities.items() if name in plan.quantities}
    assert {name: plan.quantities[name] for name in wanted} == wanted
    assert len(wanted) > 60
    assert (plan.quantities["run_mm"]["value"], plan.quantities["longest_run_mm"]["value"]) == (
        figures.length_mm,
        figures.longest_mm,
    )
    assert plan.cables.fingerprint == counted.cables.fingerprint
    assert [item for item in plan.violations.items if item.severity == "error"] == [
        item for item in counted.violations.items if item.severity == "error"
    ]
    with pytest.raises(InputError, match="has a study already"):
        save.study(session, tmp_path / "saved")


@pytest.mark.slow
@pytest.mark.parametrize("session", ["plain"], indirect=True)
def test_a_layout_is_where_searches_start(session, tmp_path):
    path = save.layout(session, tmp_path / "layout.csv")
    study = studies.load(session.study.file, [f'placement.layout="{path}"'])
    plan = pipeline.make(study, ("placement",))
    router = int((session.layout.pinned).nonzero()[0][0])
    assert plan.placement.slot[router] == session.layout.places.slot[router]


@pytest.mark.slow
def test_a_built_plan_stays(tmp_path):
    session = Session.open(write("plain", tmp_path / "study"))
    session.move(Move("cabinet", "A01", "B08"))
    path = save.keep(session, tmp_path / "kept")
    plan = pipeline.run(path)
    assert plan.kept is not None
    assert plan.placement.slot.tolist() == session.layout.places.slot.tolist()
    assert plan.placement.unit.tolist() == session.layout.places.unit.tolist()
    counted = session.counted().quantities
    for name in ("run_mm", "stock_mm", "longest_run_mm", "power_mw"):
        assert plan.quantities[name] == counted[name], name
