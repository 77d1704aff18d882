"""The API: tokens with scopes, one deed per key, pages, problems in the form of RFC 9457."""

import json
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import cache
from typing import Any, Final

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from provender.database.choices import NewsKind, Right, Scope
from provender.database.models.accounts import ApiToken, IdempotentAnswer, Invitation, LogRow
from provender.services.accounts.grants import revoke_reading
from provender.services.accounts.organisations import change_member, invite_person, open_invitation, remove_member
from provender.services.accounts.tokens import create_token, revoke_token
from provender.services.news.hooks import make_hook
from tests.web.cast import Cast
from tools import openapi

INVITATION = {"label": "Bea", "right": "read"}


CALLER: Final = Client()
"""Asks for all programs, whose tokens alone say who they are: one of its own would load the middleware each time."""


def get(path: str, secret: str) -> HttpResponse:
    answer = CALLER.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {secret}"})
    assert isinstance(answer, HttpResponse)
    return answer


def post(path: str, secret: str, body: object, key: str | None) -> HttpResponse:
    headers = {"Authorization": f"Bearer {secret}"} | ({"Idempotency-Key": key} if key is not None else {})
    answer = CALLER.post(f"/api/v1{path}", json.dumps(body), content_type="application/json", headers=headers)
    assert isinstance(answer, HttpResponse)
    return answer


def data(answer: HttpResponse) -> Any:  # noqa: ANN401 - JSON
    return json.loads(answer.content)


@cache
def description() -> Any:  # noqa: ANN401 - JSON
    """Return the description that is kept; ``test_description`` holds it against what the application says."""
    return json.loads(openapi.FILE.read_text("utf-8"))


def test_a_token_opens_its_own_organisation_within_its_scope_and_only_its_hash_is_kept(cast: Cast) -> None:
    assert data(get("/organisation", cast.token_secret))["name"] == "Ada's Farm"
    assert data(get("/organisation", cast.other_token_secret))["name"] == "Stan's Elevator"
    day = timezone.localdate()
    _, secret = create_token(
        cast.farm, name="narrow", scopes=[Scope.RECORDS_READ], expires_on=day, actor=cast.actor("owner")
    )
    answer = get("/members", secret)
    assert answer.status_code == 403
    assert "organisation:read" in data(answer)["detail"]
    kept = json.dumps(list(ApiToken.objects.values()), default=str)
    assert cast.token_secret not in kept


@pytest.mark.parametrize("secret", ["", "pvd_wrong", "x" * 5000])
def test_without_a_valid_token_the_answer_is_a_problem(cast: Cast, secret: str) -> None:
    answer = get("/organisation", secret)
    assert answer.status_code == 401
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="provender"'
    assert data(answer)["type"] == "urn:provender:problem:no_token"


@pytest.mark.parametrize(("days", "status"), [(-1, 401), (0, 200), (1, 200)])
def test_a_token_works_to_the_end_of_its_last_day(cast: Cast, days: int, status: int) -> None:
    token = ApiToken.objects.get(pk=cast.token.pk)
    token.expires_on = timezone.localdate() + timedelta(days=days)
    token.save()
    assert get("/organisation", cast.token_secret).status_code == status


def test_a_revoked_token_and_one_of_a_closed_account_open_nothing(cast: Cast) -> None:
    person = cast.person("owner")
    person.is_active = False
    person.save()
    assert get("/organisation", cast.token_secret).status_code == 401
    person.is_active = True
    person.save()
    revoke_token(cast.token, actor=cast.actor("owner"))
    assert get("/organisation", cast.token_secret).status_code == 401


def test_a_repeated_post_is_one_deed_with_one_answer_and_its_key_is_for_nothing_else(cast: Cast) -> None:
    first = post("/invitations", cast.token_secret, INVITATION, "k1")
    again = post("/invitations", cast.token_secret, INVITATION, "k1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content
    assert again.headers["Idempotent-Replay"] == "true"
    assert Invitation.objects.filter(label="Bea").count() == 1
    assert LogRow.objects.filter(deed="invite", about="Bea", via="api token scale house").count() == 1
    post("/invitations", cast.token_secret, INVITATION, "k1")
    other = post("/invitations", cast.token_secret, {**INVITATION, "label": "Cy"}, "k1")
    assert other.status_code == 409
    assert data(other)["type"] == "urn:provender:problem:idempotency_key_reused"


@pytest.mark.parametrize(("key", "status"), [(None, 400), ("", 400), ("k", 201), ("k" * 100, 201), ("k" * 101, 400)])
def test_a_post_needs_a_key_of_its_own(cast: Cast, key: str | None, status: int) -> None:
    assert post("/invitations", cast.token_secret, INVITATION, key).status_code == status


def test_a_refused_post_may_be_tried_again_with_its_key_which_another_caller_may_use_too(cast: Cast) -> None:
    assert post("/invitations", cast.token_secret, {"label": "Bea", "right": "own"}, "k1").status_code == 422
    assert IdempotentAnswer.objects.count() == 0
    assert post("/invitations", cast.token_secret, INVITATION, "k1").status_code == 201
    assert post("/invitations", cast.token_secret, INVITATION, "k1").status_code == 201
    assert post("/invitations", cast.other_token_secret, INVITATION, "k1").status_code == 201
    answer = data(post("/invitations", cast.token_secret, {"label": "Bea"}, "k2"))
    assert answer["status"] == 422
    assert [problem["at"] for problem in answer["problems"]] == ["body.body.right"]


@pytest.mark.parametrize(("limit", "status"), [(0, 422), (1, 200), (500, 200), (501, 422), ("x", 422)])
def test_a_page_has_one_to_five_hundred_items(cast: Cast, limit: object, status: int) -> None:
    assert get(f"/members?limit={limit}", cast.token_secret).status_code == status


def narrow(cast: Cast, scopes: Iterable[str]) -> None:
    ApiToken.objects.filter(pk=cast.token.pk).update(scopes=list(scopes))


def demote(cast: Cast, _scopes: object = None) -> None:
    """Let the token's maker read alone, and somebody else manage."""
    change_member(cast.membership("writer"), Right.MANAGE, actor=cast.actor("owner"))
    change_member(cast.membership("owner"), Right.READ, actor=cast.actor("writer"))


TOKEN: Final = {"name": "child", "scopes": ["records:read"], "expires_on": str(timezone.localdate())}
GRANT: Final = {"purpose": "Audit", "first_day": str(timezone.localdate()), "last_day": str(timezone.localdate())}
ALL_BUT: Final = {scope: [each for each in Scope.values if each != scope] for scope in Scope.values}


@pytest.mark.parametrize(
    ("path", "body", "change", "status"),
    [
        ("/invitations", INVITATION, lambda cast: narrow(cast, ALL_BUT["members:write"]), 403),
        (
            "/invitations",
            INVITATION,
            lambda cast: narrow(cast, ALL_BUT["records:read"]),
            409,
        ),  # it gives more than it has
        ("/invitations", INVITATION, demote, 403),
        ("/tokens", TOKEN, lambda cast: narrow(cast, ALL_BUT["records:read"]), 409),
        ("/tokens", TOKEN, demote, 403),
        ("/grants", GRANT, lambda cast: narrow(cast, ALL_BUT["records:read"]), 409),
    ],
)
def test_a_repeated_post_is_answered_by_the_right_and_scope_of_today(
    cast: Cast, path: str, body: dict[str, object], change: Callable[[Cast], None], status: int
) -> None:
    if path == "/grants":
        body = {**body, "verifier": cast.verifier.handle}
    first = post(path, cast.token_secret, body, "k1")
    assert first.status_code == 201
    kept = dict(ApiToken.objects.values_list("pk", "scopes"))
    change(cast)
    again = post(path, cast.token_secret, body, "k1")
    assert (again.status_code, again.content == first.content) == (status, False)
    ApiToken.objects.filter(pk=cast.token.pk).update(scopes=kept[cast.token.pk])
    if cast.membership("owner").right == Right.READ:
        change_member(cast.membership("owner"), Right.MANAGE, actor=cast.actor("writer"))
    assert post(path, cast.token_secret, body, "k1").content == first.content, "and once it may again, as before"
    assert ApiToken.objects.count() == len(kept), "nothing was done meanwhile"


def test_a_repeated_post_of_a_verifier_needs_the_party_s_access_of_today(cast: Cast) -> None:
    _, secret = create_token(
        cast.verifier, name="v", scopes=[Scope.AUDIT_WRITE], expires_on=timezone.localdate(),
        actor=cast.actor("verifier_in"),
    )  # fmt: skip
    day = timezone.localdate()
    body = {
        "audited": cast.farm.handle, "role": "farm", "number": "V-2", "harvest_year": day.year - 1,
        "covered_first": str(day - timedelta(days=365)), "covered_last": str(day - timedelta(days=1)),
        "due_on": str(day + timedelta(days=60)),
    }  # fmt: skip
    assert post("/audits", secret, body, "k1").status_code == 201
    assert post("/audits", secret, body, "k1").headers["Idempotent-Replay"] == "true"
    revoke_reading(cast.grant, actor=cast.actor("owner"))
    assert post("/audits", secret, body, "k1").status_code == 403


def test_what_a_removed_member_made_lets_nobody_in_again(cast: Cast) -> None:
    """Tokens and those made from them, links that nobody opened, webhooks; also after a new invitation."""
    made = data(post("/tokens", cast.token_secret, TOKEN, "k1"))
    kept = data(post("/invitations", cast.token_secret, {"label": "Me again", "right": "write"}, "k2"))["path"]
    review = {
        "label": "Rita",
        "kind": "buyer",
        "areas": ["reports"],
        "purpose": "Corn",
        "last_day": TOKEN["expires_on"],
    }
    looked = data(post("/reviewers", cast.token_secret, review, "k3"))["path"]
    hook, _ = make_hook(cast.farm, address="https://a.example.com/", kinds=NewsKind.values, actor=cast.actor("owner"))
    change_member(cast.membership("writer"), Right.MANAGE, actor=cast.actor("owner"))
    remove_member(cast.membership("owner"), actor=cast.actor("writer"))
    secrets = (cast.token_secret, made["secret"])
    assert [get("/organisation", secret).status_code for secret in secrets] == [401, 401]
    hook.refresh_from_db()
    assert hook.ended_at is not None
    browser = cast.client("owner")
    for path in (kept, looked):
        assert (browser.get(path).status_code, browser.post(path).status_code) == (404, 404), path
    _, link = invite_person(cast.farm, label="Back", right=Right.MANAGE, actor=cast.actor("writer"))
    assert browser.post(f"/join/{link}/").status_code == 302
    assert [get("/organisation", secret).status_code for secret in secrets] == [401, 401], "none lives again"
    assert post("/tokens", cast.token_secret, TOKEN, "k1").status_code == 401
    states = {str(row.name): row.revoked_at is not None for row in ApiToken.objects.filter(organisation=cast.farm)}
    assert states == {"scale house": True, "child": True}


def test_whoever_manages_no_longer_has_no_links_left_that_let_others_in(cast: Cast) -> None:
    change_member(cast.membership("writer"), Right.MANAGE, actor=cast.actor("owner"))
    change_member(cast.membership("owner"), Right.WRITE, actor=cast.actor("writer"))
    assert open_invitation(cast.secret) is None


def test_guessing_opens_nothing_and_keeps_no_true_token_out(cast: Cast) -> None:
    true = cast.token_secret
    near = [true[:n] + ("x" if true[n] != "x" else "y") + true[n + 1 :] for n in range(len(true))]
    near += [true[:-1], true + "x", true + true, true.upper(), true.lower(), true[4:], f"{true}%", "%", "_" * len(true)]
    near += [
        cast.token.secret_hash,
        cast.token.hint,
        f"pvd_{cast.token.secret_hash}",
        f"{true}\x00",
        f"' OR 1=1 -- {true}",
    ]
    schemes = [f"Basic {true}", f"bearer{true}", true, f"Bearer {true} {near[0]}", f"Bearer {near[0]}, Bearer {true}"]
    asked = [f"Bearer {one}" for one in near] + schemes
    told = {
        (answer.status_code, answer.content)
        for said in asked
        for answer in [CALLER.get("/api/v1/organisation", headers={"Authorization": said})]
    }
    assert len(told) == 1, "each wrong one gets the same answer"
    assert next(iter(told))[0] == 401
    assert get("/organisation", true).status_code == 200
