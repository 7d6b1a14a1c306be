"""Measured optical loss: any CSV, planned loss by channel, limits."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest
from shared.bundled_plans import planned

from planner.core.errors import InputError
from planner.domain import catalog
from planner.fabric import accept
from planner.fabric.accept import Channel, LossRules, LossTest
from planner.fabric.verify.parts import rows_of
from planner.view import schedule
from planner.view.schedule import Connection, End


def fiber(number: int = 1, modules=("100g-sr4-transceiver",) * 2) -> Connection:
    a, b = (End(f"R{n}", number, str(number), "A01", n, f"L{number}-{x}") for n, x in ((1, "a"), (2, "b")))
    return Connection(number, number, "", "", a, b, "om4-mpo12-upc", modules, "optical", 20_000, 18_000, "", "", "")


def write(folder, text: str):
    path = folder / "loss.csv"
    path.write_text(text, encoding="utf-8")
    return path


# -- files --------------------------------------------------------------------------------------------


def test_a_file_with_our_headings(tmp_path):
    text = (
        "cable,wavelength_nm,loss_db,length_m,limit_db,margin_db,date,tester,operator\n"
        "2,850,0.82,18.4,1.9,1.08,2026-05-31,CertiFiber 123,J. Doe\n\n"
    )
    (test,) = accept.read_loss(write(tmp_path, text), [fiber(1), fiber(2)])
    assert test == LossTest(2, 2, "2", 0.82, 850.0, 18.4, 1.9, 1.08, "2026-05-31", "CertiFiber 123", "J. Doe")


@pytest.mark.parametrize("name", ["2", "2A", "2 b", "L2-a", " l2-B "])
def test_cables_by_number_or_label(tmp_path, name):
    (test,) = accept.read_loss(
        write(tmp_path, f"Cable ID;Verlust\n{name};0,82 dB\n"), [fiber(2)], {"cable": "cable id", "loss_db": "Verlust"}
    )
    assert (test.cable, test.loss_db) == (2, 0.82)


def test_a_cable_that_the_plan_lacks_is_kept(tmp_path):
    (test,) = accept.read_loss(write(tmp_path, "label\tloss_db\nTR-9\t0.5\n"), [fiber(2)])
    assert (test.cable, test.named) == (0, "TR-9")
    (result,) = accept.loss_results([test], [fiber(2)], LossRules.of({}))
    assert (result.verdict, result.passed) == ("not in the plan", False)


@pytest.mark.parametrize(
    ("text", "columns", "words"),
    [
        ("cable,x\n1,2\n", {}, ["no column is the loss", "the file has cable, x"]),
        ("loss_db,x\n1,2\n", {}, ["no column names the cable"]),
        ("cable,loss_db\n1,2\n", {"loss_db": "Loss"}, ["there is no column 'Loss'"]),
        (
            "cable,loss_db\n1,abc\n2,\n,0.3\n",
            {},
            ["2: loss_db is 'abc'", "3: the loss of 2 is missing", "4: the row names no cable"],
        ),
        ("cable,loss_db\n1,inf\n", {}, ["loss_db is 'inf', not a number"]),
        ("cable,loss_db\n" + "1,x\n" * 30, {}, ["10 more rows are wrong"]),
        ("", {}, ["the file has none"]),
    ],
)
def test_wrong_files_give_all_problems(tmp_path, text, columns, words):
    with pytest.raises(InputError) as error:
        accept.read_loss(write(tmp_path, text), [fiber(1), fiber(2)], columns)
    assert all(word in str(error.value) for word in words), error.value


def test_the_map_of_columns():
    assert accept.columns_of("cable=Cable ID, loss_db=Loss (dB)") == {"cable": "Cable ID", "loss_db": "Loss (dB)"}
    with pytest.raises(InputError) as error:
        accept.columns_of("cabel=ID,loss_db")
    assert "there is no column 'cabel'" in str(error.value)
    assert "'loss_db' is not KEY=HEADING" in str(error.value)


# -- planned loss -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "duplex", "mpo", "lc"),
    [("loom", False, 2, 0), ("loom", True, 0, 2), ("trunk", False, 4, 0), ("trunk", True, 2, 4), ("shuffle", False, 6, 0)],
)
def test_mated_pairs_between_the_test_cords(kind, duplex, mpo, lc):
    """Two at the ends; a trunk over two panels adds two MPO pairs, with cassettes also two LC pairs; shuffle boxes add four."""
    plan, _ = planned(kind, duplex=duplex)
    rules, rows = LossRules.of(rows_of(plan), plan), schedule.of_plan(plan)
    cables = plan.cables
    # Without bundles every fiber is a jumper from module to module; otherwise only those over panels are examined.
    over = range(cables.cable_count) if kind == "loom" else [n for n in range(cables.cable_count) if cables.carried[n]]
    made = [cables.assemblies[cables.assembly[number]] for number in over]
    numbers = [number for number, assembly in zip(over, made, strict=True) if assembly.glass]
    assert numbers
    row = next(iter(catalog.rows("loss")))
    (limit,) = catalog.rows("loss_limit")
    for number in numbers:
        channel = rules.channels[number + 1]
        assert (channel.mpo_pairs, channel.lc_pairs) == (mpo, lc)
        if cables.carried[number]:
            length = int(cables.leg_stock_mm[number].sum() + cables.bundle_stock_mm[cables.bundle[number]])
        else:
            length = int(cables.stock_mm[number])
        per_km = {"om4": row.om4_db_per_km, "os2": row.os2_db_per_km}[channel.glass]
        max_per_km = {"om4": limit.multimode_db_per_km, "os2": limit.single_mode_db_per_km}[channel.glass]
        assert rules.planned_db(number + 1) == pytest.approx(mpo * row.mpo_db + lc * row.lc_db + per_km * length / 1e6, abs=1e-3)
        assert rules.limits(rows[number])[0] == (
            pytest.approx((mpo + lc) * limit.mated_pair_db + max_per_km * length / 1e6, abs=1e-3),
            limit.id,
        )


@pytest.mark.slow
def test_fan_outs_of_multicore_fiber_lose_what_the_study_or_the_catalog_states():
    """Eight cores: the catalog has no such fan-out, and the planned loss is unknown unless the study states it."""
    plan, _ = planned("multicore", duplex=True)
    carried = [number + 1 for number, over in enumerate(plan.cables.carried.tolist()) if over]
    rules = LossRules.of(rows_of(plan), plan)
    assert carried
    assert not rules.channels.keys() & set(carried)
    stated = deepcopy(plan.study)
    stated["cabling"]["bundling_parameters"]["fan_out_db"] = 0.5
    rules = LossRules.of(rows_of(plan), replace(plan, study=stated))
    assert {(rules.channels[number].lc_pairs, rules.channels[number].more_db) for number in carried} == {(4, 1.0)}
    of_four = replace(plan, panels=replace(plan.panels, parts=("fan-out-4core",)))
    assert {each.more_db for number, each in LossRules.of(rows_of(plan), of_four).channels.items() if number in carried} == {1.68}


@pytest.mark.slow
def test_copper_has_no_channel():
    plan, _ = planned("trunk")
    rules = LossRules.of(rows_of(plan), plan)
    copper = [n + 1 for n, made in enumerate(plan.cables.assembly.tolist()) if not plan.cables.assemblies[made].glass]
    assert copper
    assert not rules.channels.keys() & set(copper)


# -- verdicts -----------------------------------------------------------------------------------------


def verdict(test: LossTest) -> accept.LossResult:
    """Two mated pairs and 20 m of OM4: planned 0.77 dB, limit 1.56 dB, 1.37 dB with 0.3 dB more for each pair."""
    (limit,), rule = catalog.rows("loss_limit"), next(iter(catalog.rows("loss")))
    rules = LossRules(limit, rule, {"100g-sr4-transceiver": 1.9}, {1: Channel("om4", 20_000, 2, 0)})
    (result,) = accept.loss_results([test], [fiber(1)], rules)
    assert (result.planned_db, result.connections) == (0.77, 2)
    return result


@pytest.mark.parametrize(
    ("loss_db", "limit_db", "expected", "limit"),
    [
        (0.5, None, "ok", 1.56),
        (1.37, None, "ok", 1.56),
        (1.38, None, "above the plan", 1.56),
        (1.57, None, "above the limit", 1.56),
        (1.0, 0.9, "above the limit", 0.9),
        (-0.1, None, "negative", 1.56),
    ],
)
def test_verdict_of_a_measurement(loss_db, limit_db, expected, limit):
    result = verdict(LossTest(2, 1, "1", loss_db, limit_db=limit_db))
    assert (result.verdict, result.limit_db) == (expected, limit)
    assert result.passed == (expected in ("ok", "above the plan"))


def test_what_does_not_fit_in_a_row_is_a_remark():
    assert "limit less loss is 1.00 dB" in verdict(LossTest(2, 1, "1", 0.5, limit_db=1.5, margin_db=0.3)).remark
    assert verdict(LossTest(2, 1, "1", 0.5, wavelength_nm=1310)).remark == "1310 nm is no wavelength of OM4"
    assert verdict(LossTest(2, 1, "1", 0.5, wavelength_nm=850, limit_db=1.5, margin_db=1.0)).remark == ""


def test_a_schedule_alone_has_the_budget_of_the_modules_only():
    rules = LossRules.of(rows_of())
    low, high = LossTest(2, 1, "1", 1.8), LossTest(3, 1, "1", 2.0)
    results = accept.loss_results([low, high], [fiber(1)], rules)
    assert [(each.verdict, each.planned_db, each.limit_db, each.limit_from) for each in results] == [
        ("ok", None, 1.9, "the modules"),
        ("above the limit", None, 1.9, "the modules"),
    ]
