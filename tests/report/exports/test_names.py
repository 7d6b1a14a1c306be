"""Spelling of names: what stays, and that different names stay different."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.view.ends import fitted, plain

NAMES = st.lists(st.text(st.characters(exclude_categories=["C"]), max_size=40), max_size=12, unique=True)


@pytest.mark.slow
@given(NAMES, st.integers(4, 20))
def test_plain_names_are_plain_short_and_different(names, length):
    found = plain(names, "A-Za-z0-9_", length)
    assert list(found) == names
    assert all(re.fullmatch(rf"[A-Za-z0-9_]{{1,{length}}}", spelling) for spelling in found.values())
    assert len(set(found.values())) == len(names)
    assert all(found[name] == name for name in names if re.fullmatch(rf"[A-Za-z0-9_]{{1,{length}}}", name))


@given(NAMES, st.integers(4, 20))
def test_fitted_names_are_short_and_different(names, length):
    found = fitted(names, length)
    assert all(0 < len(name) <= length and name == name.strip() for name in found.values())
    assert len(set(found.values())) == len(names)
    assert all(found[name] == name for name in names if name and name == name.strip() and len(name) <= length)


def test_other_scripts_are_spelt():
    assert plain(["Зал 1", "北側", "Straße"], "A-Za-z0-9_") == {"Зал 1": "Zal_1", "北側": "BeiCe", "Straße": "Strasse"}
