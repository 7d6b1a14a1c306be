"""Turn the cables of a plan into a pandas table: cables and meters between each pair of cabinets, by medium."""

import sys

import pandas as pd

import planner


def cables(folder: str) -> pd.DataFrame:
    """Return one row per connection of the plan in a folder."""
    plan = planner.open(folder)
    names = [plan.room.slot_names[slot] for slot in plan.placement.slot_of]
    return pd.DataFrame(
        {
            "label": plan.cables.label_a,
            "from": [names[cabinet] for cabinet in plan.cables.cabinet[:, 0]],
            "to": [names[cabinet] for cabinet in plan.cables.cabinet[:, 1]],
            "medium": [plan.cables.assemblies[assembly].medium for assembly in plan.cables.assembly],
            "run_m": plan.cables.run_mm / 1000,
            "stock_m": plan.cables.stock_mm / 1000,
        }
    )


def main(folder: str) -> None:
    table = cables(folder)
    by_pair = table.groupby(["from", "to", "medium"])[["run_m", "stock_m"]].agg(["count", "sum"]).round(1)
    print(by_pair.to_string())
    print(table.nlargest(3, "run_m").to_string(index=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
