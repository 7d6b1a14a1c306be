"""Tasks: units of installation, and their duration."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from planner.domain.model import TASK_KINDS, CablePlan, PanelPlan
from planner.domain.parts import LaborRates

CABLES, TRUNK, JUMPERS = range(len(TASK_KINDS))


@dataclass(frozen=True)
class _Items:
    """What is installed one by one: pieces of cable, trunks or jumpers, int64 (n,) each or (n, 2).

    Attributes
    ----------
    key
        Items with the same key are installed by one task; kinds have keys of their own.
    kind, bundle, run_mm, labels
        Index into `TASK_KINDS`; bundle or -1; run length; number of labels.
    cabinet, frame
        At both ends; -1 for none.
    plug_s
        Seconds to plug it in.
    """

    key: np.ndarray
    kind: np.ndarray
    bundle: np.ndarray
    run_mm: np.ndarray
    labels: np.ndarray
    cabinet: np.ndarray
    frame: np.ndarray
    plug_s: np.ndarray

    @classmethod
    def joined(cls, several: list[_Items]) -> _Items:
        return cls(*(np.concatenate([getattr(one, field.name) for one in several]) for field in fields(cls)))


@dataclass(frozen=True)
class Tasks:
    """Columns of N tasks, as in `WorkOrder`; `of_cable` (W,) is the task of each cable, `of_jumper` (J,) that of each jumper.

    `completed` (W, 2) are the tasks of which the later one completes a cable. Person-seconds are without tests.
    The trays of task n are ``trays[tray_start[n]:tray_start[n + 1]]``, its places ``places[…]`` likewise: cabinets by number, and
    panel frames after them.
    """

    of_cable: np.ndarray
    of_jumper: np.ndarray
    completed: np.ndarray
    kind: np.ndarray
    stage: np.ndarray
    bundle: np.ndarray
    cabinet: np.ndarray
    frame: np.ndarray
    pieces: np.ndarray
    run_mm: np.ndarray
    tray_mm: np.ndarray
    person_s: np.ndarray
    tray_start: np.ndarray
    trays: np.ndarray
    place_start: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, cables: CablePlan, panels: PanelPlan, segment_mm: np.ndarray, rates: LaborRates) -> Tasks:
        pieces, trunks, jumpers = _pieces(cables, rates), _trunks(cables, panels, rates), _jumpers(cables, panels, rates)
        items = _Items.joined([pieces, trunks, jumpers])
        # Bundles by number, then the insides of cabinets, then cables without a bundle, then jumpers, each a task.
        _, example, of_item = np.unique(items.key, return_index=True, return_inverse=True)
        count, of_item = len(example), of_item.ravel()
        of_piece, of_trunk, of_jumper = np.split(of_item, np.cumsum([len(pieces.key), len(trunks.key)]))
        of_cable, completed = _of_cables(cables, panels, of_piece, of_trunk, of_jumper)
        task, segment, tray_mm = _trays(cables, panels, segment_mm, of_cable, of_trunk, of_jumper, count)
        run_mm, plug_s, stage = np.zeros((3, count), np.int64)
        np.add.at(run_mm, of_item, items.run_mm)
        np.add.at(plug_s, of_item, items.plug_s)
        labels = np.bincount(of_item, items.labels, count).astype(np.int64)
        np.maximum.at(stage, of_cable, cables.stage)
        kind = items.kind[example]
        pull_s = -(-tray_mm * rates.pull_s_per_m // 1000)
        dress_s, untested = np.full(count, rates.dress_s), np.zeros(count, np.int64)
        return cls(
            of_cable,
            of_jumper,
            completed,
            kind,
            np.where(kind == JUMPERS, len(cables.stage_names), stage),
            items.bundle[example],
            items.cabinet[example],
            items.frame[example],
            np.bincount(of_item, minlength=count),
            run_mm,
            tray_mm,
            np.column_stack([pull_s, plug_s, dress_s, labels * rates.label_s, untested]),
            *_grouped(task, segment, count),
            *_places(cables, panels, items, of_item, of_cable, count),
        )


def _pieces(cables: CablePlan, rates: LaborRates) -> _Items:
    """Return the pieces that run from port to port; a piece belongs to the task of its first row."""
    own = ~cables.carried[cables.first_of_piece]
    first = cables.first_of_piece[own]
    cabinet, bundle = cables.cabinet[first].astype(np.int64), cables.bundle[first].astype(np.int64)
    outside = cabinet[:, 0] != cabinet[:, 1]
    inside_from = int(cables.bundle.max(initial=-1)) + 1
    loose = inside_from + int(cables.cabinet.max(initial=-1)) + 1 + np.arange(len(first))
    return _Items(
        key=np.select([bundle >= 0, ~outside], [bundle, inside_from + cabinet[:, 0]], default=loose),
        kind=np.full(len(first), CABLES),
        bundle=bundle,
        run_mm=cables.run_mm[first].astype(np.int64),
        labels=_plugs(cables)[own],
        cabinet=cabinet,
        frame=np.full_like(cabinet, -1),
        plug_s=np.where(outside, rates.between_cabinets_s, rates.in_cabinet_s),
    )


def _trunks(cables: CablePlan, panels: PanelPlan, rates: LaborRates) -> _Items:
    """Return the trunks, each a task; one label at each end."""
    bundle = panels.trunk_bundle.astype(np.int64)
    plugs = np.bincount(panels.plug_trunk, minlength=len(bundle))
    return _Items(
        key=bundle,
        kind=np.full(len(bundle), TRUNK),
        bundle=bundle,
        run_mm=cables.bundle_run_mm[bundle].astype(np.int64),
        labels=np.full(len(bundle), 2),
        cabinet=panels.frame_cabinet[panels.trunk_frame].astype(np.int64),
        frame=panels.trunk_frame.astype(np.int64),
        plug_s=plugs * rates.between_cabinets_s,
    )


def _jumpers(cables: CablePlan, panels: PanelPlan, rates: LaborRates) -> _Items:
    """Return the jumpers, those from one cabinet to one frame together; one label at each end."""
    cabinet = panels.cabinet_of_jumper(cables.cabinet)
    frame = panels.frame[panels.jumper_panel].astype(np.int64)
    at = np.append(panels.frame_cabinet, -1)[frame].astype(np.int64)
    after = 2**40
    return _Items(
        key=after + cabinet * (len(panels.frame_slot) + 1) + frame,
        kind=np.full(len(cabinet), JUMPERS),
        bundle=np.full(len(cabinet), -1),
        run_mm=panels.jumper_run_mm.astype(np.int64),
        labels=np.full(len(cabinet), 2),
        cabinet=np.column_stack([cabinet, at]),
        frame=np.column_stack([np.full(len(cabinet), -1), frame]),
        plug_s=np.where(at == cabinet, rates.in_cabinet_s, rates.between_cabinets_s),
    )


def _of_cables(
    cables: CablePlan, panels: PanelPlan, of_piece: np.ndarray, of_trunk: np.ndarray, of_jumper: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the task of each cable, and the two tasks of which the later one completes it, int64 (W,) and (W, 2).

    A row over panels is installed with its trunk; inside the shuffle boxes of one area with the jumper at its second end.
    """
    own = ~cables.carried[cables.first_of_piece]
    task = np.zeros(len(own), np.int64)
    task[own] = of_piece
    task = task[cables.piece]
    both = of_jumper[panels.jumper]
    task[panels.row] = np.where(panels.plug >= 0, np.append(of_trunk, 0)[panels.trunk], both[:, 1])
    completed = np.column_stack([task, task])
    completed[panels.row] = both
    return task, completed


def _trays(
    cables: CablePlan,
    panels: PanelPlan,
    segment_mm: np.ndarray,
    of_cable: np.ndarray,
    of_trunk: np.ndarray,
    of_jumper: np.ndarray,
    count: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return tasks and the tray segments of their routes, in parallel, and the longest tray route of each task, (N,)."""
    direct = ~cables.carried
    task = np.concatenate([of_cable[direct], of_trunk, of_jumper])
    route = np.concatenate([cables.route[direct], panels.trunk_route, panels.jumper_route])
    task, route = _pairs(task[route >= 0], route[route >= 0])
    steps = np.diff(cables.route_indptr)[route]
    place = np.repeat(cables.route_indptr[route] - np.cumsum(steps) + steps, steps)
    place += np.arange(len(place))
    segment = cables.route_segments[place]
    del place
    along = np.zeros(len(segment) + 1, np.int64)
    np.cumsum(segment_mm[segment], out=along[1:])
    end = np.cumsum(steps)
    longest = np.zeros(count, np.int64)
    np.maximum.at(longest, task, along[end] - along[end - steps])
    return np.repeat(task, steps), segment, longest


def _places(
    cables: CablePlan, panels: PanelPlan, items: _Items, of_item: np.ndarray, of_cable: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of each task: the cabinets of all its rows, or cabinets and frames of its trunk and jumpers."""
    direct = ~cables.carried
    frames_from = int(cables.cabinet.max(initial=-1)) + 1
    over = items.kind != CABLES
    at = np.concatenate([items.cabinet[over], np.where(items.frame[over] < 0, -1, frames_from + items.frame[over])], axis=1)
    place = np.concatenate([cables.cabinet[direct].ravel(), at.ravel()])
    task = np.concatenate([np.repeat(of_cable[direct], 2), np.repeat(of_item[over], 4)])
    return _grouped(task[place >= 0], place[place >= 0], count)


def _plugs(cables: CablePlan) -> np.ndarray:
    """Return the number of distinct sockets of every piece, each with a label; int64 (pieces,)."""
    sockets = cables.device.astype(np.int64) * (int(cables.cage.max(initial=0)) + 1) + cables.cage
    owner, _ = _pairs(np.repeat(cables.piece, 2), np.unique(sockets.ravel(), return_inverse=True)[1].ravel())
    return np.bincount(owner)


def _grouped(task: np.ndarray, content: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the start of the content of each task, and the distinct content."""
    owner, thing = _pairs(task, content)
    return np.searchsorted(owner, np.arange(count + 1)), thing


def _pairs(owner: np.ndarray, thing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct pairs, sorted. A combined key sorts faster than two columns."""
    width = int(thing.max(initial=0)) + 1
    key = owner.astype(np.int64) * width
    key += thing
    key.sort()
    new = np.ones(len(key), bool)
    np.not_equal(key[1:], key[:-1], out=new[1:])
    return np.divmod(key[new], width)
