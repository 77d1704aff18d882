"""What is still open before a statement: said in whole sentences, with the page where each is answered."""

import re
from typing import Any

import pytest
from django.urls import reverse

from provender.audit.statement.opinion import gaps_of
from provender.audit.statement.statement import check_statement
from provender.services.audits import statement
from provender.services.audits.standing import state_of
from provender.services.audits.statement import AnsweredIn, needs_to_answer
from tests.audit.engaged import engaged
from tests.web.cast import Cast

OPEN = re.compile(r'<ul class="open-ends">.*?</ul>', re.DOTALL)


def page_of(cast: Cast) -> str:
    where = reverse("audit_statement", args=(cast.verifier.handle, cast.audit.handle))
    return cast.client("verifier_in").get(where).content.decode()


def test_each_open_thing_leads_to_where_it_is_answered(cast: Cast) -> None:
    found = OPEN.search(page_of(cast))
    assert found is not None
    lines = found[0].split("<li>")[1:]
    at = {
        name: reverse(f"audit_{name}", args=(cast.verifier.handle, cast.audit.handle)) for name in ("work", "findings")
    }
    for words, href in (
        ("lines of the work program", at["work"]),
        ("bears on misstatement", at["findings"]),
        ("No materiality is stated", "#write"),
        ("The statement does not say", "#write"),
        ("Engagement: Engaged by", "/engagement/#id_engaged_by"),
    ):
        line = next(line for line in lines if words in line)
        assert href in line, words
    unled = [line for line in lines if "<a href" not in line]
    assert all("record" in line or "quantit" in line.casefold() or "Work:" in line for line in unled), unled
    assert "A materiality of 0 %" not in found[0]


def test_no_sentence_ends_twice() -> None:
    (told,) = [one.cause for one in gaps_of(engaged(work=None)) if one.code == "line_unanswered"]
    assert not re.search(r"[.?];", told), told
    assert re.search(r"[a-z)]\.$", told), told


def test_a_materiality_is_missing_or_none() -> None:
    told = {pct: [one.cause for one in check_statement(engaged(materiality_pct=pct))] for pct in (0, 100_000)}
    assert told[0] == ["No materiality is stated: the share from which errors matter."]
    assert told[100_000] == ["A materiality of 100 % is none."]


def test_every_code_of_a_gap_is_known_by_where_it_is_answered() -> None:
    assert len(statement.WHERE) == sum(len(codes) for codes in statement._BY_CODE.values()), (
        "no code leads to two pages"
    )


def test_farms_that_are_left_are_named_on_the_page_and_not_in_the_sentence(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = {"a": "Abel Farm", "b": "Berg Farm", "c": "Cole Farm"}
    work: dict[str, Any] = {"farms": [{"farm": 2}]}
    monkeypatch.setattr(statement, "farms_drawn", lambda _: drawn)
    monkeypatch.setattr(statement, "work_of", lambda _: work)
    left = statement._farms_left(cast.audit)
    assert left == ("1: Abel Farm", "3: Cole Farm")


@pytest.mark.parametrize(("opinion", "told"), [("favourable", "Stated: favorable"), ("adverse", "Stated: adverse")])
def test_a_signed_opinion_is_said_alike(cast: Cast, monkeypatch: pytest.MonkeyPatch, opinion: str, told: str) -> None:
    signed = {"document": {"opinion": opinion}}
    monkeypatch.setattr("provender.database.store.audits.statement_of", lambda _: signed)
    assert state_of(cast.audit, cast.audit.due_on) == told


def test_most_needs_of_a_fresh_audit_are_of_its_engagement(cast: Cast) -> None:
    wheres = [need.where for need in needs_to_answer(cast.audit)]
    assert wheres.count(AnsweredIn.ENGAGEMENT) > len(wheres) // 2
