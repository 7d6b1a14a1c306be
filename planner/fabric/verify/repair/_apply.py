"""The fabric after work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from planner.fabric.verify.compare import sorted_pair
from planner.fabric.verify.result import Addition, Joined, Located, Move, Plugged, Removal


def applied(located: Located, moves: Sequence[Move], removals: Sequence[Removal], additions: Sequence[Addition]) -> Located:
    """Return the fabric after cables are taken out, plugs moved and missing links put in.

    Raises
    ------
    ValueError
        When a move begins at a port without a link, or two plugs would be in one port.
    """
    gone = {sorted_pair(*link) for one in removals for link in (one.ports, *one.lanes)}
    links = [link for link in located.links if link not in gone]
    to: dict[Plugged, Plugged] = {}
    for move in moves:
        for source, target in ((move.from_port, move.to_port), *move.lanes):
            to[Plugged(move.device, source)] = Plugged(move.to_device, target)
    if len(to) != sum(1 + len(move.lanes) for move in moves) or not to.keys() <= {port for link in links for port in link}:
        raise ValueError("a move begins at a port without a link, or at the port of another move")
    made: list[Joined] = [sorted_pair(to.get(a, a), to.get(b, b)) for a, b in links]
    made += [sorted_pair(*link) for one in additions for link in (one.ports, *one.lanes)]
    ports = {port for link in made for port in link}
    if len(ports) != 2 * len(made):
        raise ValueError("two plugs would be in one port")
    before = {port for link in located.links for port in link}
    dark = {port: state for port, state in located.dark.items() if port not in ports} | dict.fromkeys(before - ports, "down")
    removed = {port for one in removals for port in one.ports}
    foreign = [(port, text) for port, text in located.foreign if port not in removed]
    slow = {link: reason for link, reason in located.slow.items() if link in set(made)}
    return replace(located, links=dict.fromkeys(made, ""), dark=dark, foreign=foreign, slow=slow)
