"""Virtual channels and sizes of the queues of the routers."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

from planner.core.errors import InputError, PlannerWarning, Problem
from planner.simulation import wormhole


class Queues(NamedTuple):
    """Sizes of the queues, and the router cycles that they are computed with, as in `planner.simulation.case.Case`."""

    router_cycles: int
    input_phits: int
    input_packets: int
    output_packets: int


def virtual_channels(settings: Any, needed: int) -> int:
    """Return the virtual channels of a port.

    Raises
    ------
    InputError
        When fewer are given than the routing needs.
    """
    wanted = settings.virtual_channels
    if wanted is None:
        return max(needed, settings.usual_channels)
    if wanted < needed:
        problem = f"{wanted} are too few for {settings.routing} routing without deadlock"
        raise InputError(Problem("virtual_channels", problem, f"use at least {needed}"))
    return wanted


def queues(settings: Any, longest_link: int, router_cycles: int, channels: int) -> Queues:
    """Return the queue sizes and the router cycles; warn if the queues limit the rate.

    Parameters
    ----------
    settings
        Resolved settings.
    longest_link, router_cycles
        Delays of the longest cable and of a router, in cycles.
    channels
        Virtual channels of a port.

    Raises
    ------
    InputError
        When the queues of a port are smaller than a packet.
    """
    # Credit round trip, from the start of a packet's or phit's transmission.
    round_trip = 2 * longest_link + settings.credit_cycles
    cut_through = settings.flow_control == "cut_through"
    if cut_through:
        round_trip += router_cycles + settings.packet_phits
    else:
        minimum = wormhole.min_router_cycles(settings.crossbar_speedup)
        router_cycles = max(router_cycles, minimum)
        round_trip += router_cycles - minimum
    phits = _input_phits(settings, channels, round_trip)
    of_port = settings.port_phits is not None
    together, user = (channels * phits, "all virtual channels") if of_port else (phits, "one virtual channel")
    if together < round_trip:
        warnings.warn(
            f"input queues of {together} phits limit {user} to {100 * together // round_trip} % of the rate of the longest cable",
            PlannerWarning,
            stacklevel=3,
        )
    input_packets = -(-phits // settings.packet_phits)
    if cut_through:
        return Queues(router_cycles, 0, input_packets, settings.output_packets)
    return Queues(router_cycles, phits, input_packets, 0)


def _input_phits(settings: Any, channels: int, round_trip: int) -> int:
    """Return the size of an input queue in phits: as given, or what covers the round trip, at least 4 packets."""
    packet_phits = settings.packet_phits
    if settings.port_phits is not None:
        packets = settings.port_phits // (channels * packet_phits)
        if not packets:
            problem = (
                f"{settings.port_phits} phits are less than one packet of {packet_phits} phits per virtual channel ({channels})"
            )
            raise InputError(Problem("port_phits", problem, f"use at least {channels * packet_phits}"))
        return packets * packet_phits
    if settings.input_phits is not None:
        return settings.input_phits
    usual = max(4, -(-round_trip // packet_phits) + 1)
    return packet_phits * (usual if settings.input_packets is None else settings.input_packets)
