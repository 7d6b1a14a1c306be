"""Run a sweep over two networks and three seeds, and plot accepted against offered load."""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from planner.core.executors import executor
from planner.studies import sweep

STUDY = """
[topology]
family = "slimfly"
q = 3

[simulation]
link_cycles = 4
router_delay_cycles = 5
loads = [0.2, 0.4, 0.6, 0.8, 1.0]
cycles = 1000

[sweep]
stages = ["simulation"]
"topology.q" = [3, 5]
seed = [1, 2, 3]
"""


def main() -> None:
    Path("sweep.toml").write_text(STUDY)
    with executor(1) as workers:
        sweep.run(sweep.load("sweep.toml"), "sweep.sqlite", executor=workers)
    with sweep.Store(Path("sweep.sqlite")) as store:
        names, rows = store.curves()
    mean = pd.DataFrame(rows, columns=names).groupby(["topology.q", "offered"])["accepted"].mean().unstack(0)
    axes = mean.plot(marker="o", xlabel="offered load", ylabel="accepted load (phits/cycle/endpoint)")
    axes.figure.savefig("sweep.svg")
    plt.close(axes.figure)
    print(mean.round(3).to_string())


if __name__ == "__main__":
    main()
