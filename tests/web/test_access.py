"""What opens with a grant, an invitation and a right, and what each leaves in the log."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.database.models.accounts import ApiToken, LogRow, Membership, Person
from provender.services.accounts.access import To, access_of, owned
from provender.services.accounts.grants import revoke_reading
from provender.services.refused import MissingError
from tests.web.cast import Cast


def test_who_gets_through_the_door(cast: Cast) -> None:
    rows: tuple[tuple[str, To, type[Exception] | None], ...] = (
        ("owner", "manage", None),
        ("writer", "write", None),
        ("writer", "manage", PermissionDenied),
        ("reader", "read", None),
        ("reader", "write", PermissionDenied),
        ("consultant", "write", None),
        ("verifier_in", "read", None),
        ("verifier_in", "write", PermissionDenied),
        ("verifier_out", "read", MissingError),
        ("stranger", "read", MissingError),
    )
    for part, to, refused in rows:
        person = cast.person(part)
        if refused is None:
            assert access_of(person, cast.farm.handle, to=to).organisation == cast.farm, (part, to)
            continue
        with pytest.raises(refused):
            access_of(person, cast.farm.handle, to=to)


def test_a_grant_opens_from_its_first_to_its_last_day_until_it_is_taken_back(cast: Cast) -> None:
    person = cast.person("verifier_in")
    for days, opens in ((-1, False), (0, True), (30, True), (31, False)):
        day = timezone.localdate() + timedelta(days=days)
        if opens:
            assert access_of(person, cast.farm.handle, to="read", today=day).grant == cast.grant, days
            continue
        with pytest.raises(MissingError):
            access_of(person, cast.farm.handle, to="read", today=day)
    revoke_reading(cast.grant, actor=cast.actor("owner"))
    with pytest.raises(MissingError):
        access_of(cast.person("verifier_in"), cast.farm.handle, to="read")


def test_only_the_farms_own_writers_sign_and_a_consultant_acts_for_the_firm(cast: Cast) -> None:
    may = {
        part: access_of(cast.person(part), cast.farm.handle, to="read").may_sign
        for part in ("owner", "writer", "reader", "consultant", "verifier_in")
    }
    assert may == {"owner": True, "writer": True, "reader": False, "consultant": False, "verifier_in": False}
    door = access_of(cast.person("consultant"), cast.farm.handle, to="write")
    assert (door.actor.person, door.actor.for_firm) == (cast.person("consultant"), cast.adviser)
    door = access_of(cast.person("owner"), cast.farm.handle, to="read")
    assert owned(door.organisation, ApiToken, pk=cast.token.pk) == cast.token
    other = ApiToken.objects.exclude(organisation=cast.farm).get()
    with pytest.raises(MissingError):
        owned(door.organisation, ApiToken, pk=other.pk)


def test_each_look_of_a_verifier_stands_in_the_farms_log(cast: Cast) -> None:
    client = cast.client("verifier_in")
    client.get(reverse("log", args=(cast.farm.handle,)))
    row = LogRow.objects.get(deed="look as verifier")
    assert (row.organisation, row.actor, row.about) == (cast.farm, cast.person("verifier_in"), "log")
    client.get(reverse("farm_kind", args=(cast.farm.handle, "harvest")))
    client.force_login(cast.person("owner"))
    for page in ("log", "organisation"):
        shown = client.get(reverse(page, args=(cast.farm.handle,))).content.decode()
        assert "farm_kind" not in shown, page
        assert shown.count("Farm records") > 1, "in the menu, and as what was looked at"


def test_a_new_organisation_is_its_makers_and_an_invited_stranger_joins(cast: Cast) -> None:
    client = cast.client("stranger")
    fields = {"name": "New Farm", "roles": ["farm"], "county": "Story", "state": "ia"}
    answer = client.post(reverse("new_organisation"), fields, follow=True)
    assert "New Farm is ready" in answer.content.decode()
    member = Membership.objects.get(organisation__name="New Farm")
    assert (member.person, member.right, member.organisation.state) == (cast.person("stranger"), "manage", "IA")
    client = Client()
    assert "by invitation" in client.get(reverse("account_signup")).content.decode()
    join = reverse("join", args=(cast.secret,))
    client.get(join)
    fields = {"name": "Bo", "email": "bo@example.org", "password1": "a long new passphrase", "next": join}
    assert client.post(reverse("account_signup"), fields).headers["Location"] == join
    assert client.post(join).headers["Location"] == reverse("organisation", args=(cast.farm.handle,))
    bo = Person.objects.get(email="bo@example.org")
    assert (bo.name, Membership.objects.get(person=bo).right) == ("Bo", "read")
    assert client.get(join).status_code == 404
