"""Who sends a request, and whether a request comes from our own pages."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math
from collections.abc import Mapping

from planner.core.errors import Problem
from planner.install.serve import peer
from planner.install.serve.door import Denied, Door
from planner.install.serve.limits import KNOWN, UNKNOWN, Rates
from planner.install.serve.served import Options, Served
from planner.install.site import access
from planner.install.site.access import Member
from planner.install.site.fields import ROLES

COOKIE = "planner"
CSRF = "x-planner"
"""Header of requests that write: a page that another site made cannot know its value."""

LOCAL = Member("", "local", "foreman", 2**53 - 1)
"""The user of this machine."""

_SHARED = ipaddress.ip_network("100.64.0.0/10")

_LOOPBACK_NAMES = {"localhost", "127.0.0.1", "[::1]"}

POLICY = "Content-Security-Policy"

HEADERS = {
    POLICY: "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
}
"""Headers of every answer: scripts and styles are files of this server, and no other site may embed its pages."""


def member(
    served: Served, headers: Mapping[str, str], cookie: str, client: str, ports: tuple[int, int] = (0, 0)
) -> tuple[Member | None, str]:
    """Return who sends a request, None if nobody is known, and the secret that the value of the header `CSRF` is made of.

    Parameters
    ----------
    client, ports
        Address of the other end, its port, and that of this server.
    """
    found = access.who(served.journal, cookie) if cookie else None
    key = cookie
    if found is None and served.options.local and _is_local(headers, client) and peer.is_own(client, *ports):
        found, key = LOCAL, served.secret.hex()
    if found is not None and served.options.read_only:
        found = found._replace(role=ROLES[0])
    return found, key


def _is_local(headers: Mapping[str, str], client: str) -> bool:
    """Whether the user is on this machine, as far as headers show it: a foreign name may point to it, a proxy may state for whom
    it speaks. One that does not is known by its user, or by ``--behind-proxy``.
    """
    forwarded = any(name in headers for name in ("forwarded", "x-forwarded-for", "via", "x-real-ip"))
    return is_loopback(client) and not forwarded and host_name(headers.get("host", "")) in _LOOPBACK_NAMES


def host_name(host: str) -> str:
    """Return the name of the header Host without its port, in lower case.

    >>> host_name("LOCALHOST:8080"), host_name("[::1]:8080"), host_name("site")
    ('localhost', '[::1]', 'site')
    """
    return host.rpartition("]")[0].lower() + "]" if host.startswith("[") else host.partition(":")[0].lower()


def is_loopback(client: str) -> bool:
    """Return whether an address is of this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("10.0.0.5"), is_loopback("x")
    (True, True, False, False)
    """
    try:
        return ipaddress.ip_address(client).is_loopback
    except ValueError:
        return False


def is_private(client: str) -> bool:
    """Return whether an address is of a private network, or of this machine.

    >>> is_private("192.168.0.7"), is_private("100.64.3.1"), is_private("fe80::1%eth0"), is_private("8.8.8.8")
    (True, True, True, False)
    """
    try:
        address = ipaddress.ip_address(client.partition("%")[0])
    except ValueError:
        return False
    shared = address.version == 4 and address in _SHARED
    return address.is_private or address.is_link_local or address.is_loopback or shared


def csrf(key: str) -> str:
    """Return the value of the header `CSRF` for a session."""
    return hmac.new(key.encode(), b"planner csrf", hashlib.sha256).hexdigest()[:32]


def check_network(client: str, options: Options) -> None:
    """Refuse clients beyond private networks where connections are not encrypted.

    Raises
    ------
    Denied
        With 403.
    """
    if not options.tls and not is_private(client):
        message = "connections from other networks must be encrypted"
        raise Denied(403, Problem("network", message, "start planner serve with --tls"))


def check_rate(rates: Rates, found: Member | None, key: str, client: str) -> None:
    """Refuse a client with too many requests.

    Raises
    ------
    Denied
        With 429.
    """
    wait_s = rates.wait_s(key, KNOWN) if found is not None else rates.wait_s(client, UNKNOWN)
    if wait_s:
        seconds = str(math.ceil(wait_s))
        raise Denied(429, Problem("rate", "too many requests", f"wait {seconds} s"), {"Retry-After": seconds})


def check_role(door: Door, found: Member | None, options: Options) -> None:
    """Refuse users whose role does not suffice.

    Raises
    ------
    Denied
        With 401 where nobody is known, 403 where the role does not suffice.
    """
    if door.role is None:
        return
    if found is None:
        raise Denied(
            401,
            Problem("access", "this address needs a link", "open the link of your crew again"),
        )
    if ROLES.index(found.role) < ROLES.index(door.role):
        if options.read_only:
            raise Denied(403, Problem("access", "the plan is served read-only", "start planner serve without --read-only"))
        raise Denied(403, Problem("access", f"the role {found.role} may not do this", f"request a link of the role {door.role}"))


def check_origin(door: Door, headers: Mapping[str, str], key: str, options: Options) -> None:
    """Refuse requests that another site made.

    Raises
    ------
    Denied
        With 403.
    """
    site = headers.get("sec-fetch-site", "")
    if not door.is_page and site not in ("", "same-origin", "none"):
        raise _foreign()
    if not door.writes:
        return
    origin = headers.get("origin", "")
    # A proxy need not pass on the name by which it is reached.
    own = options.url if options.proxied else f"{'https' if options.tls else 'http'}://{headers.get('host', '')}"
    if (origin and origin.lower() != own.lower()) or site == "none":
        raise _foreign()
    if door.role is not None and not hmac.compare_digest(headers.get(CSRF, "").encode(), csrf(key).encode()):
        raise Denied(403, Problem(CSRF, "the header is missing or of another session", "load /api/me and send its value csrf"))


def _foreign() -> Denied:
    return Denied(403, Problem("origin", "another site made this request", "use the pages of this server"))
