"""Traffic patterns, one file each: ``prepare(topology, seed, **parameters) -> table`` and the compiled ``target``.

A file may also define ``rates(table)``: the load of each source as a share of the offered load, float64 (H,), 0 to 1;
``chances(table, source)``: the probability of each target, float64 (H,), where planes are chosen by source and target; and
``PLANES = True`` if its targets are in the plane of the source where planes are not joined.
"""
