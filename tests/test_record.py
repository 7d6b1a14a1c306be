"""Records: declared arrays are checked, frozen and fingerprinted."""

from dataclasses import dataclass

import numpy as np
import pytest

from planner.core.errors import CheckFailed
from planner.core.record import Record, array, value


@dataclass(frozen=True, eq=False)
class Pair(Record):
    name: str = value("a name")
    ends: np.ndarray = array("int32", "L,2", "ends")
    start: np.ndarray = array("int64", "L+1", "starts")
    text: np.ndarray = array("str", "L", "text")


def pair(**changes):
    fields = {"name": "x", "ends": [[1, 2]], "start": [0, 1], "text": ["a"]} | changes
    return Pair(**fields)


def test_arrays_are_converted_and_read_only():
    made = pair()
    assert made.ends.dtype == np.int32
    assert made.ends.flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        made.ends[0, 0] = 5


def test_the_givers_array_is_not_shared():
    ends = np.array([[1, 2]], np.int32)
    made = pair(ends=ends)
    ends[0, 0] = 9
    assert made.ends[0, 0] == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ends": [[1, 2, 3]]}, "declared as"),
        ({"start": [0, 1, 2]}, "declared as"),
        ({"ends": [1, 2]}, "dimensions"),
        ({"ends": [[1, 2**40]]}, "does not fit int32"),
        ({"ends": [[1.5, 2]]}, "does not fit int32"),
    ],
)
def test_what_does_not_fit_its_declaration_is_refused(changes, message):
    with pytest.raises(CheckFailed, match=message):
        pair(**changes)


def test_empty_arrays_take_their_declared_shape():
    made = pair(ends=[], start=[0], text=[])
    assert made.ends.shape == (0, 2)


def test_fingerprints_tell_any_difference():
    prints = {pair(**c).fingerprint for c in ({}, {"name": "y"}, {"ends": [[2, 1]]}, {"start": [0, 2]}, {"text": ["b"]})}
    assert len(prints) == 5
    assert pair().fingerprint == pair().fingerprint
