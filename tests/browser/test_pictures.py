"""The script of the pictures of README and docs, on a small plan."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def pictures():
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "tools" / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn(path):
    """The size of a picture, and the number of its colors."""
    with Image.open(path) as picture:
        assert picture.format == "PNG"
        return picture.size, len(np.unique(np.asarray(picture.convert("RGB")).reshape(-1, 3), axis=0))


@pytest.mark.nightly
def test_every_picture_is_made(pictures, plan, chromium, tmp_path):
    browser = chromium()
    cabinet = plan.room.slot_names[plan.placement.slot_of[0]]
    pictures.floor(plan, tmp_path / "floor.png", browser, scale=200)
    pictures.web_page(plan, tmp_path / "page.png", browser, f"#cabinet={cabinet}")
    pictures.sheets(plan, tmp_path / "sheet.png", ("SUMMARY",), part="summary", dots_per_inch=50)
    pictures.sheets(plan, tmp_path / "two.png", (f"Cabinet {cabinet}", "front"), 2, cabinet=cabinet, dots_per_inch=50)
    pictures.phones(plan, tmp_path / "phones.png", browser, cables=60)
    pictures.board(plan, tmp_path / "board.png", browser, cables=60)
    for name in ("floor", "page", "sheet", "two", "phones", "board"):
        (width, height), colors = drawn(tmp_path / f"{name}.png")
        assert min(width, height) >= 350, name
        assert 10 < colors <= 256, name
    assert drawn(tmp_path / "page.png")[0] == (1770, 1140)
    single, double = (drawn(tmp_path / f"{name}.png")[0] for name in ("sheet", "two"))
    assert double[0] > 1.3 * single[0] or single[0] > single[1]


def test_every_picture_of_the_pages_is_one_of_the_script(pictures):
    made = {f"{name}.png" for name in pictures.PICTURES}
    kept = {path.name for path in (ROOT / "docs" / "images").glob("*.png")}
    assert kept == made
