"""How to read the report."""

from __future__ import annotations

from planner.core.units import amount, named, system, unit
from planner.domain.model import Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import ACCENT, Pen
from planner.paper.fonts import BOLD, printable, width_of
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, table
from planner.view.figures import grouped, trimmed
from planner.view.names import end_names, is_named
from planner.view.panels import PanelTexts
from planner.view.stages import stage_texts, stages_in_order
from planner.view.tables import TABLES

CONFIDENCE = (
    ("A", "published by the vendor or in a paper"),
    ("B", "quoted from such a source by a third party"),
    ("C", "weak or conflicting sources"),
    ("D", "no source: an engineering estimate, to be verified before ordering"),
)


def guide_sheets(plan: Plan) -> list[Sheet]:
    """Return the reading guide with one cable of this plan as the example."""
    blocks: list[Block] = [heading("How to read this report", Mark("guide", "How to read this report"))]
    blocks += _labels(plan)
    blocks += [
        _subject("Rack units"),
        paragraph(
            "Rack units are counted from the bottom: unit 1 is the lowest. A device of several units is given by its "
            "lowest one. Ports are counted from 1 as printed on the device. "
            + (
                "Where a device has several groups of ports, a port has the name of its group and its number in the group."
                if is_named(plan)
                else "Routers are numbered R…, endpoints E…, both from 0."
            )
        ),
        _subject("Lengths"),
        paragraph(
            "The run length is the length that the route needs: inside the cabinet, up to the tray, along the trays, down "
            "again, and slack at both ends. The stock length is the length to buy: the shortest available that covers the run. "
            "" + _exact() + _less_slack(plan)
        ),
    ]
    blocks += _lengths(plan)
    blocks += [
        _subject("Bundles and install stages"),
        paragraph(
            "Cables with the same bundle number are installed together: in a loom, trunk or multi-core fiber. A cable "
            "over patch panels has a jumper at each end; of its three stock lengths the second is that of the trunk. "
            "Install stages in the order of work: "
            + (", ".join(stage_texts(plan)[stage] for stage in stages_in_order(plan)) if plan.cables is not None else "none")
            + "."
        ),
        _subject("Confidence"),
        paragraph("Every price, power and size comes from a catalog row; each row has a confidence level:", keep=True),
        *table((Column("letter", "center"), Column("meaning")), CONFIDENCE, TEXT_WIDTH * 0.75, 8),
        space(8),
        _subject("Numbers and characters"),
        paragraph(
            "Commas group digits by three, as in 1,064; the point separates decimals. Chinese, Japanese and Korean characters "
            "use the fonts of the PDF reader. Characters that no font of the report has are printed without their "
            "accent or as a question mark; the spreadsheet and the text files have them unchanged."
        ),
    ]
    return sheets("How to read this report", blocks)


def _subject(text: str) -> Block:
    return heading(text, size=10)


def _labels(plan: Plan) -> list[Block]:
    cables = plan.cables
    blocks = [_subject("Labels")]
    if cables is None or not cables.cable_count:
        return [*blocks, paragraph("This plan has no cables and no labels.")]
    number = _example(plan)
    ends = [end_names(plan, side)[number] for side in (0, 1)]
    return [
        *blocks,
        paragraph(
            "Each cable has a label at both ends, formed by the scheme or template of the study. "
            f"For example cable {grouped(number + 1)}:",
            keep=True,
        ),
        _example_label(str(cables.label_a[number]), f"at {ends[0]}"),
        _example_label(str(cables.label_b[number]), f"at {ends[1]}"),
        space(4),
        paragraph(_from_and_to(plan)),
    ]


def _from_and_to(plan: Plan) -> str:
    """Return how the ends of cables are written, in sentences."""
    text = (
        "From and to are the two ends of a cable: cabinet, unit, device, and port as printed on the device. 6/2 is port 2 in "
        "cage 6 of a device whose cages have several ports."
    )
    if any(assembly.tails > 1 for assembly in plan.cables.assemblies):
        text += " Each branch of a splitter cable has a row of its own; branch 2 is the plug with the mark B2 on its label."
    if (panels := PanelTexts.of(plan)) is not None:
        device, panel = panels.jumper_labels[0]
        text += f" A cable over panels has labels on its jumpers: {device} at the device, {panel} at the panel; and on its trunk"
        text += f", {panels.trunk_labels(0)[0]}." if len(panels.panels.trunk_names) else "."
    return text


def _example(plan: Plan) -> int:
    """Return the first cable between two cabinets that runs from port to port, or else the first of all."""
    cables = plan.cables
    return int(((cables.cabinet[:, 0] != cables.cabinet[:, 1]) & ~cables.carried).argmax())


def _example_label(label: str, meaning: str) -> Block:
    """Draw the label in a frame, with its location next to it or below."""
    label = printable(label)
    width = min(max(130.0, width_of(label, 8, BOLD) + 16), TEXT_WIDTH - 8)
    fits = 8 + width + 8 + width_of(meaning, 8) <= TEXT_WIDTH
    x_of_meaning, drop = (8 + width + 8, 11.5) if fits else (8, 25.0)

    def draw(pen: Pen, x: float, top: float) -> None:
        pen.box(x + 8, top - 16, width, 15, None, ACCENT)
        pen.text(x + 8 + width / 2, top - 11.5, label, 8, font=BOLD, align="center", width=width - 6)
        pen.text(x + x_of_meaning, top - drop, meaning, 8, width=TEXT_WIDTH - x_of_meaning)

    return Block(19 if fits else 32, draw, keep=True)


def _exact() -> str:
    """Return in which unit run lengths are."""
    return "Run lengths are in feet." if system().feet else "Run lengths are in meters, exact to the millimeter."


def _less_slack(plan: Plan) -> str:
    """Return how many cables have less than nominal slack, in words; empty where none has."""
    less = plan.quantities.get("cables_less_slack")
    if not less:
        return ""
    by = named(int(plan.cables.slack_below_mm.max()), "mm", gap=" ")
    return (
        f" {grouped(less['value'])} cables have less than nominal slack, by up to {by}: the next stock length costs more. "
        "Dress these with care. The schedule in the workbook states how much."
    )


def _lengths(plan: Plan) -> list[Block]:
    cables = plan.cables
    if cables is None or not cables.cable_count:
        return []
    number = _example(plan)
    parts = [column for column in TABLES["cables"].columns if column.run_part]
    lengths = [values[number] for values in TABLES["cables"].cells(TABLES["cables"].data(plan), parts)]
    rows = [
        (column.run_part, amount(length, "mm"))
        for column, length in zip(parts, lengths, strict=True)
        if length or column.name != "override_mm"
    ]
    rows.append(("run length", amount(int(cables.run_mm[number]), "mm")))
    rows.append(("stock length", trimmed(unit("mm").of(int(cables.stock_mm[number])), unit("mm").decimals)))
    columns = (Column(f"cable {grouped(number + 1)}, parts of its length"), Column(unit("mm").name, "right"))
    return [*table(columns, rows, TEXT_WIDTH * 0.5, 8), space(8)]
