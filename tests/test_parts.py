"""The shipped catalogs against themselves, and against their sources."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from planner.core import shipped
from planner.domain import catalog
from planner.domain.parts import DEVICES, KINDS, BundlingParts, Row

PARTNER = {
    ("QSFP+", 56): "server-half-unit-56g",
    ("QSFP28", 100): "server-half-unit",
    ("QSFP56", 200): "server-half-unit-200g",
    ("QSFP-DD-2x200", 200): "server-half-unit-200g",
    ("QSFP-DD", 400): "server-half-unit-400g",
    ("OSFP-2x400", 400): "dgx-h100",
    ("OSFP-2x800", 800): "server-half-unit-800g-rhs",
    ("MPO-12/APC", 800): "server-half-unit-800g-rhs",
    ("MMC-12/APC", 800): "server-half-unit-800g-rhs",
    ("SFP28", 25): "server-one-unit-25g",
    ("OSFP-4x200", 200): "server-one-unit-200g-qsfp112",
    ("OSFP", 800): "server-half-unit-800g",
    ("QSFP-DD800", 800): "server-half-unit-800g-qsfpdd",
    ("RJ45", 1): "server-one-unit-1g",
}
"""An endpoint for each sort of router port."""


@pytest.fixture(scope="module")
def shelf() -> dict[str, dict[str, Row]]:
    """Every shipped row by kind and id."""
    return {kind: {row.id: row for row in catalog.rows(kind)} for kind in catalog.kinds()}


# -- the shipped rows -------------------------------------------------------------------------


def test_every_shipped_file_is_read(shelf):
    """Each file is in the folder of its kinds, so no row is ever left unread."""
    ids = set()
    for path in shipped.folder("catalogs").rglob("*.toml"):
        for kind in re.findall(r"^\[\[(\w+)\]\]", path.read_text(encoding="utf-8"), re.M):
            assert KINDS[kind].folder == path.parent.name, path
        ids |= set(re.findall(r'^id = "(.+)"', path.read_text(encoding="utf-8"), re.M))
    assert ids == {name for rows in shelf.values() for name in rows}


def test_every_kind_has_rows(shelf):
    assert [kind for kind in catalog.kinds() if not shelf[kind]] == []


@pytest.mark.slow
def test_kinds_that_no_stage_reads_are_documented_as_reference():
    read = {*BundlingParts.KINDS, *DEVICES}
    for path in Path(catalog.__file__).parents[2].rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        together = path.parent.name == "catalog" or path.stem == "sheets"
        if not together and "row(" not in text and "rows(" not in text:
            continue
        nodes = list(ast.walk(ast.parse(text)))
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        named = [(getattr(node.func, "id", getattr(node.func, "attr", "")), node.args) for node in calls]
        texts = [arg for name, given in named for arg in {"rows": given[:1], "row": given}.get(name, ())]
        # Kinds that are loaded together are listed in a constant or a loop.
        if together:
            texts += [part for node in nodes if isinstance(node, ast.Tuple) for part in node.elts]
        read |= {text.value for text in texts if isinstance(text, ast.Constant) and text.value in KINDS}
    assert read == {name for name, kind in KINDS.items() if not kind.reference}
    page = (Path(catalog.__file__).parents[3] / "docs" / "method" / "catalogs.md").read_text(encoding="utf-8")
    used, reference = page.partition("## Contents of a row")[0].split("reference for people")
    for name, kind in KINDS.items():
        assert (f"`[[{name}]]`" in reference) == kind.reference, name
        assert (f"`[[{name}]]`" in used) != kind.reference, name


def test_every_row_has_a_source(shelf):
    for rows in shelf.values():
        for row in rows.values():
            assert len(row.source) > 3, row.id
            assert re.fullmatch(r"(\d{4}(-\d\d(-\d\d)?)?)?", row.date), row.id
            assert row.confidence == "D" or not row.source.startswith("none"), row.id


def test_estimates_explain_how_they_were_made(shelf):
    for kind in ("router", "endpoint", "cabinet", "cable", "transceiver", "fiber"):
        for row in shelf[kind].values():
            assert row.note or not row.estimated, row.id


def test_ids_of_parts_are_unique_over_all_kinds(shelf):
    kinds = ("router", "endpoint", "cabinet", "cooling_unit", "nic", "cable", "breakout", "transceiver", "fiber", "trunk")
    ids = [name for kind in kinds for name in shelf[kind]]
    assert len(ids) == len(set(ids))


def test_prices_never_fall_with_length(shelf):
    for kind in ("cable", "fiber", "trunk", "cable_cost"):
        for row in shelf[kind].values():
            assert len(row.stock_mm) == len(row.price_cents), row.id
            assert all(a < b for a, b in pairwise(row.stock_mm)), row.id
            assert all(a <= b for a, b in pairwise(row.price_cents)), row.id


@pytest.mark.slow
def test_every_router_can_be_cabled(shelf):
    """Each sort of port joins its like and an endpoint of the catalog."""
    routers = {(router.connector, router.rate_gbps): router.id for router in shelf["router"].values()}
    assert set(routers) == set(PARTNER)
    for port, router in routers.items():
        selected = catalog.select(router, PARTNER[port], "apc-ar3300")
        assert selected.link_assemblies, router
        assert selected.endpoint_assemblies, router


# -- outside truths ---------------------------------------------------------------------------


def test_qm9700_has_64_ports_in_32_cages(shelf):
    """NVIDIA QM97x0 user manual: 32 OSFP cages, each with two NDR ports; 747 W with passive cables."""
    router = shelf["router"]["nvidia-qm9700"]
    assert (router.ports, router.cages, router.ports_per_cage) == (64, 32, 2)
    assert (router.rate_gbps, router.power_typical_mw, router.power_max_mw) == (400, 747_000, 1_720_000)


def test_sb7800_is_36_ports_at_90_ns(shelf):
    """Mellanox pb_sb7800.pdf: 36 EDR ports in one unit, 90 ns port to port."""
    router = shelf["router"]["nvidia-sb7800"]
    assert (router.ports, router.cages, router.units, router.rate_gbps) == (36, 36, 1, 100)
    assert router.delay_ps == 90_000


def test_quantum_hdr_and_xdr_ports(shelf):
    """NVIDIA: QM8700 has 40 HDR ports within 130 ns; Q3400-RA has 144 XDR ports in 72 cages and 4 units."""
    assert (shelf["router"]["nvidia-qm8700"].ports, shelf["router"]["nvidia-qm8700"].delay_ps) == (40, 130_000)
    xdr = shelf["router"]["nvidia-q3400-ra"]
    assert (xdr.ports, xdr.cages, xdr.units, xdr.rate_gbps) == (144, 72, 4, 800)


def test_passive_copper_draws_a_tenth_of_a_watt_at_4500_ps_per_m(shelf):
    """docs.nvidia.com MCP1650: 0.1 W at each end, 4.5 ns/m; every passive copper cable is taken alike."""
    cable = shelf["cable"]["200g-qsfp56-dac"]
    assert (cable.power_mw, cable.delay_ps_per_m, cable.confidence) == (100, 4500, "A")
    assert {row.power_mw for row in shelf["cable"].values() if row.kind == "DAC"} == {100}


def test_exadata_copper_diameters_and_bends(shelf):
    """docs.oracle.com Exadata: 30AWG 4.5 mm bends to 21 mm, 26AWG 5.8 mm to 29 mm."""
    thin, thick = shelf["cable"]["100g-qsfp28-dac-30awg"], shelf["cable"]["100g-qsfp28-dac-26awg"]
    assert (thin.diameter_um, thin.bend_mm, thin.bend_repeated_mm) == (4500, 21, 45)
    assert (thick.diameter_um, thick.bend_mm, thick.bend_repeated_mm) == (5800, 29, 58)


def test_optical_loss_of_structured_cabling(shelf):
    """NVIDIA structured cabling requirements: MPO 0.35 dB, LC 0.25 dB at most, two junctions."""
    loss = shelf["loss"]["nvidia-structured"]
    assert (loss.mpo_db, loss.lc_db, loss.junctions_max) == (0.35, 0.25, 2)


def test_a_channel_loses_what_its_fiber_and_the_pairs_within_it_lose(shelf):
    """TIA FOTC on IEEE 802.3: 800GBASE-DR8 has 2.75 dB for connections and 500 m at 0.5 dB/km, 3.0 dB in all.

    The plugs in the modules are not counted: 2.75 dB is what connections within the channel may lose.
    """
    rule = replace(shelf["loss"]["nvidia-structured"], mpo_db=2.75 / 5, os2_db_per_km=0.5)
    module = shelf["transceiver"]["800g-osfp-dr8-transceiver"]
    assert rule.channel_db("os2", module.reach_mm, mpo_pairs=5) == module.budget_db == 3.0
    # NVIDIA: at most 0.35 dB for an MPO pair; 100 m of OM4 at 3.5 dB/km.
    assert shelf["loss"]["nvidia-structured"].channel_db("om4", 100_000, 2, 1) == pytest.approx(0.35 + 0.7 + 0.25)


def test_every_transceiver_reaches_its_stated_distance_over_two_junctions(shelf):
    """The makers' reaches leave room for two patch panels (NVIDIA structured cabling requirements)."""
    rule = shelf["loss"]["nvidia-structured"]
    fibers = {row.fiber: row for row in shelf["fiber"].values()}
    for module in shelf["transceiver"].values():
        fiber = fibers[module.fiber]
        pairs = {"mpo": (rule.junctions_max, 0), "lc": (0, rule.junctions_max)}[fiber.plug]
        assert rule.channel_db(fiber.glass, module.reach_mm, *pairs) <= module.budget_db, module.id


def test_custom_lengths_cost_a_quarter_more(shelf):
    """Mudigonda et al., USENIX ATC'11: 25 % for making and transport, as in the cost models of the same paper."""
    rule = shelf["custom_length"]["mudigonda-2011-custom"]
    assert rule.markup_percent == 100 * shelf["cable_cost"]["mudigonda-2011-single-copper"].markup


def test_splitters_without_a_price_are_facts_only(shelf):
    """A row that planning needs is complete; the others list their missing keys."""
    facts = {name for name, row in shelf["breakout"].items() if row.missing}
    assert facts == {"200g-qsfp56-aoc-splitter", "400g-osfp-2xqsfp56-aoc", "800g-osfp-4x200-acc", "800g-osfp-2x400-acc"}
    assert shelf["breakout"]["200g-qsfp56-aoc-splitter"].missing[0] == "price_cents"
    # FS.com, 2026-07: 299 USD for 2 m of OSFP to 2 x OSFP.
    seen = shelf["breakout"]["800g-osfp-2x400-dac"]
    assert dict(zip(seen.stock_mm, seen.price_cents, strict=True))[2000] == 29_900


def test_ndr_modules_reach_what_nvidia_states(shelf):
    """docs.nvidia.com: MMA4Z00-NS400 30 m on OM3 and 50 m on OM4 at 9 W; MMS4X00-NS400 100 m."""
    multimode, single = shelf["transceiver"]["400g-osfp-sr4-transceiver"], shelf["transceiver"]["400g-osfp-dr4-transceiver"]
    assert (multimode.reach_om3_mm, multimode.reach_mm, multimode.power_mw) == (30_000, 50_000, 9000)
    assert single.reach_mm == 100_000


def test_slimfly_cable_costs_cross_at_21_m(shelf):
    """Besta and Hoefler, SC'14: optical is cheaper than electric from about 21.2 m on."""
    electric = shelf["cable_cost"]["slimfly-sc14-fdr10-electric"]
    optical = shelf["cable_cost"]["slimfly-sc14-fdr10-optical"]
    crossing = (7.2745 - 0.5771) / (0.4079 - 0.0919)
    assert crossing == pytest.approx(21.2, abs=0.05)
    assert electric.usd(crossing) == pytest.approx(optical.usd(crossing))
    assert electric.usd(21.1) < optical.usd(21.1)
    assert electric.usd(21.3) > optical.usd(21.3)


def test_mudigonda_models(shelf):
    """USENIX ATC'11: quad copper (16 L + 40) x 1.25 USD; 40G QSFP+ fiber of 10 m costs 418 USD; 2.50 and 6.25 USD for labor."""
    costs = shelf["cable_cost"]
    assert costs["mudigonda-2011-quad-copper"].usd(5) == pytest.approx(150)
    assert [costs["mudigonda-2011-stock-qsfp-fiber"].usd(length) for length in (3, 10, 10.1)] == [418, 418, 448]
    with pytest.raises(ValueError, match="no stock length"):
        costs["mudigonda-2011-stock-qsfp-fiber"].usd(101)
    labor = shelf["labor"]["mudigonda-2011"]
    assert (labor.in_cabinet_cents, labor.between_cabinets_cents) == (250, 625)


def test_slimfly_router_cost_of_36_ports(shelf):
    """Besta and Hoefler, SC'14: 350.4 k - 892.3 USD."""
    model = shelf["router_cost"]["slimfly-sc14-router"]
    assert model.slope_usd_per_port * 36 + model.intercept_usd == pytest.approx(11722.1)


def test_spectralfly_table_adds_up(shelf):
    """SpectralFly, Table II: links by medium make routers x radix / 2, but for the known erratum of LPS(11,7)."""
    assert len(shelf["published_layout"]) == 8
    for row in shelf["published_layout"].values():
        missing = 1 if row.topology == "LPS(11,7)" else 0
        assert row.electrical + row.optical + missing == row.routers * row.radix // 2, row.id
        assert row.power_mw / (row.bisection_links * 100) == pytest.approx(row.mw_per_gbps, abs=0.06), row.id
        assert row.longest_mm <= row.grid_longest_mm == 2000 * row.grid_x + 600 * row.grid_y + 1400, row.id


def test_fugaku_cables_add_up(shelf):
    """RIKEN: 97,632 fibers of 855,101 m and 119,232 copper cables of 38,552 m."""
    machine = shelf["machine"]["fugaku"]
    assert machine.cables == machine.facts["fiber_cables"] + machine.facts["copper_cables"] == 216_864
    assert machine.cable_m == (machine.facts["fiber_m"] + machine.facts["copper_m"],)
    assert machine.derived["mean_fiber_m"] == round(855_101 / 97_632, 2)


def test_frontier_links_follow_from_its_dragonfly(shelf):
    """74 groups of 32 fully joined routers; 4 links between any two groups; the cabinet grid holds 77."""
    derived = shelf["machine"]["frontier"].derived
    assert derived["local_links_compute"] == 74 * 32 * 31 // 2
    assert derived["global_links_compute"] == 4 * 74 * 73 // 2
    grid = shelf["cabinet_grid"]["frontier-grid"]
    assert sum(grid.row_counts) == grid.rows * grid.columns - len(grid.missing) == 77


@pytest.mark.parametrize("name", ["dgx-superpod-h100", "dgx-superpod-b200"])
def test_superpod_table(shelf, name):
    """RA-11333, RA-11334: leafs of 32 nodes down and 32 up; with cores, spines 32 down and 32 up; one node less gives 4 more."""
    for _, nodes, leaf, spine, core, down, up, top in shelf["machine"][name].table:
        assert down == 8 * nodes + (4 if nodes % 32 else 0)
        assert up == 8 * -(-nodes // 32) * 32 == 32 * leaf
        assert top == (up if core else 0)
        # Switches have 64 ports. Three units get the 16 spines of four.
        assert up == 32 * spine == 64 * core if core else spine == (16 if leaf == 24 else up // 64)


def test_oracle_multirack_table_grows_with_the_racks(shelf):
    """Oracle: 2 racks 32 cables between them; the total never falls."""
    totals = [sum(line[1:]) for line in shelf["cable_table"]["oracle-multirack-ib"].table]
    assert totals[0] == 32
    assert totals == sorted(totals)


def test_rack_units_fit_the_cabinet_height(shelf):
    """EIA-310: a unit is 44.45 mm; a 19 inch cabinet is taller than its units."""
    for row in shelf["cabinet"].values():
        if row.id != "hpe-cray-ex4000-olympus":
            assert row.units * 44.45 < row.height_mm, row.id
