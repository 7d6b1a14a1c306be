"""Every command of a tutorial runs, and prints what the page shows."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LONG = {"bring-up", "which-network", "five-years", "phases"}
"""Comparisons, machines in phases and fabrics as found, which tests of their own cover as well."""

PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))


@pytest.fixture(scope="module")
def tutorials():
    spec = importlib.util.spec_from_file_location("tutorials", ROOT / "tools" / "tutorials.py")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules["tutorials"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [pytest.param(page, id=page.stem, marks=[pytest.mark.nightly] if page.stem in LONG else []) for page in PAGES],
)
def test_the_commands_print_what_the_page_shows(page, tutorials, tmp_path):
    outputs = list(tutorials.play(page, tmp_path))
    assert outputs, "a tutorial shows the output of its commands"
    stale = [f"{output.commands}\n{output.printed}" for output in outputs if not output.agrees()]
    assert not stale, f"run python tools/tutorials.py {page.stem}\n" + "\n".join(stale)


def test_every_command_of_a_tutorial_is_run(tutorials):
    """Commands are in blocks that the test runs; in running text they would be stale unseen."""
    for page in PAGES:
        blocks = tutorials.BLOCK.findall(page.read_text(encoding="utf-8"))
        assert any(language == "sh" for language, _, _ in blocks), page.name
        unknown = {language for language, title, _ in blocks if not title} - {"sh", "text"}
        assert not unknown, f"{page.name}: {unknown} blocks have no title and are not run"


def test_output_may_be_shortened_but_not_differ(tutorials):
    output = tutorials.Output("", "first\n...\nlast 3... s\n", "first\nmore\nmore\nlast 3.14 s\n", (0, 0))
    assert output.agrees()
    assert not tutorials.Output("", "first\n...\nlast 2... s\n", output.printed, (0, 0)).agrees()
    assert not tutorials.Output("", "first\nlast 3.14 s\n", output.printed, (0, 0)).agrees()
