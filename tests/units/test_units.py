"""Units of people: conversions against published factors, floor dimensions, stock lengths, and where units may be written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import planner
from planner.core import units
from planner.core.units import amount, imperial, metric, named, span, stock_named, using

FACTORS = {
    # kind: (value in the unit of records, value in imperial units), NIST SP 811, appendix B.8.
    "mm": (1000, 3.280840),
    "size": (25.4, 1),
    "µm": (25_400, 1),
    "µm²": (6.4516e8, 1),
    "mm²": (645.16, 1),
    "mm² m": (645.16 * 0.3048, 1),
    "floor": (1e6, 10.76391),
    "altitude": (1000, 3280.840),
    "heat": (1e6, 3412.142),
    "cooling": (3.516853e6, 1),
    "g": (1000, 2.204623),
    "tons": (1000, 2.204623),
    "kg/m²": (4.882428, 1),
    "air": (1, 2.118880),
    "l/s": (1, 2.118880),
    "W/m²": (10.76391, 1),
    "°C": (25, 77),
    "K": (10, 18),
    "ps/m": (5000, 1.524),
}


@pytest.mark.parametrize("kind", FACTORS)
def test_imperial_units_have_the_published_factors(kind):
    value, wanted = FACTORS[kind]
    assert imperial.SYSTEM.units[kind].of(value) == pytest.approx(wanted, rel=1e-6)


def test_both_systems_know_the_same_kinds():
    assert set(metric.SYSTEM.units) == set(imperial.SYSTEM.units) - {"l/s"}


def test_the_units_hold_inside_a_block_only():
    with using("imperial"):
        assert (named(3048, "mm"), named(1_000_000, "mW"), named(1000, "g")) == ("10.00\xa0ft", "1.000\xa0kW", "2.2\xa0lb")
    assert named(3048, "mm") == "3.048\xa0m"
    with pytest.raises(ZeroDivisionError), using("imperial"):
        1 / 0  # noqa: B018
    assert amount(3048, "mm") == "3.048"


@given(st.integers(-200_000, 200_000))
def test_feet_and_inches_are_within_a_sixteenth_of_an_inch(length_mm):
    with using("imperial"):
        text = span(length_mm)
    sign, feet, inches, over, under = re.fullmatch(r"(-?)([\d,]+)'-(\d+)(?: (\d)/(\d))?\"", text).groups()
    read = 12 * int(feet.replace(",", "")) + int(inches) + (int(over) / int(under) if over else 0)
    assert int(inches) < 12
    assert (-read if sign else read) * 25.4 == pytest.approx(length_mm, abs=25.4 / 16 + 1e-9)


def test_stock_lengths_are_in_the_unit_that_the_maker_sells():
    with using("imperial"):
        assert [stock_named(mm, " ") for mm in (3000, 1500, 3048, 7620, 305)] == [
            "3 m (9.8 ft)", "1.5 m (4.9 ft)", "10 ft (3.05 m)", "25 ft (7.62 m)", "1 ft (0.3 m)",
        ]  # fmt: skip
    assert stock_named(3048, " ") == "3.048 m"


@given(st.integers(0, 10_000_000))
def test_whole_millimeters_and_grams_come_back_from_fifteen_digits(value):
    for kind in ("mm", "g", "µm", "µm²"):
        unit = imperial.SYSTEM.units[kind]
        assert round(float(f"{unit.of(value):.15g}") * unit.size) == value


def test_paper_writes_no_unit_by_hand():
    """Numbers of kinds that differ between the systems get their unit from `planner.core.units`."""
    by_hand = re.compile(
        r"\}(?: |\{SPACE\})(?:m|mm|kg|t|m²|mm²|kg/m²|m³/h|°C)\b(?!\w)[^a-z(]*[\"']|\((?:m|mm|kg|t|m²|mm²|kg/m²)\)\""
    )
    root = Path(planner.__file__).parent
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted([*root.glob("paper/*.py"), *root.glob("view/tables/*.py"), *root.glob("view/shades/*.py")])
        for line in path.read_text(encoding="utf-8").splitlines()
        if by_hand.search(line)
    ]
    assert [line for line in found if "feet" not in line and "3f" not in line] == []


def test_an_unknown_kind_keeps_the_unit_of_records():
    assert units.unit("Gb/s").name == "Gb/s"
    assert units.known("furlongs") == "metric"
