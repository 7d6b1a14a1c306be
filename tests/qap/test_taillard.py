"""Taillard's generators give the files of QAPLIB."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks import taillard
from planner.design.qap.files import read, read_solution

QAPLIB = Path(__file__).parents[2] / "benchmarks" / "qaplib"


@pytest.mark.parametrize("size", [12, 30, 100])
def test_uniform_instances_are_those_of_the_library(size):
    made, filed = taillard.uniform(size), read(QAPLIB / f"tai{size}a.dat")
    # Which matrix comes first differs from file to file; with two symmetric ones it means the same.
    matrices = (filed.flow, filed.distance)
    assert any(
        np.array_equal(made.flow, one) and np.array_equal(made.distance, other) for one, other in (matrices, matrices[::-1])
    )


def test_gray_patterns_are_those_of_the_library():
    made, filed = taillard.gray(8, 8, 13), read(QAPLIB / "tai64c.dat")
    assert np.array_equal(made.flow, filed.flow)
    assert np.array_equal(made.distance, filed.distance)
    solution = read_solution(QAPLIB / "tai64c.sln", filed)
    assert made.objective(solution.permutation) == taillard.KNOWN["tai64c"]


def test_clustered_instances_are_of_their_kind():
    made = taillard.clustered(50, seed=1)
    assert np.array_equal(made.distance, made.distance.T)
    assert not np.array_equal(made.flow, made.flow.T)
    assert (made.flow == 0).mean() > 0.5
    assert made.flow.max() > 10_000
