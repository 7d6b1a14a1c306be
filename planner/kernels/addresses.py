"""Records of arrays and functions that kernels take by address: one word is passed instead of dozens.

A record is a ``NamedTuple`` class that declares its fields: ``int`` or ``bool``, another such record, an address (`Handle`), or
``Annotated[np.ndarray, dtype, dimensions]`` for an array in C order.
"""

from __future__ import annotations

from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np

from planner.core.errors import InputError, Problem
from planner.kernels._numba import COMPILES, from_dtype, intrinsic, ir, types


class Handle:
    """A record that kernels read by address while this object exists.

    Parameters
    ----------
    record
        The record.

    Raises
    ------
    InputError
        When a field is not of the declared type.
    """

    def __init__(self, record: tuple):
        self.record = record
        self._words = np.array(_words(record), np.int64)
        self.address = self._words.ctypes.data if COMPILES else self


def kind_of(record: type) -> types.Type:
    """Return the Numba type of a record."""
    return types.BaseTuple.from_types([_field_kind(hint) for hint in _fields(record).values()], record)


def _fields(record: type) -> dict[str, Any]:
    return get_type_hints(record, include_extras=True)


def _field_kind(hint: Any) -> types.Type:
    if get_origin(hint) is Annotated:
        _, dtype, dimensions = get_args(hint)
        return types.Array(from_dtype(np.dtype(dtype)), dimensions, "C")
    return kind_of(hint) if hasattr(hint, "_fields") else types.int64


def _words(record: tuple) -> list[int]:
    """Return the fields in order: numbers, addresses, and for each array its address and shape."""
    words: list[int] = []
    for name, hint in _fields(type(record)).items():
        value = getattr(record, name)
        if get_origin(hint) is Annotated:
            _require_array(f"{type(record).__name__}.{name}", value, *get_args(hint)[1:])
            words += [value.ctypes.data, *value.shape]
        elif isinstance(value, Handle):
            words.append(value.address if COMPILES else 0)
        else:
            words += _words(value) if isinstance(value, tuple) else [int(value)]
    return words


def _require_array(place: str, value: Any, dtype: Any, dimensions: int) -> None:
    dtype = np.dtype(dtype)
    if not isinstance(value, np.ndarray) or value.dtype != dtype or value.ndim != dimensions or not value.flags.c_contiguous:
        given = f"{value.dtype} of {value.ndim}" if isinstance(value, np.ndarray) else type(value).__name__
        raise InputError(Problem(place, f"must be an array of {dtype} of {dimensions} dimensions in C order, not {given}"))


if not COMPILES:

    def record_at(address, kind):
        """Return the record at an address; without compilation the address is the handle."""
        return address.record

else:

    @intrinsic
    def record_at(typing, address, kind):
        """Return the record at an address; `kind` is its Numba type, a constant of the calling module."""

        def generate(context, builder, signature, arguments):
            word = context.get_value_type(types.int64)
            reader = _Reader(context, builder, builder.inttoptr(arguments[0], word.as_pointer()))
            return reader.read(kind.instance_type)

        return kind.instance_type(types.int64, kind), generate


def address_of(kernel: Any, signature: types.Type) -> Any:
    """Return the address of a kernel that was compiled for a signature; without compilation the function itself."""
    if not COMPILES:
        return kernel
    compiled = kernel.get_compile_result(signature)
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


def caller(signature: types.Type) -> Any:
    """Return a function of kernels, ``call(address, *arguments)``: it calls the function of a signature at an address.

    Numba also passes functions to kernels, but looks up their addresses by name in each call, which takes as long as a block of
    routers in several cycles.
    """
    if not COMPILES:
        return lambda function, *arguments: function(*arguments)

    @intrinsic
    def call(typing, address, *arguments):
        def generate(context, builder, given, values):
            kinds, convention = signature.args, context.call_conv
            pointer = convention.get_function_type(signature.return_type, kinds).as_pointer()
            passed = [
                context.cast(builder, builder.extract_value(values[1], place), have, kind)
                for place, (have, kind) in enumerate(zip(given.args[1], kinds, strict=True))
            ]
            function = builder.inttoptr(values[0], pointer)
            status, result = convention.call_function(builder, function, signature.return_type, kinds, passed)
            with builder.if_then(status.is_error, likely=False):
                convention.return_status_propagate(builder, status)
            return result

        return signature.return_type(types.int64, types.StarArgTuple(arguments)), generate

    return call


class _Reader:
    """Generates the code that reads a record from its words."""

    def __init__(self, context, builder, words):
        self.context, self.builder, self.words, self.place = context, builder, words, 0

    def read(self, kind: types.Type) -> ir.Value:
        """Return the value of the next field."""
        if isinstance(kind, types.Array):
            return self._array(kind)
        if isinstance(kind, types.BaseTuple):
            return self.context.make_tuple(self.builder, kind, [self.read(field) for field in kind])
        return self._word()

    def _word(self) -> ir.Value:
        place = self.builder.gep(self.words, [ir.Constant(ir.IntType(64), self.place)])
        self.place += 1
        return self.builder.load(place)

    def _array(self, kind: types.Array) -> ir.Value:
        context, builder = self.context, self.builder
        array = context.make_array(kind)(context, builder)
        array.data = builder.inttoptr(self._word(), context.get_data_type(kind.dtype).as_pointer())
        shape = [self._word() for _ in range(kind.ndim)]
        itemsize = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        strides = [itemsize]
        for length in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        array.shape, array.strides = _sequence(builder, shape), _sequence(builder, strides)
        array.itemsize, array.nitems = itemsize, builder.sdiv(builder.mul(strides[0], shape[0]), itemsize)
        array.meminfo = ir.Constant(array.meminfo.type, None)
        array.parent = ir.Constant(array.parent.type, None)
        return array._getvalue()


def _sequence(builder, values: list) -> ir.Value:
    result = ir.Constant(ir.ArrayType(values[0].type, len(values)), ir.Undefined)
    for place, value in enumerate(values):
        result = builder.insert_value(result, value, place)
    return result
