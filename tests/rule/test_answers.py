"""Every answer of the rule must exist: this test alone knows the floors above."""

from importlib import import_module

import pytest

from provender.practices.evaluate import ROOMS
from provender.practices.requirement import REQUIREMENTS
from provender.records import KINDS
from provender.rule.answers import Answer, AnswerKind
from provender.rule.cite import Cite
from provender.rule.paragraphs import children, paragraphs

assert ROOMS  # importing them registers the requirements
ANSWERS = sorted({answer for one in paragraphs().values() for answer in one.answers})
DOTTED = [one for one in ANSWERS if one.kind in (AnswerKind.document, AnswerKind.procedure)]


def resolve(name: str) -> object:
    """Import the longest module of a dotted name below provender and follow the rest as attributes."""
    parts = ["provender", *name.split(".")]
    for length in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:length]))
        except ModuleNotFoundError as missing:
            if not missing.name or not ".".join(parts[:length]).startswith(missing.name):
                raise
            continue
        for attribute in parts[length:]:
            found = getattr(found, attribute)
        return found
    raise LookupError(name)


@pytest.mark.parametrize("answer", [one for one in ANSWERS if one.kind is AnswerKind.requirement], ids=str)
def test_a_requirement_that_answers_a_paragraph_is_registered_and_cites_it(answer: Answer) -> None:
    found = REQUIREMENTS[answer.name]
    for one in paragraphs().values():
        if answer in one.answers and not one.cite.term:
            assert found.cite.within(one.cite) or one.cite.within(found.cite), f"{answer} cites {found.cite}"


@pytest.mark.parametrize("name", sorted(REQUIREMENTS))
def test_every_requirement_answers_the_paragraph_that_it_cites(name: str) -> None:
    assert Answer(AnswerKind.requirement, name) in paragraphs()[REQUIREMENTS[name].cite].answers


@pytest.mark.parametrize("answer", [one for one in ANSWERS if one.kind is AnswerKind.record], ids=str)
def test_a_record_or_column_that_answers_a_paragraph_exists(answer: Answer) -> None:
    kind, _, column = answer.name.partition(".")
    assert not column or column in KINDS[kind].fields
    assert kind in KINDS


@pytest.mark.parametrize("answer", DOTTED, ids=str)
def test_code_that_answers_a_paragraph_exists_and_says_what_it_does(answer: Answer) -> None:
    found = resolve(answer.name)
    assert found.__doc__
    assert not hasattr(found, "__path__"), "a whole room answers nothing; name the module or what is in it"


def test_a_name_that_does_not_exist_is_not_resolved() -> None:
    for name in ("rule.nothing", "nothing", "rule.crops.Practice.burning"):
        with pytest.raises((AttributeError, LookupError)):
            resolve(name)


def test_every_paragraph_that_a_record_or_column_cites_exists() -> None:
    for kind in KINDS.values():
        for cite in (kind.cite, *(field.cite for field in kind.fields.values())):
            assert not cite or Cite.parse(cite) in paragraphs(), f"{kind.name}: {cite}"


def test_a_paragraph_answered_by_those_below_has_some_and_one_with_some_is_answered_by_them() -> None:
    for one in paragraphs().values():
        introduces = Answer(AnswerKind.below) in one.answers
        assert not introduces or children(one.cite), one.cite
