"""Anchors and names that people give."""

import pytest

from planner.core.errors import InputError
from planner.fabric.verify import given


def written(tmp_path, text: str):
    path = tmp_path / "given.csv"
    path.write_text(text, encoding="utf-8")
    return path


def problems(function, path) -> list[str]:
    with pytest.raises(InputError) as caught:
        function(path)
    return [str(problem) for problem in caught.value.problems]


def test_anchors_may_be_guids_addresses_and_serial_numbers(tmp_path):
    text = "# scanned on 2026-05-31\nGUID,serial,mac,device,remark\n0x7CFE900300A00440,,,R001,left\n"
    text += ",MT1234X,,R002\n,,0C:42:A1:00:09:80,R003\n"
    assert given.anchors(written(tmp_path, text)) == {
        "7cfe900300a00440": "R001",
        "MT1234X": "R002",
        "0c42a1000980": "R003",
    }


def test_all_problems_of_anchors_are_reported_at_once_with_their_lines(tmp_path):
    text = "guid,device\nxyz,R001\n0x1,R002\n0x2,\n0x01,R003\n"
    found = problems(given.anchors, written(tmp_path, text))
    assert len(found) == 3
    assert [":2" in found[0], "not a GUID" in found[0]] == [True, True]
    assert [":4" in found[1], "is empty" in found[1]] == [True, True]
    assert [":5" in found[2], "'R002' in line 3" in found[2]] == [True, True]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "guid,device\n", "guid,name\n0x1,a\n", "device\nR001\n", 'guid,device\n"0x1,R001\n']
)
def test_files_without_anchors_are_refused(tmp_path, text):
    assert problems(given.anchors, written(tmp_path, text))


def test_long_lists_of_problems_are_cut(tmp_path):
    found = problems(given.anchors, written(tmp_path, "guid,device\n" + "?,R001\n" * 1000))
    assert len(found) == 21
    assert "980 more" in found[-1]


def test_names_are_a_table_or_a_map(tmp_path):
    table = given.names(written(tmp_path, "guid,name\n0x7cfe900300a00440,leaf 1\n7cfe900300a00441,'=2\n"))
    assert table == {"7cfe900300a00440": "leaf 1", "7cfe900300a00441": "=2"}
    node_map = '# map\n\n0x7cfe900300a00440 "leaf, 1"\n0x7cfe900300a00441\t"leaf 2" # spare\n'
    assert given.names(written(tmp_path, node_map)) == {"7cfe900300a00440": "leaf, 1", "7cfe900300a00441": "leaf 2"}


def test_wrong_lines_of_a_map_are_reported(tmp_path):
    found = problems(given.names, written(tmp_path, '0x1 "a"\n0x2 b\n0x3 "\x1b[2J"\n0x1 "c"\n'))
    assert len(found) == 3
    assert "not an entry" in found[0]
    assert "U+001B" in found[1]
    assert "'a' in line 1" in found[2]
