"""Networks of data/golden.json by the names they have there, for all tests that compare with it."""

import json
import re
from pathlib import Path

import pytest

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "golden.json").read_text())

SWAPPED = {"Swapped": "otis", "Biswapped": "biswapped"}
PATTERNS = (
    (r"SlimFly\((\d+)\)", lambda q: ("slimfly", {"q": int(q)})),
    (
        r"PolarStar\((\w+),q=(\d+),dp=(\d+)\)",
        lambda k, q, d: ("polarstar", {"q": int(q), "supernode_degree": int(d), "supernode": "tournament" if k == "bdf" else k}),
    ),
    (
        r"Dragonfly\(a=(\d+),h=(\d+)(?:,g=(\d+))?\)-(\w+)",
        lambda a, h, g, r: ("dragonfly", {"a": int(a), "h": int(h), "groups": int(g) if g else None, "arrangement": r}),
    ),
    (r"DragonflyCanonical\((\d+)\)-(\w+)", lambda a, r: ("dragonfly", {"a": int(a), "h": 1, "arrangement": r})),
    (r"Torus\(([\dx]+)\)", lambda s: ("torus", {"sizes": tuple(map(int, s.split("x")))})),
    (r"Hypercube\((\d+)\)", lambda d: ("hypercube", {"dimensions": int(d)})),
    (r"ER\((\d+)\)", lambda q: ("polarfly", {"q": int(q)})),
    (r"Bundlefly\((\d+),(\d+)\)", lambda p, s: ("bundlefly", {"p": int(p), "s": int(s)})),
    (r"LPS\((\d+),(\d+)\)", lambda p, q: ("spectralfly", {"p": int(p), "q": int(q)})),
    (r"HyperX\(([\dx]+)\)", lambda s: ("hyperx", {"sizes": tuple(map(int, s.split("x")))})),
    (r"Megafly\(rho=(\d+),a=(\d+)\)-(\w+)", lambda r, a, x: ("megafly", {"rho": int(r), "a": int(a), "arrangement": x})),
    (r"D3\((\d+),(\d+)\)", lambda k, m: ("swapped_dragonfly", {"k": int(k), "m": int(m)})),
    (r"FatTree\(k=(\d+),n=(\d+)\)", lambda k, n: ("fattree", {"k": int(k), "levels": int(n)})),
    (r"KautzUndirected\((\d+),(\d+)\)", lambda d, n: ("kautz", {"d": int(d), "diameter": int(n)})),
    (r"PN\((\d+)\)", lambda q: ("projective", {"q": int(q)})),
    (r"GQPolarity\((\d+)\)", lambda q: ("quadrangle", {"q": int(q)})),
    (r"Cayley253", lambda: ("cayley253", {})),
    (
        r"(Swapped|Biswapped)\(K(\d+)\)",
        lambda kind, n: (SWAPPED[kind], {"nucleus": "hyperx", "nucleus_parameters": {"sizes": [int(n)]}}),
    ),
    (
        r"(Swapped|Biswapped)\(Q(\d+)\)",
        lambda kind, n: (SWAPPED[kind], {"nucleus": "hypercube", "nucleus_parameters": {"dimensions": int(n)}}),
    ),
    (
        r"(Swapped|Biswapped)\(C(\d+)\)",
        lambda kind, n: (SWAPPED[kind], {"nucleus": "torus", "nucleus_parameters": {"sizes": [int(n)]}}),
    ),
)


def _instances():
    for name, expected in GOLDEN["topologies"].items():
        for pattern, read in PATTERNS:
            if match := re.fullmatch(pattern, name):
                yield pytest.param(*read(*match.groups()), expected, id=name)


INSTANCES = list(_instances())
