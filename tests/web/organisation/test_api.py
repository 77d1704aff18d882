"""What a manager does on the pages of an organisation, by calls; and that a token hands on no more than it holds."""

import json
from datetime import date, timedelta
from typing import Final

import pytest
from django.utils import timezone

from provender.database.choices import Right, Scope
from provender.database.models.accounts import ApiToken, IdempotentAnswer, Invitation, LogRow, Membership, ReadGrant
from provender.services.accounts.organisations import change_member
from provender.services.accounts.tokens import create_token, revoke_token
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_call import UNIT, all_of, change, token
from tests.web.cast import Cast

READING: Final = ["organisation:read", "records:read", "custody:read", "audit:read"]
WRITING: Final = [*READING, "records:write", "custody:write", "audit:write"]
UNIT_EDIT: Final[dict[str, object]] = {"kind": "unit", "row": UNIT}


def day(ahead: int) -> date:
    return timezone.localdate() + timedelta(days=ahead)


def narrow(cast: Cast, *scopes: str, ends: int = 30) -> str:
    made = create_token(cast.farm, name="narrow", scopes=scopes, expires_on=day(ends), actor=cast.actor("owner"))
    return made[1]


def asked(scopes: list[str], ends: int = 30) -> dict[str, object]:
    return {"name": "drier", "scopes": scopes, "expires_on": str(day(ends))}


def test_name_place_and_roles_are_changed_as_on_the_page_or_refused_as_there(cast: Cast) -> None:
    wrong: tuple[dict[str, object], ...] = (
        {"roles": []}, {"roles": ["bank"]}, {"name": ""}, {"name": "a\nb"}, {"state": "Iowa"}, {"state": "I\x1b"},
        {"county": "x" * 81},
    )  # fmt: skip
    for number, each in enumerate(wrong):
        body = {"name": "Ada", "county": "Story", "state": "IA", "roles": ["farm"], **each}
        assert post("/organisation", cast.token_secret, body, f"k{number}").status_code == 422, each
    assert data(get("/organisation", cast.token_secret))["name"] == "Ada's Farm"
    body = {"name": "Ada & Bo", "county": "Story", "state": "ia", "roles": ["farm", "intermediary"]}
    answer = post("/organisation", cast.token_secret, body, "k1")
    assert answer.status_code == 201, answer.content
    said = data(get("/organisation", cast.token_secret))
    assert (said["name"], said["state"], sorted(said["roles"])) == ("Ada & Bo", "IA", ["farm", "intermediary"])
    row = LogRow.objects.get(organisation=cast.farm, deed="change organisation")
    assert row.old is not None
    assert (row.via, row.old["name"]) == ("api token scale house", "Ada's Farm")


def test_what_to_do_next_has_its_links_and_a_member_is_read_changed_and_removed(cast: Cast) -> None:
    steps = all_of("/organisation/next", cast.token_secret)
    assert steps
    assert all(one["words"] and one["href"].startswith(f"/o/{cast.farm.handle}/") for one in steps)
    number = cast.membership("reader").pk
    assert data(get(f"/members/{number}", cast.token_secret))["right"] == "read"
    assert data(post(f"/members/{number}", cast.token_secret, {"right": "write"}, "k1"))["right"] == "write"
    first = post(f"/members/{number}/removal", cast.token_secret, {}, "k2")
    again = post(f"/members/{number}/removal", cast.token_secret, {}, "k2")
    assert (first.status_code, data(first)["name"], again.content) == (201, "Reader", first.content)
    assert get(f"/members/{number}", cast.token_secret).status_code == 404
    assert post(f"/members/{number}/removal", cast.token_secret, {}, "k3").status_code == 404


def test_a_token_gives_and_takes_no_right_beyond_its_scopes(cast: Cast) -> None:
    for part, to, scopes in (
        ("reader", "manage", Scope.values),  # nobody manages by a program's word
        ("owner", "write", Scope.values),  # and nobody stops to
        ("reader", "write", ["members:write", *READING]),  # it may not write itself
        ("writer", "read", ["members:write", *READING]),  # nor take that away
        ("reader", "read", ["members:write"]),  # not even read
    ):
        one = cast.membership(part)
        answer = post(f"/members/{one.pk}", narrow(cast, *scopes), {"right": to}, "k1")
        told = (answer.status_code, data(answer)["type"])
        assert told == (409, "urn:provender:problem:beyond_the_token"), (part, to, scopes)
        assert Membership.objects.get(pk=one.pk).right == one.right


def test_a_token_invites_to_no_more_than_it_may_do_itself(cast: Cast) -> None:
    for right, scopes, status in (
        ("manage", Scope.values, 409),
        ("write", ["members:write", *WRITING], 201),
        ("write", ["members:write", *WRITING[:-1]], 409),
        ("read", ["members:write", *READING], 201),
        ("read", ["members:write", *READING[:-1]], 409),
        ("read", READING, 403),
    ):
        before = Invitation.objects.count()
        answer = post("/invitations", narrow(cast, *scopes), {"label": f"Bea {before}", "right": right}, "k1")
        assert answer.status_code == status, (right, scopes)
        assert Invitation.objects.count() - before == (status == 201), (right, scopes)


def test_an_invitation_is_listed_without_its_link_and_withdrawn_once(cast: Cast) -> None:
    body = {"label": "Con", "right": "write", "firm": cast.adviser.handle.upper()}
    made = data(post("/invitations", cast.token_secret, body, "k1"))
    assert Invitation.objects.get(pk=made["id"]).as_consultant_of == cast.adviser.handle
    open_ones = all_of("/invitations", cast.token_secret, 1)
    assert [one["label"] for one in open_ones] == ["Bo", "Con"]
    assert not any("path" in one for one in open_ones)
    for key in ("k2", "k3"):
        assert post(f"/invitations/{made['id']}/withdrawal", cast.token_secret, {}, key).status_code == 201
    assert [one["label"] for one in all_of("/invitations", cast.token_secret)] == ["Bo"]
    assert LogRow.objects.filter(deed="withdraw invitation").count() == 1
    unknown = post("/invitations", cast.token_secret, {**body, "firm": "nobody"}, "k4")
    assert data(unknown)["problems"][0]["code"] == "code_unknown"


def test_an_accepted_invitation_is_no_longer_withdrawn(cast: Cast) -> None:
    Invitation.objects.filter(pk=cast.invitation.pk).update(accepted_by=cast.person("stranger"))
    answer = post(f"/invitations/{cast.invitation.pk}/withdrawal", cast.token_secret, {}, "k1")
    assert (answer.status_code, data(answer)["type"]) == (409, "urn:provender:problem:invitation_used")


def grant(cast: Cast, **fields: object) -> dict[str, object]:
    return {
        "verifier": cast.verifier.handle, "purpose": "Audit", "first_day": str(day(0)), "last_day": str(day(30)),
        **fields,
    }  # fmt: skip


def test_a_verifier_is_let_in_and_out(cast: Cast) -> None:
    made = data(post("/grants", cast.token_secret, grant(cast), "k1"))
    assert (made["verifier"], made["revoked"]) == ("Vic Verifies", False)
    held = data(get("/grants/held", token(cast, cast.verifier, "verifier_in")))["items"]
    assert [one["code"] for one in held] == [cast.farm.handle, cast.mill.handle, cast.farm.handle]
    for key in ("k2", "k3"):
        assert data(post(f"/grants/{made['id']}/revocation", cast.token_secret, {}, key))["revoked"]
    assert LogRow.objects.filter(organisation=cast.farm, deed="revoke reading").count() == 1


def test_access_that_the_page_would_refuse_or_that_goes_beyond_the_token_is_refused(cast: Cast) -> None:
    before = ReadGrant.objects.count()
    for number, (name, said, code) in enumerate((
        ("verifier", cast.elevator.handle, "not_a_verifier"), ("verifier", "nobody", "code_unknown"),
        ("last_day", str(day(-1)), "days_out_of_order"),
    )):  # fmt: skip
        answer = post("/grants", cast.token_secret, grant(cast, **{name: said}), f"r{number}")
        assert (answer.status_code, data(answer)["problems"][0]["code"]) == (409, code)
    assert post("/grants", narrow(cast, "access:write", *READING[:-1]), grant(cast), "k1").status_code == 409
    assert post("/grants", narrow(cast, *READING), grant(cast), "k2").status_code == 403
    assert ReadGrant.objects.count() == before


def test_a_token_makes_a_narrower_one_once_and_a_revoked_one_takes_those_along(cast: Cast) -> None:
    made = data(post("/tokens", cast.token_secret, asked(["records:read"]), "k1"))
    assert (made["scopes"], made["state"], made["hint"]) == (["records:read"], "works", made["secret"][-4:])
    assert get("/records", made["secret"]).status_code == 200
    assert get("/members", made["secret"]).status_code == 403
    assert not any("secret" in one for one in all_of("/tokens", cast.token_secret))
    row = LogRow.objects.get(organisation=cast.farm, deed="create token", about="drier")
    assert row.via == "api token scale house"
    parent, secret = create_token(
        cast.farm, name="parent", scopes=Scope.values, expires_on=day(9), actor=cast.actor("owner")
    )
    child = data(post("/tokens", secret, asked(["records:read"], 9), "k1"))
    ended = data(post(f"/tokens/{parent.pk}/revocation", cast.token_secret, {}, "k2"))
    assert ended["state"] == "revoked"
    assert [get("/records", one).status_code for one in (secret, child["secret"])] == [401, 401]
    assert LogRow.objects.filter(deed="revoke token", about__in=["parent", "drier"]).count() == 2


def test_a_repeat_shows_the_secret_to_its_caller_and_the_database_to_nobody(cast: Cast) -> None:
    first = post("/tokens", cast.token_secret, asked(["records:read"]), "k1")
    again = post("/tokens", cast.token_secret, asked(["records:read"]), "k1")
    assert again.content == first.content
    assert ApiToken.objects.filter(name="drier").count() == 1
    secret = data(first)["secret"].encode()
    kept = IdempotentAnswer.objects.get()
    assert secret not in bytes(kept.body)
    assert secret.decode() not in json.dumps(list(LogRow.objects.values()), default=str)
    IdempotentAnswer.objects.filter(pk=kept.pk).update(body=bytes(kept.body)[:-1] + b"?")
    damaged = post("/tokens", cast.token_secret, asked(["records:read"]), "k1")
    assert (damaged.status_code, data(damaged)["type"]) == (409, "urn:provender:problem:answer_unreadable")
    revoke_token(cast.token, actor=cast.actor("owner"))
    assert post("/tokens", cast.token_secret, asked(["records:read"]), "k1").status_code == 401, "of a revoked token"


def test_a_token_hands_on_no_more_than_it_holds_and_no_longer(cast: Cast) -> None:
    for held, scopes, ends, status in (
        (["tokens:write", "records:read"], ["records:read"], 30, 201),
        (["tokens:write", "records:read"], ["records:read"], 31, 409),  # longer than the one that asks
        (["tokens:write", "records:read"], ["records:read"], 0, 201),
        (["tokens:write", "records:read"], ["records:read"], -1, 409),
        (["tokens:write", "records:read"], ["records:write"], 30, 409),
        (["tokens:write", "records:read"], ["records:read", "members:write"], 30, 409),
        (Scope.values, ["tokens:write"], 30, 409),  # a token that makes tokens is made by people
        (["records:read", "members:write"], ["records:read"], 30, 403),
    ):
        before = ApiToken.objects.filter(name="drier").count()
        answer = post("/tokens", narrow(cast, *held), asked(scopes, ends), "k1")
        assert answer.status_code == status, (held, scopes, ends, answer.content)
        assert ApiToken.objects.filter(name="drier").count() - before == (status == 201), (held, scopes, ends)


def test_nothing_of_another_organisation_is_there(cast: Cast) -> None:
    other = cast.other_token_secret
    reader, invitation, given = cast.membership("reader").pk, cast.invitation.pk, cast.grant.pk
    assert get(f"/members/{reader}", other).status_code == 404
    calls: tuple[tuple[str, dict[str, object]], ...] = (
        (f"/members/{reader}", {"right": "write"}),
        (f"/members/{reader}/removal", {}),
        (f"/invitations/{invitation}/withdrawal", {}),
        (f"/grants/{given}/revocation", {}),
        (f"/tokens/{cast.token.pk}/revocation", {}),
    )
    assert [post(path, other, body, path).status_code for path, body in calls] == [404] * 5
    assert get("/organisation", cast.token_secret).status_code == 200


@pytest.mark.parametrize(("right", "reads", "writes", "manages"), [("write", 200, 201, 403), ("read", 200, 403, 403)])
def test_a_token_does_no_more_than_its_maker(cast: Cast, right: str, reads: int, writes: int, manages: int) -> None:
    change_member(cast.membership("writer"), Right.MANAGE, actor=cast.actor("owner"))
    change_member(cast.membership("owner"), right, actor=cast.actor("writer"))
    version = data(get("/records", cast.token_secret))["version"]
    assert get("/members", cast.token_secret).status_code == reads
    assert change(cast.token_secret, [UNIT_EDIT], version)[0] == writes
    assert post("/tokens", cast.token_secret, asked(["records:read"]), "k2").status_code == manages


def test_what_a_consultants_token_writes_counts_as_prepared_by_the_firm(cast: Cast) -> None:
    change_member(cast.membership("consultant"), Right.MANAGE, actor=cast.actor("owner"))
    secret = token(cast, cast.farm, "consultant")
    version = data(get("/records", secret))["version"]
    assert change(secret, [UNIT_EDIT], version)[0] == 201
    assert cast.book.changes.get(number=version + 1).prepared_by == cast.adviser
