"""Machine instructions of kernels against plain arithmetic and plain loops."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from planner.kernels import instructions, uncounted


@uncounted
def lowest_bit(mask):
    return instructions.lowest_bit(mask)


@uncounted
def equal(row, place, first, second):
    return instructions.equal(row, place, first, second)


@uncounted
def largest(rows, row, mask):
    return instructions.largest(rows, row, mask)


@uncounted
def include(rows, row, first, i, second, j, third, k):
    instructions.include(rows, row, first, i, second, j, third, k)


@given(st.integers(1, 2**63 - 1))
def test_the_lowest_bit(mask):
    expected = next(bit for bit in range(64) if mask >> bit & 1)
    assert lowest_bit(np.int64(mask)) == instructions.lowest_bit(mask) == expected


@given(st.binary(min_size=40, max_size=90), st.integers(0, 8), st.integers(0, 255), st.integers(0, 255))
def test_equal_bytes(content, place, first, second):
    row = np.frombuffer(content, np.uint8).copy()
    row[place : place + 40 : 5] = first
    assert equal(row, place, first, second) == instructions.equal(row, place, first, second) != 0


@given(st.binary(min_size=192, max_size=192), st.integers(0, 2), st.integers(0, 2**63 - 1), st.integers(1, 255))
def test_the_largest_byte_of_a_mask(content, row, mask, different):
    rows = (np.frombuffer(content, np.uint8) % different).reshape(3, 64)
    highest, places = largest(rows, row, mask)
    held = {place: int(rows[row, place]) for place in range(64) if mask >> place & 1}
    assert highest == max(held.values(), default=0)
    assert places == sum(1 << place for place, byte in held.items() if byte == highest)
    assert (highest, places) == instructions.largest(rows, row, mask)


def test_a_row_shorter_than_what_is_read():
    rows = np.zeros(4 * 32 + instructions.MASKED, np.uint8)[: 4 * 32].reshape(4, 32)
    rows[3, :3] = 7, 9, 9
    assert largest(rows, 3, np.int64(0b111)) == (9, 0b110)


@given(st.integers(0, 2**32), st.integers(0, 2), st.integers(0, 3), st.integers(0, 4), st.integers(0, 1))
def test_bits_in_common_are_included(seed, row, i, j, k):
    random = np.random.default_rng(seed)
    rows, first, second, third = (random.integers(0, 2**64, (n, 4), dtype=np.uint64) for n in (3, 4, 5, 2))
    expected = rows.tolist()
    words = zip(rows[row].tolist(), first[i].tolist(), second[j].tolist(), third[k].tolist(), strict=True)
    expected[row] = [a | (b & c) | d for a, b, c, d in words]
    plain = rows.copy()
    include(rows, row, first, i, second, j, third, k)
    instructions.include(plain, row, first, i, second, j, third, k)
    assert rows.tolist() == plain.tolist() == expected
