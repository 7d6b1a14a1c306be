"""Tables with any separator, within bounds; every reader of tables uses them."""

import ast
from pathlib import Path

import pytest

import planner
from planner.core.delimited import Table, read
from planner.core.errors import InputError

ROOT = Path(planner.__file__).parent


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_first_line_decides(separator, end):
    text = end.join(["a, b ,c", '1,"x,y;z",', "", ",,", "2,'=1+1", "# 3,4,5"]).replace(", ", f"{separator} ")
    text = text.replace(",b", f"{separator}b").replace("a,", f"a{separator}").replace(" ,c", f" {separator}c")
    text = (
        text.replace('1,"', f'1{separator}"')
        .replace('",', f'"{separator}')
        .replace(",,", separator * 2)
        .replace("2,'", f"2{separator}'")
    )
    table = Table(text, "t.csv", comments=True)
    assert (table.header, table.line, table.separator) == (("a", "b", "c"), 1, separator)
    assert list(table.records()) == [(2, {"a": "1", "b": "x,y;z", "c": ""}), (5, {"a": "2", "b": "=1+1", "c": ""})]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('a,b\n1,"x', r"t\.csv:2: .*is not CSV"),
        ("a,b\n1," + "x" * 200_000, r"t\.csv:2: .*is not CSV"),
        ("a,b\n1,2,3", r"t\.csv:2: key: has 3 cells for 2 columns; put cells with the separator ','"),
        ("a;b\n1,5;2;3", r"t\.csv:2: key: has 3 cells for 2 columns; put cells with the separator ';'"),
        ("a,b\n" + "1,2\n" * 30, r"has more than 20 rows"),
    ],
)
def test_what_is_no_table(text, message):
    with pytest.raises(InputError, match=message):
        list(Table(text, "t.csv", max_rows=20, key="key").records())


def test_columns_that_are_needed():
    table = Table("a,b,b,c", "t.csv")
    table.require(["a", "c"])
    with pytest.raises(InputError, match=r"header: has no column d, e; the first line names the columns: a, d, e"):
        table.require(["a", "d", "e"])
    with pytest.raises(InputError, match=r"has the column b twice"):
        table.require(["b"])
    assert Table("", "t.csv").header == ()


def test_files_are_text_of_a_bounded_size(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xef\xbb\xbfa,b\n1,2\n")
    assert read(path).header == ("a", "b")
    with pytest.raises(InputError, match="is larger than"):
        read(path, max_bytes=5)
    path.write_bytes(b"a,b\n\xff\n")
    with pytest.raises(InputError, match="is not UTF-8"):
        read(path)


OTHERS = {
    "core/delimited.py", "core/spreadsheet.py",
    # A row in a section of a dump.
    "fabric/verify/readers/ibdiagnet_db_csv.py",
    # Discovery of any format: problems of all lines are collected.
    "fabric/verify/readers/syntax/csv.py",
}  # fmt: skip


def test_no_other_file_reads_or_writes_csv_by_itself():
    found = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Attribute)
                and node.attr in ("reader", "DictReader", "writer", "DictWriter")
                and getattr(node.value, "id", "") == "csv"
            ):
                found.add(str(path.relative_to(ROOT)))
    assert found == OTHERS
