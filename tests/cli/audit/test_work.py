"""``provender audit programme | finding | statement | status`` as verifiers and the audited use them."""

import json
from datetime import date
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from provender.audit.findings import Deed, append, findings_now, open_of, words_of
from provender.audit.package.layout import Part
from provender.audit.package.write import Allowance, PackageRequest
from provender.audit.programme import Role
from provender.audit.sampling.population import FarmCrop, Population, freeze
from provender.audit.sampling.sample import SampleRequest, draw_sample, sample_document
from provender.audit.sampling.seed import Opened, Side, commitment, freeze_list
from provender.audit.statement.papers import PERIOD_TYPE, REPORT_TYPE, Papers, Recomputed, against_papers, period_part
from provender.custody.documents.receive import sign_document
from provender.report.typ import TYP
from provender.signing.canonical import canonical_json, document_hash, sha256_hex
from provender.signing.jws import sign as sign_envelope
from provender.signing.keys import SigningKey
from tests.audit.engaged import FINDING, WORK, engaged
from tests.cli.audit.seeding import bound
from tests.cli.calling import called

PARTY = SigningKey.generate()
PASSPHRASE = "four unrelated words here"  # noqa: S105 - made for the test


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    return called(capsys, "audit", *arguments)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A verifier's folder: key, passphrase, statement."""
    key = SigningKey.generate()
    (tmp_path / "v.key.pem").write_bytes(key.seal(PASSPHRASE))
    (tmp_path / "v.public.json").write_bytes(canonical_json(key.public.export()))
    (tmp_path / "pass").write_text(PASSPHRASE + "\n")
    write_papers(tmp_path)
    return tmp_path


def write_papers(desk: Path, **changes: object) -> None:
    """Write a favourable statement with every paper that it names; some of it changed."""
    rows = [FarmCrop(f"F{number:02}", "corn", "19153", 20_000, 291_537, 100) for number in range(51)]
    sample = drawn(freeze(rows))
    (desk / "sample.json").write_bytes(canonical_json(sample))
    (desk / "findings.jsonl").write_bytes(b"")
    records = []
    for number, (first, last) in enumerate((("2025-10-01", "2026-03-31"), ("2026-04-01", "2026-09-30"))):
        document = period(first, last)
        records.append({**WORK["records"][number], "sha256": document["balance_sha256"]})
        (desk / f"period-{number}.json").write_bytes(canonical_json(sign_document(document, PARTY)))
    (desk / "party.public.json").write_bytes(canonical_json(PARTY.public.export()))
    work = {**WORK, "records": records, "quantities": [{**WORK["quantities"][0], "bushels": "200000"}]}
    one = {"sample_hash": document_hash(sample), "work": work, "findings": (), "crops": ("corn",), **changes}
    (desk / "draft.json").write_bytes(canonical_json(engaged(**one).document()))


def drawn(population: Population, audited: str = "elevator") -> dict[str, Any]:
    """Return the sample file of an audit, drawn with a seed of both sides."""
    secrets = {side: f"secret of the {side} side for tests" for side in Side}
    made = {side: commitment(secret) for side, secret in secrets.items()}
    day, between = date(2026, 11, 1), (audited, "verity")
    frozen = freeze_list(population, 2026, {}, made, between=between, day=day, salt="salt")
    request = SampleRequest(population, frozen, Opened(secrets, on=day))
    return sample_document(draw_sample(request))


def period(first: str, last: str, entity: str = "elevator") -> dict[str, Any]:
    """Return the statement of a closed period in which 100,000 bushels of one CI came in."""
    line = {"crop": "corn", "harvest_year": 2025, "ci_g_per_bu": "6000", "incoming_bu": "100000", "forms": []}
    balance = {"start": first, "end": last, "lines": [line]}
    written = {"balance": balance, "balance_sha256": sha256_hex(canonical_json(balance))}
    party = {"entity": {"id": entity, "name": entity}}
    return {"type": PERIOD_TYPE, **party, "start": first, "end": last, **written}


def papers(desk: Path) -> tuple[object, ...]:
    """Return the papers behind the statement as arguments."""
    periods = ("--period", desk / "period-0.json", "--period", desk / "period-1.json")
    return ("--sample", desk / "sample.json", "--findings", desk / "findings.jsonl", *periods)


def sign(desk: Path, capsys: pytest.CaptureFixture[str], *more: object) -> tuple[int, str, str]:
    arguments = ("--key", desk / "v.key.pem", "--passphrase-file", desk / "pass", "--out", desk / "signed.json")
    return call(capsys, "statement", "sign", desk / "draft.json", *arguments, *papers(desk), *more)


def unsigned(desk: Path, capsys: pytest.CaptureFixture[str], *shown: object) -> str:
    """Return what is told when the statement is refused, with some of its papers shown."""
    arguments = ("--key", desk / "v.key.pem", "--passphrase-file", desk / "pass", "--out", desk / "signed.json")
    status, _, err = call(capsys, "statement", "sign", desk / "draft.json", *arguments, *shown)
    assert (status, (desk / "signed.json").exists()) == (2, False)
    return " ".join(err.split())


def test_each_paper_that_a_statement_names_is_shown_to_sign_it(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("sample file", "log of findings", "period statement 2025-10-01", "period statement 2026-04-01")
    shown = papers(desk)
    for number, word in enumerate(words):
        assert word in unsigned(desk, capsys, *shown[: 2 * number], *shown[2 * number + 2 :])
    other = sign_document(period("2025-10-01", "2026-03-30"), PARTY)
    (desk / "period-0.json").write_bytes(canonical_json(other))
    assert "was not shown" in unsigned(desk, capsys, *shown)


def test_a_statement_is_signed_out_of_one_file_of_its_papers(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inside = {
        "statement.json": "draft.json", "sample.json": "sample.json", "findings.jsonl": "findings.jsonl",
        "records/0.json": "period-0.json", "records/1.json": "period-1.json", "../outside.txt": "pass",
    }  # fmt: skip

    def signed(*without: str) -> tuple[int, str]:
        with ZipFile(desk / "papers.zip", "w") as archive:
            for name, path in inside.items():
                if name not in without:
                    archive.write(desk / path, name)
        arguments = ("--key", desk / "v.key.pem", "--passphrase-file", desk / "pass", "--out", desk / "signed.json")
        status, _, err = call(capsys, "statement", "sign", desk / "papers.zip", *arguments)
        return status, " ".join(err.split())

    status, words = signed()
    assert (status, "points outside" in words) == (2, True)
    status, words = signed("../outside.txt", "records/1.json")
    assert (status, "2026-04-01 to 2026-09-30 was not shown" in words) == (2, True)
    assert "statement.json" in signed("../outside.txt", "statement.json")[1]
    assert signed("../outside.txt")[0] == 0


def test_a_record_counts_when_it_is_bound_to_the_audited_party(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A paper that anybody could have written bears nothing out."""
    first, other = period("2025-10-01", "2026-03-31"), SigningKey.generate()
    signed = sign_document(first, PARTY)
    key = ("--pin", desk / "party.public.json")
    forged = {**signed, "document": {**first, "policy": "oldest_first"}}
    somebody = sign_document(period("2025-10-01", "2026-03-31", "somebody-else"), PARTY)
    for paper, more, word in (
        (first, (), "carries no signature"),
        (somebody, (), "is somebody-else's"),
        (sign_document({**first, "entity": {}}, PARTY), (), "is nobody's"),
        (forged, (), "after it was signed"),
        (sign_document(first, other), key, "not pinned this key"),
    ):
        (desk / "period-0.json").write_bytes(canonical_json(paper))
        assert word in unsigned(desk, capsys, *papers(desk), *more), word
    (desk / "period-0.json").write_bytes(canonical_json(signed))
    status, _, err = sign(desk, capsys)
    assert (status, "key that is not pinned" in " ".join(err.split())) == (0, True), err
    (desk / "signed.json").unlink()
    status, _, err = sign(desk, capsys, *key)
    assert (status, "not pinned" in err) == (0, False)


def test_a_sample_is_of_this_audit(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = freeze([FarmCrop(f"F{number:02}", "corn", "19153", 20_000, 291_537, 100) for number in range(51)])
    sample = drawn(rows, "mill")
    write_papers(desk, sample_hash=document_hash(sample))
    (desk / "sample.json").write_bytes(canonical_json(sample))
    assert "an audit of mill" in unsigned(desk, capsys, *papers(desk))


@pytest.mark.parametrize("role", [Role.FARM, Role.REFINER])
def test_quantities_of_every_role_rest_on_records_that_are_shown(role: Role) -> None:
    report = {"type": REPORT_TYPE, "farm": {"farm_id": "elevator"}, "crop": "corn", "harvest_year": 2025,
              "made_on": "2026-01-05", "total_bushels": "100000", "farm_ci_g_per_bu": "6000"}  # fmt: skip
    signed = sign_envelope(report, PARTY, typ=TYP)
    part = period_part([signed])
    work = {**WORK, **part}
    keys = {PARTY.fingerprint: PARTY.public}

    def told(shown: list[Any], **said: object) -> set[str]:
        one = engaged(role=role, work={**work, **said}, farms=None, sampled=None, sample_hash="")
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
        done = Recomputed("ab" * 32, audited, (), told)
        return {problem.code for problem in against_papers(one, Papers(None, findings, (), done))}

    assert "differences_not_stated" in codes("elevator")
    assert "package_of_another" not in codes("elevator")
    assert "package_of_another" in codes("mill")


def test_a_statement_made_by_hand_says_what_its_papers_say(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads((desk / "draft.json").read_bytes())
    work = document["work"]
    farms = [{**work["farms"][0], "way": "exempt", "borrowed": "ST-1"}, *work["farms"][1:]]
    for changed, word in (
        ({"work": {**work, "quantities": [{**work["quantities"][0], "bushels": "200000.001"}]}}, "quantities"),
        ({"work": {**work, "farms": farms}}, "exempted"),
        ({"findings": [FINDING]}, "not those of the log"),
        ({"farms": 49, "sampled": 7}, "another sample"),
        ({"package_mark": "ab" * 32}, "package"),
        ({"opinion": ""}, "does not say: opinion"),
        ({"note": "and more"}, "not known: note"),
        ({"opinion": "qualified"}, ""),
    ):
        (desk / "draft.json").write_bytes(canonical_json({**document, **changed}))
        if word:
            assert word in unsigned(desk, capsys, *papers(desk))
    assert sign(desk, capsys)[0] == 0, "a qualified opinion that leaves nothing out"


RAISE = (
    "--by", "V. Moss", "--text", "No speed.", "--due", "2026-11-30", "--severity", "minor", "--cite", "2100.051(c)(3)",
    "--subject", "F003", "--owner", "F003", "--as-of", "2026-11-03",
)  # fmt: skip


def test_a_statement_is_signed_printed_and_holds_on_receipt(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sign(desk, capsys, "--pdf", desk / "s.pdf")[0] == 0
    assert (desk / "s.pdf").read_bytes().startswith(b"%PDF")
    usual = ("statement", "check", desk / "signed.json", "--pin", desk / "v.public.json", "--as-of", "2026-12-01")
    claim = ("--supplier", "elevator", "--day", "2026-03-01", "--crop", "corn")
    status, out, _ = call(capsys, *usual, *claim)
    assert (status, "It holds." in out) == (0, True)
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
    signing = ("--key", desk / "v.key.pem", "--passphrase-file", desk / "pass", "--out", desk / "later.json")
    words = ("--text", "A scale was wrong.", "--effect", "withdrawn", "--as-of", "2026-12-01")
    assert call(capsys, "statement", "add", desk / "signed.json", *signing, *words)[0] == 0
    checking = ("--pin", desk / "v.public.json", "--also", desk / "later.json", "--as-of", "2026-12-01")
    status, _, err = call(capsys, "statement", "check", desk / "signed.json", *checking)
    assert (status, "A scale was wrong." in err) == (1, True)
    assert call(capsys, "statement", "add", desk / "draft.json", *signing, *words)[0] == 2


def test_status_tells_who_is_overdue(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sign(desk, capsys)
    parties = desk / "parties.csv"
    head = "id,name,role,handles_since,contract_until\n"
    parties.write_text(f"{head}elevator,Prairie Elevator,first point of aggregation,2025-10-01,\n")
    usual = ("status", parties, "--statement", desk / "signed.json", "--pin", desk / "v.public.json")
    status, out, _ = call(capsys, *usual, "--as-of", "2026-12-01", "--json")
    (row,) = json.loads(out)
    assert (status, row["alert"], row["due_on"]) == (0, "on time", "2027-11-20")
    assert row["uncovered"] == [["2026-10-01", "2026-12-01"]]
    status, out, _ = call(capsys, *usual, "--as-of", "2027-11-21")
    assert (status, "overdue" in out) == (1, True)
    status, _, err = call(capsys, "status", parties, "--statement", desk / "signed.json", "--as-of", "2026-12-01")
    assert (status, "not pinned" in err) == (1, True)
    parties.write_text(f"{head}elevator,x,baker,2025-10-01,\nelevator,y,farm,soon,\n")
    assert call(capsys, *usual)[0] == 2


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
    assert document.keys() == {*engaged().document(), "excepted"}
    assert (document["opinion"], document["assurance"]) == ("", ""), "nothing is chosen beforehand"
    assert {row["answer"] for row in document["work"]["lines"]} == {""}
    assert [row["farm"] for row in document["work"]["farms"]] == [*range(1, 9)]
    assert document["work"]["quantities"][0]["bushels"] == "100000"
    assert call(capsys, "statement", "draft", tmp_path / "no-role.json")[0] == 2
    assert (document["farms"], document["sampled"], len(document["sample_hash"])) == (51, 8, 64)
    assert document["findings"][0]["severity"] == "minor"
    status, _, err = call(capsys, "statement", "sign", draft, "--key", draft, "--out", tmp_path / "s.json")
    assert (status, "does not say" in err) == (2, True)
    sample.write_text(sample.read_text().replace('"seed": "', '"seed": "0', 1))
    assert call(capsys, "statement", "draft", tmp_path / "d2.json", *arguments)[0] == 2


def test_a_verifier_bound_to_the_audited_cannot_sign(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ties = desk / "ties.json"
    ties.write_text('{"prepared_records_of": ["F07"]}')
    status, _, err = sign(desk, capsys, "--ties", ties, "--supplier", "F07")
    assert (status, "prepared records of F07" in err) == (2, True)
    assert not (desk / "signed.json").exists()
    ties.write_text('{"friends_of": ["F07"]}')
    assert sign(desk, capsys, "--ties", ties)[0] == 2
    ties.write_text('{"prepared_records_of": ["F99"]}')
    assert sign(desk, capsys, "--ties", ties, "--supplier", "F07")[0] == 0
