"""The packet engine's model once more: no events and no kernels, every queue and every link examined in every cycle."""

from __future__ import annotations

import math
import random
from collections import deque
from dataclasses import dataclass, field

from planner.kernels.packet import records
from planner.simulation.case import move_cycles, packet_cycles


@dataclass
class Packet:
    source: int
    target: int
    created: int
    hops: int = 0
    whole: int = 0
    """Cycle from which all phits are where it is, or where it goes: none leaves before it comes."""


@dataclass
class Input:
    packets: deque = field(default_factory=deque)
    moving: tuple | None = None
    """Packet, output queue, cycle in which that may be written again."""


@dataclass
class Output:
    credit: int
    space: int
    packets: deque = field(default_factory=deque)
    writing: bool = False


class Source:
    """Creates packets from the same stream of random numbers as the engine's source."""

    def __init__(self, state: int, log_idle: float):
        self.state, self.log_idle = state, log_idle
        self.created = self.gap() - 1

    def gap(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        mixed = (self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
        return 1 + int(math.log(1 - ((mixed ^ (mixed >> 31)) >> 11) / 2**53) / self.log_idle)


def wiring(case):
    """Return the first port of each router, their end, the router of each port, the router port of each endpoint, and of each
    port, those of the endpoints behind the routers', its peer, the delay of its cable and a packet's time on it."""
    net = case.network
    first, end = net.first_port.tolist(), int(net.first_port[-1])
    router = [number for number in range(len(first) - 1) for _ in range(first[number], first[number + 1])]
    peer, delay, time = {}, {}, {}
    pairs = [*net.link_ports.tolist(), *([port, end + e] for e, port in enumerate(net.endpoint_port.tolist()))]
    for cable, (a, b) in enumerate(pairs):
        for one, other in ((a, b), (b, a)):
            peer[one], delay[one] = other, int(net.link_cycles[cable])
            time[one] = int(packet_cycles(case)[cable])
    return first, end, router, net.endpoint_port.tolist(), peer, delay, time


class Plain:
    """One run; `path(router, target_router, hops)` lists port and virtual channel, `target(source)` the next target."""

    def __init__(self, case, load, seed, path, target, number=1):
        self.case, self.path, self.target = case, path, target
        self.dice = random.Random(number)
        self.first, self.end, self.router, self.endpoint_port, self.peer, self.delay, self.time = wiring(case)
        self.move = move_cycles(case)
        self.inputs = {(p, c): Input() for p in range(self.end) for c in range(case.channels)}
        self.outputs = {(p, c): Output(case.input_packets, case.output_packets) for p in self.peer for c in range(case.channels)}
        self.busy_until, self.last_channel = dict.fromkeys(self.peer, 0), dict.fromkeys(self.peer, 0)
        self.turn = [0] * case.network.topology.router_count
        self.waiting = [set() for _ in self.turn]
        states = [int(state) for state in seed.generate_state(1 + len(self.endpoint_port), "uint64")[1:]]
        self.sources = [Source(state, math.log1p(-load / case.packet_phits)) for state in states]
        self.now = 0
        self.on_the_way, self.sending, self.credits, self.leaving = [], [], [], []
        self.delivered = []
        """Source, creation, arrival and hops of each packet that arrived."""

    def run(self, until: int) -> None:
        while self.now < until:
            self.finish()
            for router in range(len(self.turn)):
                self.cross(router)
            for port in self.peer:
                if self.busy_until[port] <= self.now:
                    self.send(port) if port < self.end else self.inject(port)
            self.now += 1

    def finish(self) -> None:
        """What takes time comes to its end."""
        for queue, packet in self.due("on_the_way"):
            self.inputs[queue].packets.append(packet)
        for queue in self.inputs.values():
            if queue.moving and queue.moving[2] == self.now:
                self.outputs[queue.moving[1]].writing = False
                queue.moving = None
        for queue, _ in self.due("sending"):
            self.outputs[queue].space += 1
        for queue, _ in self.due("credits"):
            self.outputs[queue].credit += 1
        for _, packet in self.due("leaving"):
            self.delivered.append((packet.source, packet.created, self.now, packet.hops))

    def due(self, name: str) -> list[tuple]:
        waiting = getattr(self, name)
        setattr(self, name, [entry for entry in waiting if entry[0] > self.now])
        return [entry[1:] for entry in waiting if entry[0] <= self.now]

    def cross(self, router: int) -> None:
        channels = self.case.channels
        queues = [(p, c) for p in range(self.first[router], self.first[router + 1]) for c in range(channels)]
        number = {queue: (i - self.turn[router]) % len(queues) for i, queue in enumerate(queues)}
        heads = [queue for queue in queues if self.inputs[queue].packets and not self.inputs[queue].moving]
        if self.case.arbitration == records.RANDOM:
            # Those that waited in the cycle before come first.
            self.dice.shuffle(heads)
            heads.sort(key=lambda queue: queue not in self.waiting[router])
        elif self.case.arbitration == records.ROUND_ROBIN:
            heads.sort(key=number.get)
        else:
            heads.sort(key=lambda queue: (self.inputs[queue].packets[0].created, number[queue]))
        served, self.waiting[router] = False, set(heads)
        for queue in heads:
            taking = sum(self.inputs[queue[0], c].moving is not None for c in range(channels))
            if self.case.input_speedup and taking >= self.case.input_speedup:
                continue
            free = [out for out in self.paths(router, self.inputs[queue].packets[0]) if self.has_room(out)]
            if free:
                self.start_move(queue, self.dice.choice(free))
                self.waiting[router].remove(queue)
                if not served:
                    self.turn[router] = (queues.index(queue) + 1) % len(queues)
                served = True

    def paths(self, router: int, packet: Packet) -> list[tuple[int, int]]:
        port = self.endpoint_port[packet.target]
        if self.router[port] == router:
            return [(port, c) for c in range(self.case.channels)]
        return [(self.first[router] + p, c) for p, c in self.path(router, self.router[port], packet.hops)]

    def has_room(self, queue: tuple[int, int]) -> bool:
        return self.outputs[queue].space > 0 and not self.outputs[queue].writing

    def start_move(self, queue: tuple[int, int], out: tuple[int, int]) -> None:
        packet = self.inputs[queue].packets.popleft()
        packet.tail_cycle = max(self.now + self.move, packet.tail_cycle)
        self.inputs[queue].moving = (packet, out, packet.tail_cycle)
        self.outputs[out].packets.append(packet)
        self.outputs[out].space -= 1
        self.outputs[out].writing = True
        back = packet.tail_cycle - 1 + self.delay[queue[0]] + self.case.credit_cycles
        self.credits.append((back, (self.peer[queue[0]], queue[1]), None))

    def send(self, port: int) -> None:
        for step in range(self.case.channels):
            channel = (self.last_channel[port] + 1 + step) % self.case.channels
            out = self.outputs[port, channel]
            if out.packets and out.credit > 0:
                packet = out.packets.popleft()
                self.last_channel[port] = channel
                self.busy_until[port] = max(self.now + self.time[port], packet.tail_cycle)
                self.sending.append((self.busy_until[port], (port, channel), None))
                if self.peer[port] >= self.end:
                    self.leaving.append((self.busy_until[port] + self.delay[port] - 1, None, packet))
                else:
                    out.credit -= 1
                    packet.hops += 1
                    self.travel(port, channel, packet)
                return

    def inject(self, port: int) -> None:
        number = port - self.end
        source = self.sources[number]
        if source.created > self.now:
            return
        before = self.last_channel[port] if self.case.take_turns else -1
        for step in range(self.case.channels):
            channel = (before + 1 + step) % self.case.channels
            if self.outputs[port, channel].credit > 0:
                packet = Packet(number, self.target(number), source.created)
                source.created += source.gap()
                self.last_channel[port] = channel
                self.outputs[port, channel].credit -= 1
                self.busy_until[port] = self.now + self.time[port]
                self.travel(port, channel, packet)
                return

    def travel(self, port: int, channel: int, packet: Packet) -> None:
        ready = self.now + self.delay[port] + self.case.router_cycles
        packet.tail_cycle = self.busy_until[port] + self.delay[port] + self.case.router_cycles
        self.on_the_way.append((ready, (self.peer[port], channel), packet))
