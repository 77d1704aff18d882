"""Mutations of packages: honest ones give no alarm, the declared table covers every field, odd changes are found."""

import json
from collections.abc import Iterator

import pytest

from docs.makers.surface import TABLE, Shown, surface_of
from provender.audit.package.layout import HEADER
from provender.custody.events.registry import TYPES
from provender.records.kind import KINDS as RECORDS
from tests.audit.mutation.changes import changes, odd, of_files
from tests.audit.mutation.hands import Hand
from tests.audit.mutation.honest import PLACES, alarms, forums, with_statements
from tests.audit.mutation.run import KINDS, Run, Tried, party_of
from tests.audit.prairie import chain

# Honest packages with statements give no alarm, with the list of forum members and without it.

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("prairie")]

FARMS = 5


@pytest.mark.parametrize(("number", "kind"), [*enumerate(("farm", "elevator", "crusher", "refiner", "audit"))])
def test_honest_packages_give_no_alarm_wherever_they_were_written(number: int, kind: str) -> None:
    folder = chain(FARMS)
    assert alarms(with_statements(folder, party_of(kind, folder)), folder, forums(*PLACES), number) == []


def test_a_list_of_forums_without_the_verifiers_body_is_told() -> None:
    folder = chain(FARMS)
    said = alarms(with_statements(folder, party_of("crusher", folder)), folder, forums(), 0)
    assert said
    assert all("your list of forum members does not have it" in one for one in said)


# Changes that no field is named for: columns, rows given twice, values of another kind, members of nothing.


@pytest.fixture(scope="module")
def runs() -> dict[str, Run]:
    return {kind: Run(kind, chain(FARMS)) for kind in KINDS if kind != "audit"}


def tried(run: Run, what: str, ending: str, hand: Hand, place: str = "") -> Iterator[Tried]:
    found = [one for one in odd(run.files) if one.what == what and one.path.endswith(ending) and place in one.place]
    assert found
    yield from (run.tried(one, hand) for one in found[:2])


@pytest.mark.parametrize(
    ("name", "what", "ending", "hand", "place", "outcome"),
    [
        ("refiner", "other kind", "2026-07-01.json", Hand.OWN_KEY, "lines/2/outgoing_bu", "found"),
        ("refiner", "other kind", "2026-07-01.json", Hand.OWN_KEY, "lines/2/outgoing/lost", "found"),
        ("farm", "row doubled", "records/unit.csv", Hand.BAGGED, "", "told"),
        ("farm", "row doubled", "records/national_default.csv", Hand.STRANGER, "", "told"),
        ("farm", "member added", "soybeans-v1.leaves.json", Hand.BAGGED, "", "found"),
        ("farm", "column dropped", "records/harvest.csv", Hand.BAGGED, "bushels", "found"),
        ("farm", "cells exchanged", "records/operation.csv", Hand.BAGGED, "", "found"),
    ],
)
def test_what_no_field_is_named_for_is_found_or_told(
    name: str, what: str, ending: str, hand: Hand, place: str, outcome: str, runs: dict[str, Run]
) -> None:
    assert {one.outcome for one in tried(runs[name], what, ending, hand, place)} == {outcome}


# The declared table covers every field of the example's packages, and one change of each class gives its answer.

SEED = 2026


def test_every_field_of_every_file_stands_in_the_table(runs: dict[str, Run]) -> None:
    fields = {(one.path, one.field) for name in ("farm", "refiner") for one in changes(runs[name].files)}
    assert len(fields) > 500
    assert {(path, field) for path, field in fields if surface_of(path, field) is None} == set()


def test_what_is_declared_stands_in_the_table_by_itself() -> None:
    for kind in RECORDS.values():
        for column in kind.typed_fields:
            line = surface_of(f"farms/x/records/{kind.name}.csv", column)
            assert line is not None
            # A tick says nothing of what happened: no report rests on it, whatever stands in it.
            expected = Shown.NOTHING if kind.typed_fields[column].unsigned else Shown.BOUND
            assert line.shown is expected, "a record that a paragraph names or that feeds a number is for nobody's eyes"
    assert all(surface_of("entities/x/book.jsonl", f"{name} day").shown is Shown.BOUND for name in TYPES)  # type: ignore[union-attr]  # found


def test_at_most_one_field_in_ten_is_for_eyes_and_each_has_its_reason() -> None:
    eyes = [one for one in TABLE if one.shown is Shown.EYES]
    assert len(eyes) * 10 <= len(TABLE)
    assert all(len(one.by.split()) > 3 for one in eyes)


@pytest.mark.parametrize("name", ["farm", "elevator", "crusher", "refiner"])
def test_a_share_of_all_changes_is_found_in_every_hand(name: str, runs: dict[str, Run]) -> None:
    tried = list(runs[name].some(6, SEED))
    assert [one.name for one in tried if one.outcome == "silent"] == []
    assert sum(one.outcome == "found" for one in tried) > len(tried) // 2


def test_a_row_of_a_farm_s_records_is_named_in_the_first_difference(runs: dict[str, Run]) -> None:
    wanted = {"records/land_use.csv": "note", "records/operation.csv": "equipment", "records/evidence.csv": "taken_on"}
    for ending, column in wanted.items():
        one = next(one for one in changes(runs["farm"].files) if one.path.endswith(ending) and one.field == column)
        tried = runs["farm"].tried(one, Hand.BAGGED)
        assert any(code.startswith("record_changed:") for code in tried.codes), one.name


def test_the_untouched_package_has_no_difference_and_a_seal_put_back_is_none(runs: dict[str, Run]) -> None:
    run = runs["elevator"]
    seal = next(one for one in changes(run.files) if one.field == "slip chain" and one.what == "value")
    assert run.tried(seal, Hand.STRANGER).outcome == "no change"
    assert run.tried(seal, Hand.BAGGED).outcome == "found"
    header = json.loads(run.files[HEADER])
    assert surface_of(HEADER, "software").shown is Shown.NOTHING  # type: ignore[union-attr]  # found
    assert header["software"]


@pytest.mark.parametrize("path", ["entities/x/documents/p.json", "keys/rotation.json"])
def test_a_paper_that_bears_another_name_falls_under_a_line_of_its_own(path: str) -> None:
    (moved,) = [one for one in of_files({path: b'{"a":1}'}) if one.what == "file moved"]
    line = surface_of(moved.path, moved.field)
    assert line is not None
    assert (line.field, line.shown) == ("file moved", Shown.NOTHING)


@pytest.mark.parametrize(("name", "inside"), [("farm of two keys", "keys/rotation.json"), ("refiner", "documents/")])
def test_a_paper_is_missed_gone_and_told_where_it_is_twice(runs: dict[str, Run], name: str, inside: str) -> None:
    run = runs[name]
    path = next(path for path in run.files if inside in path)
    of_it = {one.what: one for one in (*changes(run.files), *of_files(run.files)) if one.path == path}
    wanted = {"file dropped": "found", "file moved": "for eyes", "file twice": "told"}
    assert {what: run.tried(of_it[what], Hand.BAGGED).outcome for what in wanted} == wanted


def test_an_emptied_book_is_named_whatever_its_hand(runs: dict[str, Run]) -> None:
    run = runs["elevator"]
    (change,) = [one for one in of_files(run.files) if one.what == "file emptied" and one.path.endswith("/book.jsonl")]
    assert {run.tried(change, hand).outcome for hand in Hand} == {"found"}
