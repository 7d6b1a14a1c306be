"""Links of crews: opening, making, listing and revoking them, and who is who."""

from __future__ import annotations

import hmac
import html
import re
from typing import Any

from planner.core.errors import InputError, Problem
from planner.install.serve import qr, security
from planner.install.serve.door import Answer, Call, Denied, Door
from planner.install.serve.pages import MEDIA, page
from planner.install.serve.served import Served
from planner.install.site import access

HOMES = {"viewer": "/board", "crew": "/install", "planner": "/", "foreman": "/board"}
"""Page to which the link of a role leads."""

_SESSION_HOURS = 16


def me(served: Served, call: Call) -> dict[str, Any]:
    """Return who the user is, and what requests that write must bring."""
    return {
        "role": call.role, "crew": call.crew, "plan": served.site.revision, "name": served.site.name,
        "clock": served.journal.clock, "csrf": call.csrf, "read_only": served.options.read_only,
        "authority": bool(served.options.authority),
    }  # fmt: skip


def opened(served: Served, call: Call) -> Answer:
    """Exchange the token of a link for a session, and lead to the page of its role.

    Whoever is known already has to click first, unless our own pages or the user open the link: another site must not exchange
    the session of a visitor.
    """
    if _replaces(served, call):
        return _question(served, call)
    token = access.session(served.journal, call.parts["token"].upper(), hours=_SESSION_HOURS)
    member = access.who(served.journal, token) if token else None
    if token is None or member is None:
        raise Denied(401, Problem("link", "is unknown, has ended, or was revoked", "request a new one from the foreman"))
    cookie = f"{security.COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={_SESSION_HOURS * 3600}"
    secure = "; Secure" if served.options.is_encrypted else ""
    return Answer(b"", "text/plain", 303, headers={"Location": HOMES[member.role], "Set-Cookie": cookie + secure})


def _replaces(served: Served, call: Call) -> bool:
    """Whether the link would end the work of somebody else's session without a click."""
    if (
        call.member is None
        or call.site in ("same-origin", "none")
        or hmac.compare_digest(call.query.get("instead", ""), call.csrf)
    ):
        return False
    wanted = access.who(served.journal, call.parts["token"].upper())
    return wanted is not None and (wanted.crew, wanted.role) != (call.crew, call.role)


def _question(served: Served, call: Call) -> Answer:
    """Return a page on which the link is opened with a click."""
    token = call.parts["token"].upper()
    wanted = access.who(served.journal, token)
    assert wanted is not None
    # The mark is known to pages of this session alone.
    words = {
        "ROLE": call.role, "CREW": call.crew, "WANTED": wanted.crew, "WANTED ROLE": wanted.role,
        "ADDRESS": f"/k/{token}?instead={call.csrf}",
    }  # fmt: skip
    text = re.sub(r"\{([A-Z ]+)\}", lambda found: html.escape(words[found[1]]), page("replace").content.decode())
    return Answer(text.encode(), MEDIA[".html"], headers={"Cache-Control": "no-store"})


def made(served: Served, call: Call) -> dict[str, Any]:
    """Make a link; its token is in this answer, and nowhere else."""
    content = call.json()
    wanted = content if isinstance(content, dict) else {}
    crew, role, hours = wanted.get("crew"), wanted.get("role", "crew"), wanted.get("hours", 24)
    if not (isinstance(crew, str) and isinstance(role, str) and isinstance(hours, int | float) and not isinstance(hours, bool)):
        raise InputError(Problem("link", "needs crew and role as texts, and hours as a number", "correct it"))
    token = access.issue(served.journal, crew, role, hours=hours, by=call.crew)
    member = access.who(served.journal, token)
    assert member is not None
    # In capitals the code is smaller.
    address = f"{served.options.url.upper()}/K/{token}"
    return {"token": token, "url": address, "qr": qr.svg(address), **_link(member)}


def listed(served: Served, call: Call) -> dict[str, Any]:
    """Return all links, those that ended too; none can be opened with what is in the list."""
    return {"links": [_link(each) for each in access.links(served.journal)], "clock": served.journal.clock}


def revoked(served: Served, call: Call) -> dict[str, int]:
    """Revoke a link with its sessions, or all links of a crew."""
    count = access.revoke(served.journal, call.parts["key"], by=call.crew)
    if not count:
        raise Denied(404, Problem("link", "there is none of this key or crew", "load the list again"))
    return {"revoked": count}


def audit(served: Served, call: Call) -> dict[str, Any]:
    """Return the audit trail, the last entries first; events are in the journal."""
    return {"columns": ("at", "who", "what"), "entries": served.journal.audit()[::-1][:2000]}


def authority(served: Served, call: Call) -> Answer:
    """Return the certificate of the authority, which phones install once."""
    if not served.options.authority:
        raise Denied(404, Problem("authority", "there is none", "start planner serve with --tls"))
    headers = {"Content-Disposition": 'attachment; filename="planner-authority.crt"'}
    return Answer(served.options.authority, "application/x-x509-ca-cert", headers=headers)


def authority_code(served: Served, call: Call) -> Answer:
    """Return the QR code of the address of that certificate."""
    return Answer(qr.svg(f"{served.options.url}/authority.crt").encode(), "image/svg+xml")


def _link(member: access.Member) -> dict[str, Any]:
    return {
        "key": member.key, "crew": member.crew, "role": member.role, "expires": member.expires, "revoked": member.revoked,
    }  # fmt: skip


ROUTES = [
    Door("GET", "/k/{token}", opened, role=None),
    Door("GET", "/K/{token}", opened, role=None),
    Door("GET", "/api/me", me),
    Door("GET", "/api/access", listed, "foreman"),
    Door("POST", "/api/access", made, "foreman"),
    Door("DELETE", "/api/access/{key}", revoked, "foreman"),
    Door("GET", "/api/audit", audit, "foreman"),
    Door("GET", "/authority.crt", authority, role=None),
    Door("GET", "/api/access/authority.svg", authority_code),
]
