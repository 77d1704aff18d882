"""The event format: the shipped examples stand, name every type, and are the page's examples."""

import json
from importlib.resources import files

import pytest

from provender.custody.events.registry import DECISIONS, TYPES, read_event
from provender.custody.model.event import digest_of, plain_event
from provender.custody.model.store_view import Store
from provender.custody.store import all_balances, run_lines

EXAMPLES = (files("provender.custody") / "data" / "example_events.jsonl").read_text(encoding="utf-8").splitlines()


def test_every_shipped_example_is_posted_and_every_type_has_one(store: Store) -> None:
    answers = list(run_lines(store, EXAMPLES))
    assert [answer.message for answer in answers if answer.status != "posted"] == []
    assert {json.loads(line)["type"] for line in EXAMPLES} == set(TYPES)


def test_the_examples_balance_for_every_entity_that_keeps_periods(store: Store) -> None:
    list(run_lines(store, EXAMPLES))
    with store.reading() as facts:
        balances = all_balances(facts)
    assert [balance["entity"] for balance in balances] == ["coop", "crush", "fuel"]
    assert all(balance["lines"] for balance in balances)


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_event_written_back_is_the_same_event(line: str) -> None:
    request = read_event(json.loads(line))
    again = read_event(plain_event(request))
    assert again == request
    assert digest_of(again) == digest_of(request)


def test_layout_and_actor_do_not_change_what_an_event_is() -> None:
    first = json.loads(EXAMPLES[0])
    other = dict(reversed(first.items())) | {"actor": "bea"}
    assert digest_of(read_event(other)) == digest_of(read_event(first))


def test_every_type_has_a_name_of_its_own() -> None:
    assert len(TYPES) == len(DECISIONS)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('  {"type": "entity"\r\n', "at column 18"),
        ("[1, 2]", "no object in braces"),
        ("null", "no object in braces"),
        ('{"a":' * 5_000 + "1" + "}" * 5_000, "nested too deeply"),
        ('{"bushels": ' + "9" * 6_000 + "}", "A number of 6000 digits is too long"),
        ('{"day": "1", "day": "2"}', "A field stands twice"),
        ('{"type": "close", "id": "c", "day": "2026-02-30", "entity": "e", "closed_on": "2026-03-01"}', "calendar"),
    ],
)
def test_a_line_that_cannot_be_read_is_told_in_words_for_people(store: Store, line: str, said: str) -> None:
    (answer,) = run_lines(store, [line])
    assert said in answer.message
    assert answer.status in ("line_unreadable", "field_unreadable")


def test_one_thing_is_told_as_one(store: Store) -> None:
    said = {answer.id: answer.message for answer in run_lines(store, EXAMPLES)}
    assert said["n-1"] == "Done. Worse CI for blinded id of a farm's origin; 1 notice."
    assert said["d-1"] == "Done. 2 lines in transit to River Crush."


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"bushels": "9999999"}, {"field": "bushels", "remedy": "Choose a smaller amount.", "cite": "2100.034(d)"}),
        ({"giver": "nobody"}, {"field": "giver", "remedy": "Register it first."}),
        ({"bushels": "1.2345"}, {"field": "bushels", "remedy": "Write it as its help and its example say."}),
        ({"bushel": "1"}, {"field": "bushel", "remedy": "Correct or remove it."}),
    ],
)
def test_a_refused_line_names_its_field_and_what_to_do(
    store: Store, wrong: dict[str, str], said: dict[str, str]
) -> None:
    number, sale = next((n, one) for n, one in enumerate(map(json.loads, EXAMPLES)) if one["id"] == "v-1")
    *_, last = run_lines(store, [*EXAMPLES[:number], json.dumps({**sale, **wrong})])
    plain = last.as_json()
    assert not last.status.well
    assert {name: plain[name] for name in ("field", "remedy", "cite") if name in plain} == said


def test_what_stands_names_no_remedy(store: Store) -> None:
    assert all(not {"field", "remedy", "cite"} & set(answer.as_json()) for answer in run_lines(store, EXAMPLES))
