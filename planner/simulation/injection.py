"""Processes by which sources create packets, from a load to what the kernel wants."""

from __future__ import annotations

import numpy as np

from planner.errors import InputError, Problem

PROCESSES = ("bernoulli", "poisson", "burst")
"""Names, in the order of the kernel's numbers."""


def numbers(
    process: str, load: float, rates: np.ndarray, packet_phits: int, burst_packets: float, burst_load: float
) -> np.ndarray:
    """Return the numbers of the process for each source, float64 (H, 4); the last one begins at 0.

    ``bernoulli``: in every cycle a packet with chance load / `packet_phits`. ``poisson``: exponential
    gaps of the mean `packet_phits` / load, several packets in a cycle where it so happens. ``burst``: a
    source is on and off in turn, geometric times both; while it is on it creates like Bernoulli at `burst_load`, in the mean
    `burst_packets` packets, and it is on for the share of time that gives the load.

    Parameters
    ----------
    process
        One of `PROCESSES`.
    load
        Offered load in phits per cycle.
    rates
        Load of each source as a share of `load`, float64 (H,), 0 to 1.
    packet_phits
        Phits of a packet.
    burst_packets
        Mean packets of a burst, at least 1.
    burst_load
        Load of a source while it is on, above `load` and at most 1.

    Raises
    ------
    InputError
        When bursts cannot give the load.

    References
    ----------
    .. [1] W. J. Dally, B. Towles, "Principles and practices of interconnection networks", 2004, section 24.2 (Markov
       modulated processes).
    """
    loads = load * np.asarray(rates, np.float64)
    result = np.zeros((len(loads), 4))
    with np.errstate(divide="ignore"):
        if process == "bernoulli":
            result[:, 0] = np.log1p(-loads / packet_phits)
        elif process == "poisson":
            result[:, 0] = packet_phits / loads
        else:
            end, begin = _turns(load, loads, packet_phits, burst_packets, burst_load)
            result[loads > 0, 0] = np.log1p(-burst_load / packet_phits)
            result[:, 1] = np.log1p(-end)
            result[:, 2] = np.log1p(-begin)
    return result


def _turns(
    load: float, loads: np.ndarray, packet_phits: int, burst_packets: float, burst_load: float
) -> tuple[float, np.ndarray]:
    """Return the chance per cycle that a burst ends, and that one begins at each source."""
    if load >= burst_load:
        raise InputError(Problem("burst_load", f"{burst_load} is not above the load {load}", "use more, or a lower load"))
    end = burst_load / packet_phits / burst_packets
    begin = end * loads / (burst_load - loads)
    if end > 1 or begin.max(initial=0) > 1:
        raise InputError(
            Problem("burst_packets", f"bursts of {burst_packets} packets are too short for load {load}", "use longer bursts")
        )
    return end, begin
