"""Finite fields GF(q) as tables of integers 0 … q-1.

An element of GF(p^m) is an integer read as a base-p digit string: digit i is the coefficient of
x^i. The modulus is the first monic primitive polynomial when its low coefficients are scanned as
the integer 0, 1, 2 …, so x (the integer p) generates the multiplicative group. For prime q the
generator is the least primitive root.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np

from planner.topology._graph import nearest, require


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
    if q < 2:
        return None
    p = next((d for d in range(2, int(q**0.5) + 1) if q % d == 0), q)
    m = 0
    while q % p == 0:
        q //= p
        m += 1
    return (p, m) if q == 1 else None


def require_prime_power(q: int, place: str = "q", rule: Iterable[int] | None = None, meaning: str = "a prime power") -> None:
    """Raise InputError naming the nearest valid values unless `q` is one.

    Parameters
    ----------
    rule
        Valid values in ascending order; by default the prime powers.
    """
    limit = 2 * max(q, 0) + 64
    valid = [v for v in (rule if rule is not None else range(2, limit)) if v < limit and prime_power(v)]
    require(q in valid, place, f"{q} is not {meaning}", nearest(q, valid))


@cache
def field(q: int) -> Field:
    """Return the tables of GF(q).

    Raises
    ------
    InputError
        When q is not a prime power.
    """
    require_prime_power(q)
    p, m = prime_power(q)
    digits = np.arange(q)[:, None] // p ** np.arange(m) % p
    weights = p ** np.arange(m)
    add = ((digits[:, None, :] + digits[None, :, :]) % p) @ weights
    neg = (-digits % p) @ weights
    power = _powers(p, m, q)
    log = np.zeros(q, np.int64)
    log[power] = np.arange(q - 1)
    mul = power[(log[:, None] + log[None, :]) % (q - 1)] if q > 2 else np.array([[0, 0], [0, 1]])
    mul[0, :] = mul[:, 0] = 0
    inv = power[-log % (q - 1)]
    inv[0] = 0
    return Field(q, p, m, *(np.ascontiguousarray(t, dtype=np.int32) for t in (add, mul, neg, inv, power)))


def _powers(p: int, m: int, q: int) -> np.ndarray:
    """Powers of the generator; the first candidate whose powers reach every nonzero element."""
    for candidate in range(1, q):
        step = (lambda a, g=candidate: a * g % p) if m == 1 else (lambda a, low=candidate: _times_x(a, low, p, m))
        powers = [1]
        while (following := step(powers[-1])) != 1 and following != 0 and len(powers) < q:
            powers.append(following)
        if len(powers) == q - 1:
            return np.array(powers)
    raise AssertionError(f"GF({q}) has a generator")


def _times_x(a: int, low: int, p: int, m: int) -> int:
    """Multiply by x modulo x^m + low(x)."""
    top = p ** (m - 1)
    lead, rest = divmod(a, top)
    shifted = rest * p
    result = 0
    for i in range(m):
        digit = (shifted // p**i - lead * (low // p**i)) % p
        result += digit * p**i
    return result
