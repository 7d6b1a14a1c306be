"""Argument types of the command line."""

from __future__ import annotations

import argparse


def positive(text: str) -> int:
    """Parse a positive integer."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= 10**6:
        raise argparse.ArgumentTypeError(f"expected an integer of at least 1, not {text!r}")
    return int(text)


def span(text: str) -> tuple[int, int]:
    """Parse an integer or a range such as 8-64."""
    first, dash, last = text.partition("-")
    try:
        bounds = int(first), int(last if dash else first)
    except ValueError:
        bounds = 1, 0
    if bounds[0] > bounds[1]:
        raise argparse.ArgumentTypeError(f"expected an integer or a range such as 8-64, not {text!r}")
    return bounds
