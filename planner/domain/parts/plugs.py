"""What plugs of built networks state about themselves, and limits of what is measured at them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Gt, Le, MinLen

from planner.core.errors import Problem
from planner.domain.parts.cables import Decibels
from planner.domain.parts.row import Name, Positive, Row

Ratio = Annotated[float, Gt(0), Le(1)]
LONGEST_PATTERN = 200
"""Maximum length of a pattern."""


@dataclass(frozen=True, kw_only=True)
class PlugNumber(Row):
    """Part numbers of a family as the memory of a plug states them, and the catalog rows that they may be.

    `pattern` is a regular expression for the whole number. Its group ``meters`` is the length: ``003`` is 3 m, and ``01A`` is
    1.5 m; a pattern without it is that of a part without a length. Its group ``awg`` is the wire gauge. Where rows differ in the
    gauge only, a number may be any of `parts`.
    """

    maker: Name
    pattern: Name
    parts: Annotated[tuple[Name, ...], MinLen(1)]

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if len(self.pattern) > LONGEST_PATTERN:
            yield Problem("pattern", f"has {len(self.pattern)} characters", f"use at most {LONGEST_PATTERN}")
            return
        try:
            re.compile(self.pattern)
        except re.error as error:
            yield Problem("pattern", f"is not a regular expression: {error}", "correct it")


@dataclass(frozen=True, kw_only=True)
class LinkLimit(Row):
    """Limits of error ratios and light of a link; None where there is none.

    `lane_spread_db` is the maximum difference of the power received by the lanes of one plug. `confidence_ber` is the certainty
    with which a run without errors shows that the bit error ratio is below its bound.
    """

    symbol_ber: Ratio | None = None
    effective_ber: Ratio | None = None
    raw_ber: Ratio | None = None
    lane_spread_db: Decibels
    confidence_ber: Annotated[float, Gt(0), Le(0.999999)]


@dataclass(frozen=True, kw_only=True)
class LightLimit(Row):
    """Minimum power that each lane of a module must receive, by its kind and the rate of one link."""

    kind: Name
    rate_gbps: Positive
    rx_min_dbm: float


@dataclass(frozen=True, kw_only=True)
class LossLimit(Row):
    """Maximum loss that the test of installed fiber accepts: mated pairs, splices, and fiber by its length.

    `over_planned_db` is how much more than its planned loss a mated pair may have before the measured link is listed for
    cleaning, although it is within its limit.
    """

    mated_pair_db: Decibels
    splice_db: Decibels
    multimode_db_per_km: Decibels
    single_mode_db_per_km: Decibels
    over_planned_db: Decibels

    def channel_db(self, glass: str, length_mm: int, mated_pairs: int, splices: int = 0) -> float:
        """Return the maximum loss of a channel.

        Examples
        --------
        100 m of OM4 with two mated pairs:

        >>> limit = LossLimit(id="x", source="x", confidence="D", mated_pair_db=0.75, splice_db=0.3, multimode_db_per_km=3.0,
        ...     single_mode_db_per_km=1.0, over_planned_db=0.3)
        >>> limit.channel_db("om4", 100_000, 2)
        1.8
        """
        per_km = self.single_mode_db_per_km if glass.startswith("os") else self.multimode_db_per_km
        return round(mated_pairs * self.mated_pair_db + splices * self.splice_db + per_km * length_mm / 1e6, 9)
