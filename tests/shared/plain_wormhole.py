"""Wormhole switching once more: every phit of every queue examined in every step, no events and no kernels."""

from __future__ import annotations

import math
import random
from collections import deque
from dataclasses import dataclass, field

from shared.plain_engine import Packet, Source, wiring


@dataclass
class Queue:
    """An input queue: phits as (packet, number), and the output queue that the packet in front holds."""

    phits: deque = field(default_factory=deque)
    holds: tuple | None = None


class Circle:
    """Whose turn it is: the one behind the one served last."""

    def __init__(self, members):
        self.members, self.start = list(members), 0

    def first(self, asking):
        turned = self.members[self.start :] + self.members[: self.start]
        return next(member for member in turned if member in asking)

    def served(self, member):
        self.start = (self.members.index(member) + 1) % len(self.members)


class PlainWormhole:
    """One run; `path(router, target_router, hops)` lists port and virtual channel, `target(source)` the next target."""

    def __init__(self, case, load, seed, path, target, number=1):
        self.case, self.path, self.target = case, path, target
        self.dice = random.Random(number)
        self.first, self.end, self.router, self.endpoint_port, self.peer, self.delay, _ = wiring(case)
        channels = range(case.channels)
        self.ports = [list(range(*pair)) for pair in zip(self.first, self.first[1:], strict=False)]
        self.inputs = {(p, c): Queue() for p in range(self.end) for c in channels}
        self.credit = {(p, c): case.input_phits for p in self.peer for c in channels}
        self.held = dict.fromkeys(self.credit, False)
        self.lines = {p: deque() for p in range(self.end)}
        """What waits for each link: phit, channel, and the cycle from which it may leave."""
        router_queues = [[(p, c) for p in ports for c in channels] for ports in self.ports]
        self.for_channel = {(p, c): Circle(router_queues[self.router[p]]) for p in range(self.end) for c in channels}
        self.by_output = {p: Circle(self.ports[self.router[p]]) for p in range(self.end)}
        self.by_channel = {p: Circle(channels) for p in range(self.end)}
        self.to_output = {p: Circle(self.ports[self.router[p]]) for p in range(self.end)}
        self.credit_sent = dict.fromkeys(range(self.end), 0)
        steps = case.crossbar_speedup
        # A channel, the crossbar and across take three steps, of which the last may fall into the cycle of leaving.
        self.pipeline = case.router_cycles - (2 if steps == 1 else 1 if steps == 2 else 0)
        endpoints = len(self.endpoint_port)
        states = [int(state) for state in seed.generate_state(1 + endpoints, "uint64")[1:]]
        self.sources = [Source(state, math.log1p(-load / case.packet_phits)) for state in states]
        self.sending = [None] * endpoints
        """Packet, phits sent, and channel."""
        self.last_channel = [0] * endpoints
        self.now = 0
        self.flying, self.returning, self.delivered = [], [], []

    def run(self, until):
        while self.now < until:
            self.finish()
            for step in range(self.case.crossbar_speedup):
                for router in range(len(self.ports)):
                    self.step(router, step)
            for port in self.lines:
                self.send(port)
            for source in range(len(self.sources)):
                self.inject(source)
            self.now += 1

    def finish(self):
        for time, port, channel, phit in self.flying:
            if time == self.now and port < self.end:
                self.inputs[port, channel].phits.append(phit)
            elif time == self.now:
                self.returning.append((self.now + self.delay[port], self.peer[port], channel))
                packet, number = phit
                if number + 1 == self.case.packet_phits:
                    self.delivered.append((packet.source, packet.created, self.now, packet.hops))
        self.flying = [entry for entry in self.flying if entry[0] > self.now]
        for time, port, channel in self.returning:
            if time == self.now:
                self.credit[port, channel] += 1
        self.returning = [entry for entry in self.returning if entry[0] > self.now]

    def step(self, router, step):
        full = {(p, c): q for p in self.ports[router] for c in range(self.case.channels) if (q := self.inputs[p, c]).phits}
        wishes = {}
        for place, queue in full.items():
            if queue.holds is None:
                free = [out for out in self.paths(router, queue.phits[0][0]) if not self.held[out]]
                if free:
                    wishes.setdefault(self.dice.choice(free), []).append(place)
        asking = {}
        for (port, channel), queue in full.items():
            if queue.holds and self.credit[queue.holds] > 0:
                asking.setdefault(port, {}).setdefault(queue.holds[0], []).append(channel)
        nominees = {}
        for port, outputs in asking.items():
            output = self.by_output[port].first(outputs)
            nominees.setdefault(output, {})[port] = self.by_channel[port].first(outputs[output])
        for output, ports in nominees.items():
            port = self.to_output[output].first(ports)
            self.to_output[output].served(port)
            self.by_output[port].served(output)
            self.by_channel[port].served(ports[port])
            self.cross(port, ports[port], step)
        for out, places in wishes.items():
            place = self.for_channel[out].first(places)
            self.for_channel[out].served(place)
            self.inputs[place].holds = out
            self.held[out] = True

    def paths(self, router, packet):
        port = self.endpoint_port[packet.target]
        if self.router[port] == router:
            return [(port, c) for c in range(self.case.channels)]
        return [(self.first[router] + p, c) for p, c in self.path(router, self.router[port], packet.hops)]

    def cross(self, port, channel, step):
        queue = self.inputs[port, channel]
        out = queue.holds
        packet, number = queue.phits.popleft()
        last = step + 1 == self.case.crossbar_speedup
        self.lines[out[0]].append(((packet, number), out[1], self.now + last))
        self.credit[out] -= 1
        self.credit_sent[port] = max(self.now, self.credit_sent[port] + 1)
        back = self.credit_sent[port] + self.delay[port] + self.case.credit_cycles
        self.returning.append((back, self.peer[port], channel))
        if number == 0 and self.peer[out[0]] < self.end:
            packet.hops += 1
        if number + 1 == self.case.packet_phits:
            self.held[out] = False
            queue.holds = None

    def send(self, port):
        if self.lines[port] and self.lines[port][0][2] <= self.now:
            phit, channel, _ = self.lines[port].popleft()
            self.fly(port, channel, phit)

    def fly(self, port, channel, phit):
        time = self.now + self.delay[port]
        if self.peer[port] < self.end:
            time += self.pipeline
        self.flying.append((time, self.peer[port], channel, phit))

    def inject(self, number):
        port, source = self.end + number, self.sources[number]
        if self.sending[number] is None and source.created <= self.now:
            before = self.last_channel[number] if self.case.take_turns else -1
            order = [(before + 1 + c) % self.case.channels for c in range(self.case.channels)]
            channel = next((c for c in order if self.credit[port, c] > 0), None)
            if channel is not None:
                self.sending[number] = [Packet(number, self.target(number), source.created), 0, channel]
                self.last_channel[number] = channel
                source.created += source.gap()
        if self.sending[number] and self.credit[port, self.sending[number][2]] > 0:
            packet, sent, channel = self.sending[number]
            self.credit[port, channel] -= 1
            self.fly(port, channel, (packet, sent))
            self.sending[number] = [packet, sent + 1, channel] if sent + 1 < self.case.packet_phits else None
