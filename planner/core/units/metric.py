"""SI units: meters, kilograms, kilowatts."""

from planner.core.units import SPACE, System, Unit

SYSTEM = System(
    "SI",
    {
        "mm": Unit(1000, 3, "m", "m"),
        "stock": Unit(1000, 3, "m"),
        "size": Unit(1, 0, "mm"),
        "altitude": Unit(1, 0, "m"),
        "µm": Unit(1000, 1, "mm", "mm"),
        "µm²": Unit(1_000_000, 0, "mm²", "mm2"),
        "floor": Unit(1_000_000, 1, "m²"),
        "mm²": Unit(1, 0, "mm²", "mm2"),
        "mm² m": Unit(1, 0, f"mm²{SPACE}m"),
        "mW": Unit(1_000_000, 3, "kW", "kw"),
        "heat": Unit(1_000_000, 1, "kW"),
        "mW heat": Unit(1_000_000, 3, "kW"),
        "heat mark": Unit(1_000_000, 1, "kW"),
        "cooling": Unit(1_000_000, 1, "kW"),
        "W/m²": Unit(1, 0, "W/m²"),
        "g": Unit(1000, 1, "kg", "kg"),
        "tons": Unit(1_000_000, 1, "t"),
        "kg/m²": Unit(1, 0, "kg/m²"),
        "air": Unit(1 / 3.6, 0, "m³/h"),
        "°C": Unit(1, 0, "°C"),
        "K": Unit(1, 0, "K"),
        "ps": Unit(1000, 1, "ns", "ns"),
        "ps/m": Unit(1000, 2, "ns/m"),
        "%": Unit(1, 1, "%"),
        "cents": Unit(100, 2, "", "price"),
        "phits/cycle/endpoint": Unit(1, 3, "phits/cycle/endpoint"),
    },
)
