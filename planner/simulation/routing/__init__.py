"""Routings, one file each: ``prepare(network, **parameters) -> Routing`` and the compiled ``candidates``."""
