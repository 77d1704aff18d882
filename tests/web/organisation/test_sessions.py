"""The devices on which somebody is signed in: listed with their last use, ended one by one, only by them, logged."""

from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.database.models.accounts import LogRow
from provender.services.accounts.tokens import device_of
from tests.web.cast import PASSWORD, Cast

PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"  # noqa: E501
LAPTOP = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
)


def signed_in(agent: str, who: str = "owner") -> Client:
    client = Client(headers={"User-Agent": agent})
    answer = client.post(reverse("account_login"), {"login": f"{who}@example.org", "password": PASSWORD})
    assert answer.status_code == 302
    return client


def test_a_person_sees_their_devices_and_signs_one_out(cast: Cast) -> None:
    phone, laptop = signed_in(PHONE), signed_in(LAPTOP)
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
    mine, phone, theirs = signed_in(LAPTOP), signed_in(PHONE), signed_in(LAPTOP, "writer")
    others = UserSession.objects.get(user=cast.person("writer"))
    for asked in (str(others.pk), "x", "-1", "9" * 30, ""):
        assert mine.post(reverse("account_sessions"), {"end": asked}).status_code == 404, asked
    assert mine.post(reverse("account_sessions"), {"end": "others"}).status_code == 302
    assert phone.get(reverse("account")).status_code == 302
    assert theirs.get(reverse("account")).status_code == 200
    assert mine.get(reverse("account")).status_code == 200


def test_last_use_is_noted_again_after_a_while_and_a_session_is_not_made_longer(cast: Cast) -> None:
    client = signed_in(LAPTOP)
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
