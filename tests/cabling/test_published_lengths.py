"""Cable lengths that vendors published, from their tables in ``catalogs/machines`` and from a sample of HPE's tool."""

import numpy as np
import pytest

from planner.design.cabling import cable
from planner.design.inventory import inventory
from planner.domain import catalog
from planner.domain.model import Placement
from planner.hall import floor
from planner.hall.floor import Lengths, Slack
from planner.network.topology import from_links as graph

TABLES = {row.id: row for row in catalog.rows("cable_table")}
RACKS = """
title = "Racks side by side on a raised floor"
source = "a test"
confidence = "D"
outline_mm = [[0, 0], [9000, 0], [9000, 4000], [0, 4000]]
{row}
[[tray]]
name = "under"
path_mm = [[600, 1400], [8400, 1400]]
elevation_mm = -400
width_mm = 600
height_mm = 100
"""
ROW = '[[row]]\nname = "R"\nfirst_mm = [1200, 2000]\ncount = 8\n'


def parts_of(tmp_path, *stock_mm):
    """Infiniband parts, with one kind of cable at these lengths."""
    lengths, prices = list(stock_mm), [1000 * (n + 1) for n in range(len(stock_mm))]
    (tmp_path / "parts.toml").write_text(
        f'[[cable]]\nid = "stock"\nmedium = "copper"\nkind = "DAC"\nrate_gbps = 100\nconnector_a = "QSFP28"\n'
        f'connector_b = "QSFP28"\nstock_mm = {lengths}\nprice_cents = {prices}\nreach_mm = {lengths[-1]}\npower_mw = 100\n'
        'diameter_um = 5000\nbend_mm = 50\nmass_g_per_m = 50\ndelay_ps_per_m = 4500\nsource = "a test"\nconfidence = "D"\n'
    )
    files = (str(tmp_path / "parts.toml"),)
    return catalog.select("nvidia-sb7800", "server-half-unit", "apc-ar3300", cables=("stock",), files=files)


def placed(cabinets, units):
    """Routers in these cabinets, side by side, and units."""
    none = np.zeros(0, int)
    return Placement(
        cabinet=cabinets, unit=units, slot_of=np.arange(max(cabinets) + 1),
        fixture_kind=none, fixture_cabinet=none, fixture_unit=none, method="", objective_unit="mm",
        objective=0, start_objective=0, evaluations=0, front=np.zeros((0, 2), int),
    )  # fmt: skip


def leaf_and_spine(racks):
    """Two leaf switches (units 20 and 24) and a spine (unit 1) in every rack; each leaf has eight uplinks.

    They are dealt out to the spines in turn, its own rack's first: with five racks 2, 2, 2, 1, 1.
    """
    share = [8 // racks + (step < 8 % racks) for step in range(racks)]
    links = [
        (3 * rack + leaf, 3 * ((rack + step) % racks) + 2)
        for rack in range(racks)
        for leaf in (0, 1)
        for step in range(racks)
        for _ in range(share[step])
    ]
    return graph("leaf-spine", {}, 3 * racks, np.array(links)), np.repeat(np.arange(racks), 3), np.tile([20, 24, 1], racks)


@pytest.mark.slow
@pytest.mark.parametrize("line", TABLES["oracle-multirack-ib"].table, ids=lambda line: f"{line[0]} racks")
@pytest.mark.parametrize("loop", [80, 125, 170])
def test_oracle_racks(tmp_path, line, loop):
    """Cables of 3, 5 and 10 m between racks on a raised floor, over a tray below their rear, where the ports are.

    Oracle states no slack. Here it is 0.3 m at each end and a loop of 0.08 to 0.17 m; all of these give Oracle's
    numbers exactly. With loops of half a meter, our default, the second next rack would take 10 m, not 5.
    """
    racks, *expected = line
    network, cabinets, units = leaf_and_spine(racks)
    parts = parts_of(tmp_path, 3000, 5000, 10_000)
    (tmp_path / "racks.toml").write_text(RACKS.format(row=ROW))
    room = floor.room(str(tmp_path / "racks.toml"), routers=1)
    cables = cable(
        inventory(network, parts), parts, placed(cabinets, units), Lengths(room, parts.cabinet, Slack(end_mm=300, loop_mm=loop))
    )
    assert [int((cables.stock_mm == stock).sum()) for stock in (3000, 5000, 10_000)] == expected


@pytest.mark.parametrize("end", [435, 445, 455])
def test_exalogic_rack(tmp_path, end):
    """From a switch in unit 26 to servers: 2 m up to 11 units apart, 3 m from 12 on; slack 0.435 to 0.455 m at each end."""
    parts = parts_of(tmp_path, 1000, 2000, 3000)
    table = TABLES["oracle-exalogic-intra"].table
    units = np.array([26, *(line[1] for line in table)])
    links = np.array([(0, number + 1) for number in range(len(table))])
    (tmp_path / "racks.toml").write_text(RACKS.format(row=ROW))
    room = floor.room(str(tmp_path / "racks.toml"), routers=1)
    lengths = Lengths(room, parts.cabinet, Slack(end_mm=end))
    network = inventory(graph("rack", {}, len(units), links), parts)
    cables = cable(network, parts, placed(np.zeros(len(units), int), units), lengths)
    assert (cables.stock_mm // 1000).tolist() == [line[2] for line in table]


SAMPLE_M = [
    (0.597, 0.75), (0.742, 0.75), (0.760, 1.15), (1.135, 1.15), (1.152, 1.42), (1.314, 1.42), (5.66, 7.0), (5.94, 7.0),
]  # fmt: skip
"""Calculated distance and ordered length at both ends of each bin of the sample point-to-point file of HPE's Slingshot tool."""


def test_hpe_sample(tmp_path):
    """The next stock length up, slack already inside the calculated distance."""
    parts = parts_of(tmp_path, 750, 1150, 1420, 7000)
    lines = [f"{number},{round(1000 * run)}" for number, (run, _) in enumerate(SAMPLE_M, 1)]
    (tmp_path / "runs.csv").write_text("\n".join(["cable,run_mm", *lines]))
    (tmp_path / "racks.toml").write_text(RACKS.format(row=ROW))
    room = floor.room(str(tmp_path / "racks.toml"), routers=1)
    network = graph("sample", {}, 2, np.array([(0, 1)] * len(SAMPLE_M)))
    lengths = Lengths(room, parts.cabinet, Slack())
    cables = cable(inventory(network, parts), parts, placed([0, 1], [10, 10]), lengths, overrides=tmp_path / "runs.csv")
    assert cables.stock_mm.tolist() == [round(1000 * stock) for _, stock in SAMPLE_M]
    share = cables.run_mm / cables.stock_mm
    assert share.min() >= 0.66
    assert share.max() <= 0.99
