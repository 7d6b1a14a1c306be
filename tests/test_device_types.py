"""Import of device types: what a file of the library becomes, and what is refused."""

from __future__ import annotations

import json
import sys

import pytest
import yaml

from planner import catalog
from planner.catalog.device_types import import_device_type
from planner.cli import main
from planner.errors import InputError

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
    assert (row.ports, row.ports_per_cage, row.connector) == (64, 2, "OSFP")
    assert [(group.name, group.count, group.ports_per_cage) for group in row.port] == [("ports", 64, 2), ("sfp-10g", 2, 1)]
    assert "Left out: 1 of type lag." in row.note


def test_infiniband_has_the_usual_sockets(tmp_path):
    row = named(tmp_path, device(interfaces=[{"name": f"{n}", "type": "infiniband-hdr"} for n in range(1, 41)]))
    assert (row.connector, row.rate_gbps, "connector" in row.estimates) == ("QSFP56", 200, True)


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
        ("d: 2020-13-45", "has a wrong value"),
        (device(slug=None, model=7), "slug: is missing or not a text"),
        (device(weight=float("nan")), "weight: nan is not a number"),
        (device(u_height="one"), "u_height: one is not a number"),
        (device(weight_unit="stone"), "'stone' is not a unit of mass"),
        (device(interfaces=[{"type": "other"}]), "interfaces: is not a list of entries with a name"),
        (device(interfaces=[{"name": "a", "type": "virtual"}]), "none has a socket of the catalog: 1 virtual"),
        (device(interfaces=[]), "none has a socket of the catalog: none"),
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
