"""What goods are in words, made out again from their catalog rows."""

from __future__ import annotations

from typing import Any


def goods_text(row: Any) -> str:
    """Return what is bought, for rows of cables, transceivers, fibers, trunks and panels, without its length."""
    kind = type(row).__name__
    if kind in ("CablePart", "BreakoutPart", "TransceiverPart"):
        many = row.tails if kind == "BreakoutPart" else row.links
        rate = f"{many} x {row.rate_gbps} Gb/s" if many > 1 else f"{row.rate_gbps} Gb/s"
        if kind == "CablePart":
            return f"{row.kind}, {rate}, {' to '.join(dict.fromkeys((row.connector_a, row.connector_b)))}"
        if kind == "BreakoutPart":
            return f"{row.kind} splitter, {rate}, {row.connector_head} to {row.tails} x {row.connector_tail}"
        return f"transceiver, {rate}{'' if row.kind == 'transceiver' else ' ' + row.kind}, {row.connector}"
    return {
        "FiberPart": lambda: (
            f"{'leg of a fiber splitter' if row.pieces_per_item > 1 else 'fiber'}, "
            f"{row.fibers} x {row.glass.upper()}, {row.plug.upper()}"
        ),
        "TrunkPart": lambda: f"trunk, {row.fibers} x {row.glass.upper()}, {row.connectors} plugs at each end",
        "MulticoreFiber": lambda: f"multi-core fiber, {row.cores} cores",
        "PanelPart": lambda: f"panel for {row.bays} cassettes, {row.units} units",
        "CassettePart": lambda: (
            f"{'cassette' if row.glass else 'adapter'}, {row.trunk_plugs} MPO to {row.ports} {row.plug.upper()}"
        ),
        "FanOut": lambda: f"fan-out, {row.cores} cores",
        "ShuffleBox": lambda: f"shuffle box, {row.router_ports} router ports, {row.trunk_ports} trunk ports",
    }[kind]()


def together(row: Any) -> str:
    """Return what is delivered as one piece or item, in words."""
    words = (
        ("tails", "one cable has {} plugs at its far end"),
        ("laser_modules", "{} laser modules are in the box"),
        ("links", "one module serves {} ports" if hasattr(row, "fiber") else "one cable carries {} links"),
        ("pieces_per_item", "{} pieces are one item"),
    )
    return next((text.format(getattr(row, key)) for key, text in words if (getattr(row, key, 1) or 1) > 1), "")
