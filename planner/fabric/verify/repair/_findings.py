"""Findings about links, each with its kind and one sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from planner.fabric.verify.compare import CYCLE, SHIFTED, Component, Difference
from planner.fabric.verify.repair._jobs import Job
from planner.fabric.verify.repair._site import Site
from planner.fabric.verify.result import Evidence, Finding, Joined, Plugged


class Findings:
    """Findings of a difference; `moves` are the orders of the moves of each job."""

    def __init__(self, difference: Difference, site: Site, evidence: Evidence):
        self.difference, self.site, self.evidence = difference, site, evidence

    def of_job(self, job: Job, moves: tuple[int, ...]) -> Iterator[Finding]:
        ports = tuple(port for one in job.components for port in one.ports)
        if ports and moves:
            kind, text = self._wrong(job.components[0])
            yield Finding(kind, text, ports, self._cables(ports), moves)
        removed = job.reading.removed
        if removed is not None:
            yield Finding("extra", f"The cable {self._two(removed)} is one too many.", removed, self._cables(removed), moves)

    def of_missing(self, ports: Joined, moves: tuple[int, ...] = ()) -> Finding:
        kind, why = self.missing(ports)
        number = self.difference.row[ports[0]][0].number
        return Finding(kind, f"No link {self._two(ports)}: {why}.", ports, (number,), moves)

    def missing(self, ports: Joined) -> tuple[str, str]:
        """Return the kind of a planned link that is not up, and what is known about its plugs."""
        located, evidence = self.difference.located, self.evidence
        off = [port for port in ports if located.dark.get(port) == "disabled"]
        if off:
            return "admin down", f"{' and '.join(map(self.site.written, off))} {'is' if len(off) == 1 else 'are'} switched off"
        held = [port for port in ports if port in self.difference.foreign]
        if held:
            return "missing", f"{self.site.written(held[0])} holds a cable to {self.difference.foreign[held[0]]}"
        plugs = [port for port in ports if port in evidence.plugs]
        if len(plugs) == 2 and evidence.joined.get(ports[0], ports[1]) == ports[1]:
            return "no light", "both plugs are in, and there is no light"
        if plugs:
            return "half plugged", "; ".join(map(self._hanging, plugs))
        if evidence.plugs:
            return "missing", "neither port reports a plug"
        return "missing", "no cable, a plug that is not in, a failed cable, or a port without power cannot be distinguished"

    def _hanging(self, port: Plugged) -> str:
        other = self.evidence.joined.get(port)
        where = f"is in {self.site.written(other)}" if other is not None else "hangs near the other port"
        return f"one plug is in {self.site.written(port)}, the other {where}"

    def _wrong(self, component: Component) -> tuple[str, str]:
        first, second = component.wrong[0], component.wrong[-1]
        if component.shape == CYCLE and len(component.wrong) == 2:
            kind = self._pair(component)
            names = {"swapped rails": "Two ports of one node", "exchanged hosts": "Two nodes of one router"}
            found = f"{self._two(first)} and {self._two(second)} were found"
            also = "; exchanging the two names in the plan needs no move" if kind == "exchanged hosts" else ""
            return kind, f"{names.get(kind, 'Two cables')} are exchanged: {found}{also}."
        if component.shape == CYCLE:
            return "cycle", f"{len(component.wrong)} cables are permuted, among them {self._two(first)}."
        if component.shape == SHIFTED and len(component.wrong) == 1:
            where, to = self.site.written(first[1]), self.site.written(component.ports[0])
            return "wrong port, free", f"A plug is in {where}, which should be empty, and belongs in {to}."
        shift = self._shift(component)
        if shift:
            device = component.ports[0].device
            return (
                "shifted block",
                f"{len(component.wrong)} plugs of {device} are {abs(shift)} port{'s' * (abs(shift) > 1)} too far.",
            )
        return (
            "wrong far port",
            f"{len(component.wrong)} links belong to an open chain that begins at {self.site.written(component.ports[0])}.",
        )

    def _pair(self, component: Component) -> str:
        """Return the kind of two cables in each other's ports."""
        nodes = self.site.nodes
        (a, b), (c, d) = component.wrong
        for one, other, far, far_other in ((a, c, b, d), (b, d, a, c)):
            if one.device == other.device and one.device in nodes:
                return "swapped rails"
            if one.device == other.device and far.device != far_other.device and {far.device, far_other.device} <= nodes:
                return "exchanged hosts"
        return "swapped pair"

    @staticmethod
    def _shift(component: Component) -> int:
        """Return by how many ports all plugs of a chain are too far on one device; 0 if they are not."""
        if component.shape != SHIFTED:
            return 0
        steps = [(wrong[1], planned[0]) for wrong, planned in zip(component.wrong, component.planned, strict=True)]
        same = all(source.device == target.device == steps[0][0].device for source, target in steps)
        shifts = {source.port - target.port for source, target in steps}
        return shifts.pop() if same and len(shifts) == 1 else 0

    def others(self) -> Iterator[Finding]:
        """Yield findings that need no move."""
        difference, located = self.difference, self.difference.located
        for link in difference.exchanged:
            text = f"{self._two(link)}: ports exchanged between parallel links; update labels and records."
            yield Finding("bundle-internal", text, link, self._cables(link))
        for component in difference.lanes:
            text = f"Links {self._two(component.wrong[0])} are permuted inside the cable: port split or polarity."
            yield Finding("lane order", text, component.ports, self._cables(component.ports))
        for link, reason in sorted(difference.slow.items()):
            yield Finding("slow", f"The link {self._two(link)} is slow: {reason}.", link, self._cables(link))
        for port, other in sorted(difference.foreign.items()):
            text = f"{self.site.written(port)} is joined to {other}, which the plan lacks."
            yield Finding("unknown device", text, (port,), self._cables((port,)))
        yield from self._uncompared()
        silent: defaultdict[str, list[Joined]] = defaultdict(list)
        for link in difference.unknown:
            for device in {port.device for port in link} & (located.unknown - located.unscanned):
                silent[device].append(link)
        for link in difference.unknown:
            if not located.unheard.isdisjoint(link):
                text = f"Nothing is known about the link {self._two(link)}: no file is of one of its two nodes."
                yield Finding("device silent", text, link, self._cables(link))
        for device, links in sorted(silent.items()):
            text = f"{device} does not answer: nothing is known about {len(links):,} of its links."
            ports = tuple(port for link in links for port in link if port.device == device)
            yield Finding("device silent", text, ports, self._cables(ports))
        for link in difference.doubled:
            text = f"{self._two(link)} are joined, although one of the two has another link."
            yield Finding("contradiction", text, link, self._cables(link))

    def _uncompared(self) -> Iterator[Finding]:
        """Yield directors whose ports were not compared."""
        at: defaultdict[str, list[Plugged]] = defaultdict(list)
        for link in self.difference.unknown:
            for port in self.difference.located.uncompared.intersection(link):
                at[port.device].append(port)
        for device, ports in sorted(at.items()):
            text = (
                f"{len(ports):,} links of {device} are not compared: the files do not state its ports as printed. Collect them "
                "with ibnetdiscover -g or ibdiagnet, or let the plan print its ports as module/chip/port."
            )
            yield Finding("not compared", text, tuple(ports), self._cables(tuple(ports)))

    def _two(self, link: Joined) -> str:
        return f"{self.site.written(link[0])} – {self.site.written(link[1])}"

    def _cables(self, ports: tuple[Plugged, ...]) -> tuple[int, ...]:
        rows: Mapping[Plugged, tuple] = self.difference.row
        return tuple(sorted({rows[port][0].number for port in ports if port in rows}))
