"""Scheduled collectives on the packet engine: prescribed paths, lock step against hand calculation, nodes with several ports."""

from types import SimpleNamespace

import numpy as np
import pytest

from planner.check.workloads import schedules_as_published
from planner.commands.console.cli import main
from planner.core import registry
from planner.core.errors import InputError
from planner.core.reading import arguments
from planner.network import topology
from planner.simulation.embedding import embed_given
from planner.simulation.ports import rank_ports
from planner.simulation.replay import Replay, run_job, run_motif
from planner.simulation.workload import Job, workload

ROUTER, PACKET = 7, 16
"""Cycles of a router; phits of a packet."""
COLLECTIVES = [
    "all_to_all", "one_to_all", "one_to_all_by_columns", "all_to_one", "broadcast", "permutation", "ascend", "descend",
    "ascend_descend",
]  # fmt: skip


def made(k, m, **parameters):
    function = registry.function("motif", "swapped_dragonfly")
    return function(k * m * m, **arguments(function, data={"k": k, "m": m} | parameters, owner="motif", given=("ranks",)))


def network(k, m, ports=1, **settings):
    """Return D3(K, M), and an embedding with cables of different lengths."""
    built = topology.build("swapped_dragonfly", k=k, m=m, endpoints_per_router=ports)
    count = built.link_count + built.endpoint_count
    delay_ps = np.random.default_rng(5).integers(1, 40, count) * 1280
    usual = {"router_delay_ps": ROUTER * 1280, "rate_gbps": 400, "packet_phits": PACKET, "virtual_channels": 3}
    return built, delay_ps, embed_given(built, delay_ps, **(usual | {"routing": "swapped_dragonfly"} | settings))


def ran(k, m, *, ports=1, settings=None, **parameters):
    _, _, embedded = network(k, m, ports, **(settings or {}))
    return run_job(embedded, "swapped_dragonfly", {"k": k, "m": m} | parameters, ports=ports, port_rule="any", seed=1)


def by_hand(built, cycles, timetable, messages):
    """Return the length of each time step when every port carries one packet in it: its longest cable, a router, a packet.

    A packet that enters the network crosses the cable of its node and a router first; one that reaches its target, the cable of
    that node.
    """
    link = {tuple(pair): number for number, pair in enumerate(built.links.tolist())}
    node = cycles[built.link_count :]
    lengths = [0] * timetable.steps
    for message in range(len(messages.target)):
        source, target = int(messages.source[message]), int(messages.target[message])
        started = int(timetable.release[messages.step[message]])
        enters = node[source] + ROUTER
        lengths[started] = max(lengths[started], enters + PACKET)
        for hop in range(timetable.first[message], timetable.first[message + 1]):
            a, b, step = int(timetable.source[hop]), int(timetable.target[hop]), int(timetable.step[hop])
            length = cycles[link[min(a, b), max(a, b)]] + ROUTER + PACKET
            length += enters if step == started else 0
            length += node[target] if b == target else 0
            lengths[step] = max(lengths[step], length)
    return lengths


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "m", "parameters"),
    [
        (2, 4, {"collective": "ascend_descend"}),
        (3, 3, {"collective": "ascend"}),
        (2, 4, {"collective": "permutation", "target": "next_drawer"}),
        (2, 3, {"collective": "permutation", "target": "reverse"}),
    ],
)
def test_a_time_step_is_as_long_as_its_longest_cable_and_packet(k, m, parameters):
    """One packet per port and step, so that nothing queues; cables of 1 to 39 cycles."""
    built, delay_ps, embedded = network(k, m)
    result = run_job(embedded, "swapped_dragonfly", {"k": k, "m": m} | parameters, seed=1)
    messages = made(k, m, **parameters)
    lengths = by_hand(built, delay_ps // 1280, messages.timetable, messages)
    last = max(step for step, length in enumerate(lengths) if length)
    # A step in which all messages wait takes one cycle. The run ends in the cycle of the last delivery.
    expected = [max(1, length) for length in lengths[: last + 1]]
    expected[-1] -= 1
    assert result.step_cycles.tolist() == expected
    assert result.completion_cycles == sum(expected)


def test_two_routers_by_hand():
    """D3(1, 2), routers 0 = (0, 0, 0) to 3 = (0, 1, 1): an ascend over two dimensions, all cables of 5 cycles."""
    built = topology.build("swapped_dragonfly", k=1, m=2, endpoints_per_router=1)
    delays = np.full(built.link_count + built.endpoint_count, 5 * 1280)
    result = run_motif(
        built, delays, seed=1, motif="swapped_dragonfly", motif_parameters={"k": 1, "m": 2, "collective": "ascend"},
        routing="swapped_dragonfly", router_delay_ps=ROUTER * 1280, rate_gbps=400, packet_phits=PACKET, virtual_channels=3,
    )  # fmt: skip
    # Positions: messages of 1 and 2 swap while 0 and 3 wait, all wait, swap back, and cross their drawer to the target.
    # Drawers: messages of 1 and 2 swap and cross the drawer to their targets; those of 0 and 3 wait, cross, and swap.
    enters, moves, leaves = 5 + 7, 5 + 7 + 16, 5
    positions = [enters + moves, 1, moves, moves + leaves]
    drawers = [enters + moves, moves + leaves, moves + leaves - 1]
    assert result.step_cycles.tolist() == positions + drawers
    assert result.completion_cycles == sum(positions) + sum(drawers)


@pytest.mark.slow
@pytest.mark.parametrize("collective", COLLECTIVES)
@pytest.mark.parametrize(("k", "m"), [(2, 4), (3, 3)])
def test_every_message_arrives_on_its_path(collective, k, m):
    """In lock step and without, each link carries the packets of the timetable, and lock step is slower."""
    messages = made(k, m, collective=collective)
    timetable = messages.timetable
    lock = ran(k, m, collective=collective)
    free = ran(k, m, collective=collective, mode="asynchronous")
    assert lock.complete
    assert free.complete
    built = topology.build("swapped_dragonfly", k=k, m=m, endpoints_per_router=1)
    link = {tuple(pair): number for number, pair in enumerate(built.links.tolist())}
    expected = np.zeros(2 * built.link_count)
    for a, b in zip(timetable.source.tolist(), timetable.target.tolist(), strict=True):
        expected[2 * link[min(a, b), max(a, b)] + (a > b)] += PACKET
    for result in (lock, free):
        assert (result.steps, result.conflicts) == (timetable.steps, 0)
        cycles = result.completion_cycles
        np.testing.assert_allclose(result.link_load * max(1, cycles), expected, rtol=1e-4, atol=PACKET * 1e-3)
    assert lock.completion_cycles >= free.completion_cycles >= free.bound_cycles
    assert len(lock.step_cycles) <= timetable.steps
    assert lock.step_cycles.sum() - 1 <= lock.completion_cycles <= lock.step_cycles.sum()
    assert not len(free.step_cycles)


def test_no_message_of_lock_step_begins_before_its_time_step():
    _, _, embedded = network(2, 4)
    messages = made(2, 4)
    result = run_job(embedded, "swapped_dragonfly", {"k": 2, "m": 4}, seed=1)
    begins = np.concatenate([[0], np.cumsum(result.step_cycles)])
    released = messages.timetable.release[messages.step]
    assert (result.started == begins[released]).all()
    # A message has arrived when its last hop's step ends.
    last = messages.timetable.step[messages.timetable.first[1:] - 1]
    assert (result.delivered < np.append(begins[1:], begins[-1] + 1)[last]).all() or (result.delivered <= begins[last + 1]).all()


def test_conflicts_lengthen_their_time_step(monkeypatch):
    """Without idle steps two messages want one link in a step: the second one waits for the first."""
    from planner.simulation import scheduled
    from planner.simulation.schedule import Builder

    def without_idle_steps(k, m):
        built, everyone = Builder(), np.arange(k * m * m)
        for number in range(k * m * m):
            path = scheduled.vector_path(k, m, everyone, number // (m * m), number % m, number // m % m)
            built.send(path, number)
        return built.schedule(k * m * m + 2)

    careful = ran(2, 4, ports=4)
    monkeypatch.setattr(scheduled, "all_to_all", without_idle_steps)
    careless = ran(2, 4, ports=4)
    assert careful.conflicts == 0 < careless.conflicts
    assert careless.complete
    assert careless.steps == careful.steps - 8


PAPER = {"partitions": ((1, 2, 5, 8), (0, 3, 4, 6, 7))}
"""Section 4: D3(4, M) and D3(5, M) inside D3(9, M)."""


def test_partitions_run_at_the_same_time_without_conflict():
    messages = made(9, 2, collective="all_to_all", **PAPER)
    timetable = messages.timetable
    assert timetable.conflicts == 0
    # The larger partition sets the number of steps: K M² + K M + 2.
    assert timetable.steps == 5 * 4 + 5 * 2 + 2
    cabinet = np.arange(36) // 4
    part = np.isin(cabinet, PAPER["partitions"][0])
    assert (part[timetable.source] == part[timetable.target]).all()
    assert (part[messages.source] == part[messages.target]).all()
    assert len(messages.target) == 16 * 15 + 20 * 19
    assert ran(9, 2, **PAPER).complete


def test_subnetworks_use_only_their_routers():
    """Two of four positions: M = 2, in two of three cabinets."""
    messages = made(3, 4, partitions=((0, 2),), positions=(1, 3))
    routers = [(c * 4 + d) * 4 + p for c in (0, 2) for d in (1, 3) for p in (1, 3)]
    assert set(messages.timetable.source) | set(messages.timetable.target) == set(routers)
    assert (messages.timetable.steps, messages.timetable.conflicts) == (2 * 4 + 2 * 2 + 2, 0)
    assert len(messages.target) == 8 * 7
    assert ran(3, 4, partitions=((0, 2),), positions=(1, 3)).complete


def test_a_subnetwork_that_is_built_alone_has_the_same_schedule():
    """D3(κ, λ) as a topology of its own, with the ports of the whole network."""
    built = topology.build("swapped_dragonfly", k=9, m=4, cabinets=(1, 2, 5, 8), positions=(0, 1, 3), endpoints_per_router=1)
    delays = np.zeros(built.link_count + built.endpoint_count, np.int64)
    result = run_motif(
        built, delays, seed=1, motif="swapped_dragonfly", motif_parameters={"k": 4, "m": 3}, routing="swapped_dragonfly",
        router_delay_ps=0, rate_gbps=400,
    )  # fmt: skip
    assert result.complete
    assert (result.steps, result.conflicts) == (4 * 9 + 4 * 3 + 2, 0)


def test_a_node_with_enough_ports_sends_a_round_at_once():
    """One-to-all: M messages per round. With M ports they take one packet time, with one port M."""
    one, four = ran(2, 4, collective="one_to_all"), ran(2, 4, collective="one_to_all", ports=4)
    assert (one.conflicts, four.conflicts) == (0, 0)
    assert four.completion_cycles < one.completion_cycles


@pytest.mark.slow
@pytest.mark.parametrize("routing", ["minimal", "ugal", "valiant"])
def test_other_routings_carry_the_same_messages(routing):
    scheduled = ran(2, 4, collective="all_to_all", mode="asynchronous")
    settings = {"routing": routing, "virtual_channels": None}
    adaptive = ran(2, 4, collective="all_to_all", mode="asynchronous", settings=settings)
    assert adaptive.complete
    assert (adaptive.source == scheduled.source).all()
    assert (adaptive.target == scheduled.target).all()
    assert (adaptive.steps, adaptive.conflicts) == (scheduled.steps, scheduled.conflicts)


def test_a_run_does_not_depend_on_its_chunks():
    _, _, embedded = network(2, 4)
    messages = made(2, 4, collective="permutation", target="random", draw_seed=3)
    results = []
    for chunk in (1, 10_000):
        run = Replay(embedded.case, messages, np.arange(32), 1280.0, 1024, np.random.SeedSequence(1))
        while run.advance(chunk) == 0:
            pass
        results.append(run.result("x", 2).delivered)
    assert (results[0] == results[1]).all()


def refused(words, ports=1, settings=None, **parameters):
    with pytest.raises(InputError, match=words):
        ran(2, 4, ports=ports, settings=settings, **parameters)


@pytest.mark.slow
def test_what_does_not_fit_is_refused():
    other = {"routing": "minimal", "virtual_channels": None}
    refused("minimal does not follow prescribed paths", settings=other)
    refused(r"need 3 virtual channels, not 2; use 3", collective="ascend", settings={"virtual_channels": 2})
    refused(r"messages of 20 packets do not fit into input queues of \d+", bytes=20 * 1024)
    with pytest.raises(InputError, match=r"D3\(2, 4\) has 32 routers, not 30"):
        registry.function("motif", "swapped_dragonfly")(30, k=2, m=4)
    refused("one is named twice", partitions=((0, 1), (1,)))
    refused(r"\[5\] named; there are 0 to 3", positions=(0, 5))
    refused("leave a subnetwork empty", partitions=((0,), ()))
    refused("use one with d ≠ p", collective="all_to_one", root=0)
    refused("there is no router 16; use 0 to 15", collective="one_to_all", partitions=((0,), (1,)), root=16)
    with pytest.raises(InputError, match=r"routers .* are not connected; give the motif the network's k and m"):
        _, _, embedded = network(2, 4)
        run_job(embedded, "swapped_dragonfly", {"k": 8, "m": 2}, seed=1)
    with pytest.raises(InputError, match=r"are not connected"):
        run_job(embedded, "swapped_dragonfly", {"k": 2, "m": 4}, placement="random", seed=1)


def test_nodes_of_several_ports():
    built = topology.build("swapped_dragonfly", k=2, m=4, endpoints_per_router=4)
    assert rank_ports(built, None, "linear", 1, 4, "any").tolist() == np.arange(128).reshape(32, 4).tolist()
    for placement in ("random", "groups", "routers"):
        port = rank_ports(built, 20, placement, 1, 4, "any")
        assert len(set(port[:, 0].tolist())) == 20
        assert (port == port[:, :1] + np.arange(4)).all()
        assert (port[:, 0] % 4 == 0).all()
    with pytest.raises(InputError, match="nodes of 3 ports do not divide 128 endpoints"):
        rank_ports(built, 4, "linear", 1, 3, "any")
    with pytest.raises(InputError, match="33 ranks exceed 32 nodes of 4 ports"):
        rank_ports(built, 33, "linear", 1, 4, "any")


def test_rules_choose_the_ports_of_messages():
    built = topology.build("swapped_dragonfly", k=2, m=4, endpoints_per_router=4)
    delays = np.zeros(built.link_count + built.endpoint_count, np.int64)
    usual = {"router_delay_ps": 0, "rate_gbps": 400, "motif_parameters": {"algorithm": "linear"}, "seed": 1, "ports": 4}
    ran = {rule: run_motif(built, delays, motif="alltoall", port_rule=rule, **usual) for rule in ("rail", "hashed", "any")}
    for result in ran.values():
        assert result.complete
        assert result.ranks == 32
        assert result.completion_cycles >= result.bound_cycles
    # Rails: both ends on the rail of the target, its rank modulo the ports.
    rail = ran["rail"]
    assert (rail.source % 4 == rail.target // 4 % 4).all()
    assert (rail.target % 4 == rail.source % 4).all()
    # Planes: one port for each pair, the same at both ends; about as many messages on each.
    hashed = ran["hashed"]
    assert (hashed.target % 4 == hashed.source % 4).all()
    counts = np.bincount(hashed.source % 4, minlength=4)
    assert counts.sum() == 32 * 31
    assert (np.abs(counts - 248) < 6 * np.sqrt(248)).all()
    # In turn: every port of a node sends a quarter of its messages, and receives one.
    for ends in (ran["any"].source, ran["any"].target):
        assert sorted(np.bincount(ends, minlength=128).tolist()) == [7] * 32 + [8] * 96
    alone = run_motif(built, delays, motif="alltoall", **(usual | {"ports": 1, "ranks": 32}))
    assert ran["any"].completion_cycles < alone.completion_cycles


def test_a_workload_reports_steps_conflicts_and_ports():
    built, delays, _ = network(2, 4, 2)
    jobs = (
        Job("swapped_dragonfly", motif_parameters={"k": 2, "m": 4}, ports=2, port_rule="any"),
        Job("allreduce", 4),
    )
    found = workload(
        built, delays, seed=1, jobs=jobs, routing="swapped_dragonfly", router_delay_ps=1280, rate_gbps=400, virtual_channels=3
    )
    assert found.steps.tolist() == [42, 0]
    assert found.conflicts.tolist() == [0, -1]
    assert found.ports.tolist() == [2, 1]
    assert found.ranks.tolist() == [32, 4]


def test_the_verifier_knows_the_steps_of_every_collective():
    """The rule has the paper's formulas; the schedules are built."""
    others = [{"collective": collective, "root": root} for collective in ROOTED for root in (0, 1)]
    parameters = [{"collective": collective} for collective in COLLECTIVES] + others
    parameters += [{"collective": "broadcast", "rounds": 6, "root": root} for root in (0, 1)]
    parameters += [{"partitions": ((0,), (1, 2))}, {"positions": (0, 2), "root": 0, "collective": "one_to_all"}]
    jobs = [{"motif": "swapped_dragonfly", "motif_parameters": {"k": 3, "m": 4} | each} for each in parameters]
    made_ = [made(3, 4, **each).timetable for each in parameters]
    jobs.append({"motif": "allreduce", "motif_parameters": {}})
    steps = np.array([timetable.steps for timetable in made_] + [0])
    conflicts = np.array([timetable.conflicts for timetable in made_] + [-1])
    assert found(jobs, steps, conflicts) == []
    for number in range(len(jobs)):
        change = (np.arange(len(jobs)) == number) * 5
        assert len(found(jobs, steps + change, conflicts)) == 1
        assert len(found(jobs, steps, conflicts + change)) == 1


ROOTED = ("one_to_all", "one_to_all_by_columns", "broadcast")


def found(jobs, steps, conflicts):
    motifs = tuple(job["motif"] for job in jobs)
    plan = SimpleNamespace(
        study={"workload": {"jobs": jobs}}, workload=SimpleNamespace(motifs=motifs, steps=steps, conflicts=conflicts)
    )
    return list(schedules_as_published(plan))


@pytest.mark.slow
def test_the_command_prints_steps_and_conflicts_of_scheduled_jobs(tmp_path, capsys):
    (tmp_path / "study.toml").write_text(
        """
name = "steps"
[topology]
family = "swapped_dragonfly"
k = 2
m = 4
endpoints_per_router = 2
[simulation]
link_cycles = 3
router_delay_cycles = 2
loads = [0.1]
cycles = 200
[workload]
routing = "swapped_dragonfly"
link_gbps = 400
link_cycles = 3
router_delay_cycles = 2
[[workload.jobs]]
motif = "swapped_dragonfly"
ports = 2
port_rule = "any"
motif_parameters = { k = 2, m = 4 }
[[workload.jobs]]
motif = "rail_alltoall"
ranks = 16
"""
    )
    assert main(["simulate", str(tmp_path)]) == 0
    names = ("motif", "swapped_dragonfly", "rail_alltoall")
    lines = capsys.readouterr().out.split("\n")
    head, scheduled, plain = (next(line for line in lines if line.startswith(f"{name}  ")) for name in names)
    assert head.split()[-2:] == ["steps", "conflicts"]
    assert scheduled.split()[-2:] == ["42", "0"]
    assert len(plain.split()) == len(scheduled.split()) - 2


def test_what_the_network_cannot_run_is_refused_before_anything_runs(tmp_path, capsys):
    (tmp_path / "study.toml").write_text(
        """
name = "steps"
[topology]
family = "swapped_dragonfly"
k = 2
m = 4
endpoints_per_router = 2
[workload]
link_gbps = 400
link_cycles = 3
router_delay_cycles = 2
jobs = [
  { motif = "swapped_dragonfly", ports = 2, motif_parameters = { k = 2, m = 4 } },
  { motif = "swapped_dragonfly", motif_parameters = { k = 2, m = 4 } },
  { motif = "alltoall", ports = 3 },
]
"""
    )
    assert main(["run", str(tmp_path)]) == 2
    wrong = capsys.readouterr().err
    for words in (
        "minimal does not follow prescribed paths",
        "D3(2, 4) has 32 routers, not 64",
        "nodes of 3 ports do not divide 64 endpoints",
    ):
        assert words in wrong


def test_schedules_too_large_for_the_simulation_are_refused(monkeypatch):
    monkeypatch.setattr("planner.simulation.schedule.MAX_MESSAGES", 1000)
    with pytest.raises(InputError, match="a schedule is limited to 1,000 messages"):
        made(2, 4)
    with pytest.raises(InputError, match="a schedule is limited to 1,000 messages; use a smaller network or fewer rounds"):
        made(2, 4, collective="broadcast", rounds=2**31 - 1)
    assert len(made(2, 2).target) == 8 * 7
