"""A reviewer of a buyer, authority or accreditor: in by the organisation's decision, out by the day, nothing written.

Which addresses open to one who may see every area stands in ``answers``; here is what narrows, ends and is logged.
"""

import re
from datetime import timedelta
from importlib import import_module
from typing import Final

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from typer.main import get_command

from provender.cli.app import VERBS
from provender.database.choices import Area, Role
from provender.database.models.accounts import Invitation, LogRow, Membership, Organisation, Review
from provender.problem import ProblemsError
from provender.services.accounts.grants import end_review, let_reviewer_in
from provender.services.accounts.organisations import create_organisation
from tests.web.addresses import address
from tests.web.api.test_calls import data, get, post
from tests.web.cast import Cast, review_by
from tests.web.custody_season import fill_custody, opened_mill
from tests.web.farm_season import fill_season
from tests.web.test_everyone_at_every_address import ANSWERS
from tests.web.test_navigation import walk

REVIEW: Final = {"label": "Rita", "kind": "buyer", "purpose": "Soybeans of 2026", "areas": ["reports"]}


def last(days: int) -> str:
    return (timezone.localdate() + timedelta(days=days)).isoformat()


def opened(cast: Cast, organisation: Organisation, *areas: Area) -> Client:
    Review.objects.filter(organisation=organisation).update(revoked_at=timezone.now())
    review_by(cast.people["reviewer"], organisation, areas, actor=cast.actor("owner"))
    return cast.client("reviewer")


def test_a_reviewer_comes_by_a_link_looks_and_each_look_is_logged(cast: Cast) -> None:
    owner = cast.client()
    page = owner.post(reverse("reviewers", args=(cast.farm.handle,)), {**REVIEW, "last_day": last(10)})
    path = page.context["link"].partition("testserver")[2]
    assert "as a reviewer" in cast.client("stranger").get(path).content.decode()
    reviewer = cast.client("stranger")
    assert reviewer.post(path).status_code == 302
    assert not Membership.objects.filter(organisation=cast.farm, person=cast.person("stranger")).exists()
    assert reviewer.get(path).status_code == 404, "the link opens once"
    assert reverse("review", args=(cast.farm.handle,)) in reviewer.get(reverse("home")).content.decode()
    guide = reviewer.get(reverse("organisation", args=(cast.farm.handle,)), follow=True)
    assert guide.redirect_chain[-1][0] == reverse("review", args=(cast.farm.handle,))
    assert reviewer.get(reverse("farm_reports", args=(cast.farm.handle,))).status_code == 200
    deeds = LogRow.objects.filter(organisation=cast.farm).values_list("deed", "about", "new__reviewer")
    assert {("look as reviewer", "farm_reports", "Rita"), ("let reviewer in", "Rita", None),
            ("begin review", "Rita", None)} <= set(deeds)  # fmt: skip


OF_FARM: Final = {Area.REPORTS: "farm_reports", Area.RECORDS: "farm_records", Area.AUDITS: "audits_of_us"}
OF_MILL: Final = {Area.BOOKS: "custody_periods", Area.AUDITS: "audits_of_us"}


def test_an_area_opens_its_pages_and_an_accreditor_sees_no_other_houses(cast: Cast) -> None:
    opened_mill(cast)
    for organisation, pages in ((cast.farm, OF_FARM), (cast.mill, OF_MILL)):
        for given in pages:
            client = opened(cast, organisation, given)
            for area, name in pages.items():
                answer = client.get(reverse(name, args=(organisation.handle,)))
                assert answer.status_code == (200 if area is given else 403), (given, name)
    review_by(cast.people["reviewer"], cast.verifier, [Area.ACCREDITATION], actor=cast.actor("verifier_in"))
    client = cast.client("reviewer")
    assert client.get(reverse("audit_accreditation", args=(cast.verifier.handle,))).status_code == 200
    for name, method in ANSWERS:
        if name.startswith("audit") and "of_us" not in name and name != "audit_accreditation" and method == "GET":
            assert client.get(address(name, cast)).status_code in {403, 405}, name


def test_after_the_last_day_and_after_it_was_taken_back_nothing_is_there(cast: Cast) -> None:
    client = cast.client("reviewer")
    where = reverse("farm_reports", args=(cast.farm.handle,))
    assert client.get(where).status_code == 200
    review = Review.objects.get(organisation=cast.farm)
    Review.objects.filter(pk=review.pk).update(last_day=timezone.localdate() - timedelta(days=1))
    assert client.get(where).status_code == 404, "expired"
    assert reverse("review", args=(cast.farm.handle,)) not in client.get(reverse("home")).content.decode()
    Review.objects.filter(pk=review.pk).update(last_day=timezone.localdate())
    assert client.get(where).status_code == 200, "the last day is included"
    assert cast.client().post(reverse("reviewer_end", args=(cast.farm.handle, review.pk))).status_code == 302
    assert client.get(where).status_code == 404, "taken back"
    assert LogRow.objects.filter(organisation=cast.farm, deed="end review").count() == 1


def test_a_link_of_a_review_that_was_taken_back_or_is_over_opens_nothing(cast: Cast) -> None:
    day = timezone.localdate()
    made, secret = let_reviewer_in(cast.farm, **{**REVIEW, "last_day": day}, actor=cast.actor("owner"))  # type: ignore[arg-type]
    late, later = let_reviewer_in(cast.farm, **{**REVIEW, "last_day": day}, actor=cast.actor("owner"))  # type: ignore[arg-type]
    end_review(made, actor=cast.actor("owner"))
    Review.objects.filter(pk=late.pk).update(last_day=day - timedelta(days=1))
    stranger = cast.client("stranger")
    assert stranger.post(reverse("join", args=(secret,))).status_code == 404
    answer = stranger.post(reverse("join", args=(later,)))
    assert answer.status_code == 409
    assert not Invitation.objects.get(review=late).accepted_by_id
    assert stranger.get(reverse("farm_reports", args=(cast.farm.handle,))).status_code == 404


def test_a_reviewer_writes_nothing_even_where_they_may_look(cast: Cast) -> None:
    opened_mill(cast)
    client, rows = cast.client("reviewer"), LogRow.objects.exclude(deed="look as reviewer").count()
    for name, method in ANSWERS:
        if method == "POST" and name.startswith(("farm", "custody", "audit_of_us", "hook", "token", "member", "grant")):
            assert client.post(address(name, cast)).status_code in {403, 405}, name
    assert LogRow.objects.exclude(deed="look as reviewer").count() == rows


def test_another_house_is_not_there_and_theirs_stands_on_no_page(cast: Cast) -> None:
    fill_custody(cast)
    client = cast.client("reviewer")
    for name in ("organisation", "review", "custody_stock", "transparency"):
        assert client.get(reverse(name, args=(cast.elevator.handle,))).status_code == 404
    start = reverse("custody_periods", args=(cast.mill.handle,))
    found = list(walk(client, start))
    assert [one for one in found if one[2] >= 400] == []
    pages = [where for _, where, status in found if status == 200]
    assert len(pages) > 4
    for where in pages:
        answer = client.get(where)
        text = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
        if f"/o/{cast.mill.handle}/custody" in where:
            assert cast.elevator.name.replace("'", "&#x27;").encode() not in text, where
            assert cast.farm.name.replace("'", "&#x27;").encode() not in text, where


def test_a_stored_file_opens_only_as_evidence_of_the_farm(cast: Cast) -> None:
    reviewer = cast.client("reviewer")
    assert reviewer.get(reverse("stored_file", args=(cast.farm.handle, cast.upload.handle))).status_code == 404
    fill_season(cast)
    page = reviewer.get(reverse("farm_evidence", args=(cast.farm.handle,))).content.decode()
    files = re.findall(rf"/o/{cast.farm.handle}/files/[a-z0-9]+/", page)
    assert files
    answer = reviewer.get(files[0])
    assert answer.status_code == 200
    b"".join(answer.streaming_content)  # type: ignore[attr-defined]  # whose end closes the file
    assert opened(cast, cast.farm, Area.REPORTS).get(files[0]).status_code == 403


def test_what_no_reviewer_can_be_given_is_refused_and_who_has_no_role_lets_none_in(cast: Cast) -> None:
    rows: tuple[tuple[dict[str, object], str], ...] = (
        ({"areas": []}, "areas_unknown"), ({"areas": ["books"]}, "areas_unknown"),
        ({"areas": ["all"]}, "areas_unknown"),
        ({"days": -1}, "expired"), ({"days": 367}, "too_long"), ({"purpose": "a\nb"}, "text_unseen"),
    )  # fmt: skip
    for wrong, code in rows:
        asked = {**REVIEW, "days": 3, **wrong}
        day = timezone.localdate() + timedelta(days=int(str(asked.pop("days"))))
        with pytest.raises(ProblemsError) as refused:
            let_reviewer_in(cast.farm, **asked, last_day=day, actor=cast.actor("owner"))  # type: ignore[arg-type]
        assert refused.value.problems[0].code == code, wrong
    bare = create_organisation("Bare", roles=[], manager=cast.person("owner"), actor=cast.actor("owner"))
    assert Role.FARM not in bare.roles.values_list("role", flat=True)
    with pytest.raises(ProblemsError):
        let_reviewer_in(bare, **REVIEW, last_day=timezone.localdate(), actor=cast.actor("owner"))  # type: ignore[arg-type]


def test_a_program_lets_a_reviewer_in_and_out_and_sees_no_link_again(cast: Cast) -> None:
    answer = post("/reviewers", cast.token_secret, {**REVIEW, "last_day": last(5)}, "k1")
    assert answer.status_code == 201, answer.content
    made = data(answer)
    assert made["path"].startswith("/join/")
    listed = data(get("/reviewers", cast.token_secret))["items"]
    assert {one["label"] for one in listed} == {"Rita", "Rita of the buyer"}
    assert "path" not in listed[-1]
    ended = post(f"/reviewers/{made['id']}/revocation", cast.token_secret, {}, "k2")
    assert (ended.status_code, data(ended)["revoked"]) == (201, True)


def test_the_commands_of_the_guide_are_commands_of_the_program(cast: Cast) -> None:
    page = cast.client().get(reverse("review", args=(cast.farm.handle,))).content.decode()
    commands = [one.split() for one in re.findall(r"<pre><code>provender (.*?)</code></pre>", page)]
    assert len(commands) == 4
    for name, *words in commands:
        verb = VERBS[name]
        called = get_command(getattr(import_module(verb.module), verb.app))
        if hasattr(called, "commands"):
            called = called.commands[words.pop(0)]
        known = {word for one in called.params for word in one.opts}
        assert {word for word in words if word.startswith("--")} <= known, name
