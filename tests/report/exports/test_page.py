"""The page of exports: its excerpts are in the files, and no format is missing."""

from __future__ import annotations

import csv
import io
import re
import tomllib
import zipfile
from pathlib import Path

import openpyxl
import pytest
from pyarrow import parquet

from planner.formats import write
from planner.studies import pipeline, study

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def slimfly(tmp_path_factory):
    chosen = study.load(ROOT / "reports" / "slimfly-200", ['placement.algorithm="identity"'])
    return pipeline.run(chosen, out=tmp_path_factory.mktemp("slimfly"), until="bill")


def lines(path: Path) -> list[str]:
    """Lines of a text file, of all files of an archive, or of all sheets of a workbook with commas between cells."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as book:
            return [line for name in book.namelist() for line in book.read(name).decode().splitlines()]
    if path.suffix == ".xlsx":
        text = io.StringIO()
        for sheet in openpyxl.load_workbook(path):
            csv.writer(text, lineterminator="\n").writerows(sheet.iter_rows(values_only=True))
        return text.getvalue().splitlines()
    if path.suffix == ".parquet":
        return [f"{column.name}: {column.type}" for column in parquet.read_schema(path)]
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("name", SECTIONS)
def test_its_excerpt_is_in_the_file(name, slimfly, tmp_path):
    (excerpt,) = re.findall(r"```text\n(.*?)```", SECTIONS[name], re.DOTALL)
    options = [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", SECTIONS[name], re.DOTALL)]
    given = options[0]["report"].get(name, {}) if options else {}
    found = lines(write(slimfly, tmp_path, name, **given))
    assert [line for line in excerpt.splitlines() if line not in found] == []


def test_each_format_of_the_table_has_a_section():
    table = re.findall(r"^\| \[`(\w+)`\]\(#(\w+)\) \|", PAGE, re.MULTILINE)
    assert [name for name, _ in table] == [target for _, target in table] == list(SECTIONS)
