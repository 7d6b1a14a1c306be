"""Import of device types: what a file of the library becomes, and what is refused."""

from __future__ import annotations

import json
import sys

import pytest
import yaml

from planner.commands.console.cli import main
from planner.core.errors import InputError
from planner.domain import catalog
from planner.domain.catalog.device_types import import_device_type

FIGURES = {"power_typical_mw": 1, "power_max_mw": 2, "mass_g": 3, "delay_ps": 4, "price_cents": 5}


def device(**changes):
    """A switch as the library describes it."""
    made = {
        "manufacturer": "Some Maker", "model": "X 100", "slug": "some-maker-x-100", "u_height": 1.5, "is_full_depth": True,
        "weight": 24, "weight_unit": "lb",
        "power-ports": [{"name": name, "maximum_draw": 600, "allocated_draw": 300} for name in ("PSU1", "PSU2")],
        "interfaces": [
            {"name": "eth0", "type": "1000base-t", "mgmt_only": True},
            *({"name": f"swp{n}", "type": "200gbase-x-qsfp56"} for n in range(1, 41)),
        ],
    }  # fmt: skip
    return {key: value for key, value in (made | changes).items() if value is not None}


def named(tmp_path, content, **options):
    """The row, found by its file."""
    (tmp_path / "x.yaml").write_text(content if isinstance(content, str) else yaml.safe_dump(content))
    row = import_device_type(tmp_path / "x.yaml", tmp_path / "x.toml", **({"given": FIGURES} | options))
    kind = options.get("kind", "router")
    return {row.id: row for row in catalog.rows(kind, [tmp_path / "x.toml"])}[row["id"]]


def test_a_switch(tmp_path):
    row = named(tmp_path, device(), given={"delay_ps": 130_000, "price_cents": 100})
    assert (row.id, row.units, row.ports, row.connector, row.rate_gbps) == ("some-maker-x-100", 2, 40, "QSFP56", 200)
    assert row.mass_g == 10_886  # 24 pounds of 453.59237 g
    assert (row.mgmt_connector, row.psu_count, row.power_max_mw, row.power_typical_mw) == ("RJ45", 2, 600_000, 300_000)
    assert row.estimates == ("power_max_mw", "power_typical_mw")
    assert row.source == "netbox devicetype-library, Some Maker X 100, file x.yaml"


def test_groups_of_ports_and_cages(tmp_path):
    interfaces = [
        *({"name": f"Ethernet{cage}/{port}", "type": "400gbase-x-osfp"} for cage in range(1, 33) for port in (1, 2)),
        *({"name": f"Ethernet{n}", "type": "10gbase-x-sfpp"} for n in (65, 66)),
        {"name": "lag", "type": "lag"},
    ]
    row = named(tmp_path, device(interfaces=interfaces))
    # As the catalog names twin ports, so that its cables fit.
    assert (row.ports, row.ports_per_cage, row.connector) == (64, 2, "OSFP-2x400")
    assert {"connector", "ports_per_cage"} <= set(row.estimates)
    assert [(group.name, group.count, group.ports_per_cage) for group in row.port] == [("ports", 64, 2), ("sfp-10g", 2, 1)]
    assert "Left out: 1 of type lag." in row.note


def test_infiniband_has_the_usual_sockets(tmp_path):
    row = named(tmp_path, device(interfaces=[{"name": f"{n}", "type": "infiniband-hdr"} for n in range(1, 41)]))
    assert (row.connector, row.rate_gbps, "connector" in row.estimates) == ("QSFP56", 200, True)


@pytest.mark.parametrize(
    ("type_", "names", "expected"),
    [
        # The Q3400: 144 ports of 800 Gb/s in 72 cages.
        ("infiniband-xdr", [f"P{cage}.{port}" for cage in range(72) for port in (0, 1)], (144, 2, "OSFP-2x800", 800)),
        ("infiniband-ndr", [f"ib{cage}/{port}" for cage in range(1, 33) for port in (1, 2)], (64, 2, "OSFP-2x400", 400)),
        ("800gbase-x-osfp", [f"Ethernet1/{n}" for n in range(1, 65)], (64, 1, "OSFP", 800)),
        ("100gbase-x-qsfp28", [f"{slot}/{port}" for slot in (1, 2) for port in range(1, 9)], (16, 1, "QSFP28", 100)),
        ("10gbase-x-sfpp", [f"xe-{n}/{port}" for n in range(20) for port in (0, 1)], (40, 1, "SFP+", 10)),
        ("1.6tbase-x-osfp1600", [f"swp{n}" for n in range(64)], (64, 1, "OSFP1600", 1600)),
        ("100gbase-x-dsfp", ["a", "b"], (2, 1, "DSFP", 100)),
    ],
)
def test_ports_of_every_generation(type_, names, expected, tmp_path):
    row = named(tmp_path, device(interfaces=[{"name": name, "type": type_} for name in names]))
    assert (row.ports, row.ports_per_cage, row.connector, row.rate_gbps) == expected


def test_power_is_the_sum_of_the_supplies_that_carry_the_box(tmp_path):
    def power(count, **options):
        supplies = [{"name": f"PSU{n}", "maximum_draw": 3000, "allocated_draw": 1000} for n in range(count)]
        row = named(tmp_path, device(**{"power-ports": supplies}), given={"delay_ps": 1, "price_cents": 2}, **options)
        return row.psu_count, row.power_max_mw // 10**6, row.power_typical_mw // 10**6

    assert [power(count) for count in (1, 2, 3, 8)] == [(1, 3, 1), (2, 3, 1), (3, 6, 2), (8, 12, 4)]
    assert power(8, spare_supplies=0) == (8, 24, 8)
    assert power(8, spare_supplies=1) == (8, 21, 7)
    assert power(2, spare_supplies=5) == (2, 3, 1)


@pytest.mark.parametrize("draws", [{"maximum_draw": 60}, {"allocated_draw": 60}])
def test_one_stated_power_gives_the_other_in_the_proportion_of_the_row_that_is_alike(draws, tmp_path):
    small = device(**{"power-ports": [{"name": "PSU1"} | draws]})
    row = named(tmp_path, small, given={}, like="nvidia-qm8700")
    other = next(each for each in catalog.rows("router") if each.id == "nvidia-qm8700")
    stated, wanted = ("power_max_mw", "power_typical_mw") if "maximum_draw" in draws else ("power_typical_mw", "power_max_mw")
    assert getattr(row, stated) == 60_000
    assert getattr(row, wanted) == round(60_000 * getattr(other, wanted) / getattr(other, stated))
    assert {stated, wanted} <= set(row.estimates)


def test_devices_without_rack_units_of_their_own(tmp_path):
    row = named(tmp_path, device(u_height=0))
    assert (row.units, "units" in row.estimates) == (1, True)
    assert "The file states 0 rack units" in row.note
    blade = device(u_height=0, subdevice_role="child")
    with pytest.raises(InputError, match="subdevice_role: is a device inside of another one"):
        named(tmp_path, blade)
    assert named(tmp_path, blade, given=FIGURES | {"units": 2}).units == 2
    assert "Devices in its bays are not part of it." in named(tmp_path, device(subdevice_role="parent")).note


def test_a_slug_that_is_missing_follows_from_maker_and_model(tmp_path):
    assert named(tmp_path, device(slug=None)).id == "some-maker-x-100"
    assert named(tmp_path, device(slug=None, model="24G 4SFP+")).id == "some-maker-24g-4sfp-plus"


def test_a_folder_becomes_one_catalog(tmp_path, capsys):
    for name, content in {
        "a/x.yaml": device(), "b/x.yaml": device(), "a/y.yml": device(slug=None, model="Y"), "b/none.yaml": device(interfaces=[]),
        "b/slow.yaml": device(slug="z", interfaces=[{"name": "a", "type": "100base-tx"}]), "b/broken.yaml": "a: [1",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content if isinstance(content, str) else yaml.safe_dump(content))
    out = tmp_path / "all.toml"
    assert main(["catalog", "import", str(tmp_path), "--like", "nvidia-qm8790", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "all.toml: 2 router rows of 6 files" in printed
    for reason in ("interfaces: are missing", "interfaces: none has a socket and a rate in whole Gb/s", "slug: another file"):
        assert f"refused 1: {reason}" in printed
    assert {"some-maker-x-100", "some-maker-y"} <= {row.id for row in catalog.rows("router", [out])}
    (tmp_path / "empty").mkdir()
    assert main(["catalog", "import", str(tmp_path / "empty"), "--out", str(tmp_path / "none.toml")]) == 2
    assert not (tmp_path / "none.toml").exists()


def test_an_endpoint(tmp_path):
    row = named(tmp_path, device(interfaces=[{"name": "ib0", "type": "infiniband-edr"}]), kind="endpoint", given={})
    assert (row.endpoints, row.connector, row.rate_gbps) == (1, "QSFP28", 100)


def test_missing_figures_are_named_or_taken_from_another_row(tmp_path):
    with pytest.raises(InputError, match="delay_ps, price_cents: the file has no such figures"):
        named(tmp_path, device(), given={})
    assert not (tmp_path / "x.toml").exists()
    row = named(tmp_path, device(), given={"price_cents": 7}, like="nvidia-qm8790")
    other = next(each for each in catalog.rows("router") if each.id == "nvidia-qm8790")
    assert (row.price_cents, row.delay_ps) == (7, other.delay_ps)
    assert "delay_ps" in row.estimates
    with pytest.raises(InputError, match=r"there is no router 'nvidia-qm879'.*did you mean nvidia-qm8790"):
        named(tmp_path, device(), given={}, like="nvidia-qm879")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a: [1", "is not valid YAML"),
        ("- 1", "is not a device type"),
        ("a: &x [1, 2]\nb: *x\n", "contains aliases"),
        ("!!python/object/apply:os.system [ls]", "is not valid YAML"),
        ("[" * 5000 + "]" * 5000, "is nested too deeply"),
        ("d: 2020-13-45", "x.yaml:1: is not valid YAML: '2020-13-45' is not of the kind timestamp"),
        (device(slug=7, model=7), "slug: is missing or not a text"),
        (device(weight=float("nan")), "weight: nan is not a number"),
        (device(u_height="one"), "u_height: one is not a number"),
        (device(weight_unit="stone"), "'stone' is not a unit of mass"),
        (device(interfaces=[{"type": "other"}]), "interfaces: is not a list of entries with a name"),
        (device(interfaces=[{"name": "a", "type": "virtual"}]), "none has a socket and a rate in whole Gb/s: 1 virtual"),
        (device(interfaces=[]), "interfaces: are missing"),
        ("x" * (2**20 + 1), "is larger than 1 MB"),
    ],
)
def test_what_is_no_device_type_is_refused(content, message, tmp_path):
    with pytest.raises(InputError, match=message):
        named(tmp_path, content)
    assert not (tmp_path / "x.toml").exists()


def test_a_missing_package_is_named(tmp_path, capsys, monkeypatch):
    (tmp_path / "x.yaml").write_text(yaml.safe_dump(device()))
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert main(["catalog", "import", str(tmp_path / "x.yaml"), "--out", str(tmp_path / "x.toml")]) == 2
    assert "pip install 'planner[yaml]'" in capsys.readouterr().err


def test_the_command_prints_the_row_or_one_message(tmp_path, capsys):
    (tmp_path / "x.yaml").write_text(yaml.safe_dump(device()))
    out = str(tmp_path / "x.toml")
    assert main(["catalog", "import", str(tmp_path / "x.yaml"), "--like", "nvidia-qm8790", "--out", out]) == 0
    assert "router some-maker-x-100, 40 ports QSFP56 of 200 Gb/s" in capsys.readouterr().out
    assert main(["catalog", "import", str(tmp_path / "none.yaml"), "--out", out]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert main(["catalog", "import", str(tmp_path / "x.yaml"), "--set", "ports=" + json.dumps("x"), "--out", out]) == 2
