"""Bits of masks."""

from __future__ import annotations

from numba.cpython.unsafe.numbers import trailing_zeros
from numba.extending import overload


def lowest_bit(mask):
    """Return the number of the lowest bit that is set in an int64 `mask`, which is not 0.

    Examples
    --------
    >>> lowest_bit(0b101000)
    3
    """
    return (int(mask) & -int(mask)).bit_length() - 1


@overload(lowest_bit)
def _lowest_bit(mask):
    return lambda mask: trailing_zeros(mask)
