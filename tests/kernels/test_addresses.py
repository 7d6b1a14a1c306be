"""Records of arrays that kernels read by address: every field arrives, and wrong ones are refused."""

from typing import Annotated, NamedTuple

import numpy as np
import pytest

from planner.core.errors import InputError
from planner.kernels import uncounted
from planner.kernels.addresses import Handle, kind_of, record_at

PAIR = np.dtype([("low", "i4"), ("high", "u2")])


class Inner(NamedTuple):
    number: int
    table: Annotated[np.ndarray, np.uint8, 3]


class Outer(NamedTuple):
    first: int
    inner: Inner
    other: Handle
    pairs: Annotated[np.ndarray, PAIR, 1]
    flag: bool


OUTER, INNER = kind_of(Outer), kind_of(Inner)


@uncounted
def read(address, i, j, k, found):
    outer = record_at(address, OUTER)
    other = record_at(outer.other, INNER)
    found[0], found[1], found[2] = outer.first, outer.inner.number, outer.inner.table[i, j, k]
    found[3], found[4], found[5] = other.number, other.table[i, j, k], outer.pairs[i].low
    found[6], found[7] = outer.pairs[i].high, outer.flag
    found[8] = other.table.size
    found[9], found[10], found[11] = outer.inner.table.shape


@uncounted
def write(address):
    record_at(address, INNER).table[1, 0, 1] = 99


def records():
    tables = [np.arange(n * 12, n * 12 + 12, dtype=np.uint8).reshape(2, 3, 2) for n in range(2)]
    pairs = np.array([(-5, 7), (8, 65_535)], PAIR).view(np.recarray)
    return Outer(2**40, Inner(-3, tables[0]), Handle(Inner(4, tables[1])), pairs, True)


def test_every_field_arrives():
    outer, found = records(), np.zeros(12, np.int64)
    handle = Handle(outer)
    read(handle.address, 1, 2, 0, found)
    assert found.tolist() == [2**40, -3, 10, 4, 22, 8, 65_535, 1, 12, 2, 3, 2]


def test_a_kernel_writes_into_the_array_itself():
    inner = Inner(0, np.zeros((2, 1, 2), np.uint8))
    handle = Handle(inner)
    write(handle.address)
    assert inner.table.ravel().tolist() == [0, 0, 0, 99]


@pytest.mark.parametrize(
    ("table", "given"),
    [
        (np.zeros((2, 3, 2), np.uint16), "uint16 of 3"),
        (np.zeros((2, 3), np.uint8), "uint8 of 2"),
        (np.zeros((2, 3, 2), np.uint8).T, "uint8 of 3"),
        ([1, 2], "list"),
    ],
)
def test_an_array_of_another_type_is_refused(table, given):
    with pytest.raises(InputError, match=rf"Inner\.table.*uint8 of 3 dimensions in C order, not {given}"):
        Handle(Inner(1, table))
