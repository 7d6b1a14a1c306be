"""What an acceptance report states."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from planner.fabric.verify.result import PartReading, Plugged, Verification
from planner.view.schedule import Connection


@dataclass(frozen=True)
class CrewNote:
    """What the crew wrote about a cable in the workbook; `ends` are the ends that it ticked as plugged."""

    installed: bool = False
    ends: tuple[bool, bool] = (False, False)
    tested: bool = False
    by: str = ""
    date: str = ""
    remark: str = ""


@dataclass(frozen=True)
class CableRecord:
    """A planned connection as built.

    `state` is right, wrong (another link uses one of its ports), dark, or unknown; `deviations` are what the crew and the plugs
    state otherwise than the plan, in words.
    """

    row: Connection
    state: str
    part: PartReading | None = None
    crew: CrewNote | None = None
    deviations: tuple[str, ...] = ()


@dataclass(frozen=True)
class LossTest:
    """A measurement of optical loss: a row of a tester's file.

    `cable` is the row of the schedule, 0 if the plan has no such cable; `named` is what the file calls it. None and empty text
    are not stated.
    """

    line: int
    cable: int
    named: str
    loss_db: float
    wavelength_nm: float | None = None
    length_m: float | None = None
    limit_db: float | None = None
    margin_db: float | None = None
    date: str = ""
    tester: str = ""
    operator: str = ""


@dataclass(frozen=True)
class LossResult:
    """A measurement against the plan.

    `connections` are the mated pairs between the two test cords, None where the plan does not state panels. `verdict` is ok,
    above the plan, above the limit, negative, or not in the plan; the last three are open points. `limit_from` names the limit.
    """

    test: LossTest
    verdict: str
    planned_db: float | None = None
    limit_db: float | None = None
    limit_from: str = ""
    connections: int | None = None
    remark: str = ""

    @property
    def passed(self) -> bool:
        return self.verdict in ("ok", "above the plan")


@dataclass(frozen=True)
class BerResult:
    """The bit error ratio of a port against its limit.

    `bound` is the ratio that the run shows; `minutes` its time, and `needed` the time that shows `limit` without errors.
    `verdict` is shown, above, too short, or time unknown.
    """

    cable: int
    port: Plugged
    kind: str
    ratio: float
    limit: float
    rate_gbps: int
    minutes: float | None
    needed: float | None
    bound: float | None
    verdict: str
    link_downs: int | None = None


@dataclass(frozen=True)
class ScanFile:
    """A discovery file: its name, the tool and time as the file states them, and a hash of its content."""

    name: str
    tool: str
    time: str
    sha256: str


@dataclass(frozen=True)
class OpenPoint:
    """What has to be done before acceptance."""

    kind: str
    text: str
    cables: tuple[int, ...] = ()


@dataclass(frozen=True)
class Acceptance:
    """A built network against its plan.

    Attributes
    ----------
    name, title, fingerprint
        Name, title and fingerprint of the plan.
    verification
        The fabric as found.
    cables
        The cabling record: every planned connection.
    files
        Discovery files.
    loss
        Measurements of optical loss; None if no file was given.
    unmeasured
        Connections of modules and fiber without a measurement.
    ber
        Bit error ratios of ports.
    open
        What has to be done; accepted if there is nothing.
    statistics
        Figures by name, in words.
    certainty
        With which a run without errors shows a bit error ratio.
    """

    name: str
    title: str
    fingerprint: str
    verification: Verification
    cables: list[CableRecord]
    files: list[ScanFile] = field(default_factory=list)
    loss: list[LossResult] | None = None
    unmeasured: list[int] = field(default_factory=list)
    ber: list[BerResult] = field(default_factory=list)
    open: list[OpenPoint] = field(default_factory=list)
    statistics: list[tuple[str, str]] = field(default_factory=list)
    certainty: float = 0.0

    @property
    def accepted(self) -> bool:
        return not self.open

    @cached_property
    def by_number(self) -> dict[int, CableRecord]:
        return {record.row.number: record for record in self.cables}
