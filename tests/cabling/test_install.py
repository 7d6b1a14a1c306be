"""Install stages."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from planner.design.cabling import STAGES, stages


def by_hand(cabinet, row, zone):
    if cabinet[0] == cabinet[1]:
        return "in cabinet"
    if row[0] == row[1]:
        return "in row"
    return "in zone" if zone[0] == zone[1] != -1 else "across the room"


@given(
    st.integers(0, 30).flatmap(lambda n: st.tuples(*(arrays(np.int64, (n, 2), elements=st.integers(-1, 2)) for _ in range(3))))
)
def test_stages_against_the_definition(columns):
    found = stages(*columns)
    assert found.dtype == np.uint8
    assert [STAGES[stage] for stage in found] == [by_hand(*ends) for ends in zip(*(c.tolist() for c in columns), strict=True)]
