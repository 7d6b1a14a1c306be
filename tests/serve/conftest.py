"""A hall that is served."""

import shutil
from pathlib import Path

import pytest
from shared.built_fabrics import PLAN
from shared.edited_plans import write
from shared.served import Hall
from shared.small_plans import measured

from planner.fabric import baseline
from planner.fabric.baseline import Planned
from planner.install.site.journal import Journal
from planner.studies import pipeline
from planner.view import schedule


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "site.db") as made:
        yield made


@pytest.fixture
def hall(journal):
    return Hall(journal)


@pytest.fixture(scope="session")
def slimfly():
    """The schedule of the verification samples."""
    return baseline.read(PLAN)


@pytest.fixture(scope="session")
def computed(tmp_path_factory):
    """The folder of a computed plan, which nobody changes."""
    folder = tmp_path_factory.mktemp("computed")
    study = write("plain", folder)
    # A small network will do.
    study.write_text(study.read_text().replace("q = 5\nendpoints_per_router = 4", "q = 3\nendpoints_per_router = 2"))
    pipeline.run(study)
    return folder


@pytest.fixture
def finished(computed, tmp_path):
    """The folder of a computed plan."""
    return Path(shutil.copytree(computed, tmp_path / "plan"))


@pytest.fixture(scope="session")
def whole(small_plan):
    """A plan with its records."""
    plan = measured(small_plan)
    return Planned(schedule.of_plan(plan), Path("small"), plan)
