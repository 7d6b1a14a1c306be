"""The pages for contributors name files that exist, and the walk has eight of them."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / name for name in ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/adding.md", "examples/README.md")]

LINKS = (
    "planner simulate",
    "from planner.studies import pipeline",
    "from planner.studies.stages import",
    "from planner.simulation import",
    "from planner.simulation.observation import",
    "from planner.simulation.engine import",
    "from planner.kernels.packet import",
    "def _run(",
)
"""What leads from each file of the walk to the next; the loop at its end."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_files_that_a_page_names_exist(page):
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:planner|tests|tools|docs|reports)/[\w/.]+)`", text)
    linked = [str((page.parent / target).relative_to(ROOT)) for target in re.findall(r"\]\(([^)#\s:]+)\)", text)]
    assert named + linked
    assert not [name for name in named + linked if not (ROOT / name).exists()]


def test_the_walk_leads_from_the_readme_to_the_inner_loop_in_eight_files():
    text = PAGES[0].read_text(encoding="utf-8")
    walk = re.findall(r"^\d\. `([\w/.]+)`", text, re.MULTILINE)
    assert len(walk) == 8
    assert walk[0] == "README.md"
    sources = [(ROOT / name).read_text(encoding="utf-8") for name in walk]
    for source, link in zip(sources, LINKS, strict=True):
        assert link in source


ROOT_FILES = {
    ".gitignore", "ARCHITECTURE.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md",
    "SECURITY.md", "mkdocs.yml", "pyproject.toml",
}  # fmt: skip
ROOT_FOLDERS = {
    ".ci", ".github", "benchmarks", "catalogs", "docs", "examples", "floorplans", "planner", "reports", "tests", "tools",
}  # fmt: skip


def test_nothing_strays_at_the_root():
    """Logs and traces of somebody's work are committed there by mistake."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout")
    names = listed.stdout.splitlines()
    assert {name for name in names if "/" not in name} == ROOT_FILES
    assert {name.partition("/")[0] for name in names if "/" in name} == ROOT_FOLDERS
