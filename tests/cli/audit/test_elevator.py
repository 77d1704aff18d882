"""An audit of an elevator with eight farms, from the engagement to the signed statement, by commands alone."""

import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from provender.audit.programme import Role
from provender.cli import output
from provender.demo.chain import VERIFIER
from provender.demo.farms import COOP, demo_key
from tests.audit.engaged import ENGAGEMENT
from tests.audit.prairie import chain
from tests.cli.calling import called

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("prairie")]

PASSPHRASE = "four unrelated words here"  # noqa: S105 - made for the test
FROZEN, PACKED, SEEN, ISSUED = "2027-01-08", "2027-01-14", "2027-01-12", "2027-01-20"
LEAD, REVIEWER = "V. Moss", "R. Lind"
Command = Callable[..., str]


@pytest.fixture
def provender(capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs a command that must end well, and gives what it printed."""

    def run(*words: object, ends: int = 0) -> str:
        status, out, err = called(capsys, *words)
        assert status == ends, err
        return out

    return run


def draw_farms(provender: Command, folder: Path, at: Callable[[str], Path]) -> list[str]:
    """Freeze the farms with both commitments; the elevator opens first, then the sample follows. Return who is in."""
    book, papers = folder / "books" / f"{COOP}.jsonl", folder / "papers" / COOP
    provender("audit", "population", book, "--report", papers, "--out", at("farms.csv"))
    sides = {side: re.findall(r"Commitment: (\w+)", provender("audit", "seed", at(f"{side}.json")))[0]
             for side in ("audited", "verifier")}  # fmt: skip
    commits = [word for side, mark in sides.items() for word in ("--commitment", f"{side}={mark}")]
    farms = ("--farms", at("farms.csv"))
    between = ("--audited", COOP, "--verifier", VERIFIER)
    provender("audit", "freeze", *farms, "--year", 2026, *between, *commits, "--out", at("frozen.json"),
              "--as-of", FROZEN)  # fmt: skip
    opened = [word for side in sides for word in ("--open", f"{side}={at(f'{side}.json')}")]
    drawn = provender("audit", "sample", *farms, "--frozen", at("frozen.json"), *opened, "--as-of", FROZEN, "--json")
    at("sample.json").write_text(drawn)
    sample = json.loads(drawn)
    assert (sample["farms"], sample["minimum"]) == (8, 3)
    drawn_farms: list[str] = sample["sample"]
    return drawn_farms


def resolve_finding(provender: Command, log: Path) -> None:
    """Raise one finding, which the elevator answers and the verifier judges."""
    day, said = ("--as-of", SEEN), ("audit", "finding")
    provender(*said, "raise", log, 1, "--by", LEAD, "--severity", "minor", "--cite", "2100.034(d)",
              "--subject", "north", "--owner", COOP, "--due", ISSUED, "--text",
              "The scale of north has no seal.", *day)  # fmt: skip
    provender(*said, "respond", log, 1, "--by", "M. Coop", "--text", "It was sealed on January 13.", *day)
    provender(*said, "resolve", log, 1, "--by", LEAD, "--resolution", "corrected", "--text",
              "The seal was seen on its photograph.", "--bearing", "no misstatement", "--as-of", PACKED)  # fmt: skip


def test_an_elevator_with_eight_farms_is_audited(
    tmp_path: Path, provender: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = chain(8)
    book, papers = folder / "books" / f"{COOP}.jsonl", folder / "papers" / COOP
    pins, at = ("--pinned", folder / "pins.json"), tmp_path.__truediv__
    key = tmp_path / "verifier.key.pem"
    key.write_bytes(demo_key(VERIFIER).seal(PASSPHRASE))
    (tmp_path / "pass").write_text(PASSPHRASE)
    signs = ("--key", key, "--passphrase-file", tmp_path / "pass")

    drawn = draw_farms(provender, folder, at)

    # Each drawn farm packs, then the elevator with all of them, as the verifier asked.
    asked = ("--first", "2026-01-01", "--last", "2026-12-31", *signs, "--as-of", SEEN)
    provender("audit", "request", at("request.json"), "--verifier", VERIFIER, "--audited", COOP, "--subject", "audit",
              *asked)  # fmt: skip
    packed = []
    for farm in drawn:
        packed += ["--farm", at(f"{farm}.zip")]
        provender("audit", "package", folder / "farms" / farm, "--out", packed[-1], "--as-of", SEEN)
    whole = ("--document", papers, "--sample", at("sample.json"), "--request", at("request.json"), *packed)
    provender("audit", "package", book, *whole, "--out", at("audit.zip"), "--as-of", PACKED)
    held = [word for farm in sorted(papers.glob("farm-*.json")) for word in ("--held", farm)]
    held += ["--held", at("sample.json"), "--held", at("frozen.json")]
    found = json.loads(provender("verify", at("audit.zip"), *pins, *held, "--json"))
    assert (found["clean"], found["roles"]) == (True, ["farm", "first point of aggregation"])
    empty = {one["check"] for one in found["checks"] if not one["computed"]}
    assert empty == {"timestamps", "transparency logs", "accreditation"}, "no authority, no log and no list of forums"
    for one in packed[1::2]:
        assert json.loads(provender("verify", one, *pins, "--json"))["clean"]
    provender("audit", "programme", "--package", at("audit.zip"), "--harvested", "2025-10-04", "--out", at("work.pdf"))

    resolve_finding(provender, at("log.jsonl"))

    # The statement: drafted from its papers, its blanks filled in, signed, printed, checked by a buyer.
    periods = [word for path in sorted(papers.glob(f"{COOP}-2026-*.json")) for word in ("--period", path)]
    shown = ("--sample", at("sample.json"), "--findings", at("log.jsonl"), "--package", at("audit.zip"), *pins,
             *periods, *held)  # fmt: skip
    provender("audit", "statement", "draft", at("draft.json"), "--role", Role.FIRST_POINT, *shown)
    at("draft.json").write_text(json.dumps(filled_in(json.loads(at("draft.json").read_text()))))
    signed = ("--out", at("signed.json"), "--pdf", at("statement.pdf"), "--as-of", ISSUED)
    told = provender("audit", "statement", "sign", at("draft.json"), *signs, *shown, *signed)
    assert told.startswith("Signed: ")
    public = folder / "keys" / f"{VERIFIER.removesuffix(' (made up)')}.public.json"
    claim = ("--supplier", COOP, "--day", "2026-03-01", "--crop", "corn", "--as-of", ISSUED)
    told = provender("audit", "statement", "check", at("signed.json"), "--pin", public, *claim, *shown)
    assert told.strip().endswith("It holds.")
    monkeypatch.setattr(output, "today", lambda: date.fromisoformat(ISSUED))
    provender("audit", "statement", "keep", book, at("signed.json"), "--pin", public, "--as-of", ISSUED)

    pages = pypdfium2.PdfDocument(at("statement.pdf").read_bytes())
    text = "\n".join(page.get_textpage().get_text_bounded() for page in pages)
    for words in ("Favorable", "Prairie Cooperative Elevator", f"{len(drawn)} of 8", LEAD, REVIEWER):
        assert words in " ".join(text.split()), words
    assert not [farm for farm in drawn if farm in text], "a statement names no farm"


def filled_in(draft: dict[str, Any]) -> dict[str, Any]:
    """Return a drafted statement with its blanks filled in by the verifier."""
    done, seen = {"by": LEAD, "on": SEEN}, {"way": "visit", "by": LEAD, "on": SEEN}
    work = draft["work"]
    assert {row["answer"] for row in work["lines"]} == {"", "recomputed"}
    work["lines"] = [
        {**row, **done, **({"on": PACKED} if row["answer"] else {"answer": "done"})} for row in work["lines"]
    ]
    work["sites"] = [
        {"site": site, "seen": "Bins, scale and tickets were seen.", **seen} for site in ("north", "south")
    ]
    work["farms"] = [{**row, **seen} for row in work["farms"]]
    certificate = {"verifier": VERIFIER, "verifier_id": VERIFIER, "standard": "ISO 14065:2020", "scope": "Grain trade",
                   "body": "An accreditor (made up)", "number": "EXAMPLE-1", "first": "2024-03-01",
                   "last": "2027-02-28", "suspended": [], "memberships": [
                       {"forum": "Global Accreditation Cooperation Incorporated", "first": "2026-01-01", "last": None,
                        "source": "made up for the test"}]}  # fmt: skip
    return draft | {
        "number": "PV-2026-1", "verifier": VERIFIER, "verifier_name": VERIFIER, "lead_verifier": LEAD,
        "independent_reviewer": REVIEWER, "accreditation": certificate, "crops": ["corn", "soybeans"],
        "objectives": "Find out whether claims and mass balance of the year meet the rule.",
        "covered_first": "2026-01-01", "covered_last": "2026-12-31", "issued_on": ISSUED, "assurance": "reasonable",
        "materiality_pct": "5", "materiality": "Applied to claimed bushels of each CI.", "opinion": "favourable",
        "basis": "All of it recomputes, and the one finding was corrected.",
        "engagement": {**ENGAGEMENT, "engaged_by": "Prairie Cooperative Elevator", "reviewed_on": "2027-01-18"},
    }  # fmt: skip
