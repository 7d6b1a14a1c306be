"""Variants: what-if plans next to layouts; compared, opened, saved, and planned again with the same figures."""

import pytest
from shared.edited_plans import write

from planner.core.errors import InputError
from planner.install.editing.desk import Desk
from planner.install.editing.variants import NOW, START
from planner.studies import pipeline


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a study and its plan."""
    folder = tmp_path_factory.mktemp("plan")
    pipeline.run(write("plain", folder), until="near_misses")
    return folder


@pytest.mark.nightly
def test_a_what_if_plan_is_a_variant_that_planner_run_repeats(folder):
    desk = Desk.open(folder)
    with pytest.raises(InputError, match="no plan has ended"):
        desk.keep_result("half")
    desk.move([{"kind": "cabinet", "what": "A01", "to": "B08"}])
    desk.keep("far")
    assert desk.work.what_if({"tray_width_percent": 50}).wait(300)
    assert desk.work.job.error == ""
    desk.keep_result("half")
    with pytest.raises(InputError, match="is taken"):
        desk.keep_result("far")
    with pytest.raises(InputError, match="a study of its own"):
        desk.take("half")

    sides = desk.side_by_side([NOW, START, "far", "half"])
    figures = {name: plan.quantities for name, plan in sides.items()}
    assert figures["far"] == figures[NOW]
    assert figures["half"]["run_mm"] == figures["far"]["run_mm"] != figures[START]["run_mm"]
    assert figures["half"]["fullest_tray_percent"]["value"] == pytest.approx(2 * figures["far"]["fullest_tray_percent"]["value"])
    assert desk.compare("far", "half").actions == []
    assert desk.compare(START, "half").actions

    saved = {name: desk.save_variant(name) for name in ("far", "half")}
    desk.close()
    again = Desk.open(folder)
    assert {name: each.kind for name, each in again.variants.items.items()} == {"far": "layout", "half": "what-if"}
    for name, place in saved.items():
        plan = pipeline.run(place)
        assert {key: plan.quantities[key] for key in figures[name] if key in plan.quantities} == {
            key: figures[name][key] for key in figures[name] if key in plan.quantities
        }
        assert len(plan.quantities.keys() & figures[name].keys()) > 60
    assert {each.name for each in saved.values()} <= again.variants.revisions.keys()
    assert (
        again.side_by_side(["half", saved["half"].name])[saved["half"].name].cables.fingerprint
        == sides["half"].cables.fingerprint
    )

    opened = Desk.open(again.variants["half"].folder)
    assert opened.session.figures.length_mm == figures["half"]["run_mm"]["value"]
    opened.move([{"kind": "cabinet", "what": "B08", "to": "A01"}])
    assert opened.session.figures.length_mm == figures[START]["run_mm"]["value"]
    opened.close()
    again.close()


@pytest.mark.parametrize("names", [[], ["nowhere"], ["now"] * 3 + [str(number) for number in range(7)], [None]])
def test_wrong_names_are_refused(folder, names):
    desk = Desk.open(folder)
    with pytest.raises(InputError):
        desk.side_by_side(names)
    desk.close()
