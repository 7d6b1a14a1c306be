"""A tenth of the nightly tests next to the others: which one is chosen by the number in the environment."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

TENTHS = 10

VARIABLE = "NIGHTLY_TENTH"


def tenth_of(node: str) -> int:
    """Return the tenth, from 0, of a test by its id: the same on every machine and in every process."""
    return int.from_bytes(blake2b(node.encode(), digest_size=8).digest()) % TENTHS


def left_out(nodes: Iterable[tuple[str, bool]], tenth: int) -> list[bool]:
    """Return whether each test is left out of a run with one tenth, given its id and whether it is nightly."""
    return [nightly and tenth_of(node) != tenth % TENTHS for node, nightly in nodes]
