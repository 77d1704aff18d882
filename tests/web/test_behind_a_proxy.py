"""The guide's Caddy and nginx in front of a real server: what a phone on a farm's network gets, over https."""

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import httpx
import pytest

from provender.web.start import keep_secret_key
from tests.processes import PROVENDER, free_port, plain_environment, running, until

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "how-to" / "serve.md"
NAME = "barn.local"
PASSWORD = re.compile(r"e-mail +(\S+)\s+password +(\S{8,})")


def from_guide(language: str, *, naming: str) -> str:
    blocks = re.findall(rf"^```{language}\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    (found,) = [block for block in blocks if naming in block]
    return str(found)


def program(name: str) -> str:
    unpacked = [*(ROOT / ".tools" / name / "usr").glob(f"*bin/{name}")]
    found = shutil.which(name) or (str(unpacked[0]) if unpacked else "")
    assert found, f"{name} is missing: run tools/proxies."
    return found


@dataclass
class Phone:
    """A browser that trusts Caddy's authority, and asks for the farm's name."""

    http: httpx.Client
    trusted: ssl.SSLContext
    port: int
    direct: int
    plain: int
    log: Path

    def ask(
        self, method: str, path: str, data: dict[str, str] | None = None, headers: dict[str, str] | None = None
    ) -> httpx.Response:
        url, said = f"https://127.0.0.1:{self.port}{path}", {"Host": NAME, **(headers or {})}
        return self.http.request(method, url, data=data, headers=said, extensions={"sni_hostname": NAME})

    @contextmanager
    def at(self, address: str, port: int | None = None) -> Iterator["Phone"]:
        """Be another phone: this machine's network has many addresses."""
        line = httpx.HTTPTransport(verify=self.trusted, local_address=address)
        with httpx.Client(transport=line, timeout=60) as client:
            yield replace(self, http=client, port=port or self.port)

    def sign_in(self, login: str, password: str, **headers: str) -> httpx.Response:
        self.http.cookies.clear()
        page = self.ask("GET", "/account/login/").text
        (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page))
        said = {"login": login, "password": password, "csrfmiddlewaretoken": token}
        return self.ask("POST", "/account/login/", data=said, headers=headers)


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    """Start the server as the guide says, with the guide's Caddyfile in front."""
    folder = tmp_path_factory.mktemp("farm")
    own = str(folder / "caddy")
    variables = plain_environment(
        PROVENDER_FOLDER=str(folder / "provender-data"), HOME=str(folder), XDG_DATA_HOME=own, XDG_CONFIG_HOME=own
    )
    direct, port, plain = free_port(), free_port(), free_port()
    (folder / "provender-data").mkdir()
    keep_secret_key(folder / "provender-data")  # as the first start on this machine did
    log = folder / "server.log"
    started = from_guide("sh", naming="PROVENDER_HOSTS").replace("provender serve", f'exec "$@" serve --port {direct}')
    ours = f"{{\n  admin off\n  skip_install_trust\n  http_port {plain}\n  https_port {port}\n}}\n"
    # The ports and the machine's list of authorities are the tester's; the rest is the guide's.
    front = from_guide("caddyfile", naming=NAME)
    (folder / "Caddyfile").write_text(ours + front.replace("127.0.0.1:8000", f"127.0.0.1:{direct}"), encoding="utf-8")
    proxy = [program("caddy"), "run", "--config", "Caddyfile", "--adapter", "caddyfile"]
    root = folder / "caddy" / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    with (
        running(["bash", "-euc", started, "-", *PROVENDER], log, variables, folder),
        running(proxy, folder / "caddy.log", variables, folder),
    ):
        until(root.read_bytes, folder / "caddy.log")
        trusted = ssl.create_default_context(cafile=str(root))
        with httpx.Client(verify=trusted, timeout=60) as client:
            one = Phone(client, trusted, port, direct, plain, log)
            until(lambda: one.ask("GET", "/health").raise_for_status(), log)
            yield one


@pytest.fixture(scope="module")
def nginx(phone: Phone, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Start the guide's nginx in front of the same server, with a certificate of Caddy's authority; return its port."""
    folder = tmp_path_factory.mktemp("nginx")
    port = free_port()
    key, certificate = folder / "own.key", folder / "own.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}", "-days", "2"]
    command += ["-addext", f"subjectAltName=DNS:{NAME}", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - fixed
    phone.trusted.load_verify_locations(certificate)
    text = from_guide("nginx", naming="proxy_set_header")
    for said, here in {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl", "/etc/ssl/provender.example.pem": str(certificate),
        "/etc/ssl/provender.example.key": str(key), "127.0.0.1:8000": f"127.0.0.1:{phone.direct}",
        "provender.example;": f"{NAME};",
    }.items():  # fmt: skip
        assert said in text, said
        text = text.replace(said, here)
    places = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    around = f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\nhttp {{\naccess_log off;\n"
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(f"{user}{around}{places}{text}}}\n", encoding="utf-8")
    with running(
        [program("nginx"), "-p", folder, "-c", folder / "nginx.conf"], folder / "out.log", plain_environment()
    ):
        until(lambda: httpx.get(f"https://127.0.0.1:{port}/health", verify=False), folder / "error.log")  # noqa: S501
        yield port


pytestmark = pytest.mark.slow
FORGED: Final = {"X-Forwarded-For": "198.51.100.7", "Forwarded": "for=198.51.100.7", "Origin": f"https://{NAME}"}


@pytest.mark.parametrize("behind", ["caddy", "nginx"])
def test_the_list_of_devices_shows_where_a_phone_really_is(phone: Phone, nginx: int, behind: str) -> None:
    told = PASSWORD.search(phone.log.read_text())
    assert told is not None
    port = phone.port if behind == "caddy" else nginx
    with phone.at("127.0.0.2" if behind == "caddy" else "127.0.0.12", port) as one:
        assert one.sign_in(told[1], told[2], **FORGED).status_code == 302
        shown = one.ask("GET", "/account/sessions/", headers=FORGED).text
    assert ("127.0.0.2" if behind == "caddy" else "127.0.0.12") in shown
    assert "198.51.100.7" not in shown


@pytest.mark.parametrize("behind", ["caddy", "nginx"])
def test_a_stranger_s_tries_lock_no_other_address_out(phone: Phone, nginx: int, behind: str) -> None:
    told = PASSWORD.search(phone.log.read_text())
    assert told is not None
    port, network = (phone.port, "127.0.1") if behind == "caddy" else (nginx, "127.0.2")
    with phone.at(f"{network}.3", port) as stranger:
        for number in range(8):
            forged = {**FORGED, "X-Forwarded-For": f"198.51.100.{number}"}
            assert stranger.sign_in(told[1], "wrong password", **forged).status_code == 200
        assert "Too many tries" in stranger.sign_in(told[1], told[2], **FORGED).text
    with phone.at(f"{network}.4", port) as owner:
        assert owner.sign_in(told[1], told[2], **FORGED).status_code == 302


def test_pages_and_the_field_come_over_https(phone: Phone) -> None:
    shown = phone.ask("GET", "/account/login/")
    assert shown.status_code == 200
    assert "Sign in" in shown.text
    assert "max-age=31536000" in shown.headers["Strict-Transport-Security"]
    assert phone.ask("GET", "/field/").status_code == 200
    assert phone.ask("GET", "/field/worker.js").headers["Content-Type"].startswith("text/javascript")


def test_the_phone_must_trust_the_authority(phone: Phone) -> None:
    with httpx.Client() as untrusting, pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        untrusting.get(f"https://127.0.0.1:{phone.port}/health", extensions={"sni_hostname": NAME})


def test_plain_http_leads_to_https(phone: Phone) -> None:
    for port in (phone.plain, phone.direct):
        led = httpx.get(f"http://127.0.0.1:{port}/account/login/", headers={"Host": NAME})
        assert led.status_code in {301, 308}
        assert led.headers["Location"].startswith(f"https://{NAME}")


def test_cookies_go_over_https_alone_and_signing_in_works(phone: Phone) -> None:
    told = PASSWORD.search(phone.log.read_text())
    assert told is not None
    answer = phone.sign_in(told[1], told[2], Origin=f"https://{NAME}")
    assert answer.status_code == 302, answer.text
    cookies = {one.name: one for one in phone.http.cookies.jar}
    assert {"__Host-provender", "__Host-provender-csrf"} <= set(cookies)
    assert all(one.secure for one in cookies.values())
    assert all(one.has_nonstandard_attr("HttpOnly") for one in cookies.values())
    assert phone.ask("GET", answer.headers["Location"]).status_code in {200, 302}
    assert phone.ask("GET", "/field/now").json()["name"]


@pytest.mark.parametrize("origin", [f"http://{NAME}", "https://bank.example", f"https://{NAME}:8443", "null"])
def test_a_form_from_elsewhere_is_refused(phone: Phone, origin: str) -> None:
    assert phone.sign_in("a@farm.example", "x", Origin=f"https://{NAME}").status_code == 200, "no such account"
    assert phone.sign_in("a@farm.example", "x", Origin=origin).status_code == 403


def test_a_phone_cannot_say_that_it_came_over_something_else(phone: Phone) -> None:
    shown = phone.ask("GET", "/account/login/", headers={"X-Forwarded-Proto": "http"})
    assert shown.status_code == 200, "Caddy says how the request came, whatever the phone says"


def test_another_name_is_refused(phone: Phone) -> None:
    assert phone.ask("GET", "/account/login/", headers={"Host": "bank.example"}).text == ""


def test_the_server_itself_listens_on_this_machine_only(phone: Phone) -> None:
    others = {found[4][0] for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in others - {"127.0.0.1", "127.0.1.1"}:
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((str(address), phone.direct), 2)
