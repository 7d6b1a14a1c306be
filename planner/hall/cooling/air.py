"""Air that carries heat away."""

from __future__ import annotations

_SEA_LEVEL_PA = 101_325
_GAS_CONSTANT = 287.042
"""Specific gas constant of dry air, in J/(kg K)."""
_SPECIFIC_HEAT = 1006
"""Specific heat of dry air at constant pressure, in J/(kg K)."""


def pressure_pa(altitude_m: float) -> float:
    """Return the pressure of the standard atmosphere.

    References
    ----------
    .. [1] ASHRAE Handbook, Fundamentals, chapter 1, equation 3.

    Examples
    --------
    >>> round(pressure_pa(1500))
    84556
    """
    return _SEA_LEVEL_PA * (1 - 2.25577e-5 * altitude_m) ** 5.2559


def airflow_l_per_s(heat_mw: int, supply_celsius: float, rise_kelvin: float, altitude_m: float) -> int:
    """Return the volume of air that carries heat away, as it enters: heat / (density · specific heat · rise).

    Examples
    --------
    10 kW at a rise of 11.1 K, about 154 cubic feet per minute and kilowatt:

    >>> airflow_l_per_s(10_000_000, 12.8, 11.1, 0)
    725
    """
    density = pressure_pa(altitude_m) / (_GAS_CONSTANT * (supply_celsius + 273.15))
    return round(heat_mw / (density * _SPECIFIC_HEAT * rise_kelvin))
