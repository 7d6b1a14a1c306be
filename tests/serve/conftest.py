"""A hall that is served."""

from pathlib import Path

import pytest
from shared.built_fabrics import PLAN
from shared.served import Hall
from shared.small_plans import measured

from planner import planned
from planner.planned import Planned
from planner.report import schedule
from planner.site.journal import Journal


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
    return planned.read(PLAN)


@pytest.fixture(scope="session")
def whole(small_plan):
    """A plan with its records."""
    plan = measured(small_plan)
    return Planned(schedule.of_plan(plan), Path("small"), plan)
