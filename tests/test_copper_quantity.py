"""Optical cables inside cabinets for lack of copper: Slingshot with and without the Y cable, by hand."""

import pytest

from planner.studies import pipeline

STUDY = """
name = "slingshot"
title = "Slingshot"
[topology]
family = "dragonfly"
a = 4
h = 2
endpoints_per_router = 8
[catalog]
router = "hpe-slingshot-r4k41b"
endpoint = "server-half-unit-200g"
cabinet = "hpe-10648-g2"
{media}
[room]
plan = "hall-a"
[placement]
algorithm = "identity"
"""


@pytest.mark.parametrize(("media", "servers"), [("", 0), ('media = ["AOC", "transceiver"]', 288)])
@pytest.mark.slow
def test_cables_inside_cabinets_without_copper(tmp_path, media, servers):
    """Y cables join switches and servers. Single links fill no cage of two ports, and only twin-port copper is on offer."""
    (tmp_path / "study.toml").write_text(STUDY.format(media=media))
    plan = pipeline.run(tmp_path, until="cables")
    cables, links = plan.cables, plan.topology.link_count
    inside = cables.cabinet[:, 0] == cables.cabinet[:, 1]
    assert inside[links:].all()
    assert plan.quantities["optical_for_lack_of_copper"]["value"] == inside[:links].sum() + servers
    assert (cables.of_assembly("medium")[links:] == ("optical" if servers else "copper")).all()
