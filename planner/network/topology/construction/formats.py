"""Parsers of graph files; each line or edge that links two routers is a mention.

Lines that start with ``#`` or ``%`` are comments, except in JSON and GraphML. Names are words, or what is between commas or
semicolons; if all of them are integers, routers are numbered in ascending order, otherwise by first appearance.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from planner.core.reading import text as text_of
from planner.network.topology.construction.listing import WHOLE, Listing

ENDPOINT_KINDS = ("endpoint", "node", "host")
"""Values of the attribute ``kind`` of GraphML and JSON nodes that are endpoints."""

MAX_ENDPOINTS = 1_000_000
"""Upper limit on the endpoints of one router."""

MAX_BYTES = 200_000_000
"""Maximum size of a graph file."""

_SUFFIXES = {".graphml": "graphml", ".json": "json", ".anynet": "anynet", ".adj": "adjacency", ".edges": "edges"}
_COLUMNS = {
    "source", "target", "from", "to", "src", "dst", "u", "v", "a", "b", "node1", "node2", "router1", "router2",
    "node_a", "node_b", "router_a", "router_b", "weight", "cost", "length",
}  # fmt: skip
"""Names of columns in the headers of edge lists."""

_DECIMAL = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")


def read(path: str, form: str) -> Listing:
    """Read a graph file; `form` is its format, or ``auto`` to detect it from suffix and content.

    Raises
    ------
    InputError
        With all invalid lines.
    """
    text = read_text(path)
    if form == "auto":
        form = _SUFFIXES.get(Path(path).suffix.lower()) or _recognised(text)
    listing = Listing(path)
    {"edges": _edges, "adjacency": _adjacency, "anynet": _anynet, "graphml": _graphml, "json": _json}[form](text, listing)
    listing.check()
    return listing


def read_text(path: str) -> str:
    """Return the text of a file.

    Raises
    ------
    InputError
        When it cannot be read, or is not UTF-8.
    """
    return text_of(path, MAX_BYTES).replace("\r\n", "\n")


def lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield number and words of each line that is no comment."""
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        if not line.lstrip().startswith(("#", "%")):
            yield number, line.split()


def _recognised(text: str) -> str:
    start = text.lstrip()[:1]
    if start in ("<", "{"):
        return "graphml" if start == "<" else "json"
    rows = [words for _, words in lines(text)]
    while rows and not rows[0]:
        rows.pop(0)
    if not rows:
        return "edges"
    head, body = rows[0], rows[1:]
    if head[0] in ("router", "node"):
        return "anynet"
    if len(head) != 2 or not all(map(WHOLE.fullmatch, head)) or sum(map(len, body)) != 2 * int(head[1]):
        return "edges"
    filled = _without_trailing_blanks(body)
    if not len(filled) <= int(head[0]) <= len(body):
        return "edges"
    # Two words on each line may also be links.
    return "edges" if all(len(words) == 2 for words in filled) and not _are_neighbors(filled) else "adjacency"


def _are_neighbors(rows: list[list[str]]) -> bool:
    """Return whether lines list the neighbors of each router from both ends, numbered from 0 or from 1."""
    found = {(str(router), word) for router, words in enumerate(rows) for word in words}
    from_1 = {(str(int(router) + 1), word) for router, word in found}
    return any(all(u != v and (v, u) in pairs for u, v in pairs) for pairs in (found, from_1))


def _without_trailing_blanks(rows: list[list[str]]) -> list[list[str]]:
    last = max((number for number, words in enumerate(rows, 1) if words), default=0)
    return rows[:last]


def _edges(text: str, listing: Listing) -> None:
    """Lines ``u v`` or ``u v weight``; the weight may also be NetworkX' ``{…}`` and is not used.

    The first line may be a header: the number of routers and of links, or the names of columns.
    """
    rows = [(number, _cells(words)) for number, words in lines(text) if words]
    rows = rows[1:] if _has_header(rows, listing) else rows
    for number, words in rows:
        rest = words[2:]
        weighted = len(rest) == 1 and _DECIMAL.fullmatch(rest[0])
        if len(words) < 2 or (rest and not weighted and not rest[0].startswith("{")):
            listing.wrong(number, f"is not a link: {' '.join(words)[:60]!r}", "write two routers and optionally a weight")
            continue
        listing.mentions.append((listing.router(words[0]), listing.router(words[1]), number))


def _cells(words: list[str]) -> list[str]:
    """Return the cells of a line: its words, or what is between commas or semicolons where these separate its words."""
    line = " ".join(words)
    for separator in ",;":
        cells = [cell.strip().strip('"') for cell in line.split(separator)]
        if len(cells) in (2, 3) and all(cells) and "{" not in line:
            return cells
    return words


def _has_header(rows: list[tuple[int, list[str]]], listing: Listing) -> bool:
    """Return whether the first line of an edge list is a header: ``N M`` above M links of N routers, or names of columns.

    Both readings of a line ``N M`` may be possible, above a tree whose routers are numbered from 1: a problem.
    """
    if len(rows) < 2:
        return False
    (line, head), body = rows[0], rows[1:]
    named = {name for _, words in body for name in words[:2]}
    if len(head) >= 2 and all(cell.lower() in _COLUMNS for cell in head) and not named & set(head):
        return True
    if len(head) != 2 or not all(map(WHOLE.fullmatch, [*head, *named])):
        return False
    routers, links = map(int, head)
    ids = sorted(map(int, named))
    if len(body) != links or len(ids) != routers or ids not in (list(range(routers)), list(range(1, routers + 1))):
        return False
    if ids[0] == 1 and links < routers:
        message = f"may be the numbers of routers and links, or a link between routers {routers} and {links}"
        listing.wrong(line, message, "write # in front of it if it is a header, or move it to another line if it is a link")
    return True


def _adjacency(text: str, listing: Listing) -> None:
    """First line ``N M``, then the neighbors of each router on a line of its own, numbered from 0 or from 1."""
    rows = list(lines(text))
    while rows and not rows[0][1]:
        rows.pop(0)
    number, head = rows.pop(0) if rows else (1, [])
    if len(head) != 2 or not all(map(WHOLE.fullmatch, head)):
        listing.wrong(number, "is not the number of routers and the number of links", "write N M on the first line")
        return
    count, total = int(head[0]), int(head[1])
    filled = len(_without_trailing_blanks([words for _, words in rows]))
    if not filled <= count <= len(rows):
        listing.wrong(number, f"announces {count} routers, and {filled} lines follow", "write one line for each router")
        return
    words = [(line, router, word) for router, (line, row) in enumerate(rows[:count]) for word in row]
    listing.from_both_ends = len(words) != total
    numbers = {word for _, _, word in words}
    first = 1 if str(count) in numbers and "0" not in numbers else 0
    for router in range(count):
        listing.router(str(router + first))
    for line, router, word in words:
        if word in listing.routers:
            listing.mentions.append((router, listing.routers[word], line))
        else:
            listing.wrong(line, f"names router {word[:20]!r}", f"there are {first} … {count - 1 + first}")
    if len(words) not in (total, 2 * total):
        listing.wrong(number, f"announces {total} links, and {len(words)} neighbors follow", f"list {2 * total} neighbors")


def _anynet(text: str, listing: Listing) -> None:
    """BookSim: ``router 0 node 0 node 1 router 1 5 router 2``; a number after a name is its delay and is not used."""
    listing.from_both_ends = True
    for number, words in lines(text):
        if not words:
            continue
        parts = _named(words)
        if not parts:
            listing.wrong(number, f"is no anynet line: {' '.join(words)[:60]!r}", "write router 0 node 0 router 1 …")
            continue
        (kind, name), others = parts[0], parts[1:]
        if kind == "router":
            listing.router(name)
        for other_kind, other in others:
            if kind == other_kind == "node":
                listing.wrong(number, f"links node {name} to node {other}", "attach each node to a router")
            elif kind == other_kind:
                listing.mentions.append((listing.router(name), listing.router(other), number))
            else:
                node, router = (name, other) if kind == "node" else (other, name)
                listing.attach(node, listing.router(router), number)


def _named(words: list[str]) -> list[tuple[str, str]]:
    """Return kind and name of each item of an anynet line; [] if the line is invalid."""
    parts, place = [], 0
    while place < len(words):
        if words[place] not in ("router", "node") or place + 1 == len(words):
            return []
        parts.append((words[place], words[place + 1]))
        place += 2
        if place < len(words) and _DECIMAL.fullmatch(words[place]):
            place += 1
    return parts


def _graphml(text: str, listing: Listing) -> None:
    import networkx

    try:
        graph = networkx.parse_graphml(text)
    except Exception as error:  # NetworkX does not wrap errors of its parser.
        line = getattr(error, "position", (0, 0))[0]
        listing.wrong(line, f"is not valid GraphML: {error}", "export it again")
        return
    nodes = {str(name): facts for name, facts in graph.nodes(data=True)}
    names = _labels(nodes)
    hosts = _routers(((names[name], facts) for name, facts in nodes.items()), listing)
    pairs = [(names[str(u)], names[str(v)]) for u, v in graph.edges()]
    listing.from_both_ends = graph.is_directed() and _is_symmetric(pairs)
    _edges_between(pairs, hosts, listing)


def _labels(nodes: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return the name of each node: its label, as drawing programs write it, if all have one of their own, else its id."""
    labels = {name: " ".join(str(facts.get("label") or "").split()) for name, facts in nodes.items()}
    return labels if all(labels.values()) and len(set(labels.values())) == len(labels) else {name: name for name in nodes}


def _is_symmetric(pairs: list[tuple[str, str]]) -> bool:
    """Return whether every edge of a directed file occurs in both directions: each link is listed at both of its ends.

    Otherwise directions mean nothing, as in drawings whose lines have the direction in which they were drawn.
    """
    times = Counter(pairs)
    return all(times[v, u] == count for (u, v), count in times.items())


def _json(text: str, listing: Listing) -> None:
    """NetworkX' node-link form: ``{"nodes": [{"id": …}], "links": [{"source": …, "target": …}]}``."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        listing.wrong(error.lineno, f"is not valid JSON: {error.msg}", "correct the line")
        return
    except (RecursionError, ValueError) as error:
        listing.wrong(0, f"is not valid JSON: {error}", "export it again")
        return
    table = data if isinstance(data, dict) else {}
    nodes, links = table.get("nodes"), table.get("links", table.get("edges"))
    if not isinstance(nodes, list) or not isinstance(links, list):
        listing.wrong(0, "has no lists nodes and links", "export it as node-link data")
        return
    named: dict[str, dict[str, Any]] = {}
    for place, node in enumerate(nodes):
        (name,) = _fields(node, ("id",))
        if name is None:
            listing.wrong(0, f"nodes[{place}] has no id", "give it an id")
        else:
            named.setdefault(name, node)
    hosts = _routers(named.items(), listing)
    pairs = []
    for place, link in enumerate(links):
        source, target = _fields(link, ("source", "target"))
        if source not in named or target not in named:
            listing.wrong(0, f"links[{place}] names no two nodes", "give it the ids of two nodes as source and target")
        else:
            pairs.append((source, target))
    listing.from_both_ends = table.get("directed") is True and _is_symmetric(pairs)
    _edges_between(pairs, hosts, listing)


def _routers(nodes: Iterable[tuple[str, dict[str, Any]]], listing: Listing) -> set[str]:
    """Take nodes with their attributes: routers, with ``endpoints`` as their number of endpoints; return the names of the others.

    ``kind`` is the type of a node; the default is a router.
    """
    hosts = set()
    for name, facts in nodes:
        kind, count = facts.get("kind", "router"), facts.get("endpoints")
        if kind in ENDPOINT_KINDS:
            hosts.add(name)
            continue
        number = listing.router(name)
        if count is not None:
            if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= MAX_ENDPOINTS:
                listing.endpoints[number] = count
            else:
                remedy = f"give a whole number from 0 to {MAX_ENDPOINTS}"
                listing.wrong(0, f"node {name[:40]} has endpoints = {str(count)[:40]!r}", remedy)
    return hosts


def _edges_between(edges: Iterable[tuple[str, str]], hosts: set[str], listing: Listing) -> None:
    """Take edges: links between routers, and attachments of endpoints."""
    for u, v in edges:
        if u in hosts and v in hosts:
            listing.wrong(0, f"links endpoint {u[:40]} to endpoint {v[:40]}", "attach each endpoint to a router")
        elif u in hosts or v in hosts:
            host, router = (u, v) if u in hosts else (v, u)
            listing.attach(host, listing.routers[router], 0)
        else:
            listing.mentions.append((listing.routers[u], listing.routers[v], 0))
    for host in sorted(hosts - set(listing.home)):
        listing.wrong(0, f"endpoint {host[:40]} is attached to no router", "add an edge to its router")


def _fields(entry: Any, keys: tuple[str, ...]) -> list[str | None]:
    values = [entry.get(key) if isinstance(entry, dict) else None for key in keys]
    return [str(value) if isinstance(value, str | int) else None for value in values]
