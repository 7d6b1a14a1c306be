"""Size limits of networks, estimated from their parameters before building."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from typing import Annotated

from annotated_types import Ge, Le

from planner.core.errors import InputError, Problem

MEMORY_BYTES = 8_000_000_000
"""Memory limit for building a network."""

SECONDS = 60
"""Time limit for building a network, which shows no progress."""

EndpointsPerRouter = Annotated[int, Ge(0), Le(10_000)]
"""Number of endpoints of one router, far below the number of ports of any router part."""

# Per router with its names and table rows in later stages; per link during sorting; per endpoint.
_ROUTER_BYTES, _LINK_BYTES, _ENDPOINT_BYTES = 2_000, 350, 100
_LINK_SECONDS, _STEP_SECONDS = 1.5e-6, 1e-6

_routers: ContextVar[int | None] = ContextVar("routers", default=None)


def require_size(place: str, routers: int, links: int, *, endpoints: int = 0, scratch_bytes: int = 0, steps: int = 0) -> None:
    """Raise InputError if a network is too large to be built.

    Parameters
    ----------
    place
        Parameters that determine the size, for the message.
    routers, links, endpoints
        Exact or approximate numbers.
    scratch_bytes
        Additional memory beyond the record and the sorting of its links.
    steps
        Additional steps of about a microsecond each.
    """
    allowed = _routers.get()
    if allowed is not None and routers > allowed:
        raise InputError(Problem(place, f"{_number(routers)} routers are too many", f"use at most {allowed:,}"))
    memory_bytes = _ROUTER_BYTES * routers + _LINK_BYTES * links + _ENDPOINT_BYTES * endpoints + scratch_bytes
    seconds = _LINK_SECONDS * min(links, 10**30) + _STEP_SECONDS * min(steps, 10**30)
    if memory_bytes <= MEMORY_BYTES and seconds <= SECONDS:
        return
    size = f"{_number(routers)} routers, {_number(links)} links" + (f" and {_number(endpoints)} endpoints" if endpoints else "")
    message = (
        f"{size} would take about {_number(-(-memory_bytes // 10**9))} GB of memory and {_number(int(seconds) + 1)} s; "
        f"the limits are {MEMORY_BYTES // 10**9} GB and {SECONDS} s"
    )
    raise InputError(Problem(place, message, "choose smaller numbers"))


@contextmanager
def at_most(routers: int) -> Iterator[None]:
    """Limit the number of routers of networks built inside the context."""
    token = _routers.set(routers)
    try:
        yield
    finally:
        _routers.reset(token)


def power(base: int, exponent: int) -> int:
    """Return a power of a base of at least 2, with the exponent capped so that it is fast to compute and still too large."""
    return base ** min(exponent, 128)


def _number(value: int) -> str:
    return f"{value:,}" if value < 10**12 else f"{Decimal(value):.1e}"
