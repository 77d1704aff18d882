"""``provender audit programme | finding | statement | status`` as verifiers and the audited use them."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from provender.audit.findings import Deed, append, findings_now, open_of, words_of
from provender.audit.package.layout import Part
from provender.audit.package.write import Allowance, PackageRequest
from provender.audit.programme import TASK, Role
from provender.audit.statement.opinion import required_lines
from provender.audit.statement.papers import (
    PERIOD_TYPE,
    REPORT_TYPE,
    Papers,
    Recomputed,
    against_papers,
    period_part,
    sample_part,
)
from provender.custody.documents.receive import sign_document
from provender.report.typ import TYP
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import sign as sign_envelope
from provender.signing.keys import SigningKey
from tests.audit import desk as of_desk
from tests.audit.chain import KEYS_OF
from tests.audit.desk import AS_OF, write_desk, write_desk_statement, write_pins
from tests.audit.engaged import FINDING, WORK, engaged
from tests.cli.audit.seeding import bound
from tests.cli.calling import called

PARTY = SigningKey.generate()
PASSPHRASE = "four unrelated words here"  # noqa: S105 - made for the test


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    return called(capsys, "audit", *arguments)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A verifier's folder: key, passphrase, pinned keys, statement and its papers."""
    key = KEYS_OF["verity"]
    (tmp_path / "v.key.pem").write_bytes(key.seal(PASSPHRASE))
    (tmp_path / "v.public.json").write_bytes(canonical_json(key.public.export()))
    (tmp_path / "pass").write_text(PASSPHRASE + "\n")
    write_pins(tmp_path)
    write_desk(tmp_path)
    return tmp_path


PAPERS = {"--sample": "sample.json", "--findings": "findings.jsonl", "--period": "period.json",
          "--package": "package.zip", "--pinned": "pins.json"}  # fmt: skip


def papers(desk: Path, *without: str) -> tuple[object, ...]:
    """Return the papers behind the statement as arguments."""
    return tuple(word for name, file in PAPERS.items() if name not in without for word in (name, desk / file))


def signing(desk: Path, out: str = "signed.json") -> tuple[object, ...]:
    return "--key", desk / "v.key.pem", "--passphrase-file", desk / "pass", "--out", desk / out


def sign(
    desk: Path, capsys: pytest.CaptureFixture[str], *more: object, draft: str = "draft.json"
) -> tuple[int, str, str]:
    """Sign with what is shown besides the key; without anything, with all papers."""
    return call(capsys, "statement", "sign", desk / draft, *signing(desk), *(more or papers(desk)), "--as-of", AS_OF)


def unsigned(desk: Path, capsys: pytest.CaptureFixture[str], *shown: object) -> str:
    """Return what is told when the statement is refused, with some of its papers shown."""
    status, _, err = sign(desk, capsys, *shown)
    assert (status, (desk / "signed.json").exists()) == (2, False), err
    return " ".join(err.split())


def test_each_paper_that_a_statement_names_is_shown_to_sign_it(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = {"--sample": "sample file", "--findings": "log of findings", "--period": "period statement 2026-01-01",
            "--package": "package that the statement names was not shown"}  # fmt: skip
    for name, words in told.items():
        assert words in unsigned(desk, capsys, *papers(desk, name))
    other = sign_document(period("2026-01-01", "2026-03-30"), PARTY)
    (desk / "period.json").write_bytes(canonical_json(other))
    assert "was not shown" in unsigned(desk, capsys, *papers(desk))


def test_a_statement_is_signed_out_of_one_file_of_its_papers(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inside = {
        "statement.json": "draft.json", "sample.json": "sample.json", "findings.jsonl": "findings.jsonl",
        "records/0.json": "period.json", "package.zip": "package.zip", "../outside.txt": "pass",
    }  # fmt: skip

    def signed(*without: str) -> tuple[int, str]:
        with ZipFile(desk / "papers.zip", "w") as archive:
            for name, path in inside.items():
                if name not in without:
                    archive.write(desk / path, name)
        status, _, err = sign(desk, capsys, "--pinned", desk / "pins.json", draft="papers.zip")
        return status, " ".join(err.split())

    status, words = signed()
    assert (status, "points outside" in words) == (2, True)
    status, words = signed("../outside.txt", "records/0.json")
    assert (status, "2026-01-01 to 2026-03-31 was not shown" in words) == (2, True)
    assert "statement.json" in signed("../outside.txt", "statement.json")[1]
    assert signed("../outside.txt")[0] == 0


def test_a_record_counts_when_it_is_bound_to_the_audited_party(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A paper that anybody could have written bears nothing out; the party's own book does, and its pinned key."""
    first, other = of_desk.period()["document"], SigningKey.generate()
    assert isinstance(first, dict)
    forged = {**of_desk.period(), "document": {**first, "policy": "proportional"}}
    somebody = sign_document({**first, "entity": {"id": "somebody-else", "name": "S"}}, PARTY)
    for paper, word in (
        (somebody, "is somebody-else's"),
        (sign_document({**first, "entity": {}}, PARTY), "is nobody's"),
        (forged, "after it was signed"),
        (sign_document(first, other), "not pinned this key"),
    ):
        (desk / "period.json").write_bytes(canonical_json(paper))
        assert word in unsigned(desk, capsys, *papers(desk)), word
    (desk / "period.json").write_bytes(canonical_json(first))
    status, _, err = sign(desk, capsys)
    assert (status, "carries no signature" in err) == (0, False), "the recomputed book of the party bears it out"


# The same judgment as in ``tests/audit/test_opinion_attempts.py``, by the command.

ATTEMPTS: dict[str, tuple[dict[str, Any], str]] = {
    "1 one farm of two": ({"sample": of_desk.drawn(of_desk.ROWS[0])}, "the sample was drawn from 1"),
    "3 materiality 99 %": ({"materiality_pct": 99_000}, "is above 5 %"),
    "5 issued ahead of the clock": ({"issued_on": date(2026, 5, 31)}, "Issued on 2026-05-31: after 2026-05-30"),
    "7 another period": ({"covered_last": date(2026, 4, 1)}, "The package covers 2026-01-01 to 2026-03-31"),
}  # fmt: skip


@pytest.mark.parametrize("what", ATTEMPTS)
def test_the_command_signs_no_statement_that_its_papers_contradict(
    what: str, desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changes, words = ATTEMPTS[what]
    changes = dict(changes)
    if sample := changes.pop("sample", None):
        (desk / "sample.json").write_bytes(canonical_json(sample))
        changes |= {**sample_part(sample), "work": of_desk.work(farms=of_desk.work()["farms"][:1])}
    write_desk_statement(desk, **changes)
    assert words in unsigned(desk, capsys, *papers(desk))


def test_6_a_line_is_recomputed_with_the_keys_that_the_verifier_pinned(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cites = ("2100.034(b)", "2100.032(a)(1)(i)")
    by_machine = {one.line for one in required_lines(Role.FIRST_POINT) if one.cite in cites and one.kind != TASK}
    answered = [
        {**row, **({"answer": "recomputed", "on": "2026-05-11"} if row["line"] in by_machine else {})}
        for row in of_desk.work()["lines"]
    ]
    write_desk_statement(desk, work=of_desk.work(lines=answered))
    assert "without keys that you pinned" in unsigned(desk, capsys, *papers(desk, "--pinned"))
    for others, words in (
        ({"ada": SigningKey.generate()}, "of the package are no findings; the statement says 0"),
        ({"coop": SigningKey.generate()}, "of the package"),
        ({"verity": SigningKey.generate(), "vera": KEYS_OF["verity"]}, "is vera's; verity states the opinion"),
    ):
        write_pins(desk, **others)
        assert words in unsigned(desk, capsys, *papers(desk))
    write_pins(desk)
    status, _, err = sign(desk, capsys)
    assert status == 0, err


def test_a_second_list_of_farms_that_is_held_is_told_with_both(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = of_desk.drawn(salt="another")
    (desk / "other.json").write_bytes(canonical_json(other["frozen"]))
    told = unsigned(desk, capsys, *papers(desk), "--held", desk / "other.json")
    assert "frozen twice" in told
    assert all(mark[:12] in told for mark in (other["frozen_hash"], of_desk.drawn()["frozen_hash"]))


def test_the_verifiers_own_copy_of_the_frozen_list_is_held_and_read(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk / "frozen.json").write_bytes(canonical_json(of_desk.drawn()["frozen"]))
    assert sign(desk, capsys, *papers(desk), "--held", desk / "frozen.json")[0] == 0, "as the guide says"


def period(first: str, last: str, entity: str = "elevator") -> dict[str, Any]:
    """Return the statement of a closed period in which 100,000 bushels of one CI came in."""
    line = {"crop": "corn", "harvest_year": 2025, "ci_g_per_bu": "6000", "incoming_bu": "100000", "forms": []}
    balance = {"start": first, "end": last, "lines": [line]}
    written = {"balance": balance, "balance_sha256": sha256_hex(canonical_json(balance))}
    party = {"entity": {"id": entity, "name": entity}}
    return {"type": PERIOD_TYPE, **party, "start": first, "end": last, **written}


@pytest.mark.parametrize("role", [Role.FARM, Role.REFINER])
def test_quantities_of_every_role_rest_on_records_that_are_shown(role: Role) -> None:
    report = {"type": REPORT_TYPE, "farm": {"farm_id": "elevator"}, "crop": "corn", "harvest_year": 2025,
              "made_on": "2026-01-05", "total_bushels": "100000", "farm_ci_g_per_bu": "6000"}  # fmt: skip
    signed = sign_envelope(report, PARTY, typ=TYP)
    part = period_part([signed])
    work = {**WORK, **part}
    keys = {PARTY.fingerprint: PARTY.public}

    def told(shown: list[Any], **said: object) -> set[str]:
        one = engaged(role=role, work={**work, **said}, farms=None, sampled=None, sample_hash="", package_mark="")
        return {problem.code for problem in against_papers(one, Papers(None, (), shown, keys=keys))}

    assert told([signed]) == {"other_findings"}, "the findings are another test's"
    more = [{**part["quantities"][0], "bushels": "100001"}]
    assert told([signed], quantities=more) >= {"other_quantities"}
    assert told([signed], records=[], quantities=more) >= {"other_quantities"}
    assert told([]) >= {"record_not_shown"}
    assert told([report]) >= {"record_not_signed"}
    assert told([sign_envelope({**report, "farm": {"farm_id": "x"}}, PARTY, typ=TYP)]) >= {"record_of_another"}


def test_a_package_counts_for_the_party_whose_it_is_and_each_difference_for_itself() -> None:
    """One finding deals with one difference, not with all that lie at its place."""
    told = [("F1, U1", words_of("1 bu", "2 bu")), ("F1, U1", words_of("3 lb", "4 lb"))]
    event = {"severity": "major", "cite": "2100.034(d)", "subject": "F1, U1", "text": told[0][1], "owner": "F1",
             "due": "2026-12-01"}  # fmt: skip
    about = {"deed": str(Deed.RAISED), "finding": "1", "by": "V", "on": "2026-11-01"}
    log = append([], {**about, **event})
    findings = list(findings_now(log).values())
    assert open_of(told, findings) == told[1:]
    assert open_of(told, ()) == told
    one = engaged(package_mark="ab" * 32, findings=[row.public() for row in findings])

    def codes(audited: str) -> set[str]:
        done = Recomputed("ab" * 32, replace(of_desk.shown().facts, audited=audited), (), told)
        return {problem.code for problem in against_papers(one, Papers(None, findings, (), done))}

    assert "differences_not_stated" in codes("elevator")
    assert "package_of_another" not in codes("elevator")
    assert "package_of_another" in codes("mill")


def test_a_statement_made_by_hand_says_what_its_papers_say(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads((desk / "draft.json").read_bytes())
    work = document["work"]
    farms = [{**work["farms"][0], "way": "exempt", "borrowed": "ST-1"}, *work["farms"][1:]]
    for changed, word in (
        ({"work": {**work, "farms": farms}}, "exempted"),
        ({"findings": [FINDING]}, "not those of the log"),
        ({"opinion": ""}, "does not say: opinion"),
        ({"note": "and more"}, "not known: note"),
        ({"opinion": "qualified", "scope": ""}, ""),
    ):
        (desk / "draft.json").write_bytes(canonical_json({**document, **changed}))
        if word:
            assert word in unsigned(desk, capsys, *papers(desk))
    assert sign(desk, capsys)[0] == 0, "a qualified opinion that leaves nothing out, its scope written for it"
    signed = json.loads((desk / "signed.json").read_bytes())["document"]
    assert signed["scope"] == document["scope"]


RAISE = (
    "--by", "V. Moss", "--text", "No speed.", "--due", "2026-11-30", "--severity", "minor", "--cite", "2100.051(c)(3)",
    "--subject", "F003", "--owner", "F003", "--as-of", "2026-11-03",
)  # fmt: skip


def test_a_statement_is_signed_printed_and_holds_on_receipt(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sign(desk, capsys, *papers(desk), "--pdf", desk / "s.pdf")[0] == 0
    assert (desk / "s.pdf").read_bytes().startswith(b"%PDF")
    usual = ("statement", "check", desk / "signed.json", "--pin", desk / "v.public.json", "--as-of", "2026-12-01")
    claim = ("--supplier", "coop", "--day", "2026-03-01", "--crop", "soybeans")
    status, out, _ = call(capsys, *usual, *claim)
    assert (status, "It holds." in out) == (0, True)
    status, out, err = call(capsys, *usual, *claim, *papers(desk))
    assert (status, "It holds." in out) == (0, True), err
    status, out, _ = call(capsys, *usual, *claim[:-1], "sorghum", "--json")
    assert (status, json.loads(out)["problems"][0]["code"]) == (1, "not_covered")
    status, out, err = call(capsys, "statement", "check", desk / "signed.json", "--as-of", "2026-12-01")
    assert (status, "not pinned" in err) == (1, True)
    assert call(capsys, *usual, "--crop", "corn")[0] == 2


def test_a_request_says_what_is_left_out_and_none_asks_itself(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    usual = (
        "--audited", "F1", "--first", "2025-10-01", "--last", "2026-10-31", "--key", desk / "v.key.pem",
        "--passphrase-file", desk / "pass",
    )  # fmt: skip
    made = ("request", desk / "request.json", "--verifier", "verity", *usual)
    assert call(capsys, *made, "--allow", "evidence:farms/F1=seen on site")[0] == 0
    asked = PackageRequest.read(json.loads((desk / "request.json").read_bytes())["document"])
    assert asked.allowances == (Allowance(Part.EVIDENCE, "farms/F1", "seen on site"),)
    assert call(capsys, "request", desk / "own.json", "--verifier", "F1", *usual)[0] == 2
    assert call(capsys, "request", desk / "x.json", "--verifier", "verity", *usual, "--allow", "evidence")[0] == 2


def test_a_fact_found_later_takes_the_statement_back(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sign(desk, capsys)
    words = ("--text", "A scale was wrong.", "--effect", "withdrawn", "--as-of", "2026-12-01")
    assert call(capsys, "statement", "add", desk / "signed.json", *signing(desk, "later.json"), *words)[0] == 0
    checking = ("--pin", desk / "v.public.json", "--also", desk / "later.json", "--as-of", "2026-12-01")
    status, _, err = call(capsys, "statement", "check", desk / "signed.json", *checking)
    assert (status, "A scale was wrong." in err) == (1, True)
    assert call(capsys, "statement", "add", desk / "draft.json", *signing(desk, "later.json"), *words)[0] == 2


def test_status_tells_who_is_overdue(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sign(desk, capsys)
    parties = desk / "parties.csv"
    head = "id,name,role,handles_since,contract_until\n"
    parties.write_text(f"{head}coop,Coop,first point of aggregation,2026-01-01,\n")
    usual = ("status", parties, "--statement", desk / "signed.json", "--pin", desk / "v.public.json")
    status, out, _ = call(capsys, *usual, "--as-of", "2026-12-01", "--json")
    (row,) = json.loads(out)
    assert (status, row["alert"], row["due_on"]) == (0, "on time", "2027-05-20")
    assert row["uncovered"] == [["2026-04-01", "2026-12-01"]]
    status, out, _ = call(capsys, *usual, "--as-of", "2027-05-21")
    assert (status, "overdue" in out) == (1, True)
    status, _, err = call(capsys, "status", parties, "--statement", desk / "signed.json", "--as-of", "2026-12-01")
    assert (status, "not pinned" in err) == (1, True)
    for rows in ("coop,x,baker,2025-10-01,", "coop,x,farm,soon,", "coop,x,farm,,\ncoop,y,farm,,", "coop,x,farm"):
        parties.write_text(f"{head}{rows}\n")
        assert call(capsys, *usual)[0] == (0 if rows == "coop,x,farm" else 2), "cells that are blank may be cut off"


def test_a_draft_holds_what_sample_and_findings_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, farms, sample = tmp_path / "f.jsonl", tmp_path / "farms.csv", tmp_path / "sample.json"
    call(capsys, "finding", "raise", log, "1", *RAISE)
    rows = [f"F{n},19153,corn,20000,2915.37,100\n" for n in range(51)]
    farms.write_text("farm_id,county_fips,crop,bushels,ci_g_per_bu,acres\n" + "".join(rows))
    sample.write_text(call(capsys, "sample", "--farms", farms, *bound(farms), "--json")[1])
    draft = tmp_path / "draft.json"
    paper = tmp_path / "period.json"
    paper.write_bytes(canonical_json(period("2025-10-01", "2026-03-31")))
    of_role = ("--role", "first point of aggregation", "--period", paper)
    arguments = (*of_role, "--sample", sample, "--findings", log)
    assert call(capsys, "statement", "draft", draft, *arguments)[0] == 0
    document = json.loads(draft.read_text())
    assert document.keys() == {*engaged().document(), "also", "draw", "excepted"}
    assert (document["opinion"], document["assurance"]) == ("", ""), "nothing is chosen beforehand"
    assert {row["answer"] for row in document["work"]["lines"]} == {""}
    assert [row["farm"] for row in document["work"]["farms"]] == [*range(1, 9)]
    assert document["work"]["quantities"][0]["bushels"] == "100000"
    assert call(capsys, "statement", "draft", tmp_path / "no-role.json")[0] == 2
    assert (document["farms"], document["sampled"], len(document["sample_hash"])) == (51, 8, 64)
    assert document["findings"][0]["severity"] == "minor"
    sample.write_text(sample.read_text().replace('"seed": "', '"seed": "0', 1))
    assert call(capsys, "statement", "draft", tmp_path / "d2.json", *arguments)[0] == 2


def test_a_verifier_bound_to_the_audited_cannot_sign(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ties = desk / "ties.json"
    ties.write_text('{"prepared_records_of": ["F07"]}')
    status, _, err = sign(desk, capsys, *papers(desk), "--ties", ties, "--supplier", "F07")
    assert (status, "prepared records of F07" in err) == (2, True)
    assert not (desk / "signed.json").exists()
    ties.write_text('{"friends_of": ["F07"]}')
    assert sign(desk, capsys, *papers(desk), "--ties", ties)[0] == 2
    ties.write_text('{"prepared_records_of": ["F99"]}')
    assert sign(desk, capsys, *papers(desk), "--ties", ties, "--supplier", "F07")[0] == 0
