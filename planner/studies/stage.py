"""What a stage is, and what it is given: a study and the records computed so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from planner.core.errors import Problem
from planner.core.progress import Progress
from planner.core.reading import Lines
from planner.core.record import Record, plain
from planner.core.section import Section


@dataclass(frozen=True)
class Study:
    """A checked study.

    A study without catalog and room is a *network study*: its stages are those that need no cables.

    Attributes
    ----------
    name, title, seed
        As in the file; the title defaults to the name.
    base
        Folder that relative paths refer to.
    sections
        Arguments of each section with defaults filled in; without optional sections that the study does not have.
    file, lines
        Source file and lines of keys, for messages.
    phases
        Studies of the phases by name, where a machine is bought in phases; the study itself is that of the last one.
    growth
        Arguments of the section ``[growth]``.
    """

    name: str
    title: str
    seed: int
    base: Path
    sections: dict[str, dict[str, Any]]
    file: str = ""
    lines: Lines = field(default_factory=dict)
    phases: Mapping[str, Study] = field(default_factory=dict)
    growth: Mapping[str, Any] = field(default_factory=dict)

    @property
    def physical(self) -> bool:
        """Whether the study has a room, so that the network is placed and cabled."""
        return "room" in self.sections

    @property
    def networks(self) -> tuple[Any, ...]:
        """Networks of a study with tables ``[[network]]``; empty for a study with one ``[topology]``."""
        return self.sections.get("network", {}).get("network", ())

    @property
    def nodes(self) -> tuple[Any, ...]:
        """Tables ``[[node]]``, which a study of switches alone lacks."""
        return self.sections.get("node", {}).get("node", ())

    @property
    def network_names(self) -> tuple[str, ...]:
        """Names of all networks; "" for that of a study with one ``[topology]``."""
        return tuple(network.name for network in self.networks) or ("",)

    def network_of(self, section: str) -> int:
        """Return the number of the network that a section names by its key ``network``; 0 if it names none."""
        name = self.sections[section].get("network")
        return self.network_names.index(name) if name else 0

    def of(self, network: int) -> Study:
        """Return the study as the stages of one network see it, whose topology is that network's."""
        if not self.networks:
            return self
        return replace(self, sections=self.sections | {"topology": self.networks[network].topology})

    def expanded(self) -> dict[str, Any]:
        """Return the study as plain data with all defaults filled in and absolute paths."""
        sections: dict[str, Any] = {
            name: {k: v for k, v in plain(content).items() if v is not None} for name, content in self.sections.items()
        }
        for name, given in self.sections["topology"].items():
            if isinstance(given, Path):
                sections["topology"][name] = str(given.resolve())
        if self.physical:
            if existing := sections["room"].get("existing"):
                files = {key: [str(Path(file).resolve()) for file in existing[key]] for key in existing if key.endswith("_from")}
                sections["room"]["existing"] = existing | files
            if "/" in (name := sections["room"]["plan"]) or name.endswith(".toml"):
                sections["room"]["plan"] = str((self.base / name).resolve())
            sections["catalog"]["files"] = [str((self.base / file).resolve()) for file in sections["catalog"]["files"]]
        for name in {"keep", "project", "report", "reserve"} & sections.keys():
            sections[name] = plain(_resolved(self.sections[name]))
        for name in ("network", "node", "cabinets"):
            if name in sections:
                sections[name] = sections[name].get(name, [])
        if self.networks:
            del sections["topology"]
        return {"name": self.name, "title": self.title, "seed": self.seed, **sections}


def _resolved(content: Any) -> Any:
    """Return content without keys that are None, and with absolute paths."""
    if isinstance(content, dict):
        return {key: _resolved(value) for key, value in content.items() if value is not None}
    return content.resolve() if isinstance(content, Path) else content


class Missing(AttributeError):
    """A record has not been computed."""


@dataclass
class Run:
    """State of a run: the study and the records computed so far, which are attributes: ``run.topology``.

    Records of the second and further networks have its name after that of the stage: ``topology@storage``.

    Attributes
    ----------
    drafts
        Records that an earlier stage computed for its own purposes, by the fingerprint of the record they follow from; a stage
        that would compute the same takes them from here.
    side_by_side
        Yields the results of a function for some tasks, as `map` does: on forked processes where the run has some. These see
        all that is in memory.
    """

    study: Study
    progress: Progress
    executor: Any
    records: dict[str, Any] = field(default_factory=dict)
    network: int = 0
    drafts: dict[str, Any] = field(default_factory=dict)
    side_by_side: Callable[..., Iterable[Any]] = map

    def of(self, network: int) -> Run:
        """Return the run as the stages of one network see it: their records of that network in place of the first one's."""
        if not network:
            return self
        mark = f"@{self.study.network_names[network]}"
        own: dict[str, Any] = {name.removesuffix(mark): each for name, each in self.records.items() if name.endswith(mark)}
        if "inventory" in self.records:
            own["inventory"] = self.inventory.of(network)
        return replace(self, study=self.study.of(network), records=self.records | own, network=network)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.records[name]
        except KeyError:
            raise Missing(name) from None

    def arguments(self, section: str) -> dict[str, Any]:
        """Return the arguments of a section, {} if the study does not have it."""
        return self.study.sections.get(section, {})


@dataclass(frozen=True)
class Stage:
    """A stage: a function from a study and records to one record, whose name is that of the stage.

    A file of `planner.studies.stages` declares it in ``STAGES``.

    Attributes
    ----------
    record
        Type of the record.
    run
        Computes the record.
    rank
        Position among the stages whose needs are met; lower ones come first.
    needs
        Records that it needs; those that its record is computed from.
    section
        Its section of the study.
    tables
        Sections that it declares besides, lists of tables.
    reads
        Other sections that it depends on.
    is_input
        Whether it only reads input: its section is required, and it runs before anything is written.
    stored
        Whether its record is reused if nothing that it depends on has changed.
    seeded
        Whether it depends on the seed.
    examine
        Checks its section before any computation, with the records of the input stages. A record that could not be read is
        `Missing`, which ends the check.
    preview
        Reads the input of a study that is rejected anyway, so that its problems are reported too: takes the section's arguments
        and the folder of the study.
    between
        Returns the problems between its sections, given all sections of the study.
    of_each_network
        Whether each network of a study with several has a record of its own.
    of_one_network
        Whether its record is of one network, which the key ``network`` of its section names; by default the first one.
    of_all_networks
        Records among `needs` that are needed of all networks.
    attached_needs
        Records that it needs in a study with tables ``[[network]]``; None if these are `needs`.
    optional_needs
        Records that it needs in addition in a study with their sections.
    last
        Whether it reads all records that there are: it runs once all other stages are finished.
    network
        The network of this record.
    """

    record: type[Record]
    run: Callable[[Run], Record]
    rank: int
    needs: tuple[str, ...] = ()
    section: Section | None = None
    tables: tuple[Section, ...] = ()
    reads: tuple[str, ...] = ()
    is_input: bool = False
    stored: bool = True
    seeded: bool = True
    examine: Callable[[Run], Any] | None = None
    preview: Callable[[Mapping[str, Any], Path], Any] | None = None
    between: Callable[[Mapping[str, Any]], list[Problem]] | None = None
    of_each_network: bool = False
    of_one_network: bool = False
    of_all_networks: tuple[str, ...] = ()
    attached_needs: tuple[str, ...] | None = None
    optional_needs: tuple[str, ...] = ()
    last: bool = False
    network: int = 0

    @property
    def name(self) -> str:
        """Name of the stage and of its record."""
        return self.record.record_name

    @property
    def declared(self) -> tuple[Section, ...]:
        """The sections that it declares."""
        return ((self.section,) if self.section is not None else ()) + self.tables

    @property
    def sections(self) -> tuple[str, ...]:
        """All sections that it depends on, its own first."""
        return (*(section.name for section in self.declared), *self.reads)
