"""Traffic patterns, one file each: ``prepare(topology, seed, **parameters) -> table`` and the compiled ``target``."""
