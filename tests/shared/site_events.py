"""Events of phones, and the plain fold of a journal."""

from __future__ import annotations

import random
from uuid import UUID

PLAN = "0123456789abcdef"

WRITES = (
    ("", "pulled", ("yes", "")), ("a", "plugged", ("as planned", "R9 4", "")), ("b", "plugged", ("as planned", "")),
    ("", "tested", ("pass", "fail", "")), ("a", "serial", ("MT1", "MT2")), ("", "length_mm", ("2100", "2150")),
    ("", "blocked", ("door locked", "")), ("b", "remark", ("bent", "latch")),
)  # fmt: skip


def batch_event(number: int, *, target: str = "R1 1 - R2 1", field: str = "pulled", value: str = "yes", **other):
    return {
        "id": str(UUID(int=number + 1)), "plan": PLAN, "phone": "p1", "clock": number + 1, "target": target, "field": field,
        "value": value, **other,
    }  # fmt: skip


def random_events(count: int, seed: int, *, cables: int = 20, phones: int = 5) -> list[dict]:
    """Events of several phones about few cables: values collide, clocks are often equal."""
    draw = random.Random(seed)
    found = []
    for number in range(count):
        end, field, values = draw.choice(WRITES)
        found.append(
            batch_event(
                number, target=f"R{draw.randrange(cables)} 1 - N1 2", end=end, field=field, value=draw.choice(values),
                phone=f"p{draw.randrange(phones)}", clock=1 + draw.randrange(count // 2 + 1),
            )
        )  # fmt: skip
    return found


def plain_state(events: list[dict]) -> dict[tuple, tuple]:
    """Value and event of every field: the last by clock, phone and id; remarks are all kept."""
    found: dict[tuple, tuple] = {}
    for each in sorted(events, key=lambda each: (each["clock"], each["phone"], each["id"])):
        item = each["id"] if each["field"] in ("remark", "photo", "finding") else ""
        found[each["target"], each.get("end", ""), each["field"], item] = (each["value"], each["id"])
    return found


def state_of(journal) -> dict[tuple, tuple]:
    return {(r.target, r.end, r.field, r.item): (r.value, r.id) for r in journal.registers()}
