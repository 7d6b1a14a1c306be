"""Serve a plan in the browser: its web page, the crews' phones, and the foreman's board."""

from __future__ import annotations

import argparse
from pathlib import Path

from planner.commands import SUCCESS, add_own_code, positive

INTERRUPTED = "the plan was not served yet; nothing was recorded"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("plan", help="folder of the plan, or its cable schedule as CSV or workbook")
    parser.add_argument("--db", metavar="FILE", help="the journal (default: site.db in the folder of the plan)")
    words = "name or address to listen on; 0.0.0.0: all networks (default: 127.0.0.1, this machine only)"
    parser.add_argument("--host", default="127.0.0.1", help=words)
    parser.add_argument("--port", type=positive, metavar="N", help="port (default: 8080; with --tls 8443)")
    parser.add_argument("--tls", action="store_true", help="encrypt, with a certificate of your own authority, made at first use")
    words = "name or address under which phones reach this machine; repeatable (default: its names and addresses)"
    parser.add_argument("--name", action="append", default=[], metavar="NAME", help=words)
    words = "address at which a proxy in front of this server is reached, such as https://site.example; everybody needs a link"
    parser.add_argument("--behind-proxy", default="", metavar="URL", help=words)
    parser.add_argument("--read-only", action="store_true", help="record and change nothing")
    words = "serve other machines without encryption: everybody on the network can read links and take them over"
    parser.add_argument("--insecure-http", action="store_true", help=words)
    words = "minutes between copies of the journal, in which something was recorded (default: 15)"
    parser.add_argument("--backup-every", type=positive, default=15, metavar="MINUTES", help=words)
    words = "space for photos in the journal, of which a crew may take half; copies contain them, too (default: 2000)"
    parser.add_argument("--photos", type=positive, default=2000, metavar="MB", help=words)
    add_own_code(parser)
    parser.add_argument("--backup-to", metavar="FOLDER", help="folder of the copies (default: backups next to the journal)")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    from planner.core.outputs import missing_package

    try:
        from planner.install.serve.run import Settings, serve
    except ModuleNotFoundError as error:
        raise missing_package("planner serve", error) from None

    serve(
        Settings(
            plan=Path(arguments.plan),
            db=Path(arguments.db) if arguments.db else None,
            host=arguments.host,
            port=arguments.port or (8443 if arguments.tls else 8080),
            tls=arguments.tls,
            names=tuple(arguments.name),
            read_only=arguments.read_only,
            insecure_http=arguments.insecure_http,
            backup_s=60.0 * arguments.backup_every,
            backups=Path(arguments.backup_to) if arguments.backup_to else None,
            photos_mb=arguments.photos,
            own_code=arguments.own_code,
            proxy_url=arguments.behind_proxy.rstrip("/"),
        )
    )
    return SUCCESS
