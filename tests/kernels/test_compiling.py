"""How kernels are compiled."""

import numba
import numpy as np
import pytest

from planner.kernels import bare, inlined, merged

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

KINDS = {"bare": bare, "inlined": inlined, "merged": merged}


def element(array, place):
    return array[place]


def second_last(array, place):
    return array[-2] + place


def code(kernel):
    return "".join(kernel.inspect_llvm().values())


def test_only_kernels_that_create_arrays_ask_for_the_sign_of_an_index():
    # Without the cache, whose kernels cannot be looked into.
    asking, bared = numba.njit(element), numba.njit(_nrt=False)(element)
    numbers = np.arange(5)
    assert asking(numbers, -1) == 4
    assert asking(numbers, 3) == bared(numbers, 3) == 3
    assert "icmp slt i64" in code(asking)
    assert "icmp slt i64" not in code(bared)


@pytest.mark.parametrize("kind", KINDS)
def test_constants_may_count_from_the_end(kind):
    assert KINDS[kind](second_last)(np.arange(5), 10) == 13


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64])
def test_whole_numbers_of_any_width_are_handed_on_in_one(kind):
    kernel = bare(element)
    assert kernel(np.arange(5), kind(2)) == 2
    assert kernel(np.arange(5), 4) == 4
    assert [signature[1] for signature in kernel.signatures] == [numba.int64]
