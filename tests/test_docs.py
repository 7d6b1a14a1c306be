"""Generated pages are up to date; links between pages and pictures have targets."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "reports").rglob("*.md"))]


def _tool(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_data_model_page_is_up_to_date():
    module = _tool("data_model")
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run python tools/data_model.py"


def test_the_page_of_the_tables_is_up_to_date():
    module = _tool("tables_page")
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run python tools/tables_page.py"


def test_the_page_of_the_study_file_is_up_to_date():
    module = _tool("study_page")
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run python tools/study_page.py"


@pytest.mark.slow
def test_the_page_of_topologies_and_its_pictures_are_up_to_date():
    module = _tool("topologies_page")
    expected = module.render()
    there = [module.PAGE, *module.PICTURES.glob("*.svg")]
    stale = {path.name for path in expected.keys() ^ set(there)}
    stale |= {path.name for path in there if path.read_text(encoding="utf-8") != expected.get(path)}
    assert not stale, "run python tools/topologies_page.py; remove pictures of families that are gone"


def test_the_page_of_discovery_files_is_up_to_date():
    module = _tool("formats_page")
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run python tools/formats_page.py"


def test_links_have_targets():
    broken = []
    for page in PAGES:
        for target in re.findall(r"(?:\]\(|src=\")([^)#\s\"]+)", page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.name}: {target}")
    assert not broken
