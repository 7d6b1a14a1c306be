"""Collective operations as phases of a program, in many groups of ranks at once.

`members` is an int array (groups, size) of ranks: all groups act concurrently.

References
----------
.. [1] R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", IJHPCA 2005.
"""

from __future__ import annotations

import numpy as np

from planner.simulation.messages import Program


def everyone(program: Program) -> np.ndarray:
    """Return all ranks as one group."""
    return np.arange(program.ranks)[None, :]


def allreduce_ring(program: Program, members: np.ndarray, size: int) -> None:
    """Reduce-scatter and allgather around a ring: 2 (n - 1) phases in which every rank sends size / n."""
    count = members.shape[1]
    for _ in range(2 * (count - 1)):
        program.send(members, np.roll(members, -1, axis=1), -(-size // count))


def allreduce_recursive_doubling(program: Program, members: np.ndarray, size: int) -> None:
    """Exchange the full vector with partners at distance 1, 2, 4 …; ranks beyond a power of two are folded."""
    folded = _fold(program, members, size)
    place = np.arange(folded.shape[1])
    for distance in _powers(folded.shape[1]):
        program.send(folded, folded[:, place ^ distance], size)
    _unfold(program, members, size)


def allreduce_rabenseifner(program: Program, members: np.ndarray, size: int) -> None:
    """Reduce-scatter by recursive halving, then allgather by recursive doubling; ranks beyond a power of two are folded."""
    folded = _fold(program, members, size)
    place = np.arange(folded.shape[1])
    distances = _powers(folded.shape[1])
    blocks = [(distance, -(-size * distance // folded.shape[1])) for distance in distances]
    for distance, block in blocks[::-1] + blocks:
        program.send(folded, folded[:, place ^ distance], block)
    _unfold(program, members, size)


ALLREDUCE = {
    "ring": allreduce_ring,
    "recursive_doubling": allreduce_recursive_doubling,
    "rabenseifner": allreduce_rabenseifner,
}


def alltoall_linear(program: Program, members: np.ndarray, size: int) -> None:
    """Send to all others at once, to the next rank first."""
    count = members.shape[1]
    turn = (np.arange(count)[:, None] + np.arange(1, count)) % count
    program.send(members[:, :, None], members[:, turn], size)


def alltoall_pairwise(program: Program, members: np.ndarray, size: int) -> None:
    """Exchange with one rank after another: i with i xor k for powers of two, else i sends to i + k and receives from i - k."""
    count = members.shape[1]
    place = np.arange(count)
    for distance in range(1, count):
        other = place ^ distance if count & (count - 1) == 0 else (place + distance) % count
        program.send(members, members[:, other], size)


ALLTOALL = {"linear": alltoall_linear, "pairwise": alltoall_pairwise}


def broadcast_binomial(program: Program, members: np.ndarray, size: int, root: int = 0) -> None:
    """Send down a binomial tree from the member `root`: in phase i ranks that have the data send it 2^i further."""
    rotated = np.roll(members, -root, axis=1)
    count = members.shape[1]
    reach = 1
    while reach < count:
        more = min(reach, count - reach)
        program.send(rotated[:, :more], rotated[:, reach : reach + more], size)
        reach *= 2


def _powers(count: int) -> list[int]:
    return [1 << i for i in range(count.bit_length() - 1)]


def _fold(program: Program, members: np.ndarray, size: int) -> np.ndarray:
    """Fold the first ranks in pairs, leaving a power of two; return those."""
    power = 1 << (members.shape[1].bit_length() - 1)
    pairs = members.shape[1] - power
    if pairs:
        program.send(members[:, 0 : 2 * pairs : 2], members[:, 1 : 2 * pairs : 2], size)
    return np.concatenate([members[:, 1 : 2 * pairs : 2], members[:, 2 * pairs :]], axis=1)


def _unfold(program: Program, members: np.ndarray, size: int) -> None:
    """Send the result back to the ranks that were folded away."""
    pairs = members.shape[1] - (1 << (members.shape[1].bit_length() - 1))
    if pairs:
        program.send(members[:, 1 : 2 * pairs : 2], members[:, 0 : 2 * pairs : 2], size)
