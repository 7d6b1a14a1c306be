"""A journal, and the sites whose work it records."""

from pathlib import Path

import pytest
from shared.sites import Floor, site_of

from planner.fabric.baseline import Planned
from planner.install.site.cables import Site
from planner.install.site.journal import Journal
from planner.view import schedule


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "site.db") as journal:
        yield journal


@pytest.fixture
def floor(journal):
    """Four cables, known from a schedule alone."""
    return Floor(journal, site_of())


@pytest.fixture
def small(journal, small_plan):
    """A plan with a work order of three crews."""
    return Floor(journal, Site.of(Planned(schedule.of_plan(small_plan), Path("small"), small_plan)))
