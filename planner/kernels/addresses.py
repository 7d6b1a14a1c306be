"""Records of arrays passed by address: one word instead of dozens."""

from __future__ import annotations

from planner.kernels._numba import COMPILES, intrinsic, types

if not COMPILES:

    def address_of(record):
        """Return the record of arrays itself."""
        return record

    def record_at(address, kind):
        """Return the record itself."""
        return address

else:

    @intrinsic
    def address_of(typing, record):
        """Return the address of a record of arrays, valid until the calling kernel returns."""

        def generate(context, builder, signature, arguments):
            # Allocate once per call, not once per loop iteration.
            with builder.goto_entry_block():
                place = builder.alloca(arguments[0].type)
            builder.store(arguments[0], place)
            return builder.ptrtoint(place, context.get_value_type(types.int64))

        return types.int64(record), generate

    @intrinsic
    def record_at(typing, address, kind):
        """Return the record of arrays at an address; `kind` is its Numba type, a constant of the calling module."""

        def generate(context, builder, signature, arguments):
            pointer = context.get_value_type(kind.instance_type).as_pointer()
            return builder.load(builder.inttoptr(arguments[0], pointer))

        return kind.instance_type(types.int64, kind), generate
