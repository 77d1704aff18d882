"""TLS for a farm's own network: an authority of this server's own, and a certificate for its names and addresses.

Phones trust the authority once it is installed on them. It is limited to private addresses and to this machine's own
names (RFC 5280, name constraints), so whoever stole its key could not speak for any other site.
"""

import ipaddress
import os
import re
import socket
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from provender.problem import refuse

# Only a server that speaks TLS itself needs the library.
if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.x509 import Certificate

    Pair = tuple[EllipticCurvePrivateKey, Certificate]

FOLDER: Final = "tls"
AUTHORITY: Final = "authority"
SERVER: Final = "server"
AUTHORITY_DAYS: Final = 3650
SERVER_DAYS: Final = 397
"""Phones refuse certificates of servers that are valid for longer."""
RENEWED_DAYS: Final = 60
"""A certificate that ends sooner is made anew at the start; the authority, and what phones trust, stays."""
LONGEST_COMMON_NAME: Final = 64
"""Characters (RFC 5280, ub-common-name)."""
NAME: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
PRIVATE: Final = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "100.64.0.0/10",
    "fc00::/7",
    "::1/128",
)


@dataclass(frozen=True, slots=True)
class OwnTls:
    """What a server on a farm's network answers with.

    Attributes:
        certificate, key: files in PEM.
        authority: the certificate that phones install, in PEM.
        names: under which the server answers.
        fingerprint: SHA-256 of the authority's certificate, in pairs of letters and digits.
    """

    certificate: Path
    key: Path
    authority: Path
    names: tuple[str, ...]
    fingerprint: str


def names_here() -> tuple[str, ...]:
    """Return this machine's address on its network and its names, the most useful first."""
    host = socket.gethostname().partition(".")[0].lower()
    found = [_address_here(), f"{host}.local", host, "localhost", "127.0.0.1"]
    return tuple(dict.fromkeys(name for name in found if _said(name)))


def _said(name: str) -> str:
    """Return a name as a certificate and a browser's request say it; empty where a certificate cannot say it."""
    address = _ip(name.removeprefix("[").removesuffix("]"))
    if address is not None:
        return str(address)
    try:
        said = name.lower().encode("idna").decode()
    except UnicodeError:
        return ""
    return said if NAME.fullmatch(said) else ""


def _address_here() -> str:
    """Return the address that others on the network reach; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: no packet leaves
        except OSError:
            return ""
        address = str(probe.getsockname()[0])
    return address if _is_of_a_farm(ipaddress.ip_address(address)) else ""


def _is_of_a_farm(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return any(address in ipaddress.ip_network(one) for one in PRIVATE)


def own_tls(folder: Path, names: tuple[str, ...]) -> OwnTls:
    """Return what a server answers with, kept in its folder: made on the first start, renewed before it ends.

    Args:
        folder: of the server's data.
        names: host names and IP addresses under which it answers.

    Raises:
        ProblemsError: a name is none that a certificate can say, such as a wildcard.
    """
    from cryptography.hazmat.primitives.hashes import SHA256

    if wrong := [name for name in names if not _said(name)]:
        cause = f"No certificate can be made for {', '.join(map(repr, wrong))}."
        remedy = "Give whole host names and IP addresses, separated by commas, without wildcards or ports."
        raise refuse("PROVENDER_HOSTS", cause, remedy)
    names = tuple(dict.fromkeys(map(_said, names)))  # an address of IPv6 has brackets in a request and none here
    place = folder / FOLDER
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    authority = _kept(place, AUTHORITY)
    if authority is None or not _vouches_for(authority[1], names):
        authority = _written(place, AUTHORITY, _make_authority(names))
    server = _kept(place, SERVER)
    if server is None or _names_of(server[1]) != set(names) or not _signed_by(server[1], authority[1]):
        server = _written(place, SERVER, _make_server(authority, names))
    hosts = tuple(f"[{name}]" if ":" in name else name for name in names)
    print_ = authority[1].fingerprint(SHA256()).hex().upper()
    pairs = ":".join(print_[at : at + 2] for at in range(0, len(print_), 2))
    return OwnTls(
        place / f"{SERVER}.pem", place / f"{SERVER}-key.pem", place / f"{AUTHORITY}.pem", hosts, pairs
    )  # fmt: skip


def _kept(place: Path, name: str) -> "Pair | None":
    """Return a key and its certificate as they were kept; None where there are none, or they end soon."""
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key
    from cryptography.x509 import load_pem_x509_certificate

    try:
        key = load_pem_private_key((place / f"{name}-key.pem").read_bytes(), None)
        certificate = load_pem_x509_certificate((place / f"{name}.pem").read_bytes())
    except (OSError, ValueError):
        return None
    lasts = certificate.not_valid_after_utc - datetime.now(UTC) > timedelta(days=RENEWED_DAYS)
    # A start that broke off between the two files leaves a new key beside an old certificate.
    if not isinstance(key, EllipticCurvePrivateKey) or certificate.public_key() != key.public_key():
        return None
    return (key, certificate) if lasts else None


def _written(place: Path, name: str, made: "Pair") -> "Pair":
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key, certificate = made
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for file, content in ((f"{name}-key.pem", private), (f"{name}.pem", certificate.public_bytes(Encoding.PEM))):
        fresh = place / f"{file}.new"
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(content)
        fresh.replace(place / file)
    return made


def _make_authority(names: tuple[str, ...]) -> "Pair":
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = _called(f"provender on {names[0]}")
    ours = [address for name in names if (address := _ip(name)) is not None and not _is_of_a_farm(address)]
    networks = [*map(ipaddress.ip_network, PRIVATE), *map(ipaddress.ip_network, ours)]
    allowed: list[x509.GeneralName] = [x509.IPAddress(one) for one in networks]
    allowed += [x509.DNSName(name) for name in names if _ip(name) is None]
    builder = (
        _begun(subject, subject, key, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(allowed, None), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return key, _signed(builder, key)


def _make_server(authority: "Pair", names: tuple[str, ...]) -> "Pair":
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID

    key = ec.generate_private_key(ec.SECP256R1())
    subject = _called(names[0])
    said = [x509.DNSName(name) if (ip := _ip(name)) is None else x509.IPAddress(ip) for name in names]
    builder = (
        _begun(subject, authority[1].subject, key, SERVER_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(said), critical=False)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority[0].public_key()), critical=False)
    )
    return key, _signed(builder, authority[0])


def _called(name: str) -> "x509.Name":
    from cryptography import x509

    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name[:LONGEST_COMMON_NAME])])


def _begun(
    subject: "x509.Name", issuer: "x509.Name", key: "EllipticCurvePrivateKey", days: int
) -> "x509.CertificateBuilder":
    from cryptography import x509

    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number())
    # A phone's clock may run behind.
    return builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=days - 1))


def _signed(builder: "x509.CertificateBuilder", key: "EllipticCurvePrivateKey") -> "Certificate":
    from cryptography.hazmat.primitives.hashes import SHA256

    return builder.sign(key, SHA256())


def _usage(*, signs_certificates: bool) -> "x509.KeyUsage":
    from cryptography import x509

    return x509.KeyUsage(
        digital_signature=not signs_certificates, key_cert_sign=signs_certificates, crl_sign=signs_certificates,
        content_commitment=False, key_encipherment=False, data_encipherment=False, key_agreement=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _ip(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _vouches_for(authority: "Certificate", names: tuple[str, ...]) -> bool:
    """Tell whether every name lies within what an authority is limited to."""
    from cryptography import x509

    limits = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    dns = {one.value for one in limits if isinstance(one, x509.DNSName)}
    networks = [ipaddress.ip_network(str(one.value)) for one in limits if isinstance(one, x509.IPAddress)]
    addresses = {name: _ip(name) for name in names}
    return all(
        name in dns if address is None else any(address in network for network in networks)
        for name, address in addresses.items()
    )


def _signed_by(certificate: "Certificate", authority: "Certificate") -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        certificate.verify_directly_issued_by(authority)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def _names_of(certificate: "Certificate") -> set[str]:
    from cryptography import x509

    said = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {*said.get_values_for_type(x509.DNSName), *map(str, said.get_values_for_type(x509.IPAddress))}
