"""Nodes with several ports: the port that each message leaves and arrives by."""

from __future__ import annotations

from typing import Literal

import numpy as np

from planner.simulation.messages import Messages

PortRule = Literal["rail", "any", "hashed"]

_MULTIPLIERS = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def endpoints_of(messages: Messages, endpoint: np.ndarray, ports: int, rule: PortRule) -> tuple[np.ndarray, np.ndarray]:
    """Return the endpoints that each message leaves and arrives by.

    A node's ports are consecutive endpoints. Local messages do not leave their node.

    Parameters
    ----------
    messages
        Messages of a job.
    endpoint
        First endpoint of each rank's node, int64 (ranks,).
    ports
        Ports of each node.
    rule
        ``rail``: port ``target mod ports`` at both ends, the rail of the target. ``hashed``: a port drawn from source and target
        by a hash, the same at both ends, so that all messages of a pair take one plane [1]_. ``any``: the ports in turn, at each
        end for itself.

    Returns
    -------
    tuple of ndarray
        int32 (M,) each.

    References
    ----------
    .. [1] G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (the hash).
    """
    source, target = messages.source.astype(np.int64), messages.target.astype(np.int64)
    if rule == "any":
        leaves, arrives = _turn(source) % ports, _turn(target) % ports
    else:
        leaves = arrives = target % ports if rule == "rail" else _hash(source * messages.ranks + target, ports)
    leaves, arrives = endpoint[source] + leaves, endpoint[target] + arrives
    stays = (source == target) | messages.is_local
    return leaves.astype(np.int32), np.where(stays, leaves, arrives).astype(np.int32)


def _turn(rank: np.ndarray) -> np.ndarray:
    """Return the number of earlier messages of the same rank, int64 (M,)."""
    order = np.argsort(rank, kind="stable")
    turn = np.empty(len(rank), np.int64)
    turn[order] = np.arange(len(rank)) - np.searchsorted(rank[order], rank[order])
    return turn


def _hash(pair: np.ndarray, ports: int) -> np.ndarray:
    golden, first, second = (np.uint64(multiplier) for multiplier in _MULTIPLIERS)
    mixed = (pair.astype(np.uint64) + np.uint64(1)) * golden
    mixed = (mixed ^ mixed >> np.uint64(30)) * first
    mixed = (mixed ^ mixed >> np.uint64(27)) * second
    return ((mixed ^ mixed >> np.uint64(31)) % np.uint64(ports)).astype(np.int64)
