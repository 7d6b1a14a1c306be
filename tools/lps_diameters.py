"""Print the table of `planner.network.topology.spectralfly`: the diameter of each graph LPS(p, q) with q below 128.

``python tools/lps_diameters.py 3 512 > table`` takes about an hour. LPS graphs are vertex-transitive: one search from the
identity, of elements as integers, until all are found.
"""

import sys

import numpy as np
from numba import njit

from planner.network.topology.construction.field import is_prime
from planner.network.topology.spectralfly import _generators


@njit
def depth(generators, q, inverse, order):
    """Return the layers of a breadth-first search, and the number of elements found.

    An element is a matrix whose first row begins with 1, or with 0 and 1.
    """
    seen = np.zeros(q**3 + q**2, np.uint8)
    frontier, following = np.empty(order, np.int64), np.empty(order, np.int64)
    frontier[0] = 1
    seen[1] = 1
    found = size = 1
    layers = 0
    while size and found < order:
        fresh = 0
        for i in range(size):
            code = frontier[i]
            a, b, rest = (1, code // q**2, code % q**2) if code < q**3 else (0, 1, code - q**3)
            c, d = rest // q, rest % q
            for k in range(len(generators)):
                e, f, g, h = generators[k]
                x, y, z, w = (a * e + b * g) % q, (a * f + b * h) % q, (c * e + d * g) % q, (c * f + d * h) % q
                scale = inverse[x] if x else inverse[y]
                low = (z * scale % q) * q + w * scale % q
                reached = (y * scale % q) * q**2 + low if x else q**3 + low
                if not seen[reached]:
                    seen[reached] = 1
                    following[fresh] = reached
                    fresh += 1
                    found += 1
            if found == order:
                break
        frontier, following = following, frontier
        size = fresh
        layers += 1
    return layers, found


def main(first, end):
    """Print a row for each prime p."""
    for p in filter(is_prime, range(max(first, 3), end)):
        row = []
        for q in (q for q in range(3, 128) if is_prime(q) and q * q > 4 * p and q != p):
            order = q * (q * q - 1) // (2 if pow(p, (q - 1) // 2, q) == 1 else 1)
            layers, found = depth(_generators(p, q), q, np.array([0] + [pow(v, -1, q) for v in range(1, q)]), order)
            assert found == order, (p, q)
            row.append(layers)
        print(f'    {p}: "{" ".join(map(str, row))}",', flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
