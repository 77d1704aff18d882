"""The example chain from the elevator's book to a clean verification, and the lies the issue lists, each named.

A hundred of them, and every change without meaning, are run by ``make tamper``.
"""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from provender.audit.package.contents import PackageContents
from provender.audit.package.layout import HEADER
from provender.audit.recompute.workbooks import workbooks
from provender.cli.app import run
from provender.signing.canonical import canonical_json
from tests.audit.prairie import CRUSHER, ELEVATOR, chain, farm_party, house_party, sample_of, verify
from tests.audit.prairie_hundred import MEANINGLESS, zip_differs
from tests.audit.spreadsheet import Computed
from tests.audit.tamper_prairie import TAMPERINGS, Tampering, forged

pytestmark = pytest.mark.xdist_group("prairie")

FARMS, LEAST = 5, 3
"""Farms of the chain and the least that are drawn of them; of 51 they are eight, whose chain takes a minute."""
SEED = 2026
HERE = (
    "depth of a farm",
    "pass_date of a farm, papers made again",
    "photo_place of a farm",
    "bushels of a farm, papers made again",
    "moved_between_units of a farm",
    "lot_border of prairie-coop, papers made again",
    "crushing_yield of plains-crush, papers made again",
    "period_border of prairie-coop",
    "signature_of_forger of a farm",
    "pass_dropped of a farm",
    "evidence_swapped_with_hash of a farm, papers made again",
    "second_report of a farm",
    "printout_forged of a farm",
    "farm_left_out of audit",
)
"""One of each kind that is asked for."""


@pytest.fixture(scope="module")
def folder() -> Path:
    return chain(FARMS)


@pytest.fixture(scope="module")
def farms(folder: Path) -> tuple[str, ...]:
    return tuple(json.loads(sample_of(folder))["sample"])


def called(words: Sequence[str | Path], capsys: pytest.CaptureFixture[str]) -> tuple[int, Any]:
    """Run a command with ``--json`` and return its exit status and answer."""
    with pytest.raises(SystemExit) as ended:
        run([*map(str, words), "--json"])
    return int(ended.value.code or 0), json.loads(capsys.readouterr().out)


def test_the_way_of_the_readme_ends_in_a_clean_audit_of_the_drawn_farms(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book, papers, day = folder / "books" / f"{ELEVATOR}.jsonl", folder / "papers" / ELEVATOR, ("--as-of", "2027-01-11")
    pins = ("--pinned", folder / "pins.json")

    listed = ("audit", "population", book, "--report", papers, "--out", tmp_path / "farms.csv")
    status, frozen = called(listed, capsys)
    assert (status, frozen["farms"], frozen["minimum"]) == (0, FARMS, LEAST)

    parts = (f"audited={folder / 'seed-audited.json'}", "--open", f"verifier={folder / 'seed-verifier.json'}")
    drawn = ("audit", "sample", "--farms", tmp_path / "farms.csv", "--frozen", folder / "frozen.json", "--open", *parts)
    status, sample = called(drawn, capsys)
    assert (status, len(sample["sample"]), sample["population_hash"]) == (0, LEAST, frozen["population_hash"])
    (tmp_path / "sample.json").write_text(json.dumps(sample), encoding="utf-8")

    packed = []
    for farm in sample["sample"]:
        packed.append(tmp_path / f"{farm}.zip")
        status, _ = called(("audit", "package", folder / "farms" / farm, "--out", packed[-1], *day), capsys)
        assert status == 0
    own = ("audit", "package", book, "--document", papers)
    assert called((*own, "--out", tmp_path / "elevator.zip", *day), capsys)[0] == 0
    given = (word for path in packed for word in ("--farm", path))
    whole = (*own, "--sample", tmp_path / "sample.json", *given, "--out", tmp_path / "audit.zip", *day)
    assert called(whole, capsys)[0] == 0

    # Two farms alone; the whole audit recomputes all of the sample.
    for path in (packed[0], packed[-1], tmp_path / "elevator.zip", tmp_path / "audit.zip"):
        status, found = called(("verify", path, *pins), capsys)
        assert (status, found["problems"], found["differences"]) == (0, [], [])
    computed = {one["check"]: one["computed"] for one in found["checks"]}
    assert computed.pop("timestamps") == 0, "no authority stamped the example's papers"
    assert computed.pop("transparency logs") == 0, "no log holds the example's papers"
    assert computed.pop("accreditation") == 0, "nobody brought a list of forum members"
    assert all(computed.values()), "a whole audit leaves no check without anything to compute"


def test_no_cell_of_an_honest_workbook_differs_and_every_claim_of_a_form_has_one(
    folder: Path, farms: tuple[str, ...], tmp_path: Path
) -> None:
    for party in (farm_party(folder, farms[0]), house_party(folder, CRUSHER)):
        case = PackageContents({**party.files, HEADER: canonical_json(party.header.document())}, tmp_path)
        books = [Computed(content) for _, content in workbooks(case, date(2027, 1, 11))]
        answers = [one for book in books for name in book.book.sheetnames for one in book.sheet(name).comparisons()]
        assert len(answers) >= len(books)
        assert set(answers) == {"agrees"}


def test_the_statement_of_the_example_is_about_the_sample_that_anyone_can_draw(folder: Path) -> None:
    from provender.audit.sampling.population import freeze
    from provender.audit.sampling.sample import SampleRequest, check_sample, draw_sample, row_of, sample_document
    from provender.audit.sampling.seed import Frozen, Opened
    from provender.audit.statement.opinion import check_signing
    from provender.audit.statement.statement import VerificationStatement
    from provender.demo.verification import SECRETS
    from provender.signing.canonical import document_hash

    one = VerificationStatement.read(json.loads((folder / "statements" / "verification.json").read_bytes())["document"])
    frozen = json.loads((folder / "frozen.json").read_bytes())
    population = freeze(row_of(row) for row in json.loads(sample_of(folder))["population"])
    request = SampleRequest(population, Frozen.read(frozen), Opened(SECRETS))
    sample = sample_document(draw_sample(request))
    assert (one.farms, one.sampled, one.sample_hash) == (FARMS, LEAST, document_hash(sample))
    assert check_sample(sample, document_hash(frozen)) == []
    assert check_signing(one) == []


@pytest.mark.parametrize("tampering", [one for one in TAMPERINGS if one.name in HERE], ids=lambda one: one.name)
def test_a_tampering_of_each_kind_is_found_and_named(
    tampering: Tampering, folder: Path, farms: tuple[str, ...]
) -> None:
    missed = forged(folder, tampering, farms, f"{SEED} {tampering.name}")
    assert not missed, missed


def test_every_kind_that_is_asked_for_is_among_the_tamperings() -> None:
    assert set(HERE) <= {one.name for one in TAMPERINGS}
    assert len({one.name for one in TAMPERINGS}) == len(TAMPERINGS) >= 100


def test_changes_without_meaning_are_not_reported(folder: Path, farms: tuple[str, ...]) -> None:
    from random import Random

    for party in (farm_party(folder, farms[0]), house_party(folder, CRUSHER)):
        assert zip_differs(party) == ""
        for change in MEANINGLESS:
            changed = change(dict(party.files), Random(SEED))
            assert verify(folder, party, changed, held=True).text == "", change.__name__
