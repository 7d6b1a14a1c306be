"""What the terminal shows of a verification: counts, what comes first, findings by kind, moves by cabinet, the next step."""

from __future__ import annotations

import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from planner.core.names import shown
from planner.fabric.verify.outputs.content.places import Places, by_cabinet, places
from planner.fabric.verify.result import KINDS, Finding, Move, Verification

_FIRST = ("doubtful", "same name", "contradiction", "device silent", "exchanged devices", "renamed device", "unknown device")
"""Kinds that are settled before any cable: moves can depend on them."""

_EACH, _MOVES = 3, 24
"""Findings of a kind and moves that are shown."""

_LABEL = 11
_WIDTH, _LONGEST = 118, 600
"""Width of the summary, and of a sentence, in characters."""


def lines(verification: Verification, written: Sequence[Path] = (), left_out: Sequence[str] = ()) -> list[str]:
    """Return the summary for people, line by line, safe to print.

    Parameters
    ----------
    written
        Files that were written: the lines name them where something is left out.
    left_out
        Files that were not written, in words.
    """
    where = places(verification)
    more = next((path for path in written if path.suffix == ".xlsx"), None) or next(iter(written), None)
    see = f"see {more}" if more else "--out DIR writes them all"
    found = [line for name, text in facts(verification) for line in _rows(name, text)]
    found += [*_findings(verification, see), *_moves(verification, where, see)]
    found += [line for note in verification.notes[:_EACH] for line in _rows("note", note)]
    found += [_row("", f"… and {len(verification.notes) - _EACH:,} more notes; {see}")] if len(verification.notes) > _EACH else []
    found += ["", *(_row("written" if number == 0 else "", str(path)) for number, path in enumerate(written))]
    found += [line for text in left_out for line in _rows("left out", text)]
    found += _next(verification, written)
    return [shown(line) for line in found]


def _rows(name: str, text: str) -> list[str]:
    return [_row("" if number else name, line) for number, line in enumerate(_wrapped(text, _LABEL + 1))]


def _row(name: str, text: str) -> str:
    return f"{name:<{_LABEL}} {text}".rstrip()


def counted(count: int, noun: str) -> str:
    """Return a number with its noun in singular or plural.

    >>> counted(1, "move"), counted(1064, "switch")
    ('1 move', '1,064 switches')
    """
    plural = "es" if noun.endswith(("ch", "sh", "s", "x")) else "s"
    return f"{count:,} {noun}{'' if count == 1 else plural}"


def facts(verification: Verification) -> list[tuple[str, str]]:
    """Return what was found in a few lines: a name, empty where it is that of the line before, and a text."""
    return [*_counts(verification), *_first(verification)]


def _counts(verification: Verification) -> Iterator[tuple[str, str]]:
    planned, right = len(verification.planned), verification.right
    yield "links", f"{planned:,} planned, {verification.found:,} found; {right:,} right ({_share(right, planned)})"
    apart = [
        (len(verification.wrong), "wrong"),
        (len(verification.dark), "dark"),
        (len(verification.unknown), "unknown"),
    ]
    if any(count for count, _ in apart):
        yield "", ", ".join(f"{count:,} {word}" for count, word in apart[:2]) + "".join(f", {n:,} {w}" for n, w in apart[2:] if n)
    identity = verification.identity
    if identity.of:
        unsure = sum(one.certainty < 0.5 for one in identity.of.values())
        extras = [f"{counted(len(identity.unknown), 'device')} not in the plan"] if identity.unknown else []
        extras += [f"{unsure:,} unsure: scan an anchor"] if unsure else []
        extras += [f"{len(identity.renamed):,} under another name"] if identity.renamed else []
        yield "devices", "; ".join([f"{len(identity.of):,} identified", *extras])
    work = [counted(len(verification.moves), "plug move")] if verification.moves else []
    work += [f"{counted(len(verification.removals), 'cable')} to remove"] if verification.removals else []
    work += [f"{counted(len(verification.additions), 'cable')} to add or revive"] if verification.additions else []
    if work:
        yield "repair", ", ".join(work)


def _share(part: int, whole: int) -> str:
    """Return a share that is 100 % only if it is all.

    >>> _share(374, 375), _share(99_999, 100_000), _share(5, 5), _share(0, 0)
    ('99.7 %', '99.9 %', '100 %', '100 %')
    """
    if part == whole:
        return "100 %"
    return f"{min(100 * part / whole, 99.9):.1f} %" if whole else "0 %"


def _first(verification: Verification) -> Iterator[tuple[str, str]]:
    """Yield what is settled before any plug moves."""
    first = [finding for kind in _FIRST for finding in verification.findings if finding.kind == kind]
    for number, finding in enumerate(first[:_EACH]):
        yield "first" if number == 0 else "", finding.text
    if len(first) > _EACH:
        yield "", f"… and {len(first) - _EACH:,} more, below"
    groups = verification.identity.ambiguous
    if groups:
        names = ", ".join(groups[0][:4])
        yield "anchor", f"{counted(len(groups), 'group')} of devices look alike to the links: scan one of {names} at its place"


def _findings(verification: Verification, see: str) -> Iterator[str]:
    grouped: dict[str, list[Finding]] = defaultdict(list)
    listed = sum(finding.kind in _FIRST for finding in verification.findings) <= _EACH
    for finding in verification.findings:
        if not (listed and finding.kind in _FIRST):
            grouped[finding.kind].append(finding)
    if not grouped:
        return
    counts = Counter({kind: len(own) for kind, own in grouped.items()})
    yield ""
    yield f"Findings: {sum(counts.values()):,}"
    order = [*_FIRST, *(kind for kind in KINDS if kind not in _FIRST)]
    width = max(len(kind) for kind in grouped)
    for kind in sorted(grouped, key=lambda kind: order.index(kind) if kind in order else len(order)):
        own = grouped[kind]
        texts = [line for finding in own[:_EACH] for line in _wrapped(finding.text, width + 8)]
        texts += [f"… and {len(own) - _EACH:,} more; {see}"] if len(own) > _EACH else []
        for number, text in enumerate(texts):
            yield f"  {f'{counts[kind]:,}' if number == 0 else '':>3} {kind if number == 0 else '':<{width}}  {text}"


def _wrapped(text: str, left: int) -> list[str]:
    """Return the lines of a sentence right of a column; those after the first are indented."""
    return textwrap.wrap(text[:_LONGEST], _WIDTH - left, subsequent_indent="  ", break_on_hyphens=False) or [""]


def _moves(verification: Verification, where: Places, see: str) -> Iterator[str]:
    if not verification.moves:
        return
    shown_moves = sorted(verification.moves, key=lambda move: move.order)[:_MOVES]
    cells = [_cells(move, where) for move in shown_moves]
    widths = [max(len(row[place]) for row in (*cells, _TITLES)) for place in range(len(_TITLES))]
    yield ""
    yield f"Moves: {len(verification.moves):,}, in the order of work. If a plug bears another label, do not move it: scan it."
    yield _columns(_TITLES, widths)
    text = dict(zip((move.order for move in shown_moves), cells, strict=True))
    for cabinet, own in by_cabinet(shown_moves, where):
        yield f"  cabinet {cabinet}"
        for move in own:
            yield _columns(text[move.order], widths)
    if len(verification.moves) > _MOVES:
        yield f"  … and {len(verification.moves) - _MOVES:,} more; {see}"


_TITLES = ("#", "unit", "device", "from", "to", "label on the plug", "")


def _cells(move: Move, where: Places) -> tuple[str, ...]:
    to = where.printed(move.to_device, move.to_port)
    there = to if move.to_device == move.device else f"{move.to_device} {to}, {where.where(move.to_device)}"
    note = "pull and hold" if move.hold else ""
    return (
        f"{move.order:,}", where.unit_text(move.device), move.device, where.printed(move.device, move.from_port), there,
        move.label, note,
    )  # fmt: skip


def _columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    number, *rest = cells
    return (
        f"  {number:>{widths[0]}}  "
        + "  ".join(f"{cell:<{width}}" for cell, width in zip(rest, widths[1:], strict=True)).rstrip()
    )


def _next(verification: Verification, written: Sequence[Path]) -> Iterator[str]:
    if verification.clean:
        yield _row("next", "the fabric is as planned; planner accept writes the acceptance report")
    elif not verification.findings:
        yield _row("next", "what was scanned is as planned; scan the devices of the unknown links, too, and verify again")
    elif any(finding.kind in _FIRST for finding in verification.findings):
        yield _row("next", "settle what is listed under first, then scan and verify again")
    elif verification.moves or verification.removals or verification.additions:
        cards = "work through moves.pdf" if any(path.name == "moves.pdf" for path in written) else "add --out DIR for work cards"
        yield _row("next", f"{cards}, then scan and verify again")
    else:
        yield _row("next", "no plug moves: look into the findings, then scan and verify again")
