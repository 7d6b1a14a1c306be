"""Cable schedules by hand and at random."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from planner.view.schedule import Connection, End

Port = tuple[str, int]
PLACES = {f"R{n}": ("A01" if n < 4 else "A02", n + 1) for n in range(8)}


def row(number, a, b, *, part="dac", stock_mm=3000, run_mm=2000, trays="", places=PLACES, labels=("", ""), piece=0, printed=None):
    """A row between two ports, each a device and a number."""
    ends = [
        End(device, port, (printed or {}).get((device, port), str(port)), *places[device], label)
        for (device, port), label in zip((a, b), labels, strict=True)
    ]
    return Connection(number, piece or number, "", "link", *ends, part, ("", ""), "copper", stock_mm, run_mm, trays, "", "")


@dataclass(frozen=True)
class Built:
    """A schedule, and the places of its devices."""

    rows: list[Connection]
    places: dict[str, tuple[str, int]] = field(default_factory=dict)


@st.composite
def schedules(draw, devices=5, ports=3, renamed=False):
    """Cables of two parts and two lengths between ports, in some order; devices at one of several places each."""
    names = [f"R{n}" for n in range(devices)]
    called = {name: f"X{name}" if renamed and draw(st.booleans()) else name for name in names}
    places = {called[name]: draw(st.sampled_from([PLACES[name], ("B01", n + 1)])) for n, name in enumerate(names)}
    every = draw(st.permutations([(called[name], port) for name in names for port in range(1, ports + 1)]))
    rows = []
    for number in range(draw(st.integers(0, len(every) // 2))):
        a, b = every[2 * number : 2 * number + 2]
        kind = {"part": draw(st.sampled_from(["dac", "aoc"])), "stock_mm": draw(st.sampled_from([2000, 3000]))}
        label = draw(st.sampled_from(["", "x"]))
        rows.append(
            row(number + 1, a, b, places=places, labels=(label, label), trays=draw(st.sampled_from(["", "t > u"])), **kind)
        )
    return Built(rows, places)
