"""All records of one study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.core.record import Record

for _file in sorted(Path(__file__).parent.glob("*.py")):
    if _file.stem not in ("__init__", Path(__file__).stem):
        import_module(f"planner.domain.model.{_file.stem}")

RECORDS: dict[str, type[Record]] = {kind.record_name: kind for kind in Record.__subclasses__() if kind.record_name}
"""Types of the records of a plan by name: all that the files of this folder declare."""


def _with_records(plan: type) -> type:
    """Declare a field for each record: the record of the stage with that name, None until it has run."""
    for name, kind in RECORDS.items():
        plan.__annotations__[name] = kind | None
        setattr(plan, name, field(default=None, kw_only=True))
    return plan


@dataclass(frozen=True, eq=False)
@_with_records
class Plan:
    """All records of one study: those of the stages that ran, the quantities and the provenance.

    Each record is an attribute with the name of its stage: ``plan.room``, ``plan.cables``; None if the stage did not run. In a
    plan of several networks, those that each network has for itself, such as ``plan.topology``, are of the first network;
    ``plan.of(name)`` is the plan with those of another one.
    """

    name: str
    title: str
    study: dict[str, Any]
    others: dict[str, dict[str, Record]] = field(default_factory=dict, kw_only=True)
    network: int = field(default=0, kw_only=True)
    quantities: dict[str, Any] = field(default_factory=dict, kw_only=True)
    provenance: dict[str, Any] = field(default_factory=dict, kw_only=True)

    @classmethod
    def of_records(cls, study: dict[str, Any], records: Mapping[str, Record], provenance: dict[str, Any] | None = None) -> Plan:
        """Return the plan of an expanded study; records of further networks have its name after theirs, ``topology@storage``."""
        first: dict[str, Any] = {}
        others: dict[str, dict[str, Record]] = {}
        for name, record in records.items():
            stage, mark, network = name.partition("@")
            if mark:
                others.setdefault(network, {})[stage] = record
            else:
                first[stage] = record
        return cls(study["name"], study["title"], study, **first, others=others, provenance=provenance or {})

    @property
    def network_names(self) -> tuple[str, ...]:
        """Names of all networks; "" for the only one of a study with one ``[topology]``."""
        return tuple(network["name"] for network in self.study.get("network", ())) or ("",)

    def of(self, network: str) -> Plan:
        """Return the plan with the records of one network: its topology, latency, failures …

        Raises
        ------
        KeyError
            When the plan has no such network.
        """
        number = self.network_names.index(network) if network in self.network_names else -1
        if number < 0:
            raise KeyError(network)
        own: dict[str, Any] = {**self.others.get(network, {}), "network": number}
        if self.inventory is not None:
            own["inventory"] = self.inventory.of(number)
        return replace(self, **own)

    def of_section(self, section: str) -> Plan:
        """Return the plan with the records of the network that a section of the study names, as ``[simulation] network`` does."""
        name = self.study.get(section, {}).get("network")
        return self.of(name) if name else self

    def with_records(self, **records: Any) -> Plan:
        """Return the plan with other records in place of its own."""
        return replace(self, **records)

    if TYPE_CHECKING:

        def __init__(self, name: str, title: str, study: dict[str, Any], **given: Any) -> None: ...

        def __getattr__(self, name: str) -> Any: ...
