"""Tables on paper: their widths, and how they are split between sheets."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.paper.blocks import Block, sheets, space, together
from planner.paper.fonts import BOLD, REGULAR, wrapped
from planner.paper.sheet import TEXT_WIDTH, Area
from planner.paper.table import Column, Table, filled

WORDS = st.lists(st.text("abcdefgh-_/", min_size=1, max_size=40), min_size=1, max_size=6).map(" ".join)


def rows_of(count: int, height: float = 11.0) -> list[Block]:
    return together([Block(height, lambda pen, x, top: None) for _ in range(count)])


@pytest.mark.parametrize("filler", range(0, 700, 70))
@pytest.mark.parametrize("count", [2, 6, 7, 40])
def test_no_row_of_a_table_is_alone_on_a_sheet(filler, count):
    table = rows_of(count)
    room = Area.of((595.28, 841.89)).height - filler
    groups, here = [], []
    for row in table:
        here.append(row)
        if not row.keep:
            groups.append(here)
            here = []
    assert not here
    if count <= 6:
        assert len(groups) == 1
    placed = 0
    for group in groups:
        if sum(row.height for row in group) > room:
            break
        room -= sum(row.height for row in group)
        placed += len(group)
    assert placed != 1
    assert count - placed != 1
    assert len(sheets("t", [space(filler), *table])) == (1 if placed == count else 2)


@pytest.mark.slow
@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=5))
def test_columns_fill_the_width_and_every_cell_has_its_own(rows):
    columns = (Column("a title of words", "right"), Column("second"), Column("third", "center"))
    table = Table.of(columns, rows, TEXT_WIDTH, 7)
    assert table.width == pytest.approx(TEXT_WIDTH)
    assert min(table.widths) > 0
    edges = table._edges(0)
    assert all(left < right for left, right in edges)
    assert all(before[1] < after[0] for before, after in pairwise(edges))


def test_words_stay_whole_where_they_fit():
    """A long note shrinks before identifiers and dates, and a header is not broken inside a word."""
    note = "a note of many words " * 12
    rows = [("100g-qsfp28-dac-26awg", "A", "https://example.org/" + "x" * 90, "2026-09-23", note)]
    columns = (Column("row"), Column("conf.", "center"), Column("source"), Column("date"), Column("note"))
    table = Table.of(columns, rows, TEXT_WIDTH, 6.8)
    broken = table._broken(rows[0], REGULAR)
    assert [len(lines) for lines in (broken[0], broken[1], broken[3])] == [1, 1, 1]
    assert all(len(lines) == 1 for lines in table._broken([column.title for column in columns], BOLD))


def test_words_are_broken_after_marks():
    assert wrapped("netbox-community/devicetype-library", 75, 7) == ("netbox-community/", "devicetype-library")
    assert "".join(wrapped("x" * 300, 50, 7)) == "x" * 300


def test_columns_without_content_are_left_out():
    columns, rows = filled([Column("a"), Column("b"), Column("c")], [["1", "", ""], ["", "", "2"]])
    assert [column.title for column in columns] == ["a", "c"]
    assert rows == [["1", ""], ["", "2"]]
