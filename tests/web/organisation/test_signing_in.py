"""Getting in by password, mail and codes, with a stop after many tries; devices signed in, ended only by theirs."""

import re
import time
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any, Final

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.usersessions.models import UserSession
from django.core import mail
from django.core.cache import cache
from django.template.loader import get_template
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone
from pytest_django import Settings

from provender.database.actor import today
from provender.database.models.accounts import LogRow, Person, Sending
from provender.services.accounts.tokens import device_of
from provender.services.clients import destinations, places_of
from provender.services.news.hooks import send_due
from provender.web.news_mail import mail_news
from tests.web.cast import PASSWORD, Cast

NEW = "an entirely new pass phrase"


@pytest.fixture
def client() -> Client:
    return Client()


@pytest.fixture
def _mail_works(settings: Settings) -> None:
    settings.MAIL_WORKS = True


def sign_in(client: Client, password: str = PASSWORD) -> str:
    answer = client.post(reverse("account_login"), {"login": "owner@example.org", "password": password})
    return str(answer.headers.get("Location", ""))


def code_of(person: Person, ahead: int = 0) -> str:
    """Return the code that the person's device shows now, or ``ahead`` periods of thirty seconds later."""
    secret = Authenticator.objects.get(user=person, type=Authenticator.Type.TOTP).data["secret"]
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + ahead)))


def enrol(client: Client, person: Person) -> list[str]:
    """Turn one-time codes on as a person does, and return the recovery codes."""
    assert sign_in(client) == "/"
    asked = client.get(reverse("mfa_activate_totp"))
    assert asked.headers["Location"].startswith(reverse("account_reauthenticate")), "the password once more"
    page = client.post(asked.headers["Location"], {"password": PASSWORD}, follow=True)
    secret = client.session["mfa.totp.secret"]
    assert secret in page.content.decode()
    code = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    done = client.post(reverse("mfa_activate_totp"), {"code": code})
    assert done.status_code == 302
    client.get(done.headers["Location"])
    codes = client.get(reverse("mfa_download_recovery_codes")).content.decode().split()
    client.post(reverse("account_logout"))
    cache.clear()  # the code just used would be refused for the rest of its half minute
    assert Authenticator.objects.filter(user=person).count() == 2
    return codes


def origin(name: str) -> str:
    template: Any = get_template(name)  # the types know no template's template
    return str(template.template.origin)


def shown_at(patterns: Iterable[object]) -> Iterator[str]:
    """Return the templates of every page below the account's address."""
    for one in patterns:
        yield from shown_at(getattr(one, "url_patterns", ()))
        view = getattr(getattr(one, "callback", None), "view_class", None)
        if name := getattr(view, "template_name", None):
            yield str(name)


def test_every_account_page_and_message_is_in_our_words() -> None:
    # A mailed code signs nobody in here, and the file of recovery codes is nothing but the codes.
    pages = set(shown_at(get_resolver().url_patterns)) - {
        "account/confirm_login_code.html",
        "mfa/recovery_codes/download.txt",
    }
    said = {f"account/messages/{name}.txt" for name in ("logged_in", "logged_out", "password_changed", "email_deleted")}
    mails = {f"account/email/{name}_message.txt" for name in ("email_confirmation", "password_reset_key")}
    assert {"account/login.html", "account/email_confirm.html", "mfa/authenticate.html"} < pages
    foreign = {name for name in pages | said | mails if "allauth/templates" in origin(name)}
    assert not foreign


def test_what_the_account_pages_ask_hides_in_no_placeholder(client: Client, cast: Cast) -> None:
    for name in ("account_login", "account_reset_password", "account_change_password", "account_email"):
        page = client.get(reverse(name)).content.decode()
        assert "placeholder" not in page, name
        assert (name != "account_reset_password") or "provender manage changepassword" in page, "without mail"
        client.force_login(cast.person("owner"))
    wrong = Client().post(reverse("account_login"), {"login": "owner@example.org", "password": "no"})
    assert "do not belong together" in wrong.content.decode()


@pytest.mark.usefixtures("_mail_works")
def test_a_forgotten_password_is_set_anew_by_the_link_in_the_mail(client: Client, cast: Cast) -> None:
    where = reverse("account_reset_password")
    known, unknown = (client.post(where, {"email": f"{one}@example.org"}) for one in ("owner", "nobody"))
    assert (known.status_code, known.headers["Location"]) == (unknown.status_code, unknown.headers["Location"])
    assert not mail.outbox, "whether there is an account is looked up outside the request"
    assert send_due(mail_news) == 2
    assert not Sending.objects.exists(), "an address that a stranger typed is not kept"
    (letter,) = mail.outbox
    assert letter.to == ["owner@example.org"]
    (path,) = re.findall(r"https?://testserver(/\S+)", str(letter.body))
    form = client.get(path, follow=True)
    where = form.request["PATH_INFO"]
    assert client.post(where, {"password1": "short", "password2": "short"}).status_code == 200
    assert client.post(where, {"password1": NEW, "password2": NEW}).status_code == 302
    assert sign_in(Client()) == ""
    assert sign_in(Client(), NEW) == "/"
    assert 'name="password1"' not in Client().get(path, follow=True).content.decode(), "the link opens once"


def test_with_one_time_codes_a_password_alone_opens_nothing_and_each_code_once(client: Client, cast: Cast) -> None:
    codes = enrol(client, cast.person("owner"))
    assert len(set(codes)) == 10
    where = sign_in(client)
    assert where == reverse("mfa_authenticate")
    assert client.get("/").status_code == 302
    assert client.post(where, {"code": "000000"}).status_code == 200
    code = code_of(cast.person("owner"))
    assert client.post(where, {"code": code}).headers["Location"] == "/"
    assert client.get("/").status_code == 200
    again = Client()
    sign_in(again)
    assert again.post(where, {"code": code}).status_code == 200, "a code opens once"
    assert again.post(where, {"code": codes[0]}).headers["Location"] == "/", "and so does one for recovery"
    last = Client()
    sign_in(last)
    assert last.post(where, {"code": codes[0]}).status_code == 200
    assert last.post(where, {"code": codes[1]}).headers["Location"] == "/"


def test_too_many_wrong_passwords_close_the_door_for_a_while(client: Client, cast: Cast, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    for _ in range(10):
        assert sign_in(client, "wrong password") == ""
    answer = client.post(reverse("account_login"), {"login": "owner@example.org", "password": PASSWORD})
    assert (answer.status_code, "Too many" in answer.content.decode()) == (200, True)


def fail_from(addresses: Iterable[str], tries: int) -> None:
    for address in addresses:
        stranger = Client(REMOTE_ADDR=address)
        for _ in range(tries):
            sign_in(stranger, "wrong password")


@pytest.fixture
def _many_tries(settings: Settings) -> Iterator[None]:
    """Count tries: on an account ten from everywhere together, so that a test reaches it soon."""
    settings.ACCOUNT_RATE_LIMITS = {"login_failed_anywhere": "10/h/key"}
    cache.clear()
    yield
    cache.clear()


FROM_TWO: Final = ("198.51.100.1", "198.51.100.2")


@pytest.mark.usefixtures("_mail_works", "_many_tries")
@pytest.mark.parametrize(("strangers", "own"), [(FROM_TWO, "203.0.113.9"), (("203.0.113.9",), "203.0.113.9")])
def test_after_many_tries_the_owner_s_new_device_gets_in_by_a_mailed_link(
    cast: Cast, strangers: tuple[str, ...], own: str
) -> None:
    fail_from(strangers, 6)
    new, where = Client(REMOTE_ADDR=own), reverse("account_login")
    said = {"login": "owner@example.org", "password": PASSWORD}
    right, wrong = new.post(where, said), new.post(where, {**said, "password": "wrong password"})
    told = [str(one.context["form"].non_field_errors()) for one in (right, wrong)]
    assert "on its way to you by mail" in told[0]
    assert told[0] == told[1], "nobody is told whether the password was right"
    send_due(mail_news)
    (letter,) = mail.outbox
    assert letter.to == ["owner@example.org"]
    (path,) = re.findall(r"https?://testserver(/\S+)", str(letter.body))
    assert new.get(path, follow=True).status_code == 200
    assert sign_in(new) == "/", "the browser that opened the link is known"
    assert sign_in(Client(REMOTE_ADDR=own)) == "", "and no other"
    assert Client().get(path[:-2] + "x/").status_code == 404


@pytest.mark.usefixtures("_many_tries")
@pytest.mark.parametrize(("strangers", "own"), [(FROM_TWO, "203.0.113.9"), (("203.0.113.9",), "203.0.113.9")])
def test_after_many_tries_a_second_factor_lets_the_owner_in_and_a_password_alone_nobody(
    cast: Cast, strangers: tuple[str, ...], own: str
) -> None:
    enrol(Client(REMOTE_ADDR="192.0.2.1"), cast.person("owner"))
    fail_from(strangers, 6)
    new = Client(REMOTE_ADDR=own)
    where = sign_in(new)
    assert where == reverse("mfa_authenticate")
    assert new.get("/").status_code == 302
    assert new.post(where, {"code": code_of(cast.person("owner"))}).headers["Location"] == "/"
    where = reverse("account_reauthenticate")
    assert new.get(reverse("mfa_deactivate_totp")).status_code in (200, 302)
    for _ in range(6):
        new.post(where, {"password": "wrong password"})
    assert new.post(where, {"password": PASSWORD}).status_code == 200, "who is in already gets no way around the count"


@pytest.mark.usefixtures("_many_tries")
def test_without_mail_and_codes_tries_from_elsewhere_keep_no_new_device_out(cast: Cast) -> None:
    fail_from(FROM_TWO, 6)
    assert sign_in(Client(REMOTE_ADDR="203.0.113.9")) == "/"
    assert sign_in(Client(REMOTE_ADDR=FROM_TWO[0])) == ""


def test_whoever_has_one_place_to_go_arrives_there_and_all_others_at_the_list(cast: Cast) -> None:
    arrived = {}
    for part in ("stranger", "consultant", "verifier_in", "owner", "reviewer"):
        browser = Client()
        door = browser.get("/").headers["Location"]
        answer = browser.post(door, {"login": cast.person(part).email, "password": PASSWORD})
        arrived[part] = answer.headers["Location"]
        assert browser.get(arrived[part], follow=True).status_code == 200
    (only,) = places_of(cast.person("stranger"))
    assert arrived == {
        "stranger": reverse("organisation", args=[only.handle]), "consultant": "/", "verifier_in": "/", "owner": "/",
        "reviewer": "/",
    }  # fmt: skip
    assert [len(destinations(cast.person(part), today())) > 1 for part in arrived] == [False, *[True] * 4]


PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"  # noqa: E501
LAPTOP = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
)


def on_device(agent: str, who: str = "owner") -> Client:
    client = Client(headers={"User-Agent": agent})
    answer = client.post(reverse("account_login"), {"login": f"{who}@example.org", "password": PASSWORD})
    assert answer.status_code == 302
    return client


def test_a_person_sees_their_devices_and_signs_one_out(cast: Cast) -> None:
    phone, laptop = on_device(PHONE), on_device(LAPTOP)
    page = laptop.get(reverse("account_sessions"))
    assert [(one.device, one.current) for one in page.context["sessions"]] == [
        ("Chrome on Windows", True), ("Safari on an iPhone", False),
    ]  # fmt: skip
    other = next(one for one in page.context["sessions"] if not one.current)
    assert laptop.post(reverse("account_sessions"), {"end": str(other.id)}).status_code == 302
    assert phone.get(reverse("account")).status_code == 302, "the phone has to sign in again"
    assert laptop.get(reverse("account")).status_code == 200
    row = LogRow.objects.filter(deed="end session").get()
    assert row.old is not None
    assert (row.actor_id, row.old["device"]) == (cast.person("owner").pk, "Safari on an iPhone")
    assert laptop.post(reverse("account_sessions"), {"end": str(other.id)}).status_code == 404


def test_nobody_ends_another_s_session_and_all_others_end_at_once(cast: Cast) -> None:
    mine, phone, theirs = on_device(LAPTOP), on_device(PHONE), on_device(LAPTOP, "writer")
    others = UserSession.objects.get(user=cast.person("writer"))
    for asked in (str(others.pk), "x", "-1", "9" * 30, ""):
        assert mine.post(reverse("account_sessions"), {"end": asked}).status_code == 404, asked
    assert mine.post(reverse("account_sessions"), {"end": "others"}).status_code == 302
    assert phone.get(reverse("account")).status_code == 302
    assert theirs.get(reverse("account")).status_code == 200
    assert mine.get(reverse("account")).status_code == 200


def test_last_use_is_noted_again_after_a_while_and_a_session_is_not_made_longer(cast: Cast) -> None:
    client = on_device(LAPTOP)
    client.get(reverse("account"))
    held = UserSession.objects.get()
    long_ago = timezone.now() - timedelta(days=1)
    UserSession.objects.update(last_seen_at=long_ago)
    ends = client.session.get_expiry_date()
    client.get(reverse("account"))
    held.refresh_from_db()
    assert held.last_seen_at == long_ago, "within minutes nothing is written"
    fresh = Client(headers={"User-Agent": LAPTOP})  # another worker, or the same one after some minutes
    fresh.cookies = client.cookies
    fresh.get(reverse("account"))
    held.refresh_from_db()
    assert held.last_seen_at > long_ago
    assert abs(client.session.get_expiry_date() - ends) < timedelta(seconds=5)


def test_a_device_is_named_in_a_few_words() -> None:
    assert device_of("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0") == "Firefox on Linux"
    assert (
        device_of("Mozilla/5.0 (Linux; Android 14) Chrome/126.0 Mobile Safari/537.36 EdgA/126.0") == "Edge on Android"
    )
    assert device_of("curl/8.5") == "Not said"
    assert device_of("") == "Not said"
