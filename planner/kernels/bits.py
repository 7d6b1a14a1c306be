"""Bit operations on masks."""

from __future__ import annotations

from planner.kernels._numba import intrinsic, ir, overload, types


def lowest_bit(mask):
    """Return the index of the lowest set bit of a nonzero int64 `mask`.

    Examples
    --------
    >>> lowest_bit(0b101000)
    3
    """
    return (int(mask) & -int(mask)).bit_length() - 1


@overload(lowest_bit)
def _lowest_bit(mask):
    return lambda mask: _trailing_zeros(mask)


@intrinsic
def _trailing_zeros(typing, mask):
    def generate(context, builder, signature, arguments):
        number = context.cast(builder, arguments[0], signature.args[0], types.int64)
        return builder.cttz(number, ir.Constant(ir.IntType(1), 0))

    return types.int64(mask), generate
