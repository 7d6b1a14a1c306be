"""Label texts: one template, filled in for each end of each cable."""

from __future__ import annotations

import numpy as np

from planner.errors import InputError, Problem

TIA_606 = "{cabinet}-{unit:02d}:{port:02d}/{far_cabinet}-{far_unit:02d}:{far_port:02d}"
"""Near end first, then the far end, in the manner of TIA-606; no claim of compliance is made."""

FIELDS = {
    "cabinet": "A01",
    "unit": 42,
    "port": 7,
    "far_cabinet": "B12",
    "far_unit": 3,
    "far_port": 1,
    "cable": 137,
}
"""What may stand in a template, with an example of each; `cable` counts from 1."""


def labels(template: str, cabinet: np.ndarray, unit: np.ndarray, port: np.ndarray) -> tuple[list[str], list[str]]:
    """Return the texts at the first and at the second ends.

    Parameters
    ----------
    template
        Format string over `FIELDS`.
    cabinet, unit, port
        Arrays (W, 2).

    Raises
    ------
    InputError
        When the template has an unknown field or a format that does not suit it.
    """
    try:
        template.format(**FIELDS)
    except (KeyError, ValueError, IndexError, AttributeError, TypeError) as error:
        remedy = f"the fields are {', '.join('{' + name + '}' for name in FIELDS)}"
        raise InputError(Problem("label", f"cannot be filled in: {error!r} in {template!r}", remedy)) from None
    first, second = [], []
    columns = (cabinet.tolist(), unit.tolist(), port.tolist())
    for number, ((cab_a, cab_b), (unit_a, unit_b), (port_a, port_b)) in enumerate(zip(*columns, strict=True), 1):
        a = (cab_a, unit_a, port_a)
        b = (cab_b, unit_b, port_b)
        first.append(template.format(**dict(zip(FIELDS, (*a, *b, number), strict=True))))
        second.append(template.format(**dict(zip(FIELDS, (*b, *a, number), strict=True))))
    return first, second
