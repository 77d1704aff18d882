"""Events: the shipped examples, what a declaration carries, every field, any line at all, and records as JSON."""

import json
from dataclasses import dataclass, fields, replace
from datetime import date
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
from cattrs.errors import StructureHandlerNotFoundError
from hypothesis import given, settings
from hypothesis import strategies as st

from provender import schema
from provender.custody.book_file import Header, open_book, read_header, seal
from provender.custody.events.corrections import ReturnEvent
from provender.custody.events.parties import EntityEvent
from provender.custody.events.registry import DECISIONS, TYPED_TYPES, TYPES, check_fields, post, read_event, read_posted
from provender.custody.model import event as events
from provender.custody.model.entities import Role
from provender.custody.model.event import event
from provender.custody.model.grain import GrainEntry
from provender.custody.model.store_view import Store
from provender.custody.store import MemoryStore, all_balances, run_lines
from provender.problem import ProblemsError
from provender.schema import Text, UnreadableError, field, infos, types_of
from provender.signing.canonical import canonical_json
from tests.custody.ladders import LADDERS, STOCKED
from tests.custody.papers import buyer_book, elevator_book, letter, take
from tests.custody.world import ADA_SOY, ev, favourable, posted, run
from tests.draws import part_of_draws

# The event format: the shipped examples stand, name every type, and are the page's examples.

EXAMPLES = (files("provender.custody") / "data" / "example_events.jsonl").read_text(encoding="utf-8").splitlines()


def test_every_type_has_its_shipped_example_which_is_posted_told_as_one_and_balances(store: MemoryStore) -> None:
    answers = list(run_lines(store, EXAMPLES))
    assert [answer.message for answer in answers if answer.status != "posted"] == []
    assert {json.loads(line)["type"] for line in EXAMPLES} == set(TYPED_TYPES)
    assert len(TYPES) == len(DECISIONS), "every type has a name of its own"
    said = {answer.id: answer.message for answer in answers}
    assert said["n-1"] == "Done. Worse CI for blinded id of a farm's origin; 1 notice."
    assert said["d-1"] == "Done. 2 lines in transit to River Crush."
    assert all(not {"field", "remedy", "cite"} & set(answer.as_json()) for answer in answers), "nothing to mend"
    balances = all_balances(store)
    assert [balance["entity"] for balance in balances] == ["coop", "crush", "fuel"]
    assert all(balance["lines"] for balance in balances)


def test_an_event_written_back_is_the_same_and_a_hostile_name_asked_as_one_that_is_typed() -> None:
    for line in EXAMPLES:
        request = read_event(json.loads(line))
        again = read_event(events.plain_event(request))
        assert again == request
        assert events.digest_of(again) == events.digest_of(request)
    first = json.loads(EXAMPLES[0])
    other = dict(reversed(first.items())) | {"actor": "bea"}
    assert events.digest_of(read_event(other)) == events.digest_of(read_event(first))
    assert {post(MemoryStore(), registered(text)).status for text in HOSTILE} == {events.Status.FIELD_UNREADABLE}
    plain = events.plain_event(registered("a\nb"))
    with pytest.raises(events.Refusal):
        read_event(plain)
    assert read_posted(plain) == registered("a\nb")


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


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"bushels": "9999999"}, {"field": "bushels", "remedy": "Choose a smaller amount.", "cite": "2100.034(d)"}),
        ({"giver": "nobody"}, {"field": "giver", "remedy": "Register it first."}),
        ({"bushels": "1.2345"}, {"field": "bushels", "remedy": "Write it as its help and its example say."}),
        ({"bushel": "1"}, {"field": "bushel", "remedy": "Correct or remove it."}),
    ],
)
def test_a_refused_line_names_field_and_remedy(store: Store, wrong: dict[str, str], said: dict[str, str]) -> None:
    number, sale = next((n, one) for n, one in enumerate(map(json.loads, EXAMPLES)) if one["id"] == "v-1")
    *_, last = run_lines(store, [*EXAMPLES[:number], json.dumps({**sale, **wrong})])
    plain = last.as_json()
    assert not last.status.well
    assert {name: plain[name] for name in ("field", "remedy", "cite") if name in plain} == said


# An event is declared once: who is a party, who enters it and who may take it back follow from its fields.

PROCESS = {
    "type": "process", "id": "p", "day": "2026-05-01", "entity": "owner", "crop": "corn", "output": "corn_starch",
    "plant": "plant",
}  # fmt: skip
SALE = {"type": "sale", "id": "s", "day": "2026-05-01", "giver": "b", "taker": "a", "crop": "corn"}
ACCEPT = {"type": "accept", "id": "x", "day": "2026-05-01", "taker": "mill", "movement": "s", "custodian": "house"}


def test_parties_are_the_values_of_the_fields_that_name_one_and_a_buyer_is_only_read() -> None:
    assert read_event(SALE).parties() == ("a", "b")
    assert read_event(PROCESS).parties() == ("owner", "plant")
    assert read_event({**PROCESS, "plant": "owner"}).parties() == ("owner",)
    assert read_event({**PROCESS, "plant": ""}).parties() == ("owner",)
    assert read_event(SALE).only_reads() == ("a",)
    assert read_event(ACCEPT).parties() == ("house", "mill")
    assert read_event(ACCEPT).principals() == ("mill",)
    assert read_event(ACCEPT).only_reads() == ()
    back = read_event(
        {"type": "correct", "id": "c", "day": "2026-05-01", "entity": "e", "movement": "m", "reason": "r"}
    )
    assert back.locks() == (events.EVERYONE,)
    assert back.parties() == ("e",)


def test_every_field_says_what_it_is() -> None:
    for cls in TYPES.values():
        assert cls.means.endswith(".")
        assert all(info.label for info in infos(cls).values()), cls
        assert set(events.roles_of(cls).values()) <= set(events.Party)
        entering = [name for name, party in events.roles_of(cls).items() if party is events.Party.ENTERS]
        assert entering == [cls.entered_by()] * bool(cls.entered_by())
    labels = {name: one.label for name, one in infos(ReturnEvent).items()}
    assert labels["giver"].startswith("Buyer")
    assert labels["taker"].startswith("Seller")


def test_an_event_with_a_text_that_is_not_cleaned_or_with_two_who_enter_it_is_refused() -> None:
    with pytest.raises(TypeError, match="bare"):

        @event("bare", events.RestsOn.OWN_ACT)
        class Bare(events.Event):
            bare: str = field("Bare")

    with pytest.raises(TypeError, match="two parties"):

        @event("twice", events.RestsOn.OWN_ACT)
        class Twice(events.Event):
            giver: Text = field("Seller", party=events.Party.ENTERS)
            taker: Text = field("Buyer", party=events.Party.ENTERS)


STORED = [
    ev("entity", "e-ada", "2025-11-01", entity="ada", name="Ada", roles=["farm"]),
    ev("entity", "e-coop", "2025-11-01", entity="coop", name="Coop", roles=["first_point"], sites=["North"]),
    ev("entity", "e-mill", "2025-11-01", entity="mill", name="Mill", roles=["intermediary"], sites=["Mill"]),
    ev("period", "p-coop", "2025-11-01", entity="coop", start_day="2026-01-01", end_day="2026-03-31", policy="named"),
    ev("report", "r-1", "2025-12-01", entity="ada", crop="corn", harvest_year=2025, bushels="1000", ci="29000"),
    ev(
        "storage", "st-1", "2026-01-05", owner="ada", custodian="coop",
        lots=[{"origin": "ada/corn/2025", "start": "0", "stop": "100"}],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("who", "status"), [("coop", "posted"), ("ada", "posted"), ("mill", "parties_differ")])
def test_who_entered_a_storage_may_take_it_back(store: Store, who: str, status: str) -> None:
    """The custodian enters it, and could not take it back: corrections knew every party but that one."""
    posted(store, STORED)
    (answer,) = run(store, [ev("correct", "c-1", "2026-01-06", entity=who, movement="st-1", reason="typed twice")])
    assert answer.status == status, answer.message


# Whatever a book takes in it reads again: one check of every field, wherever it enters.

HOSTILE = ("a\nb", "a\tb", "a\0b", "a\u200bb", "a\u202eb", "a\u00a0b", "a\u2028b", "a\ud800", "a\u0301", "\u1100\u115f",
           "\u2800", "a\u034fb", "a\ufe0f", "a\U000e0100b", "a\U00016fe4b", "\U0001d159", "a\ufffcb",
           "*", "x" * 2_001, "", " a", "a ")  # fmt: skip
TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=6), st.just("Ada"))
NUMBERS = st.one_of(st.integers(-(10**22), 10**22), st.sampled_from([0, 1, 2025, 9999, 10_000, 99_999]))
DAYS = st.one_of(st.dates(), st.sampled_from([date(2206, 1, 1), date(2026, 1, 1), date(1, 1, 1)]))


def values(kind: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401 - a type
    """Draw values of a field's type as code could hand them over, possible in a book or not."""
    inside = get_args(kind)
    if get_origin(kind) is tuple:
        return (
            st.lists(values(inside[0]), max_size=2).map(tuple)
            if inside[-1] is Ellipsis
            else st.tuples(*map(values, inside))
        )
    if type(None) in inside:
        return st.one_of(st.none(), *(values(each) for each in inside if each is not type(None)))
    base = inside[0] if get_origin(kind) is not None else kind
    if isinstance(base, type) and hasattr(base, "__members__"):
        words: list[Any] = [*base.__members__.values()]
        return st.sampled_from(words)
    simple: dict[Any, st.SearchStrategy[Any]] = {str: TEXTS, int: NUMBERS, bool: st.booleans(), date: DAYS}
    return simple[base] if base in simple else made(base)


def made(cls: type[Any]) -> st.SearchStrategy[Any]:
    hints = types_of(cls)
    return st.builds(cls, **{each.name: values(hints[each.name]) for each in fields(cls)})


@settings(max_examples=4 * part_of_draws(1))
@given(st.sampled_from(list(TYPED_TYPES.values())), st.data())
def test_what_the_check_of_fields_lets_through_is_read_back_equal(
    kind: type[events.Event], data: st.DataObject
) -> None:
    # One field at a time is drawn at random, so that the others do not hide it.
    hints, sound = types_of(kind), read_event(sample(kind))
    name = data.draw(st.sampled_from([each.name for each in fields(kind)]))
    drawn: dict[str, Any] = {name: data.draw(values(hints[name]))}
    request = replace(sound, **drawn)
    try:
        check_fields(request)
    except events.Refusal:
        return
    assert read_posted(json.loads(json.dumps(events.plain_event(request)))) == request


def sample(kind: type[events.Event]) -> dict[str, object]:
    return next(one for one in map(json.loads, EXAMPLES) if one["type"] == kind.type)


def test_a_paper_with_a_hostile_number_is_refused_and_the_book_goes_on() -> None:
    buyer = buyer_book()
    paper: Any = letter(elevator_book())
    before = len(buyer.events())
    for text in HOSTILE:
        if text.strip() and text.strip() not in ("a", "a\u0301"):
            paper["document"]["number"] = text
            incoming, answers = take(buyer, paper)
            assert incoming.problems, text
            assert not answers, text
    assert len(buyer.events()) == before


@pytest.mark.parametrize(
    ("changed", "field"),
    [({"title_date": "2206-02-01"}, "title_date"), ({"title_date": "20260201"}, "title_date"),
     ({"title_date": "2026-W05-1"}, "title_date"), ({"number": "n" * 121}, "number")],
)  # fmt: skip
def test_a_paper_with_an_impossible_day_or_name_is_told_by_its_field(changed: dict[str, str], field: str) -> None:
    paper: Any = letter(elevator_book())
    paper["document"] |= changed
    incoming, _ = take(buyer_book(), paper)
    assert field in {one.place.column for one in incoming.problems}


@pytest.mark.parametrize("year", [99_999, 2015, 2030, -1])
def test_a_line_of_a_harvest_that_cannot_be_is_refused(year: int) -> None:
    line = {"crop": "soybeans", "harvest_year": 2025, "ci": "5000", "form": "soybeans", "bushels": "10"}
    paper = {"type": "document", "id": "d", "day": "2026-02-01", "giver": "coop", "taker": "crush", "number": "7"}
    good = read_event({**paper, "lines": [line]})
    lines: dict[str, Any] = {"lines": tuple(replace(one, harvest_year=year) for one in good.lines)}  # type: ignore[attr-defined]
    outcome = post(buyer_book(), replace(good, **lines))
    assert outcome.status in ("field_unreadable", "harvest_year_not_possible")
    assert post(buyer_book(), good).status == "posted"


def registered(name: str) -> EntityEvent:
    return EntityEvent(id=name, day=date(2026, 1, 5), entity=name, name=name, roles=(Role.FARM,))


LATER = ("a\U000e0100b", "a\U000e01efb", "a\U00016fe4b", "a\U0001d159b", "a\ufffcb")


@pytest.mark.parametrize("text", LATER)
def test_letters_that_show_nothing_enter_no_book_and_open_none(text: str, tmp_path: Path) -> None:
    path, header = tmp_path / "third.jsonl", Header("coop")
    event = {"type": "entity", "id": text, "day": "2026-01-05", "entity": "coop", "name": text, "roles": ["farm"]}
    line = json.dumps({"event": event, "chain": seal(header.head, event)})
    path.write_text(f"{header.line()}{line}\n", encoding="utf-8")
    with pytest.raises(ProblemsError, match="would not be posted"), open_book(path):
        pass
    with pytest.raises(events.Refusal):
        read_event(event)


def test_a_first_line_that_says_more_is_no_header_and_nesting_without_end_unreadable() -> None:
    whole = Header("coop", shared=True).as_json()
    assert read_header(whole) == Header("coop", shared=True)
    for wrong in ({"edition": 6}, {"shared": 1}, {"shared": False}, {"format": 2}, {"entity": 7}):
        assert read_header(whole | wrong) is None
    deep = '{"a":' * 100_000
    statuses = [answer.status for answer in run_lines(MemoryStore(), [deep, '{"id": ' + "9" * 5000 + "}", '"\\ud800"'])]
    assert statuses == [events.Status.LINE_UNREADABLE] * 3


# Whatever stands in a line, the answer is a status: never a crash, never a change by a refused event.

WORDS = st.sampled_from(
    [
        "coop", "ada", "crush", "north", "plant", ADA_SOY, "soybeans", "corn", "soybean_oil", "b-north", "v-gone", "C1",
        "",
    ]
)  # fmt: skip
ANY_NUMBERS = st.sampled_from(
    ["1", "0", "-1", "0.001", "99999999999999", "1e5", "12.3456", 7, 2.5, -3, 10**20, True, None]
)
ANY_DAYS = st.sampled_from(
    ["2026-02-01", "2026-13-01", "9999-12-31", "0001-01-01", "2025-01-16", "2026-04-05", "2026-02-30"]
)
SPANS = st.sampled_from(
    [[["0", "10"]], [["10", "0"]], [["0"]], [["a", "b"]], [{"origin": ADA_SOY, "start": "0", "stop": "5"}], [{}]]
)
ANY = st.one_of(
    WORDS, ANY_NUMBERS, ANY_DAYS, SPANS, st.text(max_size=4), st.recursive(st.none(), st.lists, max_leaves=3)
)


@st.composite
def lines(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from([*TYPES, "gift"]))
    names = [one.name for one in fields(TYPES[kind])] if kind in TYPES else ["id"]
    event = {name: draw(st.one_of(_likely(name), ANY)) for name in names if draw(st.integers(0, 9))}
    if not draw(st.integers(0, 9)):
        event["more"] = draw(ANY)
    text = json.dumps({"type": kind, **event})
    return text if draw(st.integers(0, 19)) else text[: draw(st.integers(0, len(text)))]


def _likely(name: str) -> st.SearchStrategy[object]:
    if name == "id":
        return st.sampled_from(["n1", "n2", "v-mill", "b-north"])
    if name in ("day", "start_day", "end_day", "closed_on", "delivered"):
        return ANY_DAYS
    if name in ("bushels", "pounds", "amount", "ci", "rate", "gallons"):
        return st.sampled_from(["1", "10", "11.5"])
    return WORDS


@settings(max_examples=part_of_draws(3))
@given(st.lists(lines(), max_size=6))
def test_every_line_is_answered_and_the_book_stays_whole(drawn: list[str]) -> None:
    store = posted(MemoryStore(), STOCKED)
    before = len(store.events())
    answers = list(run_lines(store, drawn))
    assert len(answers) == sum(1 for line in drawn if line.strip())
    assert len(store.events()) - before == sum(answer.status is events.Status.POSTED for answer in answers)
    assert all(answer.message for answer in answers)
    all_balances(store)


@given(st.lists(st.one_of(st.text(), st.binary().map(lambda raw: raw.decode("latin-1"))), max_size=5))
def test_noise_is_answered_too(noise: list[str]) -> None:
    assert all(not answer.status.well for answer in run_lines(MemoryStore(), noise))


# Every record of a custody book comes back from JSON as it went in: what stores keep of it is written so.

CONTRACT = ev(
    "contract", "contract-1", "2025-11-02", entity="coop", counterparty="mill", role="supplier", number="K1",
    start_day="2025-11-02",
)  # fmt: skip


def records_of(store: MemoryStore) -> list[Any]:
    return [record for held in store._held.values() for record in held.values()]


def test_every_kind_of_record_comes_back_equal_or_is_refused() -> None:
    seen = set()
    for ladder in LADDERS:
        store = posted(MemoryStore(), ladder.world)
        run(store, [favourable("mill", "soybeans"), CONTRACT])
        run(store, ladder.steps()[-1:])
        for record in records_of(store):
            assert schema.read(type(record), json.loads(canonical_json(schema.write(record, whole=True)))) == record
            seen.add(record.kind)
    assert {"entity", "origin", "slip", "period", "closing", "statement", "contract", "grain", "yield"} <= seen
    with pytest.raises(UnreadableError, match="number"):
        schema.read(GrainEntry, {"entity": "coop", "site": "north", "form": "corn"})

    @dataclass(frozen=True)
    class Priced:
        price: Decimal

    with pytest.raises(StructureHandlerNotFoundError, match="Unsupported type"):
        schema.read(Priced, {"price": "1"})
