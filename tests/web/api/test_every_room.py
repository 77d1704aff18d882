"""The API over a whole season: records and what follows from them, the custody book, audits; refusals write nothing."""

import json
from typing import Any

import pytest
from django.utils import timezone

from provender.database.actor import Actor
from provender.database.choices import Scope
from provender.database.models.accounts import Organisation
from provender.database.models.farm import Change, ReportVersion
from provender.report.typ import TYPE
from provender.services.accounts.tokens import create_token
from tests.web.api.test_calls import data, get, post
from tests.web.cast import Cast
from tests.web.custody_season import Season, days_ago, fill_custody
from tests.web.farm_season import fill_season

UNIT = {"unit_id": "Z9", "acres": "12.5", "county_fips": "20149"}


def token(cast: Cast, organisation: Organisation, part: str) -> str:
    day = timezone.localdate()
    _, secret = create_token(
        organisation, name=f"{part} all", scopes=Scope.values, expires_on=day, actor=Actor(cast.person(part), "test")
    )
    return secret


def all_of(path: str, secret: str, limit: int = 7) -> list[Any]:
    """Walk every page of a list."""
    found: list[Any] = []
    after = 0
    while True:
        page = data(get(f"{path}{'&' if '?' in path else '?'}limit={limit}&after={after}", secret))
        found += page["items"]
        if page["next"] is None:
            return found
        after = page["next"]


@pytest.fixture
def season(cast: Cast) -> Cast:
    fill_season(cast)
    return cast


def change(secret: str, edits: list[dict[str, object]], after: int, key: str = "k1") -> Any:  # noqa: ANN401 - JSON
    answer = post("/records/changes", secret, {"reason": "by machine", "after": after, "edits": edits}, key)
    return answer.status_code, data(answer)


def test_the_book_names_its_head_and_counts_its_rows(season: Cast) -> None:
    found = data(get("/records", season.token_secret))
    head = Change.objects.filter(book=season.book).order_by("-number").first()
    assert head is not None
    assert (found["version"], found["hash"]) == (head.number, head.hash)
    assert found["rows"]["unit"] == len(all_of("/records/kinds/unit/rows", season.token_secret)) > 8


def test_pages_of_rows_are_the_whole_list_in_order(season: Cast) -> None:
    whole = data(get("/records/kinds/operation/rows?limit=500", season.token_secret))["items"]
    assert all_of("/records/kinds/operation/rows", season.token_secret, 11) == whole


def test_a_kind_tells_its_schema_and_an_unknown_one_is_not_found(season: Cast) -> None:
    assert data(get("/records/kinds/unit", season.token_secret))["properties"]["acres"]["x-unit"] == "acres"
    assert get("/records/kinds/nonsense", season.token_secret).status_code == 404


def test_a_change_adds_corrects_and_takes_out_a_row(season: Cast) -> None:
    version = data(get("/records", season.token_secret))["version"]
    status, made = change(season.token_secret, [{"kind": "unit", "row": UNIT}], version)
    assert (status, made["version"]) == (201, version + 1)
    status, _ = change(season.token_secret, [{"kind": "unit", "row": UNIT | {"acres": "13"}}], version + 1, "k2")
    rows = {one["key"]: one["row"] for one in all_of("/records/kinds/unit/rows", season.token_secret)}
    assert (status, rows["Z9"]["acres"]) == (201, "13")
    goes = data(get("/records/kinds/unit/removal?key=N40", season.token_secret))
    fallen = {(each["where"], each["practice"], each["after"]) for each in goes["verdicts"]}
    assert ("N40, field corn 2025", "No-till", "gone") in fallen
    assert {rows["kind"] for rows in goes["orphans"]} >= {"Field operations"}
    assert get("/records/kinds/unit/removal?key=none", season.token_secret).status_code == 404
    assert data(get("/records", season.token_secret))["version"] == version + 2
    status, _ = change(season.token_secret, [{"kind": "unit", "key": "Z9", "row": None}], version + 2, "k3")
    assert status == 201
    assert "Z9" not in {one["key"] for one in all_of("/records/kinds/unit/rows", season.token_secret)}
    links = data(get("/records/changes", season.token_secret))["items"]
    assert [one["previous"] for one in links[1:]] == [one["hash"] for one in links[:-1]]


@pytest.mark.parametrize(
    ("edit", "at", "words"),
    [
        ({"kind": "unit", "row": UNIT | {"acres": "twelve"}}, "edits.0, column acres", ""),
        ({"kind": "unit", "row": UNIT | {"acres": "100000.001"}}, "edits.0, column acres", ""),
        ({"kind": "unit", "row": UNIT | {"acers": "12"}}, "edits.0, column acers", "no column"),
        ({"kind": "unit", "row": {"acres": "12"}}, "edits.0, column unit_id", "blank"),
        ({"kind": "field", "row": UNIT}, "edits.0, column kind", "no kind"),
        ({"kind": "unit", "key": "none", "row": None}, "edits.0, column key", "holds no"),
    ],
)
def test_a_row_that_a_file_could_not_hold_is_refused_with_its_place(
    season: Cast, edit: dict[str, object], at: str, words: str
) -> None:
    version = data(get("/records", season.token_secret))["version"]
    status, said = change(season.token_secret, [edit], version)
    assert status == 409
    assert (said["problems"][0]["at"], words in said["problems"][0]["cause"]) == (at, True)
    assert said["problems"][0]["remedy"]
    assert data(get("/records", season.token_secret))["version"] == version


def test_a_row_at_its_greatest_bound_is_taken(season: Cast) -> None:
    version = data(get("/records", season.token_secret))["version"]
    assert change(season.token_secret, [{"kind": "unit", "row": UNIT | {"acres": "100000"}}], version)[0] == 201


def test_who_has_not_seen_the_last_change_is_refused(season: Cast) -> None:
    version = data(get("/records", season.token_secret))["version"]
    status, said = change(season.token_secret, [{"kind": "unit", "row": UNIT}], version - 1)
    assert (status, said["type"]) == (409, "urn:provender:problem:overtaken")


def test_verdicts_ci_plan_and_reports_follow_from_the_records(season: Cast) -> None:
    verdicts = all_of("/verdicts", season.token_secret)
    assert {one["implementation"] for found in verdicts for one in found["practices"]} == {True, False, None}
    intensity = data(get("/intensity", season.token_secret))["items"]
    assert {one["crop"] for one in intensity} == {"corn", "soybeans", "sorghum"}
    assert all("chart" not in one["estimate"] for one in intensity)
    assert all(one["options"] for one in data(get("/plan", season.token_secret))["items"])
    reports = data(get("/reports", season.token_secret))["items"]
    corn = next(one for one in reports if one["crop"] == "corn" and one["harvest_year"] == 2025)
    document = data(get("/reports/corn/2025", season.token_secret))
    assert document["total_bushels"] == corn["total_bushels"]
    assert get("/reports/corn/2012", season.token_secret).status_code == 404
    assert get("/reports/hops/2025", season.token_secret).status_code == 404


def test_a_report_without_a_true_signature_is_not_kept(season: Cast) -> None:
    document = data(get("/reports/corn/2025", season.token_secret))
    body = {"document": document, "signature": "e30..e30"}
    answer = post("/reports/corn/2025/versions", season.token_secret, body, "k1")
    assert answer.status_code == 409
    assert data(get("/reports/corn/2025/versions", season.token_secret))["items"] == []


def test_a_consultants_token_may_write_records_and_sign_nothing(season: Cast) -> None:
    secret = token(season, season.farm, "consultant")
    version = data(get("/records", secret))["version"]
    assert change(secret, [{"kind": "unit", "row": UNIT}], version)[0] == 201
    answer = post("/reports/corn/2025/versions", secret, {"document": {}, "signature": "x"}, "k2")
    assert answer.status_code == 403


def test_an_elevator_has_no_record_book_and_a_farm_no_stock(season: Cast) -> None:
    assert get("/records", season.other_token_secret).status_code == 404
    assert post("/records", season.other_token_secret, {}, "k1").status_code == 404
    assert get("/custody/stock", season.token_secret).status_code == 404


@pytest.fixture
def traded(cast: Cast) -> tuple[Cast, Season, str]:
    return cast, fill_custody(cast), token(cast, cast.mill, "owner")


def test_stock_is_the_sum_of_its_lots(traded: tuple[Cast, Season, str]) -> None:
    *_, secret = traded
    stock = all_of("/custody/stock", secret, 1)
    lots = all_of("/custody/lots", secret, 1)
    assert stock
    assert sum(one["lots"] for one in stock) == len(lots)
    in_lots = sum(float(one["stop_bu"]) - float(one["start_bu"]) for one in lots)
    assert sum(float(one["bushels"]) for one in stock) == in_lots


def test_movements_turn_their_pages_to_the_end(traded: tuple[Cast, Season, str]) -> None:
    *_, secret = traded
    whole = data(get("/custody/movements?limit=200", secret))["items"]
    found, older = [], ""
    while older is not None:
        page = data(get(f"/custody/movements?limit=2&older={older}", secret))
        found += page["items"]
        older = page["older"]
    assert found == whole
    assert get("/custody/movements?older=2025-02-30.1", secret).status_code == 422


def sale(cast: Cast, name: str, bushels: str) -> dict[str, object]:
    return {
        "event": {
            "type": "sale", "id": name, "day": days_ago(0), "giver": cast.mill.handle, "taker": cast.elevator.handle,
            "crop": "soybeans", "bushels": bushels, "site": "north",
        }
    }  # fmt: skip


def test_a_sale_is_entered_once_and_recognised_again(traded: tuple[Cast, Season, str]) -> None:
    cast, _, secret = traded
    first = post("/custody/events", secret, sale(cast, "api-1", "10"), "k1")
    assert (first.status_code, data(first)["status"]) == (201, "posted")
    again = post("/custody/events", secret, sale(cast, "api-1", "10"), "k2")
    assert data(again)["status"] == "exists"
    other = post("/custody/events", secret, sale(cast, "api-1", "11"), "k3")
    assert other.status_code == 409


def test_bushels_that_are_not_there_are_refused_with_the_named_status(traded: tuple[Cast, Season, str]) -> None:
    cast, _, secret = traded
    before = data(get("/custody/stock", secret))
    answer = post("/custody/events", secret, sale(cast, "api-2", "999999"), "k1")
    assert answer.status_code == 409
    assert data(answer)["problems"][0]["code"] == "exceeds_stock"
    assert data(get("/custody/stock", secret)) == before


def test_of_a_batch_all_stand_or_none(traded: tuple[Cast, Season, str]) -> None:
    cast, _, secret = traded
    before = data(get("/custody/stock", secret))
    events = [sale(cast, "api-3", "10")["event"], sale(cast, "api-4", "999999")["event"]]
    assert post("/custody/events/batch", secret, {"events": events}, "k1").status_code == 409
    assert data(get("/custody/stock", secret)) == before
    events[1] = sale(cast, "api-4", "5")["event"]
    answer = post("/custody/events/batch", secret, {"events": events}, "k2")
    assert [one["status"] for one in data(answer)] == ["posted", "posted"]


def test_nobody_enters_the_events_of_another(traded: tuple[Cast, Season, str]) -> None:
    cast, _, _ = traded
    answer = post("/custody/events", cast.other_token_secret, sale(cast, "api-5", "1"), "k1")
    assert (answer.status_code, data(answer)["problems"][0]["code"]) == (409, "not_yours_to_enter")


@pytest.mark.parametrize("fields", [{}, {"type": "sale"}, {"type": 3}, {"type": "gift", "id": "x"}])
def test_an_event_that_cannot_be_read_says_why(traded: tuple[Cast, Season, str], fields: dict[str, object]) -> None:
    *_, secret = traded
    answer = post("/custody/events", secret, {"event": fields}, "k1")
    assert answer.status_code == 409
    assert data(answer)["problems"][0]["cause"]


def test_periods_balances_alerts_and_traces_are_read(traded: tuple[Cast, Season, str]) -> None:
    _, season, secret = traded
    periods = all_of("/custody/periods", secret, 1)
    assert [one["closed"] is not None for one in periods] == [True, False]
    balance = data(get(f"/custody/periods/{season.open}/balance", secret))
    assert {"beginning_bu", "incoming_bu", "outgoing_bu", "ending_bu"} <= set(balance["lines"][0])
    assert get("/custody/periods/2001-01-01/balance", secret).status_code == 404
    assert get("/custody/alerts", secret).status_code == 200
    trace = data(get(f"/custody/trace?find={season.sale}", secret))["items"]
    assert trace[0]["giver"] == ""
    assert get("/custody/trace?find=nothing-of-mine", secret).status_code == 404


def test_a_document_that_nobody_signed_is_not_taken_in(traded: tuple[Cast, Season, str]) -> None:
    *_, secret = traded
    answer = post("/custody/documents", secret, {"document": {"kind": "transfer"}}, "k1")
    assert answer.status_code == 409
    assert data(answer)["problems"][0]["remedy"]


def kept_report(cast: Cast) -> None:
    """Keep what an audit reads of the farm's report: place and acres."""
    text = json.dumps(
        {"type": TYPE, "farm": {"farm_id": cast.farm.handle, "county_fips": "19169"}, "crop": "soybeans",
         "harvest_year": 2025, "total_acres": "200", "edition": {"version": 1}, "evidence_grades": []}
    )  # fmt: skip
    ReportVersion.objects.create(
        book=cast.book, crop="soybeans", harvest_year=2025, number=1, book_head="0" * 64, document=text,
        document_hash="0" * 64, at=timezone.now(),
    )  # fmt: skip


def test_an_audit_is_opened_drawn_answered_and_seen_by_both_sides(traded: tuple[Cast, Season, str]) -> None:
    cast, _, mill = traded
    kept_report(cast)
    verifier = token(cast, cast.verifier, "verifier_in")
    body = {
        "audited": cast.mill.handle, "role": "first point of aggregation", "number": "V-9", "harvest_year": 2025,
        "covered_first": days_ago(150), "covered_last": days_ago(1), "due_on": days_ago(-30),
    }  # fmt: skip
    made = post("/audits", verifier, body, "k1")
    assert made.status_code == 201, made.content
    audit = data(made)["audit"]
    frozen = post(f"/audits/{audit}/population", verifier, {}, "k2")
    assert frozen.status_code == 201, frozen.content
    assert len(data(frozen)["said"]["rows"]) == 1
    assert post(f"/audits/{audit}/seed", verifier, {}, "k3").status_code == 201
    assert post(f"/audits/{audit}/seed", verifier, {}, "k4").status_code == 409
    assert data(get(f"/audits/{audit}/sample", verifier))["sample"] == [cast.farm.handle]
    found = {"severity": "minor", "cite": "2100.034(d)", "subject": "period", "text": "Ten bushels.", "owner": "mill",
             "due": days_ago(-20)}  # fmt: skip
    raised = post(f"/audits/{audit}/findings", verifier, found, "k5")
    assert (raised.status_code, data(raised)["stage"]) == (201, "open")
    answered = post(f"/audits/{audit}/findings/1/response", mill, {"text": "Corrected."}, "k6")
    assert data(answered)["stage"] == "responded"
    where, resolved = f"/audits/{audit}/findings/1/resolution", {"resolution": "corrected", "text": "Seen."}
    unjudged = post(where, verifier, resolved, "k6a")
    assert (unjudged.status_code, data(unjudged)["problems"][0]["code"]) == (409, "no_bearing")
    ended = post(where, verifier, {**resolved, "bearing": "no misstatement"}, "k7")
    assert data(ended)["stage"] == "resolved"
    assert (
        data(get(f"/audits/{audit}/findings", mill))["items"]
        == data(get(f"/audits/{audit}/findings", verifier))["items"]
    )
    assert get(f"/audits/{audit}/entries", mill).status_code == 404
    assert [one["kind"] for one in all_of(f"/audits/{audit}/entries", verifier, 2)][:2] == ["population", "seed"]
    assert get(f"/audits/{audit}/statement", verifier).status_code == 404


def test_strangers_see_no_audit(cast: Cast) -> None:
    assert data(get("/audits", cast.other_token_secret))["items"] == []
    assert get(f"/audits/{cast.audit.handle}", cast.other_token_secret).status_code == 404
    assert (
        post(
            f"/audits/{cast.audit.handle}/findings/1/response", cast.other_token_secret, {"text": "x"}, "k"
        ).status_code
        == 404
    )


def test_the_audited_party_does_not_write_the_verifiers_part(cast: Cast) -> None:
    assert get(f"/audits/{cast.audit.handle}", cast.token_secret).status_code == 200
    assert post(f"/audits/{cast.audit.handle}/population", cast.token_secret, {}, "k").status_code == 404
