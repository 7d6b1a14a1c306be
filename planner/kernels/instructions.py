"""Machine instructions that the compiler lacks: bits of a mask, vectors of bytes and of words, prefetch of cache lines."""

from __future__ import annotations

from planner.kernels._numba import intrinsic, ir, overload, types

LANES = 32
"""Bytes that `equal` compares; it may read up to this far beyond the end of a row."""

MASKED = 64
"""Bytes that `largest` reads."""

WORDS = 4
"""Words of a row for `include`."""


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


def equal(row, place, first, second):
    """Return a bit mask of the 32 bytes from `place` on that equal one of two numbers.

    Examples
    --------
    >>> import numpy as np
    >>> bin(equal(np.arange(40, dtype=np.uint8), 2, 3, 7))
    '0b100010'
    """
    return sum(1 << k for k in range(LANES) if row[place + k] in (first, second))


def largest(rows, row, mask):
    """Return the largest byte of a row at the positions of a mask, and the mask of its positions; 0 for an empty mask.

    The array must have 64 bytes from the start of the row, even if the row is shorter. If the largest is 0 the positions
    are undefined.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.zeros((2, 64), np.uint8)
    >>> rows[1, :4] = 5, 3, 9, 3
    >>> largest(rows, 1, 0b1010)
    (3, 10)
    """
    flat, start = rows.reshape(-1), row * rows.shape[1]
    highest = max((int(flat[start + k]) for k in range(MASKED) if (mask >> k) & 1), default=0)
    return highest, sum(1 << k for k in range(MASKED) if (mask >> k) & 1 and flat[start + k] == highest)


@overload(equal)
def _equal(row, place, first, second):
    return lambda row, place, first, second: _equal_lanes(row, place, first, second)


@overload(largest)
def _largest(rows, row, mask):
    return lambda rows, row, mask: _largest_lane(rows, row * rows.shape[1], mask)


def _lanes(context, builder, kind, array, place, count):
    """Load `count` bytes of an array from a position."""
    data = context.make_array(kind)(context, builder, array).data
    vector = ir.VectorType(ir.IntType(8), count)
    start = builder.bitcast(builder.gep(data, [place]), vector.as_pointer())
    return builder.load(start, align=1)


def _spread(builder, number, count):
    """Return a vector with one number in all lanes."""
    vector = ir.VectorType(number.type, count)
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), count), [0] * count)
    return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)


@intrinsic
def _equal_lanes(typing, row, place, first, second):
    def generate(context, builder, signature, arguments):
        loaded = _lanes(context, builder, signature.args[0], arguments[0], arguments[1], LANES)
        either = None
        for number in arguments[2:]:
            same = builder.icmp_unsigned("==", loaded, _spread(builder, builder.trunc(number, ir.IntType(8)), LANES))
            either = same if either is None else builder.or_(either, same)
        return builder.zext(builder.bitcast(either, ir.IntType(LANES)), ir.IntType(64))

    return types.int64(row, types.int64, types.int64, types.int64), generate


@intrinsic
def _largest_lane(typing, rows, place, mask):
    def generate(context, builder, signature, arguments):
        byte = ir.IntType(8)
        vector = ir.VectorType(byte, MASKED)
        loaded = _lanes(context, builder, signature.args[0], arguments[0], arguments[1], MASKED)
        chosen = builder.bitcast(arguments[2], ir.VectorType(ir.IntType(1), MASKED))
        left = builder.select(chosen, loaded, ir.Constant(vector, [0] * MASKED))
        name, module = f"llvm.vector.reduce.umax.v{MASKED}i8", builder.module
        reduce = module.globals.get(name) or ir.Function(module, ir.FunctionType(byte, [vector]), name)
        highest = builder.call(reduce, [left])
        places = builder.bitcast(builder.icmp_unsigned("==", left, _spread(builder, highest, MASKED)), ir.IntType(64))
        found = [builder.zext(highest, ir.IntType(64)), builder.and_(places, arguments[2])]
        return context.make_tuple(builder, signature.return_type, found)

    return types.UniTuple(types.int64, 2)(rows, types.int64, types.int64), generate


def include(rows, row, first, i, second, j, third, k):
    """Add to a row of bits row `k` of `third` and what row `i` of `first` and row `j` of `second` have in common.

    All are uint64 (N, 4).

    Examples
    --------
    >>> import numpy as np
    >>> rows, third = np.full((2, 4), 1, np.uint64), np.full((1, 4), 16, np.uint64)
    >>> include(rows, 1, np.full((1, 4), 6, np.uint64), 0, np.full((3, 4), 12, np.uint64), 2, third, 0)
    >>> rows.tolist()
    [[1, 1, 1, 1], [21, 21, 21, 21]]
    """
    rows[row] |= first[i] & second[j] | third[k]


@overload(include)
def _include(rows, row, first, i, second, j, third, k):
    return lambda rows, row, first, i, second, j, third, k: _include_words(rows, row, first, i, second, j, third, k)


@intrinsic
def _include_words(typing, rows, row, first, i, second, j, third, k):
    def generate(context, builder, signature, arguments):
        vector = ir.VectorType(ir.IntType(64), WORDS)
        places = []
        for array, number in zip(arguments[::2], arguments[1::2], strict=True):
            data = context.make_array(signature.args[0])(context, builder, array).data
            start = builder.gep(data, [builder.mul(number, ir.Constant(ir.IntType(64), WORDS))])
            places.append(builder.bitcast(start, vector.as_pointer()))
        old, one, other, more = (builder.load(place, align=8) for place in places)
        builder.store(builder.or_(old, builder.or_(builder.and_(one, other), more)), places[0], align=8)
        return context.get_dummy_value()

    return types.none(rows, types.int64, rows, types.int64, rows, types.int64, rows, types.int64), generate


def prefetch(array, place):
    """Prefetch the cache line of an element of `array`, by flat index in C order.

    Examples
    --------
    >>> import numpy as np
    >>> prefetch(np.zeros(3), 2)
    """


@overload(prefetch)
def _prefetch(array, place):
    return lambda array, place: _line_prefetch(array, place)


@intrinsic
def _line_prefetch(typing, array, place):
    def generate(context, builder, signature, arguments):
        kind = signature.args[0]
        data = context.make_array(kind)(context, builder, arguments[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        line = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        form = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], form)
        # To read, to be kept in all caches, as data.
        builder.call(function, [line, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(array, types.int64), generate
