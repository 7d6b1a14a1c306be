"""Whatever the parameters are, a family answers: a network that a workstation can hold, or an error with an estimate."""

import inspect
import sys
from typing import get_type_hints

import numpy as np
import pytest

from planner.commands.console.cli import main
from planner.core import registry
from planner.core.errors import Infeasible, InputError
from planner.network import topology
from planner.network.topology.construction import limits
from planner.network.topology.construction.field import is_prime, prime_power

FAMILIES = registry.names("topology")
DECLARING = [name for name in FAMILIES if name not in ("file", "cayley253", "hypercube")]
"""Families that state their size themselves: a file has it, one has no size, one is a torus."""

HUGE = (10**7, 2**31 - 1, 10**12, 2**61 - 1, 2**63 - 1)
SMALL = 100_000
"""Links of a network that is built at once."""


def answers(family: str, parameters: dict) -> str:
    """What a family answers to some parameters; anything but an answer fails the test."""
    try:
        network = topology.build(family, **parameters)
    except (InputError, Infeasible) as error:
        return str(error)
    assert network.link_count <= SMALL, "large networks take a test too long: choose other numbers"
    return ""


def numbers_of(family: str) -> list[tuple[str, bool]]:
    """Parameters that are a whole number, or several."""
    build = registry.function("topology", family)
    hints = {name: str(hint) for name, hint in get_type_hints(build).items() if name in inspect.signature(build).parameters}
    return [(name, "tuple" in hint) for name, hint in hints.items() if "int" in hint]


@pytest.mark.slow
@pytest.mark.parametrize("value", HUGE)
@pytest.mark.parametrize("family", FAMILIES)
def test_one_huge_parameter_is_answered(family, value):
    example = registry.load("topology", family).EXAMPLE
    for name, several in numbers_of(family):
        for given in ([value] * 3, [2] * 100, [value]) if several else (value, -value):
            # A seed is as good as any other.
            assert answers(family, example | {name: given}) or "seed" in name or not several or given == [2] * 100


@pytest.mark.slow
@pytest.mark.parametrize("value", HUGE)
@pytest.mark.parametrize("family", FAMILIES)
def test_huge_parameters_together_are_answered(family, value):
    example = registry.load("topology", family).EXAMPLE
    given = {name: [value] * 3 if several else value for name, several in numbers_of(family)}
    assert answers(family, example | given)


@pytest.mark.slow
@pytest.mark.parametrize("nucleus", [{"nucleus": "hyperx", "nucleus_parameters": {"sizes": [690]}},
                                     {"nucleus": "torus", "nucleus_parameters": {"sizes": [10**6, 10**6]}}])  # fmt: skip
@pytest.mark.parametrize("family", ["biswapped", "otis"])
def test_a_huge_nucleus_is_answered(family, nucleus):
    assert "too many" in (said := answers(family, nucleus)) or "GB" in said


@pytest.mark.slow
@pytest.mark.parametrize("family", DECLARING)
def test_families_declare_the_size_that_they_have(family, monkeypatch):
    declared = []
    module = registry.load("topology", family)
    # Families may leave it to a module that they share; `construction.graph` checks again once the links are known.
    shared = {name for name in sys.modules if name.startswith("planner.network.topology.construction.")} - {
        "planner.network.topology.construction.graph"
    }
    for name in (module.__name__, *shared):
        monkeypatch.setattr(
            f"{name}.require_size", lambda place, routers, links, **_: declared.append((place, routers, links)), raising=False
        )
    network = topology.build(family, **module.EXAMPLE)
    assert declared
    place, routers, links = declared[-1]
    assert place
    assert network.router_count <= routers <= 2 * network.router_count
    assert 0.8 * network.link_count <= links <= 2.5 * network.link_count


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("slimfly q=2147483647", "q: 9.2e+18 routers"),
        ("bundlefly p=5 s=1000000000000000000000000000000", "an integer of 100 bits is too large"),
        ("bundlefly p=5 s=1000000000000000000", "p and s: 1.0e+37 routers"),
        ("spectralfly p=3 q=1000003", "p and q: 1.0e+18 routers"),
        ("torus sizes=[1000,1000,1000]", "sizes: 1,000,000,000 routers, 3,000,000,000 links"),
        ("slimfly q=5 endpoints_per_router=2000000000", "endpoints_per_router: must be less than or equal to 10000"),
        ("fattree k=2 taper=9223372036854775807", "k, levels and taper"),
        ("jellyfish routers=100000000 degree=4", "the limits are 8 GB and 60 s"),
    ],
)
def test_the_command_names_the_estimate(words, shown, capsys):
    assert main(["topology", *words.split(), "--quiet"]) == 2
    said = capsys.readouterr().err
    assert shown in said
    assert "Traceback" not in said


def test_endpoints_are_counted_for_any_family():
    """Also those of a family from outside, which declares nothing."""
    from planner.network.topology import from_links as record

    with pytest.raises(InputError, match="endpoints would take about"):
        record("mine", {}, 3, np.array([[0, 1], [1, 2]]), endpoints=2_000_000_000)


def test_the_limits_are_those_of_memory_and_time():
    limits.require_size("q", 1000, 10_000)
    with pytest.raises(InputError, match=r"q: 1,000 routers, 100,000,000 links would take about 36 GB of memory and 151 s"):
        limits.require_size("q", 1000, 100_000_000)
    with pytest.raises(InputError, match="and 101 s"):
        limits.require_size("q", 10, 10, steps=100_000_000)
    with pytest.raises(InputError, match="10 routers are too many; use at most 9"), limits.at_most(9):
        limits.require_size("q", 10, 10)
    limits.require_size("q", 10, 10)


def test_primes_by_trial_division():
    primes = [n for n in range(2000) if n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))]
    assert [n for n in range(2000) if is_prime(n)] == primes
    powers = {p**m: (p, m) for p in primes for m in range(1, 11) if p**m < 2000}
    assert all(prime_power(n) == powers.get(n) for n in range(-5, 2000))


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (2**61 - 1, (2**61 - 1, 1)),  # Mersenne
        (3**39, (3, 39)),
        ((2**31 - 1) ** 2, (2**31 - 1, 2)),
        (3_215_031_751, None),  # strong pseudoprime to 2, 3, 5 and 7
        (3_825_123_056_546_413_051, None),  # strong pseudoprime to the first nine primes
        (2**62, (2, 62)),
        (2**63 - 1, None),
    ],
)
def test_large_primes(number, expected):
    assert prime_power(number) == expected
