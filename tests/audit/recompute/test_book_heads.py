"""Papers carry the head of the book they were made from; a book that was changed and sealed again does not fit them."""

import json
from datetime import date
from typing import Any

from provender.audit.outcome import CheckResult
from provender.audit.package.contents import with_verifiers_files
from provender.audit.package.layout import HEADER
from provender.audit.recompute.checks import Check, recompute
from provender.custody.book_file import BookLine, Header, seal
from provender.custody.documents.build import MARK, marked, roots_of
from provender.custody.documents.sign import sign_document
from provender.signing.canonical import canonical_json
from tests.audit import chain
from tests.audit.forge import Files
from tests.audit.recompute.test_silence import ELEVATOR
from tests.custody.world import Event, ev

HEADS = [Check("book and papers", ("2100.032(a)",), "provender.audit.recompute.papers:recompute_book_heads")]


def lines_of(events: list[Event]) -> list[BookLine]:
    head, found = Header("coop").head, []
    for event in events:
        head = seal(head, event)
        found.append(BookLine.of(event, head))
    return found


def with_heads() -> Files:
    """Return the elevator's package with papers made when the book had so many lines as stood behind each."""
    events, files = chain.coop()[0], dict(chain.clean("coop"))
    lines = lines_of(events)
    names = [event["id"] for event in events]
    for path, upto in (
        (chain.paper("coop", "transfer-s1.json"), "s1"),
        (chain.paper("coop", "period-2026-01-01.json"), "c1"),
    ):
        document = marked(json.loads(files[path])["document"], lines[: names.index(upto) + 1])
        files[path] = canonical_json(sign_document(document, chain.KEYS_OF["coop"]))
    return files


def heads(files: Files) -> CheckResult:
    given = with_verifiers_files({**files, HEADER: canonical_json(ELEVATOR.document())}, chain.pins(), {})
    (outcome,) = recompute(given, HEADS)
    return outcome


def resealed(change: dict[str, Any], name: str, more: tuple[Event, ...] = ()) -> Files:
    events = [one | change if one["id"] == name else one for one in chain.coop()[0]]
    return with_heads() | {chain.book("coop"): chain.sealed("coop", [*events, *more])}


def test_an_honest_book_fits_every_paper() -> None:
    outcome = heads(with_heads())
    assert (outcome.computed, outcome.differences, outcome.not_shown) == (2, (), ())


def test_papers_without_a_head_say_so_and_differ_in_nothing() -> None:
    outcome = heads(dict(chain.clean("coop")))
    assert outcome.differences == ()
    assert "carry no head of its book" in outcome.not_shown[0]


def test_a_line_that_changes_no_number_is_found_with_the_lines_among_which_it_stands() -> None:
    found = heads(resealed({"number": "C-2"}, "g1")).differences
    place = 1 + 1 + [one["id"] for one in chain.coop()[0]].index("s1")
    assert found[0].code == "book_changed_since"
    assert f"lines 2 to {place}" in found[0].place
    assert any("receipt records of the period" in one.place for one in found)


def test_what_changed_after_a_paper_leaves_that_paper_and_names_the_later_lines() -> None:
    names = [one["id"] for one in chain.coop()[0]]
    (changed, *roots) = heads(resealed({"reason": "theft"}, "l1")).differences
    assert f"lines {names.index('s1') + 3} to {names.index('c1') + 2}" in changed.place
    assert {one.code for one in roots} == {"book_changed_since", "period_records_changed"} - {changed.code}


def test_what_is_entered_into_a_stated_period_afterwards_is_told() -> None:
    late = ev("receipt", "g9", "2026-03-30", entity="coop", form="soybeans", amount="1", number="C-9")
    outcome = heads(resealed({}, "none", (late,)))
    assert outcome.differences == ()
    assert "receipt of 2026-03-30" in outcome.not_shown[0]


def test_a_period_has_a_root_for_each_kind_of_event_in_it() -> None:
    lines = lines_of(chain.coop()[0])
    roots = roots_of(lines, date(2026, 1, 1), date(2026, 3, 31))
    assert {"purchase", "receipt", "sale", "loss", "measurement", "close"} <= roots.keys()
    assert "entity" not in roots, "what was entered before the period"
    assert MARK not in marked({"type": "x"}, [])
