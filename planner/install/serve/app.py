"""The application: doors behind checks of access, origin, size and rate."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import nullcontext
from typing import Any

from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.fabric.baseline import Planned
from planner.install.serve import pages, security
from planner.install.serve.door import JSON_BYTES, Answer, Call, Denied, Door, Upload, problems_of
from planner.install.serve.doors import doors
from planner.install.serve.served import Options, Served
from planner.install.site.journal import Journal

log = logging.getLogger("planner.install.serve")

_FILES = 5000
"""Maximum number of files of a form."""

_ZIPPED_FROM = 1500
"""Bytes from which on an answer is compressed."""


def application(planned: Planned, journal: Journal, options: Options | None = None) -> Starlette:
    """Return the application that serves a plan.

    Parameters
    ----------
    planned
        The plan, see `planner.fabric.baseline.read`.
    journal
        Where events are recorded.
    """
    served = Served(planned, journal, options or Options())
    by_path: dict[str, list[Door]] = {}
    for door in (*doors(), Door("GET", "/static/{name:path}", _static, role=None)):
        by_path.setdefault(door.path, []).append(door)
    routes = [Route(path, _endpoint(served, own), methods=[each.method for each in own]) for path, own in by_path.items()]
    handlers: dict[Any, Any] = {status: _plain for status in (404, 405)}
    made = Starlette(routes=routes, exception_handlers=handlers)
    made.state.served = served
    return made


def _static(served: Served, call: Call) -> Answer:
    found = pages.table().get(call.parts["name"])
    if found is None:
        raise Denied(404, Problem("address", "there is nothing here", "begin at /"))
    return found


def _endpoint(served: Served, own: list[Door]) -> Callable[[Request], Awaitable[Response]]:
    by_method = {door.method: door for door in own}
    if "GET" in by_method:
        by_method["HEAD"] = by_method["GET"]

    async def endpoint(request: Request) -> Response:
        door = by_method[request.method]
        try:
            return await _answered(served, door, request)
        except Denied as error:
            return _refusal(door, error.status, problems_of(error), error.headers)
        except InputError as error:
            return _refusal(door, 400, problems_of(error), {})
        except ClientDisconnect:
            return Response(status_code=400)
        except OSError as error:
            log.error("%s %s: %s", door.method, door.path, error)
            problem = Problem(
                "server", "cannot write or read its files", "send it again later; the foreman should check the disk"
            )
            return _refusal(door, 503, problems_of(Denied(503, problem)), {"Retry-After": "10"})
        except Exception:
            # A bug of ours: the trace is for the terminal, and never for who sent the request.
            log.exception("%s %s", door.method, door.path)
            problem = Problem("server", "failed at this request", "report it with what the terminal of the server shows")
            return _refusal(door, 500, problems_of(Denied(500, problem)), {})

    return endpoint


async def _answered(served: Served, door: Door, request: Request) -> Response:
    headers, cookie = request.headers, request.cookies.get(security.COOKIE, "")
    client, port = request.client or ("", 0)
    ports = port, (request.scope.get("server") or ("", 0))[1] or 0
    security.check_network(client, served.options)
    found, key = await run_sync(security.member, served, headers, cookie, client, ports, limiter=served.threads("record"))
    security.check_rate(served.rates, found, key, client)
    security.check_role(door, found, served.options)
    security.check_origin(door, headers, key, served.options)
    body = b""
    if door.writes:
        async with served.large if door.body_bytes > JSON_BYTES else nullcontext():
            body = await _body(request, door)
    uploads = await _uploads(request, body) if door.form else ()
    call = Call(
        found, dict(request.path_params), dict(request.query_params), b"" if door.form else body,
        headers.get("content-type", ""), uploads, csrf=security.csrf(key) if found is not None else "",
        site=headers.get("sec-fetch-site", ""),
    )  # fmt: skip
    with registry.own_code(served.options.own_code):
        made = await run_sync(door.answer, served, call, limiter=served.threads(door.threads))
    return _response(made, request)


async def _body(request: Request, door: Door) -> bytes:
    """Return the body, which must not be larger, or arrive more slowly, than the door allows."""
    too_large = Denied(413, Problem("body", f"has more than {door.body_bytes:,} bytes", "send less at once"))
    stated = request.headers.get("content-length", "0")
    if stated.isdigit() and int(stated) > door.body_bytes:
        raise too_large
    found = bytearray()
    try:
        async with asyncio.timeout(door.body_s):
            async for chunk in request.stream():
                found += chunk
                if len(found) > door.body_bytes:
                    raise too_large
    except TimeoutError:
        problem = Problem("body", f"did not arrive within {door.body_s:g} s", "send it again")
        raise Denied(408, problem, {"Connection": "close"}) from None
    return bytes(found)


async def _uploads(request: Request, body: bytes) -> list[Upload]:
    """Return the files of a form."""

    async def whole() -> AsyncGenerator[bytes, None]:
        yield body

    wrong = Denied(400, Problem("body", "is no form with files", "send multipart/form-data"))
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise wrong
    parser = MultiPartParser(request.headers, whole(), max_files=_FILES, max_fields=20)
    try:
        form = await parser.parse()
        files = [each for _, each in form.multi_items() if isinstance(each, UploadFile)]
        return [Upload(file.filename or "", await file.read()) for file in files]
    except (MultiPartException, ValueError, KeyError):
        raise wrong from None
    finally:
        # Those of a form that breaks off are no items of it.
        for file in getattr(parser, "_files_to_close_on_error", ()):
            file.close()


def _response(made: Any, request: Request) -> Response:
    if not isinstance(made, Answer):
        made = Answer(json.dumps(made, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode())
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding", **security.HEADERS, **made.headers}
    if made.etag:
        headers["ETag"] = made.etag
        if made.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
    content = made.content
    if "gzip" in request.headers.get("accept-encoding", ""):
        zipped = made.gzipped
        if zipped is None and len(content) > _ZIPPED_FROM and made.media == "application/json":
            zipped = gzip.compress(content, 1)
        if zipped is not None:
            content, headers["Content-Encoding"] = zipped, "gzip"
    return Response(content, made.status, headers, made.media)


def _refusal(door: Door, status: int, content: dict[str, Any], headers: dict[str, str]) -> Response:
    if door.is_page and status == 401:
        page = pages.page("closed")
        return Response(page.content, status, {**security.HEADERS, "Cache-Control": "no-store"}, page.media)
    text = json.dumps(content, ensure_ascii=False).encode()
    return Response(text, status, {**security.HEADERS, "Cache-Control": "no-store", **headers}, "application/json")


async def _plain(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    message = "this address takes no such request" if status == 405 else "there is nothing here"
    content = problems_of(Denied(status, Problem("address", message, "begin at /")))
    return Response(json.dumps(content).encode(), status, security.HEADERS, "application/json")
