"""The own authority: whom it vouches for, and who may read its key."""

import ipaddress
import stat

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from planner.core.errors import InputError
from planner.install.serve import tls


def names_of(made):
    leaf, authority = x509.load_pem_x509_certificates(made.chain.read_bytes())
    return leaf, authority, leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value


def test_the_certificate_names_the_server_and_is_signed_by_the_authority(tmp_path):
    made = tls.certificates(["10.0.0.5", "site.local", "fd00::7"], tmp_path)
    leaf, authority, names = names_of(made)
    leaf.verify_directly_issued_by(authority)
    assert names.get_values_for_type(x509.DNSName) == ["site.local"]
    assert names.get_values_for_type(x509.IPAddress) == [ipaddress.ip_address("10.0.0.5"), ipaddress.ip_address("fd00::7")]
    assert (leaf.not_valid_after_utc - leaf.not_valid_before_utc).days <= 398
    assert load_pem_private_key(made.key.read_bytes(), None).public_key() == leaf.public_key()
    assert x509.load_der_x509_certificate(made.authority) == authority
    assert len(made.fingerprint) == 95
    PolicyBuilder().store(Store([authority])).build_server_verifier(x509.DNSName("site.local")).verify(leaf, [])


def test_keys_are_for_their_owner_alone(tmp_path):
    made = tls.certificates(["site.local"], tmp_path / "deep" / "place")
    for file in (made.key, tmp_path / "deep" / "place" / "authority.key"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (tmp_path / "deep" / "place" / "authority.key").chmod(0o644)
    with pytest.raises(InputError, match="other users may read"):
        tls.certificates(["site.local"], tmp_path / "deep" / "place")


def test_the_authority_stays_and_the_server_gets_a_new_certificate(tmp_path):
    first, second = tls.certificates(["site.local"], tmp_path), tls.certificates(["10.1.2.3"], tmp_path)
    assert first.authority == second.authority
    assert names_of(second)[2].get_values_for_type(x509.DNSName) == []


def test_it_cannot_vouch_for_other_sites(tmp_path):
    tls.certificates(["hall.example.org"], tmp_path)
    tls.certificates(["hall.example.org", "x.hall.example.org", "192.168.3.4"], tmp_path)
    for name in ("bank.example", "example.org", "203.0.113.9"):
        with pytest.raises(InputError, match="may not vouch"):
            tls.certificates([name], tmp_path)
    # A browser refuses such a certificate even if somebody steals the key.
    key = load_pem_private_key((tmp_path / "authority.key").read_bytes(), None)
    authority = x509.load_pem_x509_certificate((tmp_path / "authority.crt").read_bytes())
    stolen = (
        x509.CertificateBuilder().subject_name(authority.subject).issuer_name(authority.subject).public_key(key.public_key())
        .serial_number(7).not_valid_before(authority.not_valid_before_utc).not_valid_after(authority.not_valid_after_utc)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("bank.example")]), critical=False)
        .sign(key, authority.signature_hash_algorithm)
    )  # fmt: skip
    with pytest.raises(VerificationError):
        PolicyBuilder().store(Store([authority])).build_server_verifier(x509.DNSName("bank.example")).verify(stolen, [])


@pytest.mark.parametrize("file", ["authority.key", "authority.crt"])
def test_damaged_files_are_refused(tmp_path, file):
    tls.certificates(["site.local"], tmp_path)
    (tmp_path / file).write_text("nothing")
    (tmp_path / file).chmod(0o600)
    with pytest.raises(InputError, match="cannot be used"):
        tls.certificates(["site.local"], tmp_path)


def test_names_of_this_machine():
    found = tls.own_names()
    assert found[-3:] == ["localhost", "127.0.0.1", "::1"]
    assert len(found) == len(set(found))
