"""A server from its start to its end: socket, certificate, copies of the journal."""

from __future__ import annotations

import errno
import ipaddress
import re
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from planner.core import scratch
from planner.core.errors import InputError, Problem
from planner.fabric import baseline
from planner.install.serve import qr, tls
from planner.install.serve.app import application
from planner.install.serve.background import copied, followed
from planner.install.serve.limits import Protocol, ProxiedProtocol
from planner.install.serve.served import Options
from planner.install.site import access
from planner.install.site.journal import Journal
from planner.install.site.photos import Limits

PHOTOS_PER_MB = 5
"""Number of photos for each megabyte of the limit: phones send about 0.3 MB each."""

_BACKLOG = 200
_LINK_HOURS = 16
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?|[0-9A-Fa-f:.]{2,45}")
_PROXY = re.compile(rf"https?://(?:{_NAME.pattern}|\[[0-9A-Fa-f:.]+\])(?::[0-9]{{1,5}})?")
_GRACE_S = 10
"""How long requests may go on after Ctrl-C."""


@dataclass(frozen=True)
class Settings:
    """What to serve, where, and to whom; see ``planner serve --help``."""

    plan: Path
    db: Path | None = None
    host: str = "127.0.0.1"
    port: int = 8080
    tls: bool = False
    names: tuple[str, ...] = ()
    read_only: bool = False
    insecure_http: bool = False
    backup_s: float = 900.0
    backups: Path | None = None
    photos_mb: int = 2000
    own_code: bool = False
    proxy_url: str = ""
    """Address at which a proxy in front of this server is reached; everybody needs a link then."""
    follow_s: float = 3.0
    """How often the folder of the plan is examined for another revision."""

    @property
    def journal(self) -> Path:
        """Path of the journal."""
        return self.db or baseline.journal_of(self.plan)

    @property
    def is_loopback(self) -> bool:
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return self.host.lower() == "localhost"


def check(settings: Settings) -> None:
    """Refuse settings that are not safe, or contradict each other.

    Raises
    ------
    InputError
        With all of them.
    """
    problems = []
    if not settings.is_loopback and not settings.tls and not settings.insecure_http:
        message = f"{settings.host} is reached by other machines, and the connection is not encrypted"
        problems.append(Problem("--host", message, "add --tls, or --insecure-http on a network that you trust"))
    if settings.tls and settings.insecure_http:
        problems.append(Problem("--insecure-http", "contradicts --tls", "leave one of them out"))
    if settings.proxy_url and not _PROXY.fullmatch(settings.proxy_url):
        message = f"{settings.proxy_url[:80]!r} is no address of a proxy"
        problems.append(Problem("--behind-proxy", message, "give scheme and name, such as https://site.example"))
    if settings.proxy_url and settings.names:
        problems.append(Problem("--name", "is not used behind a proxy", "give its address with --behind-proxy"))
    if settings.port > 65535:
        problems.append(Problem("--port", f"{settings.port} is out of bounds", "give up to 65535"))
    if problems:
        raise InputError(problems)


def serve(settings: Settings) -> None:
    """Serve a plan until Ctrl-C.

    Raises
    ------
    InputError
        When the settings, the plan or the journal are refused, or the port is in use; nothing is served then.
    """
    check(settings)
    scratch.remove_leftovers()
    plan = baseline.read(settings.plan)
    with _listening(settings) as own, _journal(settings) as journal:
        names = _names(settings)
        own_tls = tls.certificates(names) if settings.tls else None
        options = Options(
            settings.proxy_url or _url(settings, names[0]),
            settings.is_loopback and not settings.proxy_url,
            settings.read_only,
            settings.tls,
            own_tls.authority if own_tls else b"",
            Limits(total_bytes=settings.photos_mb * 1_000_000, count=settings.photos_mb * PHOTOS_PER_MB),
            settings.own_code,
            bool(settings.proxy_url),
        )
        made = application(plan, journal, options)
        server = _Server(uvicorn.Config(made, **_uvicorn(own_tls, options.proxied)))
        for line in _greeting(plan.path.name, options, journal, own_tls):
            print(line)
        sys.stdout.flush()
        folder = settings.backups or journal.path.parent / "backups"
        copies = nullcontext() if settings.read_only else copied(journal, folder, settings.backup_s)
        with copies, followed(made.state.served, settings.follow_s), closing(made.state.served):
            server.run(sockets=[own])
    print("stopped; every acknowledged event is in the journal")


def _names(settings: Settings) -> list[str]:
    """Return the names and addresses under which the server is reached; the first one is in links and codes."""
    wildcard = settings.host in ("0.0.0.0", "::", "[::]")
    others = tls.own_names() if wildcard or settings.tls else []
    own = [*settings.names, *([] if wildcard else [settings.host.strip("[]")]), *others]
    if bad := [name for name in own if not _NAME.fullmatch(name)]:
        raise InputError(Problem("--name", f"{bad[0][:80]!r} is no host name or address", "correct it"))
    return list(dict.fromkeys(own))


def _url(settings: Settings, name: str) -> str:
    return f"{'https' if settings.tls else 'http'}://{f'[{name}]' if ':' in name else name}:{settings.port}"


def _greeting(name: str, options: Options, journal: Journal, own_tls: tls.Certificates | None) -> Iterator[str]:
    """Yield where the plan is, and a link for whoever started the server where other machines reach it."""
    yield f"{name}: {options.url}/ (Ctrl-C ends it)"
    if own_tls is not None:
        yield f"certificate for phones: {options.url}/authority.crt"
        yield f"its SHA-256 fingerprint: {own_tls.fingerprint}"
    if not options.local:
        role = "viewer" if options.read_only else "foreman"
        address = f"{options.url.upper()}/K/{access.issue(journal, role, role, hours=_LINK_HOURS)}"
        yield from qr.lines(address)
        yield f"link of the {role}, for {_LINK_HOURS} hours: {address}"


@contextmanager
def _listening(settings: Settings) -> Iterator[socket.socket]:
    place = f"{settings.host}:{settings.port}"
    try:
        family = socket.getaddrinfo(settings.host.strip("[]"), settings.port, type=socket.SOCK_STREAM)[0]
        own = socket.socket(family[0], socket.SOCK_STREAM)
    except OSError as error:
        raise InputError(
            Problem("--host", f"{settings.host} is no address of this machine: {error.strerror}", "correct it")
        ) from None
    try:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        own.bind(family[4])
        own.listen(_BACKLOG)
    except OSError as error:
        own.close()
        if error.errno == errno.EADDRINUSE:
            raise InputError(Problem("--port", f"{place} is in use by another program", "give another port")) from None
        raise InputError(Problem("--host", f"cannot listen on {place}: {error.strerror}", "give another host or port")) from None
    with own:
        yield own


@contextmanager
def _journal(settings: Settings) -> Iterator[Journal]:
    """Yield the journal; where nothing is recorded and there is none, an empty one that is removed at the end."""
    if settings.read_only and not settings.journal.exists():
        with scratch.folder() as folder, Journal(folder / "site.db") as journal:
            yield journal
    else:
        with Journal(settings.journal) as journal:
            yield journal


def _uvicorn(own_tls: tls.Certificates | None, proxied: bool) -> dict[str, Any]:
    files = {} if own_tls is None else {"ssl_keyfile": own_tls.key, "ssl_certfile": own_tls.chain}
    return {
        "loop": "asyncio", "http": ProxiedProtocol if proxied else Protocol, "ws": "none", "lifespan": "off",
        "log_level": "warning", "access_log": False,
        "proxy_headers": False, "server_header": False, "timeout_keep_alive": 15, "timeout_graceful_shutdown": _GRACE_S,
        "limit_concurrency": 500, "h11_max_incomplete_event_size": 16_384, **files,
    }  # fmt: skip


class _Server(uvicorn.Server):
    """The server; Ctrl-C ends it after the requests that it has begun, and is no error."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def end(number: int, frame: FrameType | None) -> None:
            self.handle_exit(number, frame)

        before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
