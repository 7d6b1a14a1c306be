"""Router settings: explicit values before those of the preset, those before defaults."""

import numpy as np
import pytest

from planner.simulation import RouterSettings
from planner.simulation.routers import separated


def test_an_explicit_value_comes_before_the_preset_and_that_before_the_default():
    plain, preset = RouterSettings().resolved(None), RouterSettings(preset="booksim").resolved(None)
    assert (plain.flow_control, plain.link_cycles, plain.crossbar_speedup) == ("cut_through", None, 1)
    assert (preset.flow_control, preset.link_cycles, preset.crossbar_speedup) == ("wormhole", 2, 2)
    given = RouterSettings(preset="booksim", link_cycles=7, credit_cycles=0).resolved(None)
    assert (given.link_cycles, given.credit_cycles, given.injection) == (7, 0, "turns")


def test_the_crossbar_is_as_fast_as_the_fastest_cable():
    rates = np.array([1.0, 2.5, 0.5])
    assert RouterSettings().resolved(rates).crossbar_speedup == 3
    assert RouterSettings(crossbar_speedup=1).resolved(rates).crossbar_speedup == 1


def test_the_channels_of_a_preset_are_a_minimum_not_a_wish():
    settings = RouterSettings(preset="caminos")
    assert settings.usual_channels == 4
    assert settings.resolved(None).virtual_channels is None


@pytest.mark.parametrize(
    ("settings", "flow_control", "keys"),
    [
        ({"port_phits": 64, "input_packets": 2}, "cut_through", ["port_phits"]),
        ({"input_phits": 64}, "cut_through", ["input_phits"]),
        ({"input_phits": 64, "input_packets": 2, "arbitration": "age"}, "wormhole", ["arbitration", "input_phits"]),
        ({"input_packets": 2, "arbitration": "age"}, "cut_through", []),
    ],
)
def test_settings_that_exclude_each_other(settings, flow_control, keys):
    assert [problem.place for problem in RouterSettings(**settings).conflicts(flow_control)] == keys


def test_settings_are_separated_from_other_arguments():
    settings, others = separated({"routing": "ugal", "rate_gbps": 400, "packet_phits": 8})
    assert settings == RouterSettings(routing="ugal", packet_phits=8)
    assert others == {"rate_gbps": 400}
