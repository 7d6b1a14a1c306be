"""Finite fields GF(q) as tables of integers 0 … q-1.

An element of GF(p^m) is an integer read as a base-p digit string: digit i is the coefficient of
x^i. The modulus is the first monic primitive polynomial when its low coefficients are scanned as
the integer 0, 1, 2 …, so x (the integer p) generates the multiplicative group. For prime q the
generator is the smallest primitive root. Extension fields are those of galois.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.network.topology.construction.graph import nearest_where


@dataclass(frozen=True)
class Field:
    """Arithmetic tables of GF(q).

    Attributes
    ----------
    q, p, m
        q = p^m.
    add, mul
        int32 arrays (q, q).
    neg, inv
        int32 arrays (q,); ``inv[0]`` is 0.
    power
        int32 array (q - 1,): powers of the generator, ``power[0] == 1``.
    """

    q: int
    p: int
    m: int
    add: np.ndarray
    mul: np.ndarray
    neg: np.ndarray
    inv: np.ndarray
    power: np.ndarray

    @property
    def sub(self) -> np.ndarray:
        """Differences, int32 (q, q): ``sub[a, b] == a - b``."""
        return self.add[:, self.neg]


def prime_power(q: int) -> tuple[int, int] | None:
    """Return (p, m) with q = p^m and p prime, or None.

    >>> prime_power(27), prime_power(12)
    ((3, 3), None)
    """
    for m in range(q.bit_length() - 1, 0, -1) if q > 1 else ():
        p = _root(q, m)
        if p**m == q and is_prime(p):
            return p, m
    return None


def is_prime(number: int) -> bool:
    """Return whether a number below 3·10^24 is prime, however large.

    References
    ----------
    .. [1] M. Rabin, "Probabilistic algorithm for testing primality", J. Number Theory 12, 1980.
    .. [2] J. Sorenson, J. Webster, "Strong pseudoprimes to twelve prime bases", Mathematics of Computation 86, 2017.

    Examples
    --------
    >>> is_prime(2**31 - 1), is_prime(2**31 + 1)
    (True, False)
    """
    if number < 2 or any(number % base == 0 for base in _BASES):
        return number in _BASES
    twos = (number - 1 & 1 - number).bit_length() - 1
    return all(_is_witness_to_prime(base, number, twos) for base in _BASES)


_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def _is_witness_to_prime(base: int, number: int, twos: int) -> bool:
    value = pow(base, (number - 1) >> twos, number)
    if value in (1, number - 1):
        return True
    for _ in range(twos - 1):
        value = value * value % number
        if value == number - 1:
            return True
    return False


def _root(number: int, degree: int) -> int:
    """Return the whole root, rounded down."""
    low, high = 1, 1 << (number.bit_length() // degree + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle)
    return low


def require_prime_power(
    q: int, place: str = "q", valid: Callable[[int], bool] = bool, lowest: int = 2, meaning: str = "a prime power"
) -> tuple[int, int]:
    """Return (p, m) with q = p^m; raise InputError naming the nearest values unless `q` is at least `lowest` and `valid`."""

    def fits(value: int) -> bool:
        return value >= lowest and valid(value) and prime_power(value) is not None

    power = prime_power(q)
    if power is None or not fits(q):
        raise InputError(Problem(place, f"{q} is not {meaning}", nearest_where(q, fits, lowest)))
    return power


@cache
def field(q: int) -> Field:
    """Return the tables of GF(q).

    Raises
    ------
    InputError
        When q is not a prime power.
    """
    p, m = require_prime_power(q)
    digits = np.arange(q)[:, None] // p ** np.arange(m) % p
    weights = p ** np.arange(m)
    add = ((digits[:, None, :] + digits[None, :, :]) % p) @ weights
    neg = (-digits % p) @ weights
    power = _powers(p, m)
    log = np.zeros(q, np.int64)
    log[power] = np.arange(q - 1)
    mul = power[(log[:, None] + log[None, :]) % (q - 1)] if q > 2 else np.array([[0, 0], [0, 1]])
    mul[0, :] = mul[:, 0] = 0
    inv = power[-log % (q - 1)]
    inv[0] = 0
    return Field(q, p, m, *(np.ascontiguousarray(t, dtype=np.int32) for t in (add, mul, neg, inv, power)))


def _powers(p: int, m: int) -> np.ndarray:
    """Return the powers of the generator of GF(p^m), int (p^m - 1,)."""
    if m == 1:
        return next(powers for root in range(1, p) if len(powers := _powers_of(root, p)) == p - 1)
    import galois

    # Compiled arithmetic takes seconds to compile, plain arithmetic milliseconds for all fields of networks.
    plain: dict[str, Any] = {"compile": "python-calculate"}
    galois.GF(p, **plain)
    modulus = galois.primitive_poly(p, m, method="min")
    extension = galois.GF(p, m, irreducible_poly=modulus, primitive_element=p, verify=False, **plain)
    return np.array(extension.primitive_element ** np.arange(p**m - 1))


def _powers_of(root: int, p: int) -> np.ndarray:
    """Return the different powers of a residue modulo p, from 1."""
    powers = [1]
    while (following := powers[-1] * root % p) != 1:
        powers.append(following)
    return np.array(powers)
