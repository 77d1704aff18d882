"""What a season costs a person is counted by playing the commands, and the season that comes of it is judged."""

from decimal import Decimal
from pathlib import Path

import pytest

from bench.burden import Burden, Person, from_machines


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Burden, dict[str, int]]:
    return from_machines(tmp_path_factory.mktemp("burden"), 2)


def test_a_season_from_files_needs_at_most_forty_values_whatever_the_number_of_fields(
    played: tuple[Burden, dict[str, int]],
) -> None:
    did, records = played
    assert 0 < did.values <= 40
    assert did.minutes <= 10
    assert records == {
        "unit": 2, "harvest": 4, "operation": 6, "nutrient_application": 2, "soil_test": 2, "declaration": 2,
        "calculator_run": 2, "judged": 2, "credited": 2,
    }  # fmt: skip


def test_every_option_that_says_something_of_the_farm_is_a_value(tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.types("template", "--book", "b", "--farm-id", "F1", "--name", "Bluestem")
    assert (person.did.commands, person.did.values) == (1, 3)
    assert person.did.characters == len("provender template --book b --farm-id F1 --name Bluestem") + 1


def test_what_is_read_and_waited_for_counts_beside_the_keystrokes(played: tuple[Burden, dict[str, int]]) -> None:
    did, _ = played
    assert did.words > 100
    assert did.waited > 0
    assert did.whole_minutes > did.minutes
    assert all(name in did.table() for name in did.terms)


def test_a_line_is_read_once_and_signs_are_no_words() -> None:
    did = Burden()
    did.reads("N40   is met | 180.5 bu\n--- ---\n")
    did.reads("N40 is met | 180.5 bu")
    assert did.words == 5
    assert did.terms["reading, words"][1].quantize(Decimal("0.01")) == Decimal("1.26")
