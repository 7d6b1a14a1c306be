"""Write docs/data-model.md from the declarations of the records: python tools/data_model.py"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from planner import model
from planner.record import Record

PAGE = Path(__file__).parents[1] / "docs" / "data-model.md"

HEAD = """\
# Data model

Made by `python tools/data_model.py` from the files of `planner/model/`. Every record is immutable; arrays are read-only and
C-contiguous. Sizes: R routers, H endpoints, L links, W = L + H cables, C cabinets, S slots, T tray nodes, K tray
segments, Q routes, B bundles, V carriers, M fixtures, P simulated loads, A = 2 L ports that carry
links, E = 2 L directions of links. A device is a router (its id) or an endpoint (R + its id). On disk
a record is one `.npz` file: its arrays under their names, and everything else as JSON in `_json`.
"""


def page() -> str:
    """Return the page's text."""
    records = [
        item for item in vars(model).values() if isinstance(item, type) and issubclass(item, Record) and item is not Record
    ]
    return HEAD + "".join(_section(record) for record in records)


def _section(record: type) -> str:
    lines = [
        f"\n## {record.__name__}\n\n{record.__doc__.strip()}\n\n"
        "| field | type | shape | unit | meaning |\n|---|---|---|---|---|\n"
    ]
    for spec in dataclasses.fields(record):
        meta = spec.metadata
        kind = meta.get("dtype", str(spec.type).replace("|", "or"))
        shape = f"({meta['shape']})" if "shape" in meta else ""
        lines.append(f"| `{spec.name}` | {kind} | {shape} | {meta.get('unit', '')} | {meta.get('meaning', '')} |\n")
    return "".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)
