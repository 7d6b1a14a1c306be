"""Feet, inches, pounds, BTU per hour, degrees Fahrenheit; electric power is in kilowatts.

References
----------
.. [1] NIST Special Publication 811, "Guide for the Use of the International System of Units", 2008, appendix B.8.
"""

from planner.core.units import SPACE, System, Unit

_FOOT_MM, _INCH_MM, _POUND_G = 304.8, 25.4, 453.59237
_BTU_PER_H_MW = 293.07107
_TON_MW = 12_000 * _BTU_PER_H_MW
"""A ton of cooling is 12,000 BTU per hour."""
_CFM_L_PER_S = 0.4719474432

SYSTEM = System(
    "ft-in, lb",
    {
        "mm": Unit(_FOOT_MM, 2, "ft", "ft"),
        "stock": Unit(_FOOT_MM, 2, ""),
        "size": Unit(_INCH_MM, 2, "in"),
        "altitude": Unit(_FOOT_MM / 1000, 0, "ft"),
        "µm": Unit(1000 * _INCH_MM, 2, "in", "in"),
        "µm²": Unit(1_000_000 * _INCH_MM**2, 2, "in²", "in2"),
        "mm²": Unit(_INCH_MM**2, 2, "in²", "in2"),
        "mm² m": Unit(_INCH_MM**2 * _FOOT_MM / 1000, 0, f"in²{SPACE}ft"),
        "floor": Unit(_FOOT_MM**2, 0, "ft²"),
        "mW": Unit(1_000_000, 3, "kW", "kw"),
        "heat": Unit(_BTU_PER_H_MW, 0, "BTU/h"),
        "mW heat": Unit(_BTU_PER_H_MW, 0, "BTU/h"),
        "heat mark": Unit(1000 * _BTU_PER_H_MW, 1, "kBTU/h"),
        "cooling": Unit(_TON_MW, 1, "tons"),
        "W/m²": Unit((1000 / _FOOT_MM) ** 2, 1, "W/ft²"),
        "g": Unit(_POUND_G, 1, "lb", "lb"),
        "tons": Unit(_POUND_G, 0, "lb"),
        "kg/m²": Unit(_POUND_G / 1000 * (1000 / _FOOT_MM) ** 2, 0, "lb/ft²"),
        "l/s": Unit(_CFM_L_PER_S, 0, "CFM"),
        "air": Unit(_CFM_L_PER_S, 0, "CFM"),
        "°C": Unit(5 / 9, 0, "°F", zero=32),
        "K": Unit(5 / 9, 0, "°F"),
        "ps": Unit(1000, 1, "ns", "ns"),
        "ps/m": Unit(1000 * 1000 / _FOOT_MM, 2, "ns/ft"),
        "%": Unit(1, 1, "%"),
        "cents": Unit(100, 2, "", "price"),
        "phits/cycle/endpoint": Unit(1, 3, "phits/cycle/endpoint"),
    },
    feet=True,
)
