"""Whose address counts: the connection's own, or what as many proxies as are trusted wrote, read from the right."""

from typing import Final

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from provender.web.client_address import FORWARDED, HEADERS, UNKNOWN, client_address
from tests.rows import CaseRows
from tests.web.cast import PASSWORD, Cast

ROWS: Final = CaseRows(__file__)

OWN = "10.0.0.1"
XFF = HEADERS[0]


@ROWS
def test_entries_are_counted_from_the_right(proxies: int, said: str | None, found: str) -> None:
    meta = {"REMOTE_ADDR": OWN} | ({} if said is None else {"HTTP_X_FORWARDED_FOR": said})
    assert client_address(meta, proxies=proxies, header=XFF) == found


@ROWS
def test_the_standard_header_is_read_where_it_is_named(said: str, found: str) -> None:
    meta = {"REMOTE_ADDR": OWN, "HTTP_FORWARDED": said, "HTTP_X_FORWARDED_FOR": "192.0.2.66"}
    assert client_address(meta, proxies=1, header=FORWARDED) == found
    assert client_address(meta, proxies=1, header=XFF) == "192.0.2.66", "one of them only: the other may be a client's"


@pytest.mark.parametrize("own", ["", "unix:", None])
def test_a_connection_without_an_address_has_one_that_stands_for_none(own: str | None) -> None:
    assert client_address({} if own is None else {"REMOTE_ADDR": own}, proxies=0, header=XFF) == UNKNOWN


@pytest.mark.django_db
@pytest.mark.parametrize(("trusted", "shown"), [(0, OWN), (1, "203.0.113.9")])
def test_the_list_of_devices_shows_it(cast: Cast, settings: Settings, trusted: int, shown: str) -> None:
    settings.PROXY_COUNT = trusted
    client = Client(REMOTE_ADDR=OWN, HTTP_X_FORWARDED_FOR="198.51.100.7, 203.0.113.9")
    client.post(reverse("account_login"), {"login": "owner@example.org", "password": PASSWORD})
    (one,) = client.get(reverse("account_sessions")).context["sessions"]
    assert one.address == shown


@pytest.mark.django_db
def test_tries_behind_one_proxy_count_by_the_address_behind_it(cast: Cast, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS, settings.PROXY_COUNT = {}, 1
    cache.clear()
    where, right = reverse("account_login"), {"login": "owner@example.org", "password": PASSWORD}

    def post(behind: str, password: str) -> int:
        return (
            Client(HTTP_X_FORWARDED_FOR=f"192.0.2.1, {behind}").post(where, {**right, "password": password}).status_code
        )

    assert {post("198.51.100.7", "wrong password") for _ in range(12)} == {200}
    assert post("198.51.100.7", PASSWORD) == 200, "the stranger's address is counted out"
    assert post("203.0.113.9", PASSWORD) == 302, "and the owner's new device elsewhere is not"
    cache.clear()
