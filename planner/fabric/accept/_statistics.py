"""Figures of a built network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from planner.fabric.accept._record import BerResult, CableRecord, LossResult
from planner.fabric.verify.result import Verification
from planner.view.figures import grouped


def statistics(
    verification: Verification,
    cables: Sequence[CableRecord],
    loss: Sequence[LossResult] | None,
    fibers: Sequence[int],
    ber: Sequence[BerResult],
) -> list[tuple[str, str]]:
    """Return figures by name, in words."""
    count = max(len(cables), 1)

    def share(number: int) -> str:
        return f"{grouped(number)} ({number / count:.2%})"

    states = Counter(record.state for record in cables)
    found = [
        ("planned connections", grouped(len(cables))),
        ("links found", grouped(verification.found)),
        *((f"planned connections: {state}", share(states[state])) for state in ("right", "wrong", "dark", "unknown")),
        ("wrong links", grouped(len(verification.wrong))),
        ("extra cables", grouped(len(verification.removals))),
        ("plug moves", f"{grouped(len(verification.moves))}, {len(verification.moves) / count * 1000:.1f} per 1,000 connections"),
    ]
    kinds = Counter(finding.kind for finding in verification.findings)
    found += [(f"findings: {kind}", f"{n}, {n / count * 1000:.1f} per 1,000 connections") for kind, n in sorted(kinds.items())]
    verdicts = Counter(record.part.verdict for record in cables if record.part is not None)
    found += [(f"plugs read: {verdict}", share(number)) for verdict, number in sorted(verdicts.items())]
    confirmed = sum(1 for record in cables if record.crew is not None and (record.crew.installed or all(record.crew.ends)))
    found += [
        ("confirmed by the crew", share(confirmed)),
        ("with deviations", share(sum(1 for record in cables if record.deviations))),
    ]
    if loss is not None:
        measured = len({result.test.cable for result in loss} & set(fibers))
        found.append(("fibers measured", f"{grouped(measured)} of {grouped(len(fibers))}"))
        values = [result.test.loss_db for result in loss if result.test.cable and result.test.loss_db >= 0]
        if values:
            found.append(("measured loss", f"mean {sum(values) / len(values):.2f} dB, maximum {max(values):.2f} dB"))
        found += [
            (f"measurements: {verdict}", grouped(number))
            for verdict, number in sorted(Counter(result.verdict for result in loss).items())
        ]
    found += [
        (f"ports, bit error ratio: {verdict}", grouped(number))
        for verdict, number in sorted(Counter(result.verdict for result in ber).items())
    ]
    return found
