"""Text of any script on paper."""

import sys

from planner.paper import fonts

SHALOM = "\u05e9\u05dc\u05d5\u05dd"
SALAM = "\u0633\u0644\u0627\u0645"


def written(text):
    fonts._runs.cache_clear()
    return "".join(piece for _, piece in fonts.runs(text))


def test_right_to_left_names_are_in_visual_order():
    assert written(f"{SHALOM} 12") == f"12 {SHALOM[::-1]}"
    # Joined letters are characters of their own.
    assert all("\ufe70" <= letter <= "\ufeff" for letter in written(SALAM))


def test_without_the_packages_they_are_in_latin_letters(monkeypatch):
    for name in ("bidi", "arabic_reshaper"):
        monkeypatch.setitem(sys.modules, name, None)
    assert written(SHALOM) == "slvm"
    assert written("A01 π") == "A01 π"
    fonts._runs.cache_clear()
