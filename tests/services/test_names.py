"""Names of organisations and sites fit on papers and hold no character that nobody sees."""

from datetime import date

import pytest

from provender.database.actor import Actor
from provender.database.choices import Role
from provender.services.accounts.organisations import create_organisation
from provender.services.custody.entry import register_entity
from provender.services.refused import LONGEST_NAME, LONGEST_SITE, RefusedError, clean_line, clean_name

BY = Actor(None, "test")


def test_a_name_with_a_character_that_nobody_sees_is_refused() -> None:
    for name in ("a\nb", "a\x00b", "a\x1bb", "a\u202eb", "a\u200bb", "a\u2028b", "a\x7fb"):
        with pytest.raises(RefusedError, match="nobody sees"):
            clean_name(name)


def test_a_name_has_room_on_papers_and_a_line_may_be_empty_and_hold_signs_that_letters_make() -> None:
    assert clean_name(f" {'é' * LONGEST_NAME} ") == "é" * LONGEST_NAME
    with pytest.raises(RefusedError, match="room for"):
        clean_name("é" * (LONGEST_NAME + 1))
    with pytest.raises(RefusedError, match="empty"):
        clean_name("  ")
    assert clean_line("  ", column="county") == ""
    assert clean_line(" \U0001f469\u200d\U0001f33e Bo ", column="label") == "\U0001f469\u200d\U0001f33e Bo"


@pytest.mark.parametrize("text", ["a\nb", "a\x00b", "a\x1bb", "a\u202eb", "a\u2028b", "a\x85b", "a" * 81])
def test_a_line_has_a_length_and_nothing_that_steers_the_reader(text: str) -> None:
    with pytest.raises(RefusedError):
        clean_line(text, most=80, column="county")


@pytest.mark.django_db
def test_organisations_and_sites_are_named_by_the_same_rule() -> None:
    made = create_organisation("Skunk River", roles=[Role.FIRST_POINT], manager=None, actor=BY)
    with pytest.raises(RefusedError):
        create_organisation("Skunk\u202eRiver", roles=[Role.FIRST_POINT], manager=None, actor=BY)
    day = date(2026, 1, 1)
    for site in ("a\x1bb", "n" * (LONGEST_SITE + 1)):
        with pytest.raises(RefusedError):
            register_entity(made, day=day, actor=BY, sites=[site])
    done = register_entity(made, day=day, actor=BY, sites=["n" * LONGEST_SITE])
    assert done is not None
    assert done.status.well
