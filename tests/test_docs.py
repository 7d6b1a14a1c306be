"""Pages that are made from the code are up to date; links between pages lead somewhere."""

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "reports" / "README.md"]


def test_the_data_model_page_is_up_to_date():
    spec = importlib.util.spec_from_file_location("data_model", ROOT / "tools" / "data_model.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run python tools/data_model.py"


def test_links_between_pages_lead_somewhere():
    broken = []
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.name}: {target}")
    assert not broken
