"""Units that people read: a file for each system of units, and numbers as text in the system in use.

Records and files for programs are in SI units. Everything that people read goes through this package, which converts it to the
units of the plan's project. A system is a file of this folder with the constant ``SYSTEM``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib import import_module

SPACE = "\u00a0"
"""Between a number and its unit: a no-break space."""

_INCH_MM = 25.4
_MARK = 8
"""Floor dimensions in feet and inches are rounded to this part of an inch."""


@dataclass(frozen=True)
class Unit:
    """A unit that people read.

    Attributes
    ----------
    size
        How much of the unit of records it is; for whole factors an int.
    decimals
        Decimals that people read.
    name
        Its name after a number; "" where the number has none.
    suffix
        Its name at the end of the machine-readable names of columns in workbooks; "" where no workbook has it.
    zero
        Its value at zero in the unit of records, for temperatures.
    """

    size: float
    decimals: int
    name: str
    suffix: str = ""
    zero: float = 0.0

    def of(self, value: float) -> float:
        """Return a value of records in this unit."""
        return value / self.size + self.zero


@dataclass(frozen=True)
class System:
    """A system of units.

    Attributes
    ----------
    title
        Its name in title blocks.
    units
        Units by kind of quantity. Kinds are the units of records, ``mm`` or ``mW``, and names for quantities that people read
        in another unit than that: ``size`` for small lengths, ``heat``, ``cooling`` …
    feet
        Whether floor dimensions are in feet and inches, and stock lengths show both what the maker sells and the other unit.
    """

    title: str
    units: Mapping[str, Unit]
    feet: bool = False


_IN_USE: ContextVar[str] = ContextVar("units", default="metric")


def system() -> System:
    """Return the system in use."""
    return _named(_IN_USE.get())


@cache
def _named(name: str) -> System:
    found: System = import_module(f"planner.core.units.{name}").SYSTEM
    return found


def known(name: object) -> str:
    """Return the name of a system of units; the default where there is none of that name, as files of others may state."""
    return "imperial" if name == "imperial" else "metric"


@contextmanager
def using(name: str) -> Iterator[None]:
    """Use a system of units until the block ends: that of a plan's project while one of its documents is written or read."""
    token = _IN_USE.set(name)
    try:
        yield
    finally:
        _IN_USE.reset(token)


def unit(kind: str) -> Unit:
    """Return the unit of a kind of quantity; kinds without one keep the unit of records."""
    return system().units.get(kind) or Unit(1, 0, kind)


def grouped(number: float, decimals: int = 0) -> str:
    """Return a number with commas between thousands.

    Examples
    --------
    >>> grouped(13300)
    '13,300'
    """
    return f"{number:,.{decimals}f}"


def trimmed(number: float, decimals: int = 3) -> str:
    """Return a number without trailing zeros: 0.5, 3, 1.25."""
    text = grouped(number, decimals)
    return text.rstrip("0").rstrip(".") if "." in text else text


def amount(value: float, kind: str, decimals: int | None = None) -> str:
    """Return a value of records as a number in the unit of people, without the unit.

    Examples
    --------
    >>> amount(3048, "mm")
    '3.048'
    >>> with using("imperial"):
    ...     amount(3048, "mm")
    '10.00'
    """
    own = unit(kind)
    return grouped(own.of(value), own.decimals if decimals is None else decimals)


def named(value: float, kind: str, decimals: int | None = None, gap: str = SPACE) -> str:
    """Return a value of records as a number with the unit of people.

    Examples
    --------
    >>> named(25, "°C", 1, " ")
    '25.0 °C'
    >>> with using("imperial"):
    ...     named(25, "°C", 1, " ")
    '77.0 °F'
    """
    return f"{amount(value, kind, decimals)}{gap}{unit(kind).name}"


def heading(words: str, kind: str) -> str:
    """Return the heading of a column with its unit.

    Examples
    --------
    >>> heading("run", "mm"), heading("stock", "stock")
    ('run (m)', 'stock (m)')
    """
    name = unit(kind).name
    return f"{words} ({name})" if name else words


def stock(length_mm: int) -> str:
    """Return a stock length below a heading with its unit; in feet with what the maker sells and the other unit in brackets.

    Examples
    --------
    >>> stock(3000)
    '3'
    >>> with using("imperial"):
    ...     stock(3000), stock(3048)
    ('3\\xa0m (9.8\\xa0ft)', '10\\xa0ft (3.05\\xa0m)')
    """
    return stock_named(length_mm) if system().feet else trimmed(length_mm / 1000)


def stock_named(length_mm: int, gap: str = SPACE) -> str:
    """Return a stock length with its unit, as `stock` does."""
    meters, feet = length_mm / 1000, length_mm / (12 * _INCH_MM)
    if not system().feet:
        return f"{trimmed(meters)}{gap}m"
    half = round(2 * feet) / 2
    if length_mm % 50 and abs(feet - half) * 12 * _INCH_MM <= 1:
        return f"{trimmed(half, 1)}{gap}ft ({trimmed(meters, 2)}{gap}m)"
    return f"{trimmed(meters)}{gap}m ({trimmed(feet, 1)}{gap}ft)"


def span(length_mm: float, gap: str = " ") -> str:
    """Return a floor dimension: in millimeters, or in feet and inches.

    Examples
    --------
    >>> span(2600)
    '2,600 mm'
    >>> with using("imperial"):
    ...     span(2600), span(600), span(-25.4)
    ('8\\'-6 3/8"', '1\\'-11 5/8"', '-0\\'-1"')
    """
    return feet_and_inches(length_mm) if system().feet else f"{grouped(length_mm)}{gap}mm"


def feet_and_inches(length_mm: float) -> str:
    """Return a length in feet, inches and eighths of an inch."""
    parts = round(abs(length_mm) / _INCH_MM * _MARK)
    inches, rest = divmod(parts, _MARK)
    feet, inches = divmod(inches, 12)
    bits = rest & -rest
    fraction = f" {rest // bits}/{_MARK // bits}" if rest else ""
    return f"{'-' if length_mm < 0 and parts else ''}{feet:,}'-{inches}{fraction}\""
