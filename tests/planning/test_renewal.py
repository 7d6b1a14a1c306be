"""A plan that is computed again while it is edited: layouts go on where they fit, and everything is kept."""

import shutil

import numpy as np
import pytest
from shared.edited_plans import write

from planner.core.errors import InputError
from planner.install.editing.desk import Desk
from planner.install.editing.log import OfAnotherPlan
from planner.install.editing.renewal import renew
from planner.studies import pipeline

CABINET = {"kind": "cabinet", "what": "A01", "to": "B08"}


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    """Return a folder with a study and its plan."""
    folder = tmp_path_factory.mktemp("plan")
    study = write("plain", folder)
    study.write_text(study.read_text().replace("q = 5\nendpoints_per_router = 4", "q = 3\nendpoints_per_router = 2"))
    pipeline.run(study, until="near_misses")
    return folder


@pytest.fixture
def folder(planned, tmp_path):
    return shutil.copytree(planned, tmp_path / "plan")


def computed_again(folder, old, new):
    study = folder / "study.toml"
    text = study.read_text()
    assert old in text
    study.write_text(text.replace(old, new))
    pipeline.run(folder, until="near_misses")


@pytest.mark.slow
def test_layouts_go_on_with_other_places(folder):
    before = Desk.open(folder)
    before.move([CABINET])
    before.keep("far")
    far = before.session.layout.places
    before.move([{"kind": "cabinet", "what": "B08", "to": "A08"}])
    last = before.session.layout.places
    computed_again(folder, 'algorithm = "identity"', 'algorithm = "random"')

    desk, found = renew(folder, before)
    assert not found.left
    assert found.carried[0] == "far"
    assert found.carried[1].startswith("as it was on")
    assert desk.session.history == ([], [])
    for name, places in zip(found.carried, (far, last), strict=True):
        kept = desk.variants.layout(name).places
        assert np.array_equal(kept.slot, places.slot)
        assert np.array_equal(kept.unit, places.unit)
    assert sorted(each.name for each in found.aside.iterdir()) == ["planning-1.csv", "planning-2.csv", "planning.jsonl"]
    # The new log holds after a restart, and a layout of the plan before can be taken.
    desk.take("far")
    again = Desk.open(folder)
    assert again.session.figures == desk.session.figures
    assert [*again.variants.items] == [*found.carried]


@pytest.mark.slow
def test_layouts_that_do_not_fit_are_named_and_set_aside(folder):
    before = Desk.open(folder)
    before.move([CABINET])
    before.keep("far")
    table = (folder / "planning-1.csv").read_bytes()
    before.close()
    computed_again(folder, "endpoints_per_router = 2", "endpoints_per_router = 3")
    with pytest.raises(OfAnotherPlan):
        Desk.open(folder)
    # As after a restart of the server: the desk of the plan before is gone.
    desk, found = renew(folder)
    assert not desk.variants.items
    assert not found.carried
    assert [name for name, _ in found.left] == ["far"]
    assert all(reason for _, reason in found.left)
    assert (found.aside / "planning-1.csv").read_bytes() == table
    assert desk.move([CABINET]).moved_count


@pytest.mark.slow
def test_steps_stay_where_places_are_the_same(folder):
    before = Desk.open(folder)
    before.move([CABINET])
    places = before.session.layout.places
    computed_again(folder, "[cabling]", '[cabling]\nprefer = "power"')
    desk, found = renew(folder, before)
    assert found.aside is None
    assert desk.session.history == (["cabinet A01 to B08"], [])
    assert np.array_equal(desk.session.layout.places.slot, places.slot)


def test_a_plan_that_cannot_be_opened_changes_nothing(folder):
    before = Desk.open(folder)
    before.move([CABINET])
    (folder / "study.toml").write_text("name = 1\n")
    files = sorted(each.name for each in folder.iterdir())
    with pytest.raises(InputError):
        renew(folder, before)
    assert sorted(each.name for each in folder.iterdir()) == files
    assert before.undo().moved_count
