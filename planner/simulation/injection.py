"""Injection processes: kernel parameters of each source from the offered load."""

from __future__ import annotations

import numpy as np

from planner.core.errors import InputError, Problem

PROCESSES = ("bernoulli", "poisson", "burst")
"""Names, in the order of the kernel's constants."""


def numbers(
    process: str, load: float, rates: np.ndarray, packet_phits: int, burst_packets: float, burst_load: float
) -> np.ndarray:
    """Return the process parameters of each source, float64 (H, 4); the last column starts at 0.

    ``bernoulli``: a packet in every cycle with probability load / `packet_phits`. ``poisson``: exponential
    gaps with mean `packet_phits` / load, possibly several packets in a cycle. ``burst``: an on/off source with geometric on and
    off times; while on, it creates packets as Bernoulli at `burst_load`, `burst_packets` packets on average, and the share of on
    time gives the load.

    Parameters
    ----------
    process
        One of `PROCESSES`.
    load
        Offered load in phits per cycle.
    rates
        Load of each source as a share of `load`, float64 (H,): 0 to 1, up to the planes where pairs are hashed.
    packet_phits
        Phits of a packet.
    burst_packets
        Mean packets of a burst, at least 1.
    burst_load
        Load of a source while it is on, above `load` and at most 1.

    Raises
    ------
    InputError
        When the process cannot produce the load.

    References
    ----------
    .. [1] W. J. Dally, B. Towles, "Principles and practices of interconnection networks", 2004, section 24.2 (Markov
       modulated processes).
    """
    loads = load * np.asarray(rates, np.float64)
    result = np.zeros((len(loads), 4))
    highest = max(load, loads.max(initial=0))
    if process == "bernoulli" and highest > packet_phits:
        message = f"a port creates at most a packet per cycle, not a load of {highest:g}"
        raise InputError(Problem("loads", message, "use smaller loads"))
    with np.errstate(divide="ignore"):
        if process == "bernoulli":
            result[:, 0] = np.log1p(-loads / packet_phits)
        elif process == "poisson":
            result[:, 0] = packet_phits / loads
        else:
            end, begin = _burst_chances(highest, loads, packet_phits, burst_packets, burst_load)
            result[loads > 0, 0] = np.log1p(-burst_load / packet_phits)
            result[:, 1] = np.log1p(-end)
            result[:, 2] = np.log1p(-begin)
    return result


def _burst_chances(
    load: float, loads: np.ndarray, packet_phits: int, burst_packets: float, burst_load: float
) -> tuple[float, np.ndarray]:
    """Return the probability per cycle that a burst ends, and that one begins at each source."""
    if load >= burst_load:
        raise InputError(Problem("burst_load", f"{burst_load} is not above the load {load}", "increase it, or lower the load"))
    end = burst_load / packet_phits / burst_packets
    begin = end * loads / (burst_load - loads)
    if end > 1 or begin.max(initial=0) > 1:
        raise InputError(
            Problem("burst_packets", f"bursts of {burst_packets} packets are too short for load {load}", "use longer bursts")
        )
    return end, begin
