"""Steering the draw: every attempt is refused or told, and none makes a farm safer than the draw does.

A table of attempts at the lowest layer (those by command, page and API stand with these), then the chances of all
farms under the attempts that a draw lets happen, each made by somebody who wants one farm out.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import count
from typing import Any, Final

import pytest

from provender.audit.sampling import population as populations
from provender.audit.sampling.draw import Beacon, Opened, Side, commitment, freeze_list, sizes_of
from provender.audit.sampling.sample import (
    Sample,
    SampleRequest,
    check_sample,
    draw_notes,
    draw_sample,
    sample_document,
)
from provender.audit.statement.papers import signed_by
from provender.problem import ProblemsError
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.audit.farms import BETWEEN, KEY, POINT, farm, mixed, proof
from tests.audit.sampling import stranger
from tests.audit.sampling.test_draw import ALONE, DAY, SECRETS, drawn, frozen, read_back, sizes, through_json

WEEK: Final = timedelta(days=7)
NINE: Final = mixed(9, 1)
PINNED: Final = {KEY.fingerprint: KEY.public}


def whole(request: SampleRequest) -> dict[str, Any]:
    return read_back(sample_document(draw_sample(request)))


def first(opened: Opened | None = None, **more: Any) -> SampleRequest:  # noqa: ANN401
    return SampleRequest(NINE, frozen(NINE, **more), opened or Opened(SECRETS, on=DAY))


def anew(
    *earlier: SampleRequest,
    day: date = DAY + WEEK,
    named: tuple[str, ...] | None = None,
    **more: Any,  # noqa: ANN401
) -> SampleRequest:
    """Begin anew over lists frozen before, as far as the new list names them."""
    marks = tuple(one.frozen.sha256 for one in earlier) if named is None else named
    made = frozen(more.pop("farms", NINE), frozen_on=day, earlier=marks, salt="another salt", **more)
    return SampleRequest(NINE, made, Opened(SECRETS, on=day), earlier=earlier)


CLOSED: Final = Opened({Side.AUDITED: SECRETS[Side.AUDITED]})
OTHER_POINT: Final[dict[str, Any]] = {"audited": "mill"}


# What is refused: the code that the refusal has.


def proved(*shown: populations.Proof, year: int = 2026, day: date = DAY, judge: bool = True) -> None:
    populations.years_shown(shown, POINT, year, day)
    if judge:
        for proof in shown:
            populations.judge_proof(proof, signed_by(PINNED, day))


def respelled(one: populations.Proof, **said: Any) -> populations.Proof:  # noqa: ANN401
    """Sign a proof's statement again with something else in it."""
    return replace(one, statement=sign({**one.statement["document"], **said}, KEY))


LAST: Final = proof(["F1", "F2"])
REFUSED: list[tuple[str, str, Callable[[], object]]] = [
    # 13: nobody chooses between two draws; what one draw asks for stands in ``test_draw.py``
    ("the first list is named and not shown", "earlier_not_carried",
     lambda: draw_sample(replace(anew(first()), earlier=()))),
    ("the first list is shown and not named", "earlier_not_carried", lambda: draw_sample(anew(first(), named=()))),
    ("another list stands for the first", "earlier_not_carried",
     lambda: draw_sample(replace(anew(first()), earlier=(first(salt="x"),)))),
    ("the third list forgets the first", "earlier_not_carried",
     lambda: draw_sample(anew(anew(first())))),
    ("the third list forgets the first of its own verifier, between them another's", "earlier_not_carried",
     lambda: draw_sample(anew(anew(anew(first()), verifier="mill-audit"), named=()))),
    ("a former verifier's list is named and not shown", "earlier_not_carried",
     lambda: draw_sample(replace(anew(first(verifier="mill-audit")), earlier=()))),
    ("the first list is another point's", "earlier_of_other", lambda: draw_sample(anew(first(**OTHER_POINT)))),
    ("the first list is another year's", "earlier_of_other", lambda: draw_sample(anew(first(year=2025)))),
    ("the first list is of a later day", "earlier_of_other",
     lambda: draw_sample(anew(first(frozen_on=DAY + 2 * WEEK)))),
    ("a wrong secret opens the first list", "does_not_open",
     lambda: draw_sample(anew(first(Opened({**SECRETS, Side.VERIFIER: "a secret that suits me more"}))))),
    ("other farms stand for those of the first list", "other_farms",
     lambda: draw_sample(anew(replace(first(), population=mixed(9, 2))))),
    # 14: audited before with its proof alone
    ("audited before without a proof", "other_history",
     lambda: draw_sample(SampleRequest(NINE, frozen(NINE, (LAST,)), Opened(SECRETS, on=DAY)))),
    ("another proof than the frozen one", "other_history",
     lambda: draw_sample(SampleRequest(NINE, frozen(NINE, (LAST,)), Opened(SECRETS, on=DAY), (proof(["F3"]),)))),
    ("a proof of another point", "proof_of_other_point", lambda: proved(proof(["F1"], point="mill"))),
    ("another point's sample beside this point's statement", "proof_of_other_point",
     lambda: proved(proof(["F1"], point="mill", audited=POINT))),
    ("a proof of this very year", "proof_not_before", lambda: proved(LAST, year=2025)),
    ("a proof of a coming year", "proof_not_before",
     lambda: proved(proof(["F1"], 2027), day=date(2028, 1, 1))),
    ("a proof that is issued after the freezing", "proof_not_before", lambda: proved(LAST, day=date(2025, 12, 29))),
    ("a proof without a day", "proof_not_before", lambda: proved(respelled(LAST, issued_on="soon"))),
    ("an unsigned statement", "proof_not_signed",
     lambda: proved(replace(LAST, statement={"document": LAST.statement["document"]}))),
    ("a statement changed after it was signed", "proof_not_signed",
     lambda: proved(replace(LAST, statement={**LAST.statement, "document": {
         **LAST.statement["document"], "work": {"farms": [{"farm": 2, "way": "visit"}]}}}))),
    ("a farm put into the sample of last year", "proof_of_other_sample",
     lambda: proved(replace(LAST, sample={**LAST.sample, "sample": ["F1", "F3"]}))),
    ("a statement of more farms than were drawn", "proof_of_other_sample",
     lambda: proved(respelled(LAST, work={"farms": [{"farm": 3, "way": "visit"}]}))),
    ("a statement that nobody known signed", "signature_signer_unknown",
     lambda: proved(replace(LAST, statement=sign(LAST.statement["document"], SigningKey.generate())))),
    ("a statement of a verifier whose accreditation had ended", "not_accredited_on_day",
     lambda: proved(respelled(LAST, accreditation={**LAST.statement["document"]["accreditation"],
                                                   "last": "2025-06-30"}))),
    ("a signed paper that is no statement", "unreadable_statement",
     lambda: proved(respelled(LAST, kind="provender/farm-sample"))),
    ("a statement without its sample", "no_proof", lambda: populations.pair_proofs([LAST.statement])),
    ("a sample that no statement names", "no_proof", lambda: populations.pair_proofs([LAST.sample])),
    ("a list of farms and years", "no_proof", lambda: populations.pair_proofs([{"audited_before": {"F1": [2025]}}])),
]  # fmt: skip


@pytest.mark.parametrize(("code", "attempt"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_an_attempt_is_refused(code: str, attempt: Callable[[], object]) -> None:
    with pytest.raises(ProblemsError) as told:
        attempt()
    assert code in [problem.code for problem in told.value.problems]


# What is told: part of a sentence that sample and statement print, and how far it moves the sample.


def test_a_draw_begun_anew_keeps_what_the_first_drew_and_its_words_are_printed() -> None:
    one = first()
    before, again = draw_sample(one), whole(anew(one))
    assert {*before.farm_ids} <= {*again["sample"]}
    assert again["staying"] == before.farm_ids
    assert "was" not in draw_notes(whole(one))
    (note,) = draw_notes(again)
    assert note.startswith("The farms were frozen before, on 2026-11-03 (9 farms, ")
    assert f"what that list drew stays in the sample: {len(before.farm_ids)} farms" in note
    assert again["earlier"][0]["frozen"] == one.frozen.document()
    assert check_sample(again) == []
    assert stranger.redraw(again) == again["sample"]


def test_a_change_of_verifier_is_told_and_what_the_former_drew_stays() -> None:
    former = first(verifier="former")
    before, again = draw_sample(former), whole(anew(former))
    assert again["staying"] == before.farm_ids
    (note,) = draw_notes(again)
    assert note.startswith("The farms were frozen before by another verifier, former, on 2026-11-03 (9 farms, ")
    assert check_sample(again) == []
    assert stranger.redraw(again) == again["sample"]
    closed = whole(anew(replace(former, opened=CLOSED)))
    assert len(closed["sample"]) == 9, "or whoever draws first freezes under another's name and breaks off"
    heard_of_late = whole(anew(former, first(salt="own"), day=DAY + 2 * WEEK))
    assert [bool(one["verifier"]) for one in heard_of_late["earlier_lists"]] == [True, False]
    assert check_sample(heard_of_late) == []


@pytest.mark.parametrize(
    "opened", [CLOSED, Opened(), Opened(SECRETS | {Side.VERIFIER: ""})], ids=["party open", "none", "empty"]
)
def test_a_verifiers_part_that_stays_closed_puts_every_farm_into_the_draw_begun_anew(opened: Opened) -> None:
    one = first(Opened({side: text for side, text in opened.secrets.items() if text}))
    again = whole(anew(one))
    assert again["sample"] == [farm.farm_id for farm in NINE.farms]
    assert "the verifier's part of its seed stays closed, so every farm is in the sample" in draw_notes(again)[0]
    assert again["earlier"][0]["opened"]["secrets"].get("verifier") is None, "it stays on record"
    assert stranger.redraw(again) == again["sample"]
    never_drawn = whole(anew(SampleRequest(populations.freeze(()), one.frozen)))
    assert never_drawn["sample"] == again["sample"], "a frozen list without its farms, as the command has it"


def test_the_party_keeps_its_right_to_refuse_in_a_draw_begun_anew() -> None:
    one = anew(first())
    refusing = replace(one, opened=Opened(ALONE, on=DAY + 2 * WEEK))
    document = whole(refusing)
    assert document["refused"] == ["audited"]
    assert len(draw_notes(document)) == 2
    with pytest.raises(ProblemsError, match="has not opened"):
        draw_sample(replace(one, opened=Opened(ALONE, on=DAY + WEEK)))


def test_what_nobody_could_know_is_told_and_moves_nothing() -> None:
    beacon = {"commitments": {}, "beacon": Beacon("NIST", "1", DAY + 2 * WEEK)}
    kept = {"by_server": (Side.AUDITED, Side.VERIFIER)}
    for named in (beacon, kept):
        document = whole(anew(first(Opened(), **named)))
        assert "nobody could know what that list would draw" in draw_notes(document)[0]
        assert document["staying"] == []
        assert stranger.redraw(document) == document["sample"]
    late = whole(anew(first(Opened(), **beacon), day=DAY + 3 * WEEK))
    assert len(late["sample"]) == 9, "after its round everybody knows"
    kept_open = whole(anew(first(Opened(SECRETS, on=DAY), **kept)))
    assert kept_open["staying"], "the server drew"


def test_a_proof_lowers_a_weight_to_the_share_of_the_version_for_its_years_and_no_further() -> None:
    population = populations.freeze(farm(f"F{number}") for number in range(16))
    for year, kept in ((2026, "25"), (2027, "25"), (2028, "25"), (2029, None)):
        day = date(year, 11, 3)
        frozen_ = freeze_list(population, year, populations.years_shown((LAST,), POINT, year, day),
                              {side: commitment(text) for side, text in SECRETS.items()},
                              between=BETWEEN, day=day, salt="s")  # fmt: skip
        one = draw_sample(SampleRequest(population, frozen_, Opened(SECRETS, on=day), (LAST,)))
        weights = [one.line.weights[name] for name in ("F1", "F2", "F3")]
        assert weights == [weights[2] // (4 if kept else 1)] * 2 + weights[2:]
        document = read_back(sample_document(one))
        assert document["audited_lately"] == (["F1", "F2"] if kept else [])
        assert (f"{kept} % of the weight" in "".join(draw_notes(document))) is bool(kept)
        assert document["representation"]["last_audit"].keys() == {"2025", "never"}
        assert check_sample(document) == []


def test_a_farm_exempted_last_year_was_not_audited_by_that_audit() -> None:
    rows = [{"farm": 1, "way": "exempt"}, {"farm": 2, "way": "records"}]
    assert populations.years_shown((respelled(LAST, work={"farms": rows}),), POINT, 2026, DAY) == {"F2": (2025,)}
    assert populations.years_shown((respelled(LAST, work=None),), POINT, 2026, DAY) == {}
    assert populations.pair_proofs([LAST.sample, LAST.statement]) == [LAST]
    carrying = {**LAST.sample, "proofs": [{"x": 1}], "earlier": [{"proofs": [1]}]}
    assert populations.sample_hash(carrying) == populations.sample_hash({**LAST.sample, "earlier": [{}]}), (
        "a proof carries none"
    )


# 15: each third by bushels.


def thirds(population: populations.Population) -> Counter[str]:
    return Counter(sizes_of(population).values())


@pytest.mark.parametrize(
    ("farms", "split"),
    [(1, (1, 0, 0)), (2, (2, 0, 0)), (3, (1, 1, 1)), (4, (2, 1, 1)), (5, (3, 1, 1)), (9, (3, 3, 3)), (10, (4, 3, 3)),
     (11, (5, 3, 3))],
)  # fmt: skip
def test_farms_left_over_are_of_the_smallest_third_and_ties_go_by_id(farms: int, split: tuple[int, ...]) -> None:
    equal = populations.freeze(sizes(*[20_000] * farms))
    found = sizes_of(equal)
    assert tuple(thirds(equal)[name] for name in ("small", "middle", "large")) == split
    assert [found[one.farm_id] for one in equal.farms] == sorted(found.values(), key=("small", "middle", "large").index)
    rising = sizes_of(populations.freeze(sizes(*range(9_000 + farms, 9_000, -1))))
    assert [rising[one.farm_id] for one in reversed(equal.farms)] == [found[one.farm_id] for one in equal.farms]


SIX_SIZES: Final = [1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 16, 17, 25, 30, 51]


@pytest.mark.parametrize("farms", SIX_SIZES)
@pytest.mark.parametrize("kind", ["rising", "equal", "one giant", "mixed"])
def test_a_sample_of_three_or_more_holds_each_third_and_each_crop(farms: int, kind: str) -> None:
    amounts = {"rising": list(range(1_000, 1_000 * (farms + 1), 1_000)), "equal": [5_000] * farms,
               "one giant": [9_000_000, *[10] * (farms - 1)]}  # fmt: skip
    population = mixed(farms, farms) if kind == "mixed" else populations.freeze(sizes(*amounts[kind]))
    size, least = sizes_of(population), populations.minimum_farms(farms)
    for seed in range(6):
        secrets = {side: f"{text}, seed {seed}" for side, text in SECRETS.items()}
        made = {side: commitment(text) for side, text in secrets.items()}
        for asked in {least, min(least + 1, farms), farms}:
            one = drawn(population, Opened(secrets, on=DAY), frozen=frozen(population, commitments=made), size=asked)
            ids = one.farm_ids
            assert len(ids) >= asked
            assert {row.crop for own in population.farms if own.farm_id in ids for row in own.crops} == {
                row.crop for row in population.rows
            }
            if len(ids) >= 3:
                assert {size[name] for name in ids} == {*size.values()}, (seed, ids)


def test_a_sample_of_two_asks_for_crops_and_one_that_became_three_for_sizes() -> None:
    two = populations.freeze([farm("a"), farm("b"), farm("c"), farm("d")])
    assert {len(drawn(two, frozen=frozen(two, salt=str(salt))).farm_ids) for salt in range(20)} == {2}
    crops = populations.freeze([farm("a"), farm("b", bushels=1), farm("c", bushels=2), farm("d", "sorghum", bushels=3)])
    for salt in range(20):
        one = drawn(crops, frozen=frozen(crops, salt=str(salt)))
        assert "d" in one.farm_ids
        assert len(one.farm_ids) < 3 or {sizes_of(crops)[name] for name in one.farm_ids} == {"small", "middle", "large"}
    by_judgment = drawn(two, added={"a": "tip", "b": "tip", "c": "tip"})
    assert {sizes_of(two)[name] for name in by_judgment.farm_ids} == {"small", "middle", "large"}


def test_chances_are_printed_by_crop_size_place_risk_and_history_and_counted_by_anybody() -> None:
    population = mixed(16, 3)
    document = through_json(drawn(population, proofs=(proof([population.farms[0].farm_id]),)))
    assert document["trial_draws"] == 1_000
    times = Counter[str]()
    for seed in range(1, 1_001):
        times.update(stranger.draw(document, str(seed)))
    size = sizes_of(population)
    for third, said in document["representation"]["size"].items():
        own = [name for name in size if size[name] == third]
        assert abs(sum(times[name] for name in own) / len(own) / 1_000 - float(said["chance"])) <= 0.00005
    assert document["representation"].keys() == {"crop", "size", "risk", "state", "county", "last_audit"}
    large = document["representation"]["size"]
    assert float(large["small"]["chance"]) < float(large["large"]["chance"])


# Chances under attempts. Each wants one farm out, and knows what it can know at each step.

EIGHTEEN: Final = populations.freeze(
    [*sizes(*range(4_000, 22_000, 1_000)), populations.FarmCrop("S", "sorghum", "20001", 8_000_000, 400_000, 99_000)]
)
Attempt = Callable[[Iterator[str], str], Sample]


def listed(texts: Iterator[str], earlier: tuple[SampleRequest, ...] = (), **more: Any) -> SampleRequest:  # noqa: ANN401
    """Freeze the farms with fresh secrets, all of them open."""
    secrets = {side: next(texts) for side in Side}
    made = {side: commitment(text) for side, text in secrets.items()}
    day = DAY + len(earlier) * WEEK
    marks = tuple(one.frozen.sha256 for one in earlier)
    frozen_ = frozen(EIGHTEEN, commitments=made, salt=next(texts), frozen_on=day, earlier=marks)
    return SampleRequest(EIGHTEEN, frozen_, Opened(secrets, on=day), earlier=earlier, **more)


def honest(texts: Iterator[str], _: str) -> Sample:
    return draw_sample(listed(texts))


def without(side: Side, one: SampleRequest) -> SampleRequest:
    left = {each: text for each, text in one.opened.secrets.items() if each is not side}
    return replace(one, opened=Opened(left, on=one.frozen.open_until))


def party_refuses(texts: Iterator[str], _: str) -> Sample:
    return draw_sample(without(Side.AUDITED, listed(texts)))


def last_to_open_chooses(texts: Iterator[str], spared: str) -> Sample:
    """The verifier, who knows both parts, leaves out its own or the party's where that spares the farm."""
    one = listed(texts)
    for other in (
        one,
        without(Side.VERIFIER, one),
        replace(one, opened=Opened({Side.VERIFIER: one.opened.secrets[Side.VERIFIER]}, on=DAY)),
    ):
        with suppress(ProblemsError):
            if spared not in draw_sample(other).farm_ids:
                return draw_sample(other)
    return draw_sample(one)


def verifier_breaks_off(texts: Iterator[str], spared: str, *, opens: bool = False, times: int = 1) -> Sample:
    """The verifier begins anew where the draw that it alone knows holds the farm."""
    lists: tuple[SampleRequest, ...] = ()
    for _ in range(times):
        one = listed(texts, lists)
        if spared not in draw_sample(one).farm_ids:
            return draw_sample(one)
        lists = (*lists, replace(one if opens else without(Side.VERIFIER, one), earlier=()))
    return draw_sample(listed(texts, lists))


def party_breaks_off(texts: Iterator[str], spared: str) -> Sample:
    """The party refuses, sees what the verifier's part draws, and has a new list frozen where it holds the farm."""
    one = without(Side.AUDITED, listed(texts))
    if spared not in draw_sample(one).farm_ids:
        return draw_sample(one)
    return draw_sample(listed(texts, (one,)))


def asks_for_a_number(texts: Iterator[str], spared: str) -> Sample:
    """The verifier asks for more farms where a farm on top would fall out."""
    one = listed(texts)
    tries = [draw_sample(replace(one, size=size)) for size in range(populations.minimum_farms(19), 12)]
    return next((each for each in tries if spared not in each.farm_ids), tries[0])


def adds_by_judgment(texts: Iterator[str], spared: str) -> Sample:
    """The verifier adds farms for cause in the place of the farm."""
    one = listed(texts)
    tries = [
        draw_sample(replace(one, added=dict.fromkeys(names, "tip"))) for names in ([], ["F00000", "F00009"], ["S"])
    ]
    return next((each for each in tries if spared not in each.farm_ids), tries[0])


ATTEMPTS: Final[dict[str, Attempt]] = {
    "the party does not open": party_refuses,
    "the last to open chooses": last_to_open_chooses,
    "the verifier breaks off, its part closed": verifier_breaks_off,
    "the verifier breaks off, its part open": lambda texts, spared: verifier_breaks_off(texts, spared, opens=True),
    "the verifier breaks off three times": lambda texts, spared: verifier_breaks_off(
        texts, spared, opens=True, times=3
    ),
    "the party breaks off": party_breaks_off,
    "the verifier asks for the number that suits": asks_for_a_number,
    "the verifier adds others": adds_by_judgment,
}
MANY: Final = 10_000
SEEDS: Final = int(os.environ.get("SEEDS", "500"))
"""Over how many seeds chances are counted; ``make draws`` takes ``MANY``, which lasts a quarter of an hour."""
WATCHED: Final = ("F00000", "F00008", "F00017", "S")
"""A small farm, a middle one, the largest, and the only one of its crop."""


@cache
def rates(attempt: Attempt, spared: str, seeds: int) -> Counter[str]:
    """Return how many draws hold each farm when somebody wants one farm out."""
    held = Counter[str]()
    for seed in range(seeds):
        texts = (f"secret number {number} of seed {seed}" for number in count())
        held.update(attempt(texts, spared).farm_ids)
    return held


def none_is_safer(attempt: Attempt, seeds: int, chance: float) -> None:
    """Make sure that each farm keeps nine tenths of its chance, up to ``chance`` standard deviations."""
    fair = rates(honest, "", seeds)
    for spared in WATCHED:
        before, after = fair[spared], rates(attempt, spared, seeds)[spared]
        assert after >= 0.9 * before - chance * (2 * before * (1 - before / seeds)) ** 0.5, (spared, before, after)


@pytest.mark.parametrize("name", ATTEMPTS)
def test_an_attempt_makes_no_farm_safer(name: str) -> None:
    none_is_safer(ATTEMPTS[name], 100, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTEMPTS)
def test_over_many_seeds_no_attempt_lowers_a_chance_by_a_tenth(name: str) -> None:
    none_is_safer(ATTEMPTS[name], SEEDS, 0 if SEEDS >= MANY else 3)
