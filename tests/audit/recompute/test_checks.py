"""No silence over nothing: a paragraph is settled only where something was computed and everything agreed."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from provender.audit.findings import write_log
from provender.audit.outcome import CheckResult, Difference, State, effect_g_co2e, state_of
from provender.audit.package.contents import FORUMS, HELD, TODAY, PackageContents, with_verifiers_files
from provender.audit.package.layout import FINDINGS, HEADER, KEYS, REQUEST, Part, farm_path
from provender.audit.package.write import Header, LeftOut, PackageRequest, Subject
from provender.audit.recompute.cross_party import missing_parts
from provender.audit.recompute.custody_books import farms
from provender.audit.recompute.papers import book_heads
from provender.audit.recompute.statements import accreditation, decisions
from provender.audit.recompute.verify import CHECKS, recompute
from provender.audit.sampling.sample import PATH, Extent, Failure, Treatment, draw_sample, sample_document
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.statement.statement import read_forums
from provender.custody.book_file import BookLine, seal
from provender.custody.book_file import Header as SignatureHeader
from provender.custody.documents.build import MARK, marked, roots_of
from provender.custody.documents.print import document_pdf
from provender.custody.documents.receive import sign_document
from provender.exact import show
from provender.problem import ProblemsError
from provender.rule.crops import Cite
from provender.rule.paragraphs import paragraphs
from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.audit import chain, forge
from tests.audit.chain import KEYS_OF
from tests.audit.desk import drawn
from tests.audit.farms import alike, mixed
from tests.audit.farms import asked as outcome_asked
from tests.audit.findings.test_log import RAISED, RESOLVED, RESPONDED, log
from tests.audit.forge import FARM, REPORT, Files
from tests.custody.world import Event, ev
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

# No silence over nothing: what was left out, or made unreadable, is a difference that names it.

SILENCE = [missing_parts]
ELEVATOR = Header(
    forge.header().subject.ENTITY_PERIOD, "coop", "Coop", date(2026, 1, 1), date(2026, 6, 30), "interim-2025",
    "provender", date(2026, 11, 21), {chain.book("coop").rpartition("/")[0]: "coop"},
)  # fmt: skip


def found(
    files: Files, head: Header, held: dict[str, bytes] | None = None, *, own: Sequence[str] = ()
) -> dict[str, Difference]:
    pins = forge.PINS if head.audited == FARM else chain.pins()
    lists = {path: files[path] for path in own}
    given = with_verifiers_files({**files, HEADER: canonical_json(head.document())}, pins, held or {}, lists)
    (outcome,) = recompute(given, SILENCE)
    return {one.code: one for one in outcome.differences}


def farm() -> Files:
    return dict(forge.clean())


def elevator() -> Files:
    return dict(chain.clean("coop"))


def test_what_was_taken_out_of_a_farms_package_is_named() -> None:
    files = farm()
    del files[REPORT]
    assert found(files, forge.header())["farm_without_report"].place == FARM
    runs = "records/calculator_run.csv"
    path = next(name for name in files if name.endswith(runs))
    files[path] = (forge.EXAMPLE / "calculator_run.csv").read_bytes()
    one = found(files, forge.header())["harvest_without_report"]
    assert "soybeans 2025" in one.place or "sorghum 2025" in one.place
    assert one.effect_bushels


def test_a_farm_without_records_is_named_and_hides_nothing_of_the_others() -> None:
    files = farm()
    forge.change(files, "harvest", "N40-2025", bushels="1")
    parties = {**forge.header().parties, "farms/none-0a1b2c3d": "NONE"}
    files[HEADER] = canonical_json(replace(forge.header(), parties=parties).document())
    told = {one.code for each in recompute(with_verifiers_files(files, forge.PINS, {})) for one in each.differences}
    assert "party_without_records" in told
    assert "not_recomputed" not in told
    assert any(code.startswith("report_differs") for code in told)


def test_a_book_without_lines_a_period_without_statement_and_an_unreadable_document_are_missed() -> None:
    files = elevator() | {chain.book("coop"): b'{"book": "provender custody", "format": 1, "entity": "coop"}\n'}
    assert "coop" in found(files, ELEVATOR)["party_without_book"].claimed
    files = elevator()
    del files[chain.paper("coop", "period-2026-01-01.json")]
    assert "2026-01-01" in found(files, ELEVATOR)["period_without_statement"].place
    path = chain.paper("coop", "period-2026-01-01.json")
    envelope = json.loads(chain.clean("coop")[path])
    del envelope["document"]["entity"]
    assert path in found(elevator() | {path: canonical_json(envelope)}, ELEVATOR)["document_unreadable"].place


@pytest.mark.parametrize(
    ("of", "change", "code"),
    [
        ("book", {"audited": "ada"}, "audited_party_missing"),
        ("book", {"audited_name": "Other Elevator"}, "audited_name_differs"),
        ("book", {"first": date(2026, 1, 2)}, "days_differ"),
        ("book", {"last": date(2026, 6, 29)}, "days_differ"),
        ("book", {"made_on": date(2026, 1, 2)}, "made_before_content"),
        ("book", {"parties": {}}, "nothing_recomputed"),
        ("book", {"rule_version": "final-2027"}, "rule_version_differs"),
        ("farm", {"audited_name": "Bluestem"}, "audited_name_differs"),
        ("farm", {"first": date(2023, 1, 1)}, "days_differ"),
        ("farm", {"last": date(2025, 9, 1)}, "days_differ"),
        ("farm", {"rule_version": "final-2027"}, "rule_version_differs"),
        ("book", {"subject": Subject.FARM_REPORT}, "subject_differs"),
        ("book", {"subject": Subject.AUDIT}, "subject_differs"),
        ("farm", {"subject": Subject.ENTITY_PERIOD}, "subject_differs"),
        ("farm", {"subject": Subject.AUDIT}, "subject_differs"),
    ],
)
def test_what_a_package_says_of_itself_is_held_against_its_content(of: str, change: dict[str, Any], code: str) -> None:
    files, head = (elevator(), ELEVATOR) if of == "book" else (farm(), forge.header())
    assert found(files, head) == {}
    assert code in found(files, replace(head, **change))


@pytest.mark.parametrize(("made_on", "is_told"), [("2026-11-03", False), ("2026-11-02", True)])
@pytest.mark.parametrize("what", ["sample", "findings"])
def test_a_package_is_not_made_before_the_draw_and_the_findings_that_it_holds(
    what: str, made_on: str, *, is_told: bool
) -> None:
    """Whoever cuts the log of findings would date the package before what was cut."""
    held = {
        "sample": {SAMPLE: canonical_json(drawn(frozen_on=date(2026, 11, 3)))},
        "findings": {FINDINGS: write_log(log(RAISED))},
    }
    head = replace(ELEVATOR, made_on=date.fromisoformat(made_on), subject=Subject.AUDIT)
    assert ("made_before_content" in found(elevator() | held[what], head)) is is_told


@pytest.mark.parametrize(("days", "is_told"), [(0, False), (1, False), (2, True)])
def test_a_package_made_ahead_of_the_verifiers_clock_is_told(days: int, *, is_told: bool) -> None:
    today = (ELEVATOR.made_on - timedelta(days=days)).isoformat().encode()
    assert ("made_ahead_of_clock" in found(elevator() | {TODAY: today}, ELEVATOR, own=[TODAY])) is is_told


@pytest.mark.parametrize("kind", ["operation", "harvest", "unit", "evidence", "calculator_run"])
def test_rows_under_another_farms_id_are_told(kind: str) -> None:
    files = farm()
    rows = [{**row, "farm_id": FARM} for row in forge.rows(files, kind)]
    forge.put(files, kind, [*rows, {**rows[0], next(iter(rows[0])): "X", "farm_id": "OTHER"}])
    assert found(files, forge.header())["rows_of_other_farm"].recomputed == "1 row of OTHER"


def test_all_rows_of_a_farm_whose_records_are_anothers_are_told() -> None:
    files = farm()
    for path, content in list(files.items()):
        if path.endswith(".csv"):
            files[path] = content.replace(b"BLUESTEM", b"PRAIRIE")
    assert "rows_of_other_farm" in found(files, forge.header())


def printed(envelope: dict[str, Any]) -> bytes:
    return document_pdf(envelope["document"], envelope=envelope, fingerprint=KEYS_OF["coop"].fingerprint)


def test_a_pdf_beside_its_document_carries_it_and_another_is_told_or_shown_by_name() -> None:
    path = chain.paper("coop", "period-2026-01-01.json")
    beside = path.replace(".json", ".pdf")
    first = json.loads(chain.clean("coop")[path])
    other = sign_document({**first["document"], "closed_on": "2026-04-06"}, KEYS_OF["coop"])
    right, wrong = printed(first), printed(other)

    def told(name: str, pdf: bytes) -> tuple[set[str], list[str]]:
        files = {**elevator(), name: pdf, HEADER: canonical_json(ELEVATOR.document())}
        (outcome,) = recompute(with_verifiers_files(files, chain.pins(), {}), SILENCE)
        return {one.code for one in outcome.differences}, [why for why in outcome.not_shown if ".pdf" in why]

    codes, shown = told(beside, right)
    assert (codes, [one.partition("; look at ")[2] for one in shown]) == (set(), [f"{beside.rpartition('/')[2]}."])
    hashed = chain.paper("coop", "0123abcd-period-2026-01-01.pdf")
    assert told(hashed, right)[0] == set()
    for pdf in (wrong, right[: len(right) // 2], b"%PDF-1.7 nothing inside", b""):
        assert told(beside, pdf) == ({"print_differs"}, []), pdf[:20]
        assert told(hashed, pdf) == ({"print_differs"}, []), pdf[:20]
        codes, shown = told(chain.paper("coop", "letter.pdf"), pdf)
        assert (codes, len(shown)) == (set(), 1)
        assert "letter.pdf: no document beside it is its original" in shown[0]


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


def test_the_list_of_keys_is_read_beside_the_verifiers_and_the_draw_computed_again() -> None:
    keys = json.loads(chain.clean("coop")[KEYS])
    assert "keys_unreadable" in found(elevator() | {KEYS: canonical_json({**keys, "kind": "x"})}, ELEVATOR)
    assert "keys_unreadable" in found(elevator() | {KEYS: canonical_json({**keys, "more": "x"})}, ELEVATOR)
    assert "keys_missing" in found({path: raw for path, raw in elevator().items() if path != KEYS}, ELEVATOR)
    keys["keys"][0]["key"], keys["keys"][1]["key"] = keys["keys"][1]["key"], keys["keys"][0]["key"]
    assert "keys_differ" in found(elevator() | {KEYS: canonical_json(keys)}, ELEVATOR)
    keys["keys"] = [{**json.loads(chain.clean("coop")[KEYS])["keys"][1], "party": "nobody"}]
    assert (
        "gives that key to ben" in found(elevator() | {KEYS: canonical_json(keys)}, ELEVATOR)["keys_differ"].recomputed
    )
    keys["keys"][0]["key"] = forge.FORGER.public.export()
    assert "keys_differ" not in found(elevator() | {KEYS: canonical_json(keys)}, ELEVATOR), "the verifier knows neither"
    (settled,) = [one for one in recompute({PATH: canonical_json(DOCUMENT)}) if one.check == "sample"]
    assert (settled.state, settled.computed) == (State.SETTLED, 1)
    forged = {**DOCUMENT, "sample": DOCUMENT["sample"][:-1]}
    (differs,) = [one for one in recompute({PATH: canonical_json(forged)}) if one.check == "sample"]
    assert differs.differences[0].code == "sample_differs"


def test_what_was_not_shown_is_printed_without_a_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from provender.audit.package.write import make_package
    from provender.cli.app import run

    make_package(tmp_path / "farm.zip", forge.header(), farm())
    (tmp_path / "pins.json").write_bytes(forge.PINS)
    with pytest.raises(SystemExit):
        run(["verify", str(tmp_path / "farm.zip"), "--pinned", str(tmp_path / "pins.json")])
    assert "bring the buyer's (--held)" in capsys.readouterr().out


# An outcome settles a paragraph only when something was computed and everything agreed.

DIFFERENCE = Difference("stir_differs", "2100.051(b)(1)", "F1, north, 2026", "19.5", "21.2", 12_000_500, 2_500)
DOCUMENT = sample_document(draw_sample(outcome_asked(mixed(51, 1))))


def outcome(computed: int, *differences: Difference, not_shown: tuple[str, ...] = ()) -> CheckResult:
    return CheckResult("stir", ("2100.051(d)", "2100.051(b)(1)"), computed, differences, not_shown)


@pytest.mark.parametrize(
    ("found", "state"),
    [
        (outcome(1), State.SETTLED),
        (outcome(0), State.OPEN),
        (outcome(3, not_shown=("One pass has no speed.",)), State.OPEN),
        (outcome(3, DIFFERENCE), State.DIFFERS),
        (outcome(3, DIFFERENCE, not_shown=("One pass has no speed.",)), State.DIFFERS),
    ],
)
def test_nothing_computed_is_never_all_well(found: CheckResult, state: State) -> None:
    assert found.state is state
    assert found.as_json()["state"] == str(state)


def test_a_difference_has_a_paragraph_which_takes_the_worst_state_of_what_speaks_to_it() -> None:
    outcomes = [
        outcome(1),
        CheckResult("cover", ("2100.052(a)(3)",), 2, (DIFFERENCE,)),
        CheckResult("x", ("2100.052",), 0),
    ]
    assert state_of(outcomes, "2100.051(b)(1)") is State.SETTLED
    assert state_of(outcomes, "2100.051") is State.SETTLED
    assert state_of(outcomes, "2100.052(a)") is State.DIFFERS
    assert state_of(outcomes, "2100.052(a)(1)") is State.OPEN
    assert state_of([], "2100.020") is State.OPEN
    assert str(DIFFERENCE) == (
        "F1, north, 2026: claimed 19.5, recomputed 21.2 [7 CFR 2100.051(b)(1)]. Effect: 12,000.5 bu, 2,500 g CO2e"
    )
    assert DIFFERENCE.as_json()["effect_bushels"] == "12000.5"
    with pytest.raises(ValueError, match="not a paragraph"):
        Difference("x", "ISO 9001", "here", "", "")


@ROWS
def test_the_effect_is_positive_where_the_claim_is_too_good(bushels: int, claimed: int, again: int, grams: int) -> None:
    assert effect_g_co2e(bushels, claimed, again) == grams


@pytest.mark.parametrize("files", [{}, {PATH: b"5"}, {PATH: b"{"}, {PATH: b"{}"}])
def test_without_a_sample_that_can_be_read_nothing_is_settled(files: dict[str, bytes]) -> None:
    (found,) = [one for one in recompute(files) if one.check == "sample"]
    assert found.state is not State.SETTLED


def test_what_cannot_be_read_is_a_difference_and_every_check_speaks_to_paragraphs() -> None:
    (found,) = [one for one in recompute({PATH: b"{"}) if one.check == "sample"]
    assert [one.code for one in found.differences] == ["not_recomputed"]
    assert {Cite.parse(cite) for check in CHECKS for cite in check.cites} <= set(paragraphs())


# Papers carry the head of the book they were made from; a book that was changed and sealed again does not fit them.

HEADS = [book_heads]


def lines_of(events: list[Event]) -> list[BookLine]:
    head, found = SignatureHeader("coop").head, []
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


def test_an_honest_book_fits_every_paper_and_what_follows_leaves_that_paper() -> None:
    outcome = heads(with_heads())
    assert (outcome.computed, outcome.differences, outcome.not_shown) == (2, (), ())
    outcome = heads(dict(chain.clean("coop")))
    assert outcome.differences == ()
    assert "carry no head of its book" in outcome.not_shown[0]
    names = [one["id"] for one in chain.coop()[0]]
    (changed, *roots) = heads(resealed({"reason": "theft"}, "l1")).differences
    assert f"lines {names.index('s1') + 3} to {names.index('c1') + 2}" in changed.place
    assert {one.code for one in roots} == {"book_changed_since", "period_records_changed"} - {changed.code}
    late = ev("receipt", "g9", "2026-03-30", entity="coop", form="soybeans", amount="1", number="C-9")
    outcome = heads(resealed({}, "none", (late,)))
    assert outcome.differences == ()
    assert "receipt of 2026-03-30" in outcome.not_shown[0]


def test_a_line_that_changes_no_number_is_found_and_a_period_has_a_root_for_each_kind() -> None:
    found = heads(resealed({"number": "C-2"}, "g1")).differences
    place = 1 + 1 + [one["id"] for one in chain.coop()[0]].index("s1")
    assert found[0].code == "book_changed_since"
    assert f"lines 2 to {place}" in found[0].place
    assert any("receipt records of the period" in one.place for one in found)
    lines = lines_of(chain.coop()[0])
    roots = roots_of(lines, date(2026, 1, 1), date(2026, 3, 31))
    assert {"purchase", "receipt", "sale", "loss", "measurement", "close"} <= roots.keys()
    assert "entity" not in roots, "what was entered before the period"
    assert MARK not in marked({"type": "x"}, [])


# The accreditation of each statement and the decisions of the verifier, held against his own lists.

# The accreditation body of each statement, against the list of forum members that the verifier keeps.

HEAD = "forum,body,first,last,source\n"
SUCCESSOR = "Global Accreditation Cooperation Incorporated"


def judged(rows: str | None, folder: Path, **changes: object) -> CheckResult:
    files = {chain.STATEMENT_ON_COOP: canonical_json(chain.statement_on_coop(chain.KEYS_OF["verity"], **changes))}
    files |= {HEADER: canonical_json(ELEVATOR.document())}
    lists = {} if rows is None else {FORUMS: (HEAD + rows).encode()}
    return accreditation(PackageContents(with_verifiers_files(files, chain.pins(), {}, lists), folder))


def test_without_a_list_the_word_is_told_and_a_place_at_the_forums_end_is_for_the_verifier(tmp_path: Path) -> None:
    outcome = judged(None, tmp_path)
    assert (outcome.differences, outcome.computed) == ((), 0)
    assert "--forums" in outcome.not_shown[0]
    assert "An Accreditor accredited Verity LLC" in outcome.not_shown[0]
    outcome = judged("IAF,An Accreditor,2010-01-01,2025-12-31,x\n", tmp_path)
    assert outcome.differences == ()
    assert "does not have it in the successor" in outcome.not_shown[0]


@pytest.mark.parametrize(
    ("rows", "differs"),
    [
        (f"{SUCCESSOR},An Accreditor,2026-01-01,,list of 2026-10-01\n", ""),
        (f"{SUCCESSOR.upper()},AN  ACCREDITOR,2026-01-01,2026-02-02,x\n", ""),
        (f"{SUCCESSOR},An Accreditor,2026-01-01,2026-02-01,x\n", "no member of a forum on 2026-02-02"),
        (f"{SUCCESSOR},An Accreditor,2026-02-03,,x\n", "no member of a forum on 2026-02-02"),
        (f"{SUCCESSOR},Another Body,2020-01-01,,x\n", "does not have it"),
        ("IAF,An Accreditor,2010-01-01,2025-06-30,x\n", "no member of a forum on 2026-02-02"),
    ],
)
def test_the_body_is_looked_up_as_of_the_day_of_issue(rows: str, differs: str, tmp_path: Path) -> None:
    outcome = judged(rows, tmp_path)
    assert outcome.computed == 1
    assert [differs in one.recomputed for one in outcome.differences] == ([True] if differs else [])


@pytest.mark.parametrize(
    "raw",
    [b"", b"forum,body\nIAF,A\n", b"\xff\xfe", HEAD.encode(),
     f"{HEAD.strip()},forum\nIAF,A,2020-01-01,,x,IAF\n".encode(), f"{HEAD}EA,A,2020-01-01,,x\n".encode(),
     f"{HEAD}IAF,,2020-01-01,,x\n".encode(), f"{HEAD}IAF,A,2020,,x\n".encode(), f"{HEAD}IAF,A\n".encode()],
)  # fmt: skip
def test_what_is_no_list_of_members_is_refused(raw: bytes) -> None:
    with pytest.raises(ProblemsError, match=r"forums\.csv"):
        read_forums(raw, "forums.csv")


# What the verifier decided comes back through the audited party: it is held against the verifier's own copy.

DAY = date(2026, 11, 21)
OWN = f"{HELD}0-sample.json"


def sample(seed: str = "7", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as sample_document takes it
    return sample_document(draw_sample(outcome_asked(alike(25), seed)), **more)


def spared(extent: Extent = Extent.EXEMPT, still: str = "") -> Treatment:
    farm = sample()["sample"][0]
    return Treatment(farm, extent, "ST-9", "Verity LLC", 2026, "audited in June", "V. Moss", DAY, still)


def decided(folder: Path, **files: Any) -> CheckResult:  # noqa: ANN401 - documents and bytes
    """Recompute over files; ``sample``, ``own``, ``findings``, ``own_log``, ``header`` and ``request`` say where."""
    names = {
        "sample": SAMPLE, "own": OWN, "findings": FINDINGS, "own_log": f"{HELD}1-findings.jsonl", "header": HEADER,
        "request": REQUEST,
    }  # fmt: skip
    made = {names[name]: one if isinstance(one, bytes) else canonical_json(one) for name, one in files.items()}
    return decisions(PackageContents(made, folder))


def test_the_verifiers_own_copy_settles_the_draw_and_without_it_the_verifier_is_told(tmp_path: Path) -> None:
    assert decided(tmp_path, sample=sample(), own=sample()).state is State.SETTLED
    alone = decided(tmp_path, sample=sample())
    assert (alone.state, alone.differences) == (State.OPEN, ())
    assert "bring your own copy" in alone.not_shown[0]


@pytest.mark.parametrize(
    ("forged", "part"),
    [
        (sample("8"), "seed"),
        (sample(treatments=[spared()]), "treatments"),
        ({**sample(), "audited_before": {"F003": [2025]}}, "audited before"),
    ],
)
def test_a_draw_that_is_whole_but_not_the_verifiers_is_named(tmp_path: Path, forged: dict[str, Any], part: str) -> None:
    places = [one.place for one in decided(tmp_path, sample=forged, own=sample()).differences]
    assert places == [f"{SAMPLE}, {part}"]


def test_every_decision_and_open_finding_is_told_and_a_resolved_one_is_not(tmp_path: Path) -> None:
    farm = sample()["sample"][1]
    failed = Failure(farm, "finding 1", "V. Moss", DAY)
    document = sample(treatments=[spared(Extent.PARTIAL, "cover crops")], failures=[failed])
    told = " ".join(decided(tmp_path, sample=document, own=document).not_shown)
    assert "is partial by decision of V. Moss on 2026-11-21: audited in June. See the audit ST-9 of Verity LLC." in told
    assert "Still to do: cover crops." in told
    assert f"{farm} failed: finding 1. 19000 bu are on hold" in told
    whole = write_log(log(RAISED, RESPONDED))
    assert "Finding 1, major, is responded, due 2026-11-30" in decided(tmp_path, findings=whole).not_shown[0]
    assert decided(tmp_path, findings=write_log(log(RAISED, RESPONDED, RESOLVED))).not_shown == ()


def test_findings_that_do_not_hang_together_or_are_not_the_verifiers_are_named(tmp_path: Path) -> None:
    own = write_log(log(RAISED, RESPONDED))
    torn = own.splitlines(keepends=True)[1]
    assert [one.code for one in decided(tmp_path, findings=torn).differences] == ["findings_damaged"]
    milder = write_log(log({**RAISED, "severity": "observation"}, RESPONDED))
    (other,) = decided(tmp_path, findings=milder, own_log=own).differences
    assert (other.code, other.place) == ("findings_differ", f"{FINDINGS}, line 1")
    earlier = decided(tmp_path, findings=write_log(log(RAISED)), own_log=own)
    assert (earlier.differences, "end 1 lines before" in earlier.not_shown[-1]) == ((), True)


OTHERS: Final = {**RAISED, "text": "Another finding altogether."}


@pytest.mark.parametrize(
    ("there", "line"),
    [(None, 1), (b"", 1), (log(RAISED), 2), (log(RAISED, RESPONDED, RESOLVED), 0), (log(OTHERS), 1)],
    ids=["removed", "emptied", "cut", "whole", "another party's"],
)
def test_a_log_that_is_removed_emptied_or_cut_is_found_by_the_verifiers_own(
    there: list[Any] | bytes | None, line: int, tmp_path: Path
) -> None:
    own = write_log(log(RAISED, RESPONDED, RESOLVED))
    made = {"findings": there if isinstance(there, bytes) else write_log(there)} if there is not None else {}
    after = replace(ELEVATOR, made_on=date(2026, 11, 11)).document()
    found = decided(tmp_path, own_log=own, header=after, **made).differences
    assert [(one.code, one.place) for one in found] == [("findings_differ", f"{FINDINGS}, line {line}")] * bool(line)


def test_what_was_left_out_is_told_and_in_whose_name(tmp_path: Path) -> None:
    out = LeftOut(farm_path("F1", Part.EVIDENCE, "stand.jpg"), "ab" * 32, "seen on site")
    header = Header(
        Subject.FARM_REPORT, "F1", "One", DAY, DAY, "interim-2025", "provender", DAY, {}, (out,)
    ).document()  # fmt: skip
    asked = sign({"verifier": "verity"}, SigningKey.generate())
    told = decided(tmp_path, header=header, request=asked).not_shown
    assert "stand.jpg (seen on site), SHA-256 abababababab." in told[0]
    assert "Leave was given in the name of verity with key" in told[1]


@ROWS
def test_tickets_behind_a_purchase_are_those_of_the_farm(tickets: list[str], told: list[str]) -> None:
    """The elevator bought 6,000 bu of ada by ticket T-ada on 8 January; a farm that keeps no tickets says nothing."""
    prefix = "farms/ada-0a1b2c3d"
    head = replace(ELEVATOR, parties={**ELEVATOR.parties, prefix: "ada"})
    files = elevator() | {HEADER: canonical_json(head.document())}
    files[f"{prefix}/records/farm.csv"] = b"farm_id,name\nada,Ada\n"
    lines = "".join(f"ada,{one}\n" for one in tickets)
    files[f"{prefix}/records/scale_ticket.csv"] = f"farm_id,ticket_id,buyer,day,net_bushels\n{lines}".encode()
    (outcome,) = recompute(with_verifiers_files(files, None, {}), [farms])
    off = [one for one in outcome.differences if one.code.startswith("ticket")]
    assert [f"{one.code} {show(one.effect_bushels or 0)}" for one in off] == told
