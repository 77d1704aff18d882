"""Attempts at a favorable statement without the work that it tells of: each is refused or told (interpretation 90).

These ask the core function that command, pages and API ask. That those do is tried in ``tests/cli/audit/test_work.py``
and ``tests/web/audit/test_opinion.py``.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

import pytest

from provender.audit.findings import Event, append, findings_now, words_of
from provender.audit.programme import NotNeeded, Role, programme, reasons_for, roles_in
from provender.audit.sampling.population import FarmCrop
from provender.audit.sampling.sample import EarlierList
from provender.audit.statement.opinion import Closed, PackageFacts, Supplied, exceptions, required_lines
from provender.audit.statement.papers import Papers, Recomputed, check_to_sign, sample_part
from provender.audit.statement.statement import Opinion, Suspension, VerificationStatement
from provender.problem import Weight
from provender.rule.crops import Practice
from tests.audit.desk import AS_OF, ROWS, drawn, engagement, favorable, papers, shown, work
from tests.audit.farms import KEY, VERIFIER, proof

Attempt = tuple[VerificationStatement, Papers]
DAY: Final = timedelta(days=1)
FIRST, LAST = date(2026, 1, 1), date(2026, 3, 31)


def codes(attempt: Attempt, as_of: date = AS_OF) -> set[str]:
    """Return what is told, and see that each problem names cause, remedy and paragraph."""
    found = check_to_sign(*attempt, as_of)
    assert all(one.cause.strip() and one.remedy.strip() and one.cite for one in found)
    return {one.code for one in found}


def facts(**changes: Any) -> PackageFacts:  # noqa: ANN401 - as PackageFacts takes it
    return replace(shown().facts, **changes)


def of_package(**changes: Any) -> Papers:  # noqa: ANN401 - as PackageFacts takes it
    """Return the papers with a package that shows something else."""
    return papers(recomputed=replace(shown(), facts=facts(**changes)))


def lines(answer: Callable[[int, dict[str, str]], dict[str, str]]) -> dict[str, Any]:
    """Return the work with each line answered otherwise."""
    return work(lines=[answer(number, row) for number, row in enumerate(work()["lines"])])


def resting_on(sample: dict[str, Any], **more: Any) -> Attempt:  # noqa: ANN401 - parts of the papers
    """Return a statement that rests on another sample, which is shown."""
    seen = [{**work()["farms"][0], "farm": place} for place in range(1, len(sample["sample"]) + 1)]
    return favorable(**sample_part(sample), work=work(farms=seen)), papers(sample=sample, **more)


def test_the_honest_statement_is_signed() -> None:
    assert check_to_sign(favorable(), papers(), AS_OF) == []
    assert check_to_sign(favorable(), papers(), date(2026, 5, 20)) == [], "on the day of its issue"


def test_nobody_is_asked_for_the_competence_of_a_person_who_is_not_named_yet() -> None:
    found = codes((favorable(lead_verifier=""), papers()))
    assert "incomplete" in found
    assert "no_competence" not in found


def test_a_statement_tells_what_its_sample_tells_of_the_draw_and_names_no_farm() -> None:
    one, shown_papers = resting_on(drawn(refused=True))
    assert "did not open its part of the seed" in one.draw[0]
    codes = ({each.code for each in check_to_sign(told, shown_papers, AS_OF)} for told in (one, replace(one, draw=())))
    assert ["draw_not_told" in of for of in codes] == [False, True]
    earlier = EarlierList("12" * 32, AS_OF, 9, is_drawn=True, is_known=True, sample=("ada", "ben"))
    assert str(earlier).endswith("stays in the sample: 2 farms.")


def test_another_verifiers_list_that_carries_this_draw_is_told_and_stops_nothing() -> None:
    mine = drawn()
    for earlier, weight in ((mine["frozen_hash"], Weight.CONFIRM), ("0" * 64, Weight.ERROR)):
        later = {**drawn(verifier="later")["frozen"], "earlier": [earlier]}
        (told,) = check_to_sign(*resting_on(mine, lists=[later]), AS_OF)
        assert (told.code, told.weight) == ("frozen_twice", weight)
        assert "by another verifier, later" in told.cause


STRANGER: Final = FarmCrop("eve", "soybeans", "19153", 4_000_000, 620_050, 90_000)
TEN: Final = tuple(Supplied(f"F{number}", "soybeans", 1_000_000) for number in range(10))
AGAIN: Final = drawn(salt="another")
SAMPLES: Final[dict[str, tuple[Attempt, str]]] = {
    "one farm of two": (resting_on(drawn(ROWS[0])), "other_population"),
    "one farm of ten": ((resting_on(drawn(ROWS[0]))[0], papers(
        sample=drawn(ROWS[0]), recomputed=replace(shown(), facts=facts(supplied=TEN)))), "other_population"),
    "a farm that supplied nothing beside those that did": (resting_on(drawn(*ROWS, STRANGER)), "other_population"),
    "a farm in another's place": (resting_on(drawn(ROWS[0], STRANGER)), "other_population"),
    "a farm with more bushels": (
        resting_on(drawn(replace(ROWS[0], bushels=6_000_001), ROWS[1])), "other_population"),
    "a farm with fewer bushels": (
        resting_on(drawn(replace(ROWS[0], bushels=5_999_999), ROWS[1])), "other_population"),
    "a farm with another crop": (resting_on(drawn(replace(ROWS[0], crop="corn"), ROWS[1])), "other_population"),
    "another point's sample": (resting_on(drawn(audited="mill")), "sample_of_another"),
    "last year's sample": (resting_on(drawn(year=2024)), "sample_of_other_year"),
    "the coming year's sample": (resting_on(drawn(year=2027)), "sample_of_other_year"),
    "another sample than that of the package": (
        (favorable(), of_package(sample_hash="0" * 64)), "sample_not_in_package"),
    "a list frozen again": (resting_on(AGAIN, lists=[drawn()["frozen"]]), "frozen_twice"),
    "drawn again, the other sample held": (resting_on(AGAIN, lists=[drawn()]), "frozen_twice"),
    "a list frozen by hand that names nobody": (
        resting_on(AGAIN, lists=[{name: said for name, said in drawn()["frozen"].items() if name != "audited"}]),
        "frozen_twice"),
    "the same farms frozen for another year": (
        resting_on(AGAIN, lists=[drawn(year=2025)["frozen"]]), "frozen_twice"),
    "another verifier's list held": (resting_on(AGAIN, lists=[drawn(verifier="former")["frozen"]]), "frozen_twice"),
    "a list frozen again in the open": (
        resting_on(drawn(number=2), replaced=[drawn(number=1)["frozen"]]), "frozen_twice"),
    "the sample not shown": ((favorable(), papers(sample=None)), "sample_not_shown"),
    "fewer farms stated": ((favorable(farms=1, sampled=1), papers()), "other_sample"),
    "no farm": ((favorable(farms=0, sampled=0), papers()), "no_sample"),
    "no sample at all": ((favorable(farms=None, sampled=None, sample_hash=""), papers(sample=None)), "no_sample"),
    "a seed exchanged": (resting_on({**drawn(), "seed": "0" * 64}), "other_sample"),
    "a draw told of that was none": ((favorable(draw=("The seed is of NIST.",)), papers()), "draw_not_told"),
    "a draw told of without a sample": (
        (favorable(role=Role.INTERMEDIARY, farms=None, sampled=None, sample_hash="", draw=("The seed is of NIST.",)),
         papers(sample=None)), "no_sample"),
    "drawn less often by a stranger's statement": (
        resting_on(drawn(proofs=(proof(["ada"], point="coop"),))), "audited_before_not_proved"),
    "no package": ((favorable(package_mark=""), papers(recomputed=None)), "no_package"),
    "the package not shown": ((favorable(), papers(recomputed=None)), "package_not_shown"),
}  # fmt: skip


@pytest.mark.parametrize("what", SAMPLES)
def test_1_the_sample_is_drawn_from_the_farms_that_supplied(what: str) -> None:
    attempt, code = SAMPLES[what]
    assert code in codes(attempt)


def test_1_what_was_audited_before_counts_by_the_key_that_is_pinned_to_its_verifier() -> None:
    sample = drawn(proofs=(proof(["ada"], point="coop"),))
    known = {VERIFIER: {KEY.fingerprint: KEY.public}}
    assert codes(resting_on(sample, keys_of=lambda who: known.get(who, {}))) == set()
    (told,) = check_to_sign(*resting_on(sample, signers=None), AS_OF)
    assert (told.code, told.weight) == ("audited_before_not_proved", Weight.CONFIRM), "there is no list of keys"


PACKAGES: Final[dict[str, tuple[Role, ...]]] = {
    "an elevator's": (Role.FIRST_POINT,),
    "a trader's": (Role.INTERMEDIARY,),
    "a crusher's": (Role.INTERMEDIARY, Role.PROCESSOR),
    "a crusher's that buys from farms": (Role.FIRST_POINT, Role.PROCESSOR),
    "a refiner's": (Role.REFINER,),
    "a refiner's that buys from farms": (Role.FIRST_POINT, Role.REFINER),
    "a farm's": (Role.FARM,),
}


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("said", Role)
@pytest.mark.parametrize("besides", [(), (Role.PROCESSOR,), (Role.FIRST_POINT,), (Role.INTERMEDIARY, Role.PROCESSOR)])
def test_2_the_roles_are_what_the_package_shows(package: str, said: Role, besides: tuple[Role, ...]) -> None:
    right = {said, *besides} == set(PACKAGES[package])
    found = codes((favorable(role=said, also=besides), of_package(roles=PACKAGES[package])))
    assert bool({"other_role", "role_left_out"} & found) != right


def test_2_an_elevator_is_no_farm_and_its_farms_are_not_left_out() -> None:
    """As it was signed: in the role of a farm, without farms, without sample."""
    alone = {"farms": None, "sampled": None, "sample_hash": ""}
    as_farm = favorable(role=Role.FARM, **alone, work=work(farms=[]))
    assert {"other_role", "role_left_out"} <= codes((as_farm, papers(sample=None)))
    as_trader = favorable(role=Role.INTERMEDIARY, **alone, work=work(farms=[]))
    assert "role_left_out" in codes((as_trader, papers(sample=None)))


SPARED: Final = {"answer": "not needed"}
WORDS: Final = ("", "x", "-", "n/a", "It was not necessary this year.", "No product is processed.")


def spared_for(reason: str, cites: set[str]) -> VerificationStatement:
    return favorable(work=lines(lambda _, row: {**row, **SPARED, "reason": reason} if row["cite"] in cites else row))


def told(attempt: Attempt, code: str) -> list[str]:
    return [one.cause for one in check_to_sign(*attempt, AS_OF) if one.code == code]


@pytest.mark.parametrize("reason", [*NotNeeded, *WORDS])
def test_3_each_line_is_spared_for_its_own_reasons_alone(reason: str) -> None:
    items = required_lines(Role.FIRST_POINT)
    never = {item.cite for item in items if reason not in reasons_for(item)}
    (cause,) = told((spared_for(reason, never), papers()), "line_without_reason")
    assert cause.startswith(f"{sum(item.cite in never for item in items)} lines")
    some = {item.cite for item in items} - never
    if some:
        for supports, refused in (((), sum(item.cite in some for item in items)), (tuple(NotNeeded), 0)):
            attempt = spared_for(reason, some), of_package(supports=supports)
            assert len(told(attempt, "reason_not_shown")) == refused
            assert not told(attempt, "line_without_reason")


@pytest.mark.parametrize("role", Role)
def test_3_what_every_audit_verifies_has_no_reason_to_be_left_out(role: Role) -> None:
    always = (
        "2100.040(a)(2)",
        "2100.040(b)(3)",
        "2100.040(c)(2)",
        "2100.040(f)(2)(i)",
        "2100.032(a)(1)",
        "2100.034(c)",
    )
    asked = [item for item in programme(roles_in(role)) if item.cite.startswith(always)]
    assert all(not reasons_for(item) for item in asked), role
    assert asked or role is Role.PROCESSOR


def test_3_a_practice_that_some_farm_claims_is_looked_at() -> None:
    no_till = {item.cite for item in required_lines(Role.FIRST_POINT) if item.cite.startswith("2100.051(b)")}
    one = spared_for(NotNeeded.NO_PRACTICE, no_till)
    for claimed, refused in (((Practice.no_till,), len(no_till)), ((Practice.cover_crop,), 0)):
        package = of_package(supports=tuple(NotNeeded), practices=claimed)
        assert len(told((one, package), "reason_not_shown")) == refused > 0 or not refused


TEXT: Final[dict[str, tuple[VerificationStatement, str]]] = {
    "a site of no book": (favorable(work=work(sites=[{**work()["sites"][0], "site": "moon"}])), "other_site"),
    "one site of the book, one of none": (
        favorable(work=work(sites=[*work()["sites"], {**work()["sites"][0], "site": "moon"}])), "other_site"),
    "a site spelled otherwise": (favorable(work=work(sites=[{**work()["sites"][0], "site": "North"}])), "other_site"),
    "no site": (favorable(work=work(sites=[])), "no_site_seen"),
    "all lines not needed for x": (favorable(work=lines(lambda _, row: {**row, **SPARED, "reason": "x"})),
                                   "line_without_reason"),
    "materiality 5.001 %": (favorable(materiality_pct=5_001), "materiality_too_large"),
    "materiality 0": (favorable(materiality_pct=0), "no_materiality"),
    "a crop that did not come in": (favorable(crops=("corn", "soybeans")), "crop_not_in_package"),
    "scope of the moon": (favorable(scope="All sites of the moon."), "other_scope"),
    "scope of another year": (favorable(scope="Coop, soybeans, 2027-01-01 to 2027-12-31."), "other_scope"),
    "criteria without the rule": (favorable(criteria=("ISO 14064-3:2019",)), "rule_not_named"),
    "another publication of the rule": (favorable(criteria=("7 CFR part 2100, 89 FR 1",)), "rule_not_named"),
    "criteria of a word": (favorable(criteria=("7 CFR part 2100, 90 FR 5512", "ours")), "says_nothing"),
    "objectives of a word": (favorable(objectives="Verify"), "says_nothing"),
    "objectives of a word, twice": (favorable(objectives="verify verify"), "says_nothing"),
    "basis of a word": (favorable(basis="Fine."), "says_nothing"),
    "materiality applied in a word": (favorable(materiality="Yes"), "says_nothing"),
    "another name of the party": (favorable(audited_name="Prairie"), "other_name"),
    **{f"{name} of a word": (favorable(engagement=engagement(**{name: "Fine"})), f"no_{name}")
       for name in ("party_responsibility", "verifier_responsibility", "impartiality", "sampling_plan", "later_facts")},
    **{f"{part} {name} of a word": (
        favorable(engagement=engagement(**{part: [{**engagement()[part][0], name: "ok ok"}, *engagement()[part][1:]]})),
        f"no_{part}")
       for part, name in (("team", "competence"), ("risks", "risk"), ("risks", "response"), ("procedures", "procedure"),
                          ("procedures", "evidence"), ("procedures", "result"))},
    "a visit of a word": (favorable(work=work(sites=[{**work()["sites"][0], "seen": "Seen."}])), "no_sites"),
}  # fmt: skip


@pytest.mark.parametrize("what", TEXT)
def test_3_sites_materiality_and_texts_say_what_books_and_rule_allow(what: str) -> None:
    one, code = TEXT[what]
    assert code in codes((one, papers()))


@pytest.mark.parametrize("pct", [1, 4_999, 5_000])
def test_3_a_materiality_within_the_bounds_is_no_attempt(pct: int) -> None:
    assert codes((favorable(materiality_pct=pct), papers())) == set()


def test_3_each_site_of_the_books_is_seen_or_the_opinion_leaves_it_out() -> None:
    two = of_package(sites=("north", "south"))
    for opinion, weight in ((Opinion.FAVOURABLE, Weight.ERROR), (Opinion.QUALIFIED, Weight.CONFIRM)):
        found = {one.code: one.weight for one in check_to_sign(favorable(opinion=opinion), two, AS_OF)}
        assert found == {"site_not_seen": weight}
    assert codes((favorable(), of_package(sites=()))) == {"no_site_in_books"}


def row_of(part: str, **changes: object) -> dict[str, Any]:
    """Return the work with the first row of a part another."""
    return work(**{part: [{**work()[part][0], **changes}, *work()[part][1:]]})


PERIOD_BEFORE: Final = {"what": "period statement", "first": "2025-10-01", "last": "2025-12-31", "sha256": "ab" * 32}
SIDED: Final = engagement(engaged_on="2025-12-01")
CONTRADICTED: Final[dict[str, tuple[VerificationStatement, str]]] = {
    "no package at all": (favorable(package_mark=""), "no_package"),
    "lines not needed for x": (
        favorable(work=lines(lambda _, row: {**row, **SPARED, "reason": "x"})), "line_without_reason"),
    "lines of another program": (favorable(work=row_of("lines", line="0" * 16)), "other_programme"),
    "a farm that was not drawn": (favorable(work=row_of("farms", farm=9)), "farm_not_drawn"),
    "a farm exempted for no audit": (favorable(work=row_of("farms", way="exempt", borrowed="")), "no_borrowed_audit"),
    "reviewed by who saw the site": (favorable(work=row_of("sites", by="R. Lind")), "reviewer_took_part"),
    "work before the engagement": (
        favorable(engagement=engagement(engaged_on="2026-05-05")), "work_before_engagement"),
    "a site seen before the period": (
        favorable(engagement=SIDED, work=row_of("sites", on="2025-12-31")), "site_seen_too_early"),
    "reviewed before the last day": (
        favorable(engagement=engagement(reviewed_on="2026-03-01")), "days_of_work_do_not_fit"),
    "a risk of no paragraph": (
        favorable(engagement=engagement(risks=[{**engagement()["risks"][0], "cite": "all"}])), "unknown_paragraph"),
    "a quantity counted twice": (
        favorable(work=work(quantities=[*work()["quantities"], work()["quantities"][0]])), "quantity_twice"),
    "another period's bushels besides": (
        favorable(work=work(records=[*work()["records"], PERIOD_BEFORE])), "record_of_other_days"),
    "a crop of which nothing was verified": (favorable(crops=("corn", "soybeans")), "crop_not_verified"),
    "a record without its hash": (favorable(work=row_of("records", sha256="x")), "no_hash"),
    "a certificate of nobody": (
        favorable(accreditation=replace(favorable().accreditation, verifier_id="")), "no_holder"),
}  # fmt: skip


@pytest.mark.parametrize("what", CONTRADICTED)
@pytest.mark.parametrize("opinion", [Opinion.FAVOURABLE, Opinion.QUALIFIED])
def test_3_no_opinion_that_buyers_rely_on_leaves_out_what_cannot_be(what: str, opinion: Opinion) -> None:
    """A qualified opinion excepts work that was left undone; buyers resell on it as on a favorable one."""
    said, code = CONTRADICTED[what]
    one = replace(said, opinion=opinion)
    told = codes((replace(one, excepted=tuple(exceptions(one)) if opinion is Opinion.QUALIFIED else ()), papers()))
    assert code in told
    assert "exceptions_not_named" not in told


def test_3_a_favorable_opinion_excepts_nothing() -> None:
    assert codes((favorable(excepted=("The ticket of one truck.",)), papers())) == {"exceptions_not_named"}


def accredited(**changes: Any) -> VerificationStatement:  # noqa: ANN401 - as Accreditation takes it
    return favorable(accreditation=replace(favorable().accreditation, **changes))


ISSUED: Final = favorable().issued_on
VERIFIERS: Final[dict[str, tuple[Attempt, str]]] = {
    "another's certificate by name": ((accredited(verifier="Verity Limited"), papers()), "accreditation_of_other"),
    "another's certificate by id": ((accredited(verifier_id="vera"), papers()), "accreditation_of_other"),
    "another's certificate altogether": (
        (accredited(verifier="Vera", verifier_id="vera"), papers()), "accreditation_of_other"),
    "an own id under another's name": ((favorable(verifier_name="Vera"), papers()), "accreditation_of_other"),
    "an own name under another's id": ((favorable(verifier="vera"), papers()), "accreditation_of_other"),
    "a certificate without id": ((accredited(verifier_id=""), papers()), "no_holder"),
    "a certificate without name": ((accredited(verifier=""), papers()), "no_holder"),
    "no name of the verifier": ((favorable(verifier_name=""), papers()), "incomplete"),
    "a key that is pinned to nobody": ((favorable(), papers(signers=())), "key_of_another"),
    "a key that is pinned to another": ((favorable(), papers(signers=("vera",))), "key_of_another"),
    "the party's own key": ((favorable(), papers(signers=("coop",))), "key_of_another"),
    "ended the day before": ((accredited(last=ISSUED - DAY), papers()), "not_accredited_on_day"),
    "ended since": ((accredited(last=AS_OF - DAY), papers()), "not_accredited_on_day"),
    "suspended since": ((accredited(suspended=(Suspension(first=AS_OF),)), papers()), "suspended_on_day"),
}  # fmt: skip


@pytest.mark.parametrize("what", VERIFIERS)
def test_4_the_accreditation_is_the_signing_verifiers_own_on_the_day(what: str) -> None:
    attempt, code = VERIFIERS[what]
    assert code in codes(attempt)


def test_4_a_name_is_the_same_in_other_letters_and_a_certificate_counts_on_its_first_and_last_day() -> None:
    for one in (accredited(verifier="VERITY  LLC."), accredited(first=ISSUED), accredited(last=AS_OF)):
        assert codes((one, papers())) == set()


def in_work(part: str, at: int, **changed: str) -> Attempt:
    """Return the honest audit with one row of its work another."""
    rows = work()[part]
    return favorable(work=work(**{part: [*rows[:at], {**rows[at], **changed}, *rows[at + 1 :]]})), papers()


SETTLED: Final = next(at for at, item in enumerate(required_lines(Role.FIRST_POINT)) if item.cite == "2100.034(b)")
MOVED: Final[dict[str, Callable[[date], Attempt]]] = {
    "engagement": lambda day: (favorable(engagement=engagement(engaged_on=day.isoformat())), papers()),
    "freeze": lambda day: resting_on(drawn(frozen_on=day)),
    "farm visit": lambda day: in_work("farms", 0, on=day.isoformat()),
    "site visit": lambda day: in_work("sites", 0, on=day.isoformat()),
    "line": lambda day: in_work("lines", 0, on=day.isoformat()),
    "recomputation": lambda day: in_work("lines", SETTLED, on=day.isoformat(), answer="recomputed"),
    "package": lambda day: (favorable(), of_package(made_on=day)),
    "close": lambda day: (favorable(), of_package(closings=(Closed(FIRST, LAST, day),))),
    "review": lambda day: (favorable(engagement=engagement(reviewed_on=day.isoformat())), papers()),
    "issue": lambda day: (favorable(issued_on=day), papers()),
}  # fmt: skip
"""The honest audit with one of its days another, by what happens on it."""


CLOSED, FROZEN, SEEN = date(2026, 4, 5), date(2026, 4, 20), date(2026, 5, 3)
MADE, REVIEWED = date(2026, 5, 10), date(2026, 5, 18)
WRONG = {
    "days_out_of_order",
    "days_of_work_do_not_fit",
    "work_before_engagement",
    "site_seen_too_early",
    "days_do_not_fit",
}
ORDER: Final[tuple[tuple[str, date, date], ...]] = (
    # What is moved, the last day on which it is in order, and the first on which it is not; both ways are tried.
    ("engagement", FROZEN, FROZEN + DAY),
    ("freeze", CLOSED, CLOSED - DAY),
    ("freeze", date(2026, 5, 3), date(2026, 5, 4)),
    ("close", FROZEN, FROZEN + DAY),
    ("farm visit", FROZEN, FROZEN - DAY),
    ("farm visit", MADE, MADE + DAY),
    ("site visit", date(2026, 3, 2), date(2026, 3, 1)),
    ("site visit", MADE, MADE + DAY),
    ("line", date(2026, 3, 2), date(2026, 3, 1)),
    ("line", REVIEWED, REVIEWED + DAY),
    ("recomputation", MADE, MADE - DAY),
    ("package", SEEN, SEEN - DAY),
    ("package", REVIEWED, REVIEWED + DAY),
    ("review", MADE, MADE - DAY),
    ("review", ISSUED, ISSUED + DAY),
    ("issue", REVIEWED, REVIEWED - DAY),
)  # fmt: skip


@pytest.mark.parametrize(("what", "right", "wrong"), ORDER)
def test_5_each_day_is_not_before_the_one_that_it_follows(what: str, right: date, wrong: date) -> None:
    assert not codes(MOVED[what](right))
    assert codes(MOVED[what](wrong)) & WRONG


def test_5_a_site_is_seen_from_the_first_day_of_the_period_on() -> None:
    early = engagement(engaged_on="2025-12-01")
    for day, found in ((FIRST, set()), (FIRST - DAY, {"site_seen_too_early"})):
        one = favorable(engagement=early, work=work(sites=[{**work()["sites"][0], "on": day.isoformat()}]))
        assert codes((one, papers())) == found


@pytest.mark.parametrize(("frozen_on", "code"), [("2026-04-25", set()), ("2026-04-26", {"days_out_of_order"})])
def test_5_no_farm_is_visited_before_the_day_on_which_the_seed_was_made(frozen_on: str, code: set[str]) -> None:
    # The party opened nothing, so the seed was made eight days after the freeze; the farms were visited on May 3.
    late = resting_on(drawn(frozen_on=date.fromisoformat(frozen_on), refused=True))
    assert codes(late) == code


def test_5_a_draw_of_a_coming_day_is_ahead_of_the_clock() -> None:
    told = check_to_sign(*resting_on(drawn(refused=True)), date(2026, 4, 27))
    assert "The farms were drawn on 2026-04-28" in next(one.cause for one in told if one.code == "ahead_of_clock")


@pytest.mark.parametrize(("on", "code"), [("2026-05-18", set()), ("2026-05-19", {"days_out_of_order"})])
def test_5_no_finding_is_raised_or_resolved_after_the_review(on: str, code: set[str]) -> None:
    raised = {
        "deed": "raised", "finding": "1", "on": "2026-05-03", "by": "V. Moss", "severity": "minor", "owner": "Coop",
        "cite": "2100.034(d)", "subject": "stock", "text": "No certificate seen.", "due": "2026-06-30",
    }  # fmt: skip
    ended = {"resolution": "corrected", "bearing": "no misstatement", "text": "It was shown."}
    log = append(append([], raised), {"deed": "resolved", "finding": "1", "on": on, "by": "V. Moss", **ended})
    found = tuple(findings_now(log).values())
    assert codes((favorable(findings=(found[0].public(),)), papers(findings=found))) == code


@pytest.mark.parametrize(
    "what", ["engagement", "freeze", "farm visit", "site visit", "line", "package", "review", "issue"]
)
def test_5_no_day_is_ahead_of_the_clock(what: str) -> None:
    assert "ahead_of_clock" in codes(MOVED[what](AS_OF + DAY))
    assert "ahead_of_clock" not in codes(MOVED[what](AS_OF))


def by_machine(cite: str) -> VerificationStatement:
    at = next(at for at, item in enumerate(required_lines(Role.FIRST_POINT)) if item.cite == cite)
    answer = {"answer": "recomputed", "on": "2026-05-11"}
    return favorable(work=lines(lambda number, row: {**row, **answer} if number == at else row))


@pytest.mark.parametrize("cite", ["2100.034(b)", "2100.040(a)(2)(ii)", "2100.032(a)(1)(i)", "2100.032(c)(2)"])
def test_6_lines_that_rest_on_keys_stay_open_without_the_verifiers_own(cite: str) -> None:
    assert codes((by_machine(cite), papers())) == set()
    assert codes((by_machine(cite), papers(recomputed=shown(own_keys=False)))) == {"not_settled"}


OTHERS: Final[dict[str, tuple[Attempt, str]]] = {
    "a drawn farm's package": ((favorable(), of_package(audited="ada")), "package_of_another"),
    "another elevator's package": ((favorable(), of_package(audited="mill")), "package_of_another"),
    "a package from the day after the first": ((favorable(), of_package(first=FIRST + DAY)), "package_of_other_days"),
    "a package to the day before the last": ((favorable(), of_package(last=LAST - DAY)), "package_of_other_days"),
    "the package of the next period": (
        (favorable(), of_package(first=LAST + DAY, last=date(2026, 6, 30))), "package_of_other_days"),
    "another verifier's package": ((favorable(), of_package(asked_by="vera")), "package_of_other_verifier"),
    "a record that no book bears out": ((favorable(), of_package(records=("0" * 64,))), "record_not_in_package"),
    "another package than the one named": ((favorable(package_mark="34" * 32), papers()), "package_not_shown"),
    "differences that no finding deals with": (
        (favorable(), papers(recomputed=replace(shown(), differences=[("book", "Claimed: 1. Recomputed: 2.")]))),
        "differences_not_stated"),
    "differences said to be open": ((favorable(work=work(differences=1)), papers()), "difference_open"),
}  # fmt: skip


@pytest.mark.parametrize("what", OTHERS)
def test_7_the_package_is_of_the_audited_party_and_period(what: str) -> None:
    attempt, code = OTHERS[what]
    assert code in codes(attempt)


DIFFERS: Final = {"place": "book of coop, line 3", "claimed": "1 bu", "recomputed": "2 bu", "effect_g_co2e": "1200"}
ANSWER: Final = {"deed": "responded", "on": "2026-05-06", "by": "E. Bins", "text": "The ticket was typed twice."}
NONE: Final = {"bearing": "no misstatement"}
IS_WRONG: Final = {"bearing": "misstatement", "effect_bushels": "1"}


def judged(resolution: str, **more: str) -> dict[str, str]:
    told = {"on": "2026-05-07", "by": "V. Moss", "text": "It was looked into."}
    return {"deed": "resolved", **told, "resolution": resolution, **NONE, **more}


JUDGED: Final[dict[str, tuple[tuple[dict[str, str], ...], str, bool]]] = {
    # What followed the finding, by how many grams the claim is wrong, and whether the package contradicts it.
    "corrected, and the package as before": ((ANSWER, judged("corrected")), "", True),
    "corrected as a misstatement": ((ANSWER, judged("corrected", **IS_WRONG)), "", True),
    "open, and called no misstatement": ((), "1200", True),
    "ended as it stands, and called no misstatement": ((judged("stands"),), "-1", True),
    "explained by the verifier alone": ((judged("explained"),), "1200", True),
    "explained by the party": ((ANSWER, judged("explained")), "1200", False),
    "no misstatement, and nothing is wrong by it": ((), "0", False),
    "no misstatement where nobody can say": ((judged("explained"),), "", False),
}


@pytest.mark.parametrize("what", JUDGED)
def test_7_a_finding_about_a_difference_is_not_judged_as_if_the_package_did_not_show_it(what: str) -> None:
    ends, grams, wrong = JUDGED[what]
    raised = {
        "deed": "raised", "finding": "1", "on": "2026-05-05", "by": "V. Moss", "severity": "minor", "owner": "Coop",
        "cite": "2100.034(d)", "subject": DIFFERS["place"], "text": words_of("1 bu", "2 bu"), "due": "2026-06-30",
        **NONE,
    }  # fmt: skip
    log: list[Event] = []
    for event in (raised, *({**one, "finding": "1"} for one in ends)):
        log = append(log, event)
    found = tuple(findings_now(log).values())
    package = Recomputed.of("12" * 32, facts(), shown().outcomes, [{**DIFFERS, "effect_g_co2e": grams or None}])
    one = favorable(findings=(found[0].public(),))
    assert ("finding_contradicted" in codes((one, papers(findings=found, recomputed=package)))) is wrong


def test_7_a_package_that_is_not_named_shows_nothing() -> None:
    """A server hands out the last package that was recomputed, be it a drawn farm's."""
    bare = favorable(package_mark="")
    assert codes((bare, of_package(audited="ada", supplied=(), records=()))) == {"no_package"}


@pytest.mark.parametrize("opinion", [Opinion.ADVERSE, Opinion.DISCLAIMED])
def test_an_opinion_that_vouches_for_nothing_needs_no_paper(opinion: Opinion) -> None:
    assert codes((favorable(opinion=opinion, role=Role.FARM), Papers())) == set()
