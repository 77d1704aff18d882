"""Notices: others' deeds are told once, shown and sent by choice, and posted signed to nobody inside our network."""

import hmac
import json
import socket
import ssl
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar
from urllib.parse import urlencode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from django.conf import settings
from django.core import mail
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from provender.custody.events.registry import read_event
from provender.database.choices import NewsKind, Scope
from provender.database.models.accounts import Hook, LogRow, News, NewsMark, Organisation, Sending
from provender.database.store.custody import POSTED
from provender.services.accounts.tokens import create_token, end_hook
from provender.services.audits.programme import raise_finding as do_raise
from provender.services.custody.entry import post_event
from provender.services.news import hooks
from provender.services.news.told import (
    OF_DEED,
    OF_EVENT,
    Gatherer,
    Notification,
    Reading,
    all_news,
    choose,
    look_at_periods,
    notice_of,
    of_log,
    unseen,
)
from provender.services.refused import RefusedError
from provender.web.news_mail import mail_news
from tests.web.api.test_calls import data, get
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody

ADDRESS = "https://scale.example.com/told"


@pytest.fixture
def gatherer(cast: Cast) -> Gatherer:
    """Return one that has read everything up to now."""
    del cast
    made = Gatherer()
    made.round()
    return made


def of(organisation: Organisation, kind: NewsKind) -> list[str]:
    return list(News.objects.filter(organisation=organisation, kind=kind).order_by("id").values_list("says", flat=True))


def ask(cast: Cast) -> None:
    due = (timezone.localdate() + timedelta(days=30)).isoformat()
    said = {"severity": "major", "cite": "2100.051(c)(3)", "subject": "unit G70", "text": "Which speed?"}
    do_raise(cast.audit, {**said, "owner": cast.farm.name, "due": due}, actor=cast.actor("verifier_in"))


def hook_of(cast: Cast, *kinds: NewsKind) -> Hook:
    return hooks.make_hook(cast.farm, address=ADDRESS, kinds=kinds or NewsKind.values, actor=cast.actor("owner"))[0]


def test_what_others_enter_is_told_once_to_those_it_names(cast: Cast, gatherer: Gatherer) -> None:
    fill_custody(cast)
    assert gatherer.round()
    assert gatherer.round() == 0
    Gatherer().round()
    told = of(cast.mill, NewsKind.ARRIVED)
    assert "A delivery from Stan's Elevator" in told
    assert any(one.startswith("A sale slip from ") for one in told)
    assert not any("Mia's Mill" in one for one in told)
    assert "A delivery from Mia's Mill" in of(cast.elevator, NewsKind.ARRIVED)
    said = "Mia's Mill put a contract with you on file"
    assert said in of(cast.elevator, NewsKind.ARRIVED)
    assert said in of(cast.farm, NewsKind.ARRIVED)
    assert not any("contract" in one for one in told), "and not who put it on file"
    assert News.objects.count() == News.objects.values("organisation", "source").distinct().count()


def test_a_seller_is_told_of_an_acceptance_and_a_house_that_is_no_party_is_not(cast: Cast, gatherer: Gatherer) -> None:
    season = fill_custody(cast)
    said = {"taker": cast.mill.handle, "movement": season.delivery, "site": "north"}
    day = (timezone.localdate() - timedelta(days=1)).isoformat()
    event = read_event({"type": "accept", "id": "accept-1", "day": day, **said})
    assert post_event(event, organisation=cast.mill, actor=cast.actor("owner")).status.well
    gatherer.round()
    assert "Mia's Mill accepted your delivery" in of(cast.elevator, NewsKind.ARRIVED)
    (told,) = News.objects.filter(organisation=cast.elevator, says__contains="accepted your delivery")
    assert told.about == season.delivery, "the seller's own entry, not the buyer's, which it may not open"
    mine = LogRow.objects.get(deed=POSTED, about="accept-1")
    hosting = LogRow(organisation=cast.farm, deed=POSTED, about=mine.about, new=mine.new)
    assert list(of_log([hosting])) == []


def test_a_finding_is_told_and_what_was_taken_back_is_not(cast: Cast, gatherer: Gatherer) -> None:
    with transaction.atomic():
        ask(cast)
        transaction.set_rollback(True)
    gatherer.round()
    assert not News.objects.exists()
    ask(cast)
    gatherer.round()
    assert of(cast.farm, NewsKind.ASKED) == ["Vic Verifies raised a finding"]
    assert not News.objects.filter(organisation=cast.verifier).exists()


def test_a_row_that_is_seen_late_is_told_all_the_same(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = Reading("log", LogRow, "at")
    monkeypatch.setattr("provender.services.news.told.connection", SimpleNamespace(vendor="postgresql"))
    start = reading.fresh()
    assert start == []
    for _ in range(3):
        ask(cast)
    rows = reading.fresh()
    reading.done(rows[1:])  # as if the first were not committed yet
    assert reading.fresh() == rows[:1]
    reading.done(rows[:1])
    assert reading.fresh() == []
    assert NewsMark.objects.get(table="log").read_up_to < rows[0], "young rows are looked for again"


def test_a_period_is_told_before_it_ends_and_once_a_step(cast: Cast) -> None:
    season = fill_custody(cast)
    look_at_periods()
    look_at_periods()
    found = News.objects.filter(organisation=cast.mill, kind=NewsKind.PERIOD)
    assert [(one.source, one.query) for one in found] == [(f"period {season.open} 30", [["start", str(season.open)]])]
    assert found[0].says.startswith("Your period ends on ")


def test_a_member_sees_what_is_new_and_what_they_chose(cast: Cast, gatherer: Gatherer) -> None:
    ask(cast)
    gatherer.round()
    client, where = cast.client(), reverse("notices", args=(cast.farm.handle,))
    bell = reverse("notices_count", args=(cast.farm.handle,))
    assert '<span class="count" aria-hidden="true">1</span>' in client.get(bell).content.decode()
    assert "Vic Verifies raised a finding" in client.get(where).content.decode()
    assert unseen(cast.membership("owner")) == 0, "looked at"
    assert unseen(cast.membership("reader")) == 1
    count = client.get(bell).content.decode()
    assert "0 new notices" in count
    assert "<html" not in count
    assert client.post(where, {"shown": ["report.changed"], "sent": ["evidence.asked"]}).status_code == 302
    assert "raised a finding" not in client.get(where).content.decode()
    assert client.post(where, {"shown": ["everything"]}).status_code == 200
    assert cast.client("verifier_in").post(where, {"shown": []}).status_code == 403


def test_mail_goes_to_those_who_chose_it(cast: Cast, gatherer: Gatherer) -> None:
    for part in ("owner", "writer"):
        choose(cast.membership(part), shown=[], sent=[NewsKind.ASKED])
    choose(cast.membership("reader"), shown=[], sent=[NewsKind.PERIOD])
    ask(cast)
    gatherer.round()
    assert hooks.send_due(mail_news) == 2
    assert hooks.send_due(mail_news) == 0
    said = "Vic Verifies raised a finding"
    assert sorted((one.to, one.subject) for one in mail.outbox) == [
        (["owner@example.org"], said), (["writer@example.org"], said)
    ]  # fmt: skip


def test_what_does_not_arrive_is_sent_later(cast: Cast, gatherer: Gatherer, monkeypatch: pytest.MonkeyPatch) -> None:
    hook_of(cast)

    def refuse(*_: object) -> int:
        raise hooks.NotTakenError("answered 500")

    monkeypatch.setattr("provender.services.news.hooks.post_to", refuse)
    ask(cast)
    gatherer.round()
    for tried, wait in enumerate([*hooks.WAITS, None], start=1):
        assert hooks.send_due(mail_news) == 1
        one = Sending.objects.get()
        assert (one.tries, one.answer, one.done_at) == (tried, "answered 500", None)
        if wait is None:
            assert one.next_at is None
        else:
            assert one.next_at is not None
            assert timedelta(seconds=wait - 5) < one.next_at - timezone.now() <= timedelta(seconds=wait)
            assert hooks.send_due(mail_news) == 0, "not before its time"
            Sending.objects.update(next_at=timezone.now())


class Listener(BaseHTTPRequestHandler):
    """Keeps what is posted to it; answers once with a way elsewhere, which nobody follows."""

    got: ClassVar[list[tuple[dict[str, str], bytes]]] = []
    answers: ClassVar[list[int]] = [302, 204]

    def do_POST(self) -> None:
        self.got.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(self.answers[len(self.got) - 1])
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_a_webhook_is_signed_over_all(cast: Cast, gatherer: Gatherer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "ENVIRONMENT", replace(settings.ENVIRONMENT, private_hooks=True))
    server = HTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    made, secret = hooks.make_hook(
        cast.farm, address=f"http://127.0.0.1:{server.server_port}/told?x=1", kinds=[NewsKind.ASKED],
        actor=cast.actor("owner"),
    )  # fmt: skip
    assert secret == hooks.secret_of(made)
    ask(cast)
    gatherer.round()
    hooks.send_due(mail_news)
    assert Sending.objects.get().answer == "answered 302"
    Sending.objects.update(next_at=timezone.now())
    hooks.send_due(mail_news)
    server.shutdown()
    server.server_close()
    assert Sending.objects.get().done_at is not None
    (headers, body), (_, again) = Listener.got
    assert body == again
    said = json.loads(body)
    assert (said["type"], said["organization"]) == ("evidence.asked", cast.farm.handle)
    assert headers["webhook-id"] == said["id"]
    check_as_others_do(secret, headers, body)


def check_as_others_do(secret: str, headers: dict[str, str], body: bytes) -> None:
    """Check a message by the guide's four lines and by the library of Standard Webhooks, which refuses any change."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = b64decode(secret.removeprefix("whsec_"))
    assert headers["webhook-signature"] == "v1," + b64encode(hmac.digest(key, signed, "sha256")).decode()
    assert Webhook(secret).verify(body, headers) == json.loads(body)
    early = headers | {"webhook-timestamp": str(int(headers["webhook-timestamp"]) - 1)}
    for key_used, told, said in (
        (secret, headers, body.replace(b"evidence.asked", b"evidence.askee")),
        (secret, early, body),
        (secret, headers | {"webhook-id": "another"}, body),
        ("whsec_" + b64encode(b"another secret").decode(), headers, body),
    ):
        with pytest.raises(WebhookVerificationError):
            Webhook(key_used).verify(said, told)


def test_a_slow_answer_of_a_secure_server_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trusted = ssl.create_default_context(cafile=self_signed(tmp_path))
    monkeypatch.setattr(hooks, "SECONDS", 1.0)
    monkeypatch.setattr("ssl.create_default_context", lambda: trusted)
    monkeypatch.setattr(hooks, "is_public", lambda _: True)
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(tmp_path / "both.pem")
    ended = threading.Event()

    def dawdle(server: socket.socket) -> None:
        with suppress(OSError), served.wrap_socket(server.accept()[0], server_side=True) as line:
            for _ in range(20):
                line.sendall(b"H")
                if ended.wait(0.4):
                    break

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=dawdle, args=(server,), daemon=True).start()
        begun = time.monotonic()
        with pytest.raises((OSError, HTTPException, ValueError)):
            hooks._exchange("localhost", server.getsockname()[1], True, "/", b"{}", {})
        ended.set()
    assert time.monotonic() - begun < 3


def self_signed(folder: Path) -> Path:
    """Write a key and its own certificate for localhost into one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = timezone.now()
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(1), now + timedelta(1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path = folder / "both.pem"
    path.write_bytes(private + made.sign(key, SHA256()).public_bytes(Encoding.PEM))
    return path


INSIDE = (
    "http://scale.example.com/", "ftp://scale.example.com/", "https://", "https://localhost/", "https://scale/",
    "https://127.0.0.1/", "https://10.0.0.8/", "https://192.168.1.4:8443/x", "https://169.254.169.254/latest",
    "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[fec0::1]/", "https://[::10.0.0.1]/",
    "https://[64:ff9b::a00:1]/", "https://[fd00::1]/",
    "https://2130706433/", "https://0x7f.0.0.1.", "https://user:word@scale.example.com/", "https://a b.example/",
    "https://scale.example.com/\r\nX: y", "https://scale.example.com:0/", "https://scale.example.com:99999/",
    "https://[zz]/", "https://ex\u00e4mple.com/", "https://0.0.0.0/", "https://224.0.0.1/",
)  # fmt: skip


def test_an_address_that_leads_inside_or_is_none_is_refused_and_a_public_one_taken() -> None:
    for address in INSIDE:
        with pytest.raises(RefusedError) as refused:
            hooks.check_address(address)
        assert refused.value.problems[0].place.column == "address", address
    assert hooks.check_address("https://scale.example.com:8443/told?x=1").port == 8443
    assert hooks.is_public("93.184.216.34")
    assert hooks.is_public("2606:2800:220:1::1")


def test_a_name_that_leads_inside_gets_none(cast: Cast, gatherer: Gatherer, monkeypatch: pytest.MonkeyPatch) -> None:
    hook_of(cast, NewsKind.ASKED)
    monkeypatch.setattr(
        "socket.getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("93.184.216.34", 443)), (2, 1, 6, "", ("10.0.0.1", 443))]
    )
    ask(cast)
    gatherer.round()
    hooks.send_due(mail_news)
    assert Sending.objects.get().answer == "leads into this server's own network"


def test_an_ended_webhook_gets_nothing_more(cast: Cast, gatherer: Gatherer) -> None:
    hook = hook_of(cast, NewsKind.ASKED)
    assert hook.ended_at is None
    ask(cast)
    gatherer.round()
    for _ in range(2):
        end_hook(hook, actor=cast.actor("owner"))
    ask(cast)
    gatherer.round()
    assert (hooks.send_due(mail_news), Sending.objects.count()) == (0, 1)


def test_a_webhook_is_made_on_the_page_and_shows_its_secret_once(cast: Cast) -> None:
    client, where = cast.client(), reverse("hooks", args=(cast.farm.handle,))
    refused = client.post(where, {"address": "https://10.0.0.1/", "kinds": ["report.changed"]})
    assert "leads into this server" in refused.content.decode()
    made = client.post(where, {"address": ADDRESS, "kinds": ["report.changed"]})
    hook = Hook.objects.get()
    assert hooks.secret_of(hook) in made.content.decode()
    assert hooks.secret_of(hook) not in client.get(where).content.decode()
    assert client.post(reverse("hook_end", args=(cast.farm.handle, hook.pk))).status_code == 302
    assert Hook.objects.get().ended_at is not None


@pytest.mark.slow
def test_every_notice_leads_to_a_page_that_whoever_is_told_can_open(cast: Cast, gatherer: Gatherer) -> None:
    fill_custody(cast)
    gatherer.round()
    pages = {page for _, page in OF_EVENT.values()} | {page for *_, page in OF_DEED.values()} - {"audits"}
    for page in (*sorted(pages), "custody_checks", "custody_period"):
        News.objects.create(
            organisation=cast.farm, kind=NewsKind.ARRIVED, source=page, says="x", page=page, query=[["start", "x"]],
            at=timezone.now(),
        )  # fmt: skip
    for organisation in (cast.farm, cast.mill):
        for row in all_news(organisation):
            one = notice_of(row)
            where = reverse(one.page, args=(organisation.handle,)) + f"?{urlencode(one.query)}"
            assert cast.client().get(where).status_code == 200, (row.page, one.page)


def test_a_failed_sending_keeps_none_back(cast: Cast, gatherer: Gatherer, monkeypatch: pytest.MonkeyPatch) -> None:
    hook_of(cast)
    choose(cast.membership("owner"), shown=[], sent=[NewsKind.ASKED])

    def burst(*_: object) -> int:
        raise KeyError("unforeseen")

    monkeypatch.setattr("provender.services.news.hooks.post_to", burst)
    ask(cast)
    gatherer.round()
    assert hooks.send_due(mail_news) == 2
    failed, sent = Sending.objects.get(hook__isnull=False), Sending.objects.get(hook=None)
    assert (failed.tries, failed.answer, failed.done_at) == (1, "KeyError", None)
    assert sent.done_at is not None
    assert len(mail.outbox) == 1


def test_a_row_that_fails_keeps_none_back(cast: Cast, gatherer: Gatherer, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(cast)
    bad = LogRow.objects.get(deed="audit: finding", organisation=cast.farm, about__endswith=" 2")
    ask(cast)

    def words(rows: Iterable[LogRow]) -> Iterator[Notification]:
        found = list(rows)
        if bad in found:
            raise KeyError("unforeseen")
        return of_log(found)

    monkeypatch.setattr("provender.services.news.told.of_log", words)
    gatherer.round()
    assert of(cast.farm, NewsKind.ASKED) == ["Vic Verifies raised a finding"]
    assert gatherer.round() == 0, "it is not read for ever"
    teller = hooks.NotificationWorker(mail_news)

    def fails(*_: object) -> int:
        raise KeyError("unforeseen")

    choose(cast.membership("owner"), shown=[], sent=[NewsKind.ASKED])
    monkeypatch.setattr("provender.services.news.told.of_log", of_log)
    ask(cast)
    gatherer.round()
    monkeypatch.setattr(Gatherer, "round", fails)
    assert teller.round() == 1, "what waits goes out although nothing can be read"


def test_only_whoever_may_change_webhooks_sees_where_they_lead(cast: Cast) -> None:
    secret = "https://hooks.example.com/T0/B1/very-secret"  # noqa: S105 - an address that is one
    made, _ = hooks.make_hook(cast.farm, address=secret, kinds=NewsKind.values, actor=cast.actor("owner"))
    scopes = [scope for scope in Scope.values if scope != Scope.ACCESS_WRITE]
    day = timezone.localdate() + timedelta(days=3)
    _, reading = create_token(cast.farm, name="r", scopes=scopes, expires_on=day, actor=cast.actor("owner"))
    assert get("/webhooks", reading).status_code == 403
    assert data(get("/webhooks", cast.token_secret))["items"][0]["address"] == secret
    end_hook(made, actor=cast.actor("owner"))
    log = cast.client("reader").get(reverse("log", args=(cast.farm.handle,))).content.decode()
    assert "make webhook" in log
    assert "very-secret" not in log
