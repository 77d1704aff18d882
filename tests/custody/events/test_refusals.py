"""Every refusal can be shown at a form: a cause, a remedy, and a field that some event has."""

import pytest

from provender.custody.events.refusals import CITES, FIELDS, problem_of
from provender.custody.events.registry import DECISIONS
from provender.custody.model.event import Refusal, Status
from provender.custody.model.store_view import Decision
from provender.rule.law import Cite

REFUSALS = [one for one in Status if not one.well]


@pytest.mark.parametrize("status", REFUSALS)
def test_every_refusal_has_a_cause_and_a_remedy(status: Status) -> None:
    detail = "It says so."
    problem = problem_of(Decision(status, Refusal(status, detail).message))
    assert problem.cause.endswith(detail)
    assert problem.remedy
    assert problem.remedy not in problem.cause
    assert problem.code == status


def test_every_field_a_refusal_points_to_is_a_field_of_some_event() -> None:
    known = {name for event in DECISIONS for name in event.__dataclass_fields__}
    assert {name for names in FIELDS.values() for name in names} <= known


def test_the_place_is_a_field_that_the_event_has() -> None:
    outcome = Decision(Status.EXCEEDS_STOCK, Status.EXCEEDS_STOCK.sentence)
    assert problem_of(outcome, known=("day", "pounds")).place.column == "pounds"
    assert problem_of(outcome, known=("day",)).place.column == ""


def test_a_field_that_cannot_be_read_is_named() -> None:
    refused = Refusal(Status.FIELD_UNREADABLE, "bushels: 'many' is not a number.")
    outcome = Decision(refused.status, refused.message)
    assert problem_of(outcome, known=("day", "bushels")).place.column == "bushels"


def test_every_citation_is_written_as_one() -> None:
    assert [Cite.parse(text) for text in CITES.values()]
