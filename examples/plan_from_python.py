"""Plan a study from Python, print its main quantities, and read the plan from its folder."""

from pathlib import Path

import planner

STUDY = """
name = "slimfly-36"

[topology]
family = "slimfly"
q = 3
endpoints_per_router = 2

[catalog]
router = "nvidia-sb7800"
endpoint = "server-half-unit"
cabinet = "apc-ar3300"

[room]
plan = "lab"

[report]
formats = ["csv"]
"""


def main() -> None:
    folder = Path("slimfly-36")
    folder.mkdir(exist_ok=True)
    (folder / "study.toml").write_text(STUDY)
    planner.run(planner.load(folder, ["cabling.label=serial"]))
    plan = planner.open(folder)
    print(f"{plan.title}: {plan.cables.cable_count} cables, {plan.cables.run_mm.sum() / 1000:.1f} m")
    print(f"bill: {plan.bill.cents() / 100:,.2f} USD; first label {plan.cables.label_a[0]}")


if __name__ == "__main__":
    main()
