"""Certificates of an own authority: it is made once, phones install its certificate, and it can vouch for this site alone."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from planner.core.errors import InputError, Problem

_AUTHORITY_DAYS, _SERVER_DAYS = 3650, 397
"""Days of validity. Browsers refuse certificates of servers that are valid for longer than 398 days."""

_DOMAINS = ("localhost", "local", "lan", "internal", "home.arpa")
"""Names that no public authority vouches for."""

_NETWORKS = (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "127.0.0.0/8", "::1/128", "fc00::/7",
    "fe80::/10",
)  # fmt: skip
"""Private addresses."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class Certificates:
    """Certificate of the authority in DER, its fingerprint, and files of the server's key and chain."""

    authority: bytes
    fingerprint: str
    key: Path
    chain: Path


def folder() -> Path:
    """Return where the authority is kept: the user's folder of data."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "planner" / "authority"


def certificates(names: Sequence[str], place: Path | None = None) -> Certificates:
    """Return a certificate for a server, made now by the authority, which is made where there is none.

    Parameters
    ----------
    names
        Host names and addresses of the server.
    place
        Folder of the authority; by default `folder`.

    Raises
    ------
    InputError
        When the authority cannot be read or written, others may read its key, it has ended, or it may not vouch for a name.
    """
    place = folder() if place is None else place
    key_file, file = place / "authority.key", place / "authority.crt"
    try:
        if not key_file.exists():
            _make_authority(names, key_file, file)
        if key_file.stat().st_mode & 0o077:
            raise InputError(
                Problem("--tls", "other users may read the key of the authority", f"chmod 600 {key_file}", str(key_file))
            )
        key = serialization.load_pem_private_key(key_file.read_bytes(), None)
        authority = x509.load_pem_x509_certificate(file.read_bytes())
        if not isinstance(key, ec.EllipticCurvePrivateKey) or authority.public_key() != key.public_key():
            raise ValueError("key and certificate do not belong together")
    except (OSError, ValueError, TypeError) as error:
        remedy = "correct it, or remove the folder to make a new authority, which phones have to install again"
        raise InputError(Problem("--tls", f"the authority cannot be used: {error}", remedy, str(place))) from None
    _check(authority, names, place)
    chain = place / "server.crt"
    own = ec.generate_private_key(ec.SECP256R1())
    _write_secret(place / "server.key", _pem(own))
    made = _server(own, key, authority, names)
    chain.write_bytes(made.public_bytes(serialization.Encoding.PEM) + authority.public_bytes(serialization.Encoding.PEM))
    mark = authority.fingerprint(hashes.SHA256()).hex().upper()
    pairs = ":".join(mark[start : start + 2] for start in range(0, len(mark), 2))
    return Certificates(authority.public_bytes(serialization.Encoding.DER), pairs, place / "server.key", chain)


def own_names() -> list[str]:
    """Return the names and addresses of this machine, those that others may use first."""
    name = socket.gethostname()
    found = [*_addresses(), name, *([] if "." in name else [f"{name}.local"])]
    return [*dict.fromkeys(each for each in found if each), "localhost", "127.0.0.1", "::1"]


def _addresses() -> list[str]:
    """Return the addresses from which packets to other machines leave; nothing is sent."""
    found = []
    for family, far in ((socket.AF_INET, "10.255.255.255"), (socket.AF_INET6, "fd00::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as own:
            own.connect((far, 9))
            found.append(own.getsockname()[0])
    with suppress(OSError):
        found += [each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_DGRAM)]
    return [each for each in dict.fromkeys(map(str, found)) if "%" not in each and not ipaddress.ip_address(each).is_loopback]


def _address(name: str) -> Address | None:
    try:
        return ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return None


def _write_secret(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    form = serialization.PrivateFormat.PKCS8
    return key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())


def _named(text: str) -> x509.Name:
    organization = x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Planner")
    return x509.Name([organization, x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])


def _make_authority(names: Sequence[str], key_file: Path, file: Path) -> None:
    """Make an authority that may vouch for private addresses, names of no public domain, and the given names."""
    key_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    key = ec.generate_private_key(ec.SECP256R1())
    networks: list[Network] = [ipaddress.ip_network(each) for each in _NETWORKS]
    given = [(name, _address(name)) for name in names]
    networks += [ipaddress.ip_network(address) for _, address in given if address is not None and not _within(address, networks)]
    domains = dict.fromkeys([*_DOMAINS, *(name.lower() for name, address in given if address is None)])
    permitted: list[x509.GeneralName] = [*map(x509.DNSName, domains), *map(x509.IPAddress, networks)]
    usage = x509.KeyUsage(
        digital_signature=False, content_commitment=False, key_encipherment=False, data_encipherment=False,
        key_agreement=False, key_cert_sign=True, crl_sign=True, encipher_only=False, decipher_only=False,
    )  # fmt: skip
    subject = _named(f"Planner authority of {socket.gethostname()}")
    made = (
        _builder(subject, subject, key.public_key(), _AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    _write_secret(key_file, _pem(key))


def _server(
    own: ec.EllipticCurvePrivateKey, key: ec.EllipticCurvePrivateKey, authority: x509.Certificate, names: Sequence[str]
) -> x509.Certificate:
    given = [(name, _address(name)) for name in names]
    sites = [x509.DNSName(name.lower()) if address is None else x509.IPAddress(address) for name, address in given]
    return (
        _builder(_named(names[0]), authority.subject, own.public_key(), _SERVER_DAYS)
        .add_extension(x509.SubjectAlternativeName(sites), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, days: int) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    number = x509.random_serial_number()
    made = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key).serial_number(number)
    # Clocks of phones may be a little behind.
    return made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=days))


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


def _check(authority: x509.Certificate, names: Sequence[str], place: Path) -> None:
    remedy = f"remove {place} to make a new authority, which phones have to install again"
    problems = []
    if authority.not_valid_after_utc < datetime.now(UTC) + timedelta(days=_SERVER_DAYS):
        problems.append(Problem("--tls", f"the authority ends on {authority.not_valid_after_utc:%Y-%m-%d}", remedy, str(place)))
    try:
        permitted = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    except x509.ExtensionNotFound:
        permitted = []
    networks = [each.value for each in permitted if isinstance(each, x509.IPAddress)]
    domains = [each.value for each in permitted if isinstance(each, x509.DNSName)]
    for name in names:
        address, low = _address(name), name.lower()
        if address is not None:
            known = _within(address, [each for each in networks if isinstance(each, Network)])
        else:
            known = any(low == domain or low.endswith(f".{domain}") for domain in domains)
        if not known:
            problems.append(Problem("--name", f"the authority may not vouch for {name}", remedy, str(place)))
    if problems:
        raise InputError(problems)
