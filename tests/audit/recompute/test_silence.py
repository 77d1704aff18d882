"""No silence over nothing: what was left out, or made unreadable, is a difference that names it."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from provender.audit.outcome import Difference
from provender.audit.package.contents import with_verifiers_files
from provender.audit.package.layout import HEADER, KEYS, REQUEST
from provender.audit.package.write import Header, PackageRequest
from provender.audit.recompute.checks import Check, recompute
from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.audit import chain, forge
from tests.audit.forge import FARM, REPORT, Files

SILENCE = [Check("nothing left out", ("2100.030(d)",), "provender.audit.recompute.cross_party:recompute_missing_parts")]
ELEVATOR = Header(
    forge.header().subject.ENTITY_PERIOD, "coop", "Coop", date(2026, 1, 1), date(2026, 6, 30), "interim-2025",
    "provender", date(2026, 11, 21), {chain.book("coop").rpartition("/")[0]: "coop"},
)  # fmt: skip


def found(files: Files, head: Header, held: dict[str, bytes] | None = None) -> dict[str, Difference]:
    pins = forge.PINS if head.audited == FARM else chain.pins()
    given = with_verifiers_files({**files, HEADER: canonical_json(head.document())}, pins, held or {})
    (outcome,) = recompute(given, SILENCE)
    return {one.code: one for one in outcome.differences}


def farm() -> Files:
    return dict(forge.clean())


def elevator() -> Files:
    return dict(chain.clean("coop"))


def test_whole_packages_leave_nothing_out() -> None:
    assert found(farm(), forge.header()) == {}
    assert found(elevator(), ELEVATOR) == {}


def test_a_farm_whose_report_was_taken_out_is_named() -> None:
    files = farm()
    del files[REPORT]
    assert found(files, forge.header())["farm_without_report"].place == FARM


def test_a_crop_that_was_run_and_not_reported_is_named_with_its_bushels() -> None:
    files = farm()
    runs = "records/calculator_run.csv"
    path = next(name for name in files if name.endswith(runs))
    files[path] = (forge.EXAMPLE / "calculator_run.csv").read_bytes()
    one = found(files, forge.header())["harvest_without_report"]
    assert "soybeans 2025" in one.place or "sorghum 2025" in one.place
    assert one.effect_bushels


def test_a_book_without_lines_is_no_book() -> None:
    files = elevator() | {chain.book("coop"): b'{"book": "provender custody", "format": 1, "entity": "coop"}\n'}
    assert "coop" in found(files, ELEVATOR)["party_without_book"].claimed


def test_a_closed_period_needs_its_signed_statement() -> None:
    files = elevator()
    del files[chain.paper("coop", "period-2026-01-01.json")]
    assert "2026-01-01" in found(files, ELEVATOR)["period_without_statement"].place


def test_a_document_made_unreadable_is_missed() -> None:
    path = chain.paper("coop", "period-2026-01-01.json")
    envelope = json.loads(chain.clean("coop")[path])
    del envelope["document"]["entity"]
    assert path in found(elevator() | {path: canonical_json(envelope)}, ELEVATOR)["document_unreadable"].place


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"audited": "ada"}, "audited_party_missing"),
        ({"audited_name": "Other Elevator"}, "audited_name_differs"),
        ({"first": date(2026, 1, 2)}, "days_differ"),
        ({"last": date(2026, 6, 29)}, "days_differ"),
        ({"made_on": date(2026, 1, 2)}, "made_before_content"),
        ({"parties": {}}, "nothing_recomputed"),
    ],
)
def test_what_a_package_says_of_itself_is_held_against_its_book(change: dict[str, object], code: str) -> None:
    assert code in found(elevator(), replace(ELEVATOR, **change))  # type: ignore[arg-type]  # fields of the header


def asked(verifier: str, first: date) -> Files:
    request = PackageRequest(verifier, "coop", ELEVATOR.subject, first, ELEVATOR.last, (), date(2026, 11, 1))
    return {REQUEST: canonical_json(sign(request.document(), SigningKey.generate()))}


def test_the_days_that_a_verifier_asked_for_are_no_difference_and_no_other_days_are() -> None:
    days = replace(ELEVATOR, first=date(2025, 11, 22))
    assert found(elevator() | asked("verity", days.first), days) == {}
    assert set(found(elevator() | asked("verity", date(2025, 11, 23)), days)) == {"days_differ"}
    assert set(found(elevator() | asked("coop", days.first), days)) == {"days_differ"}, "nobody asks itself"
    torn = json.loads(asked("verity", date(2025, 11, 23))[REQUEST])
    torn["document"]["first"] = days.first.isoformat()
    assert set(found(elevator() | {REQUEST: canonical_json(torn)}, days)) == {"days_differ"}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"audited_name": "Bluestem"}, "audited_name_differs"),
        ({"first": date(2023, 1, 1)}, "days_differ"),
        ({"last": date(2025, 9, 1)}, "days_differ"),
        ({"rule_version": "final-2027"}, "rule_version_differs"),
    ],
)
def test_what_a_package_says_of_itself_is_held_against_its_records(change: dict[str, object], code: str) -> None:
    assert code in found(farm(), replace(forge.header(), **change))  # type: ignore[arg-type]  # fields of the header


def test_the_text_that_a_package_without_farms_names_is_held_against_its_papers() -> None:
    assert "rule_version_differs" in found(elevator(), replace(ELEVATOR, rule_version="final-2027"))
    assert found(elevator(), ELEVATOR) == {}


def test_a_held_copy_that_meets_nothing_is_a_difference() -> None:
    stranger = forge.envelope()
    stranger["document"]["edition"]["version"] = 2
    later = canonical_json(stranger)
    assert "version 2" in found(farm(), forge.header(), {"buyer.json": later})["copy_without_counterpart"].place
    assert found(farm(), forge.header(), {"buyer.json": forge.clean()[REPORT]}) == {}
    transfer = chain.clean("coop")[chain.paper("coop", "transfer-s1.json")]
    assert "copy_without_counterpart" in found(farm(), forge.header(), {"sale.json": transfer})
    assert found(elevator(), ELEVATOR, {"sale.json": transfer}) == {}
    assert "copy_unreadable" in found(farm(), forge.header(), {"x.json": b"{}"})


def test_the_package_s_list_of_keys_is_read_beside_the_verifier_s() -> None:
    keys = json.loads(chain.clean("coop")[KEYS])
    assert "keys_unreadable" in found(elevator() | {KEYS: canonical_json({**keys, "kind": "x"})}, ELEVATOR)
    assert "keys_unreadable" in found(elevator() | {KEYS: canonical_json({**keys, "more": "x"})}, ELEVATOR)
    assert "keys_missing" in found({path: raw for path, raw in elevator().items() if path != KEYS}, ELEVATOR)
    keys["keys"][0]["key"], keys["keys"][1]["key"] = keys["keys"][1]["key"], keys["keys"][0]["key"]
    assert "keys_differ" in found(elevator() | {KEYS: canonical_json(keys)}, ELEVATOR)


def test_what_could_not_be_shown_is_printed_even_where_nothing_was_computed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from provender.audit.package.write import make_package
    from provender.cli.app import run

    make_package(tmp_path / "farm.zip", forge.header(), farm())
    (tmp_path / "pins.json").write_bytes(forge.PINS)
    with pytest.raises(SystemExit):
        run(["verify", str(tmp_path / "farm.zip"), "--pinned", str(tmp_path / "pins.json")])
    assert "bring the buyer's (--held)" in capsys.readouterr().out
