"""Settings of the routers of a simulation: the keys that ``[simulation]`` and ``[workload]`` share."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Gt, Le

from planner.core.errors import Problem

PRESETS: dict[str, dict[str, Any]] = {
    "plan": {},
    "caminos": {"link_cycles": 1, "router_delay_cycles": 0, "virtual_channels": 4},
    # A channel of latency 1 is written in one cycle and read in the next but one.
    "booksim": {
        "flow_control": "wormhole", "link_cycles": 2, "router_delay_cycles": 0, "credit_cycles": 2, "crossbar_speedup": 2,
        "injection": "turns", "virtual_channels": 4,
    },
}  # fmt: skip
"""Settings that reproduce other simulators; an explicit parameter overrides its preset."""

ARBITRATIONS = ("random", "round_robin", "age")
"""In the order of the constants `planner.kernels.packet.records.RANDOM` and following."""

_DEFAULTS: dict[str, Any] = {
    "flow_control": "cut_through", "output_packets": 2, "credit_cycles": 0, "injection": "first", "arbitration": "random",
    "input_speedup": 0,
}  # fmt: skip
"""Settings that neither the study nor a preset gives."""

_CUT_THROUGH = ("output_packets", "arbitration", "input_speedup")
"""Settings that do not apply to wormhole switching."""


@dataclass(frozen=True)
class RouterSettings:
    """Routing, packets, queues, delays and arbitration of all routers.

    Parameters
    ----------
    routing
        Name of the routing.
    packet_phits
        Length of a packet in phits.
    phit_bytes
        Size of a phit in bytes.
    virtual_channels
        Virtual channels per port; by default the number that the routing needs.
    flow_control
        ``"cut_through"`` (default): a packet advances when the next queue has space for all of it. ``"wormhole"``: flow control
        per phit; queues may be smaller than a packet, and phits of several packets interleave on a link. A wormhole router takes
        at least ⌈3 / `crossbar_speedup`⌉ - 1 cycles; faults and mixed link rates are not supported.
    input_phits
        Size of an input queue in phits, with wormhole switching, instead of `input_packets`.
    input_packets
        Size of an input queue in packets; one queue per port and virtual channel. By default the number that one virtual
        channel needs to cover the credit round trip of the longest cable, at least 4.
    port_phits
        Total size of the input queues of a port in phits, instead of `input_packets`; split evenly over virtual channels, in
        whole packets. Use it to compare routings that need different numbers of channels with the same buffer size.
    output_packets
        Size of an output queue in packets; default 2. With wormhole switching it is limited by credits only.
    link_gbps
        Rate of all links, instead of `rate_gbps`.
    link_cycles
        Delay of every cable in cycles, instead of `delay_ps`.
    router_delay_cycles
        Delay of a router in cycles, instead of `router_delay_ps`.
    credit_cycles
        Delay of a credit beyond the cable delay, in cycles; default 0.
    injection
        Virtual channel that a source injects into: ``"first"`` (default), the first one with space, or ``"turns"``, round robin.
    arbitration
        Priority of packets that wait at a router: ``"random"`` (default), ``"round_robin"`` or ``"age"``, the oldest first.
    crossbar_speedup
        Phits that move into one output queue per cycle; by default the rate of the fastest cable.
    input_speedup
        Packets that may leave the input queues of one port at once; 0 (default) for unlimited.
    allow_deadlock
        Whether to simulate routings with a cyclic channel dependency.
    preset
        ``"plan"`` (default) or the delays, queues and channels of the simulators ``"caminos"`` and ``"booksim"``.
    routing_parameters
        Parameters of the routing.
    """

    routing: str = "minimal"
    packet_phits: Annotated[int, Gt(0), Le(4096)] = 16
    phit_bytes: Annotated[int, Gt(0)] = 64
    virtual_channels: Annotated[int, Gt(0), Le(255)] | None = None
    flow_control: Literal["cut_through", "wormhole"] | None = None
    input_phits: Annotated[int, Gt(0), Le(2**20)] | None = None
    input_packets: Annotated[int, Gt(0), Le(30000)] | None = None
    port_phits: Annotated[int, Gt(0), Le(2**24)] | None = None
    output_packets: Annotated[int, Gt(0), Le(30000)] | None = None
    link_gbps: Annotated[float, Gt(0)] | None = None
    link_cycles: Annotated[int, Gt(0), Le(1_000_000)] | None = None
    router_delay_cycles: Annotated[int, Ge(0), Le(1_000_000)] | None = None
    credit_cycles: Annotated[int, Ge(0), Le(1_000_000)] | None = None
    injection: Literal["first", "turns"] | None = None
    arbitration: Literal["random", "round_robin", "age"] | None = None
    crossbar_speedup: Annotated[int, Gt(0), Le(4096)] | None = None
    input_speedup: Annotated[int, Ge(0), Le(255)] | None = None
    allow_deadlock: bool = False
    preset: Literal["plan", "caminos", "booksim"] = "plan"
    routing_parameters: dict[str, Any] | None = None

    def resolved(self, link_rate: np.ndarray | None) -> RouterSettings:
        """Return the settings with values of the preset and defaults for those not given.

        The number of virtual channels and the sizes of input queues stay open: they depend on the routing and the cables.

        Parameters
        ----------
        link_rate
            Relative rate of each cable, which limits the default of `crossbar_speedup`.
        """
        fastest = 1 if link_rate is None else math.ceil(np.max(link_rate, initial=1))
        usual = _DEFAULTS | {"crossbar_speedup": fastest} | PRESETS[self.preset]
        usual.pop("virtual_channels", None)
        return replace(self, **{name: value for name, value in usual.items() if getattr(self, name) is None})

    @property
    def usual_channels(self) -> int:
        """Minimum virtual channels of a router when `virtual_channels` is not given."""
        return PRESETS[self.preset].get("virtual_channels", 1)

    def conflicts(self, flow_control: str) -> list[Problem]:
        """Return the given settings that exclude each other, or do not apply to a flow control."""
        if self.port_phits is not None and (self.input_packets or self.input_phits):
            return [Problem("port_phits", "conflicts with the size of each queue", "give one of them")]
        if flow_control == "cut_through":
            used = self.input_phits is not None
            return [Problem("input_phits", "applies to wormhole switching only", "give input_packets")] if used else []
        problems = [
            Problem(name, "applies to cut-through only", 'remove it, or use flow_control = "cut_through"')
            for name in _CUT_THROUGH
            if getattr(self, name) is not None
        ]
        if self.input_phits is not None and self.input_packets is not None:
            problems.append(Problem("input_phits", "conflicts with input_packets", "give one of them"))
        return problems


def separated(given: dict[str, Any]) -> tuple[RouterSettings, dict[str, Any]]:
    """Return the router settings among keyword arguments, and the other arguments."""
    names = {field.name for field in fields(RouterSettings)}
    settings = RouterSettings(**{name: value for name, value in given.items() if name in names})
    return settings, {name: value for name, value in given.items() if name not in names}
