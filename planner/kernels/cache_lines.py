"""Software prefetch of cache lines, so that cache misses overlap."""

from __future__ import annotations

from planner.kernels._numba import intrinsic, ir, overload, types


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
