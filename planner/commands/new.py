"""Create a folder with a commented example study."""

from __future__ import annotations

import argparse
from pathlib import Path

from planner.commands import SUCCESS
from planner.core.errors import InputError, Problem

TEMPLATE = """\
# A study: network, catalog parts and room. All keys that are left out have defaults;
# `planner list` shows the available elements. Lengths are in mm, prices in cents, power in mW.
name = "{name}"
title = "Slim Fly with 200 endpoints"
seed = 1

[topology]
family = "slimfly"              # see `planner list topology`, or your.own.module
q = 5
endpoints_per_router = 4

[catalog]
router = "nvidia-sb7800"        # ids of catalog rows
endpoint = "server-half-unit"
cabinet = "apc-ar3300"
# pdu = "apc-ap8886"            # also cable_manager, blanking_panel, media, files

[room]
plan = "lab"                    # a shipped floor plan, or a path such as "my-hall.toml"

[placement]
algorithm = "auto"              # see `planner list placement`
objective = "price"             # or "length", "power", "delay"
groups = "auto"                 # or "required", "preferred", "ignored"
endpoints = "auto"              # or "together" (with their routers), "apart"

# [[placement.spread]]          # limit the number of spines per cabinet
# at_most = 4
# where = {{ level = 1 }}

# [placement.interior]          # arrangement inside each cabinet
# feeds = "A+B"
# routers_per_manager = 4

[cabling]
prefer = "price"                # or "power", "delay"
label = "tia606"                # or "hpe", "serial", or your own template
bundling = "loom"               # or "row_loom", "trunk", "multicore", "shuffle"
# overrides = "lengths.csv"     # run lengths given by hand
# custom_lengths = true

[cabling.slack]
end_mm = 300
loop_mm = 500

[work]
crews = 2

[bill]
spares = "one-per-hundred"      # or "none"
years = 0                       # years of energy cost
# prices = "slimfly"            # use the cost model of a paper instead of the catalog

[latency]
fec = "none"                    # or "auto"

[simulation]                    # leave this section out to skip the simulation
routing = "minimal"
traffic = "uniform"
loads = [0.1, 0.3, 0.5, 0.7, 0.9]
# saturation = true             # search for the saturation throughput
# precision = 0.01              # measure until the 95 % intervals are within 1 % of the mean
# outages = [{{domains = ["cabinet A01"]}}, {{cycle = 4000, link_share = 0.01}}]

# [workload]                    # job completion times; see `planner list motif`
# jobs = [{{motif = "allreduce", ranks = 128}}, {{motif = "alltoall", placement = "random"}}]

[report]
formats = ["pdf", "xlsx", "csv"]
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("name", help="folder to create")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.core.storage import replacing
    from planner.studies.study import head_problems

    path = Path(arguments.name) / "study.toml"
    if problems := head_problems({"name": path.resolve().parent.name, "title": "", "seed": 1}):
        raise InputError(problems)
    if path.exists():
        raise InputError(Problem(str(path), "already exists", "choose another name"))
    try:
        with replacing(path) as temporary:
            temporary.write_text(TEMPLATE.format(name=path.resolve().parent.name), encoding="utf-8")
    except OSError as error:
        raise InputError(Problem(str(path), f"cannot be written: {error.strerror}", "choose another folder")) from None
    print(f"{path}\nnext: planner run {path.parent}")
    return SUCCESS
