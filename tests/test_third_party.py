"""Libraries that are kept here: each folder names version, source and license, and has minified files only."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = sorted(folder for group in (ROOT / "planner").rglob("third_party") for folder in group.iterdir())


def test_there_are_libraries():
    assert {folder.name for folder in FOLDERS} >= {"three", "qr"}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_each_library_has_version_source_license_and_minified_files(folder):
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert re.match(r"# [\w.]+ \d+\.\d+\.\d+\n", text)
    assert f"package `{folder.name}` of the npm registry" in " ".join(text.split())
    license_text = (folder / "LICENSE").read_text(encoding="utf-8")
    assert "Permission is hereby granted" in license_text
    assert "MIT license" in text
    scripts = [file for file in folder.iterdir() if file.name not in ("README.md", "LICENSE")]
    assert scripts
    for script in scripts:
        assert script.name.endswith(".min.js")
        assert script.name in text
        # A minified file has comments and long lines; nobody writes hundreds of characters on each.
        content = script.read_text(encoding="utf-8")
        assert len(content) > 1000 * len(content.splitlines()), script.name
        assert "SPDX-License-Identifier" in content, script.name
