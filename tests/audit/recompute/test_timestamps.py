"""``verify`` reads timestamps of a package: what is proved to have existed, on which day, and what proves nothing."""

import json
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization

from provender.audit.outcome import CheckResult
from provender.audit.package.collect import collect_farm
from provender.audit.package.contents import ROOTS, PackageContents
from provender.audit.package.layout import Part, part_of
from provender.audit.recompute.days import days_of, recompute_timestamps
from provender.signing.canonical import canonical_json
from tests.audit import forge
from tests.audit.forge import Files
from tests.signing.authority import found_authority, stamp

REPORT = "farms/F1-3fa1b2c4/reports/corn.json"


def today() -> date:
    """The day of the authority's clock; asked for anew, since a night may pass within a run."""
    return datetime.now(UTC).date()


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return found_authority(tmp_path_factory.mktemp("authority"))


def report(made_on: date | None = None) -> bytes:
    return canonical_json({"document": {"type": "report", "made_on": str(made_on or today())}, "signature": ""})


def seen(files: Files, authority: Path, folder: Path, root: str = "root") -> tuple[CheckResult, list[str]]:
    case = PackageContents({**files, ROOTS: (authority / f"{root}.pem").read_bytes()}, folder)
    return recompute_timestamps(case), [str(one) for one in days_of(case)]


def test_a_stamped_report_is_proved_and_one_without_is_its_signers_word(authority: Path, tmp_path: Path) -> None:
    other = REPORT.replace("corn", "soybeans")
    files = {REPORT: report(), f"{REPORT}.tsr": stamp(authority, report()), other: report()}
    outcome, days = seen(files, authority, tmp_path)
    assert (outcome.computed, outcome.differences, outcome.not_shown) == (1, (), ())
    assert days == [
        f"{REPORT}: proved to exist on {today()} (CN=stamps), stated {today()}",
        f"{other}: day stated by the signer, {today()}",
    ]


def test_laying_json_out_anew_takes_no_proof_away(authority: Path, tmp_path: Path) -> None:
    files = {REPORT: json.dumps(json.loads(report()), indent=3).encode(), f"{REPORT}.tsr": stamp(authority, report())}
    outcome, (day,) = seen(files, authority, tmp_path)
    assert (outcome.differences, "proved to exist" in day) == ((), True)


def test_a_root_that_the_verifier_does_not_trust_proves_nothing_and_is_told(authority: Path, tmp_path: Path) -> None:
    files = {REPORT: report(), f"{REPORT}.tsr": stamp(authority, report())}
    outcome, (day,) = seen(files, authority, tmp_path, root="other")
    assert outcome.differences == ()
    assert "--roots" in outcome.not_shown[0]
    assert "stated by the signer" in day


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({REPORT: report(today() - timedelta(days=9))}, "timestamp_of_other_bytes"),
        ({f"{REPORT}.tsr": b"no answer"}, "no_timestamp"),
        ({f"{REPORT}.tsr": b""}, "no_timestamp"),
        ({REPORT: None}, "timestamp_of_nothing"),
    ],
)
def test_a_stamp_of_something_else_is_a_difference(
    files: dict[str, bytes | None], code: str, authority: Path, tmp_path: Path
) -> None:
    whole = {REPORT: report(), f"{REPORT}.tsr": stamp(authority, report()), **files}
    given = {path: content for path, content in whole.items() if content is not None}
    outcome, _ = seen(given, authority, tmp_path)
    assert [one.code for one in outcome.differences] == [code]


def test_a_document_that_existed_before_the_day_it_states_is_a_contradiction(authority: Path, tmp_path: Path) -> None:
    for days, codes in ((1, []), (2, ["stated_after_proof"])):
        later = report(today() + timedelta(days=days))
        outcome, _ = seen({REPORT: later, f"{REPORT}.tsr": stamp(authority, later)}, authority, tmp_path)
        assert [one.code for one in outcome.differences] == codes


def test_a_proof_outlives_the_certificate_of_its_authority(authority: Path, tmp_path: Path) -> None:
    brief = found_authority(tmp_path)
    root, key, old = (
        x509.load_pem_x509_certificate((brief / "root.pem").read_bytes()),
        serialization.load_pem_private_key((brief / "root.key").read_bytes(), None),
        x509.load_pem_x509_certificate((brief / "tsa.pem").read_bytes()),
    )
    end = datetime.now(UTC) + timedelta(seconds=2)
    made = x509.CertificateBuilder(root.subject, old.subject, old.public_key(), 99, root.not_valid_before_utc, end)
    for one in old.extensions:
        made = made.add_extension(one.value, one.critical)
    signed = made.sign(key, hashes.SHA256())  # type: ignore[arg-type]  # an EC key, as made above
    (brief / "tsa.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    files = {REPORT: report(), f"{REPORT}.tsr": stamp(brief, report())}
    time.sleep(max((end - datetime.now(UTC)).total_seconds() + 0.1, 0))
    assert "proved to exist" in seen(files, brief, tmp_path)[1][0]


def test_answers_travel_beside_their_documents(tmp_path: Path) -> None:
    for path, content in forge.clean().items():
        name = path.rpartition("/reports/")[2]
        if name != path:
            (tmp_path / name).write_bytes(content)
            (tmp_path / f"{name}.tsr").write_bytes(b"answer")
    collected = collect_farm(forge.EXAMPLE, [tmp_path])
    stamps = [path for path in collected.files if path.endswith(".tsr")]
    assert {path.removesuffix(".tsr") for path in stamps} <= collected.files.keys()
    assert stamps
    assert part_of("audit/sample.json.tsr") is Part.SAMPLE
    assert part_of("entities/x/book.jsonl.tsr") is Part.BOOK
