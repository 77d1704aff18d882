import re
from typing import Any

import pytest

from provender.rule.answers import Answer, AnswerKind, reasons
from provender.rule.cite import Cite
from provender.rule.coverage import answered_in_part, coverage, not_modelled
from provender.rule.paragraphs import (
    Force,
    ParagraphsError,
    Subject,
    children,
    nearest,
    paragraph,
    paragraphs,
    read_section,
    sections,
)

# The outline of the part, noted down from the text apart from the packaged files: a1i is (a)(1)(i).
OUTLINE = """
2100.001:
2100.002:
2100.010:
2100.011: a b c
2100.012: a b c
2100.020: a a1 a2 a3 a4 a5 a6 a7 a8 b c d
2100.030: a b c d
2100.031: a a1 a2 a3 b c c1 c2 c2i c2ii c3 c3i c3ii c3iii c3iv c3v c3vi c3vii
2100.032: a a1 a1i a1ii a1iii a1iv a2 a3 b b1 b2 c c1 c2 c3
2100.033: a a1 a2 b b1 b2 b3
2100.034: a b c d d1 d1i d1ii d1iii d1iv d2
2100.035: a b b1 b2 c
2100.040: a a1 a2 a2i a2ii a3 a3i a3ii a3iii b b1 b2 b3 b3i b3ii b3iii c c1 c2 c2i c2ii
2100.040: d d1 d2 e e1 e1i e1ii e2 f f1 f2 f2i f2ii
2100.041:
2100.050:
2100.051: a a1 a2 a3 a4 b b1 b2 b3 c c1 c2 c3 c4 c5 c6 d
2100.052: a a1 a2 a2i a2ii a3 a4 a5 a6 a7 a8 b b1 b2 b3 b4 b5 b6 b7 c
2100.053: a a1 a2 b b1 b2 c c1 c2 d d1 d2 e e1 e2 e3 e4 e5 e6 e7 e8 f
"""
TERMS = """
accreditation; agricultural expert; audit; biofuel; biofuel feedstock crop; biofuel feedstock report; biofuel refiner;
biomass; carbon intensity; climate-smart agriculture crop; climate-smart agriculture practices; conventional crop;
cover crop; crop interval; crushing yield; farm; farm producer; farm producer attestation; feedstock; field;
first point of aggregation; intensive tillage; intermediary entity; leguminous cover crop; management unit;
mass balance system; no-till; nutrient management; operational control; planting green; process;
reduced-carbon intensity crop; reduced-carbon intensity processed product; reduced till;
soil tillage intensity rating; third-party verifier
"""
RESERVED = {"2100.040(d)(2)", "2100.040(e)(2)", "2100.053(b)(2)", "2100.053(d)(2)"}


def outline() -> set[str]:
    """Return the citations of the outline, sections and definitions included."""
    found = {f'2100.002 "{" ".join(term.split())}"' for term in TERMS.split(";")}
    for line in OUTLINE.split("\n"):
        section, _, steps = line.partition(":")
        if section:
            found.add(section)
        for step in steps.split():
            found.add(section + "".join(f"({part})" for part in re.findall(r"^[a-z]|\d|(?<=\d)[a-z]+", step)))
    return found


def test_every_paragraph_of_the_part_is_there_and_no_other() -> None:
    assert {str(cite) for cite in paragraphs()} == outline()


def test_the_outline_counts_what_the_text_counts() -> None:
    assert len(outline()) == 188 + 36


def test_paragraphs_come_in_the_order_of_the_rule() -> None:
    assert list(paragraphs()) == sorted(paragraphs())
    assert [one.number for one in sections()] == sorted({cite.section for cite in paragraphs()})


@pytest.mark.parametrize("cite", sorted(paragraphs()), ids=str)
def test_a_paragraph_has_a_summary_in_a_sentence_and_an_answer(cite: Cite) -> None:
    one = paragraph(cite)
    assert one.summary.endswith(".")
    assert one.summary[0].isupper()
    assert one.answers
    assert len(set(one.answers)) == len(one.answers)


def test_exactly_the_reserved_paragraphs_are_reserved() -> None:
    found = {str(one.cite) for one in paragraphs().values() if one.force is Force.reserved}
    assert found == RESERVED
    answer = Answer(AnswerKind.reason, "reserved")
    assert {str(one.cite) for one in paragraphs().values() if answer in one.answers} == RESERVED


def test_a_definition_is_a_definition() -> None:
    assert all(one.force is Force.definition for cite, one in paragraphs().items() if cite.term)


def test_what_binds_says_whom() -> None:
    for one in paragraphs().values():
        if one.force in (Force.must, Force.should, Force.may):
            assert one.subjects, one.cite


def test_what_must_be_done_has_an_answer_besides_a_reason() -> None:
    for one in paragraphs().values():
        if one.force is Force.must:
            assert {answer.kind for answer in one.answers} != {AnswerKind.reason}, one.cite


def test_every_paragraph_above_another_exists() -> None:
    for cite in paragraphs():
        assert cite.parent is None or cite.parent in paragraphs()


def test_children_are_one_level_below() -> None:
    assert [str(one.cite) for one in children(Cite.parse("2100.052(a)(2)"))] == [
        "2100.052(a)(2)(i)",
        "2100.052(a)(2)(ii)",
    ]
    assert children(Cite.parse("2100.052(a)(2)(i)")) == ()
    assert len(children(Cite.parse("2100.002"))) == 36


def test_every_reason_is_used() -> None:
    used = {one.name for each in paragraphs().values() for one in each.answers if one.kind is AnswerKind.reason}
    assert used == set(reasons())


def test_the_whole_part_is_counted_once() -> None:
    counted = coverage()
    assert sum(one.paragraphs for one in counted) == len(paragraphs())
    for one in counted:
        assert all(number <= one.paragraphs for number in one.by_kind.values())
        assert sum(one.by_kind.values()) >= one.paragraphs
    alone = {one.cite for group in not_modelled().values() for one in group}
    assert sum(sum(one.not_modelled.values()) for one in counted) == len(alone)
    assert {Cite.parse(one) for one in RESERVED} <= alone


@pytest.mark.parametrize(
    ("written", "first"),
    [
        ("2100.053(g)", "2100.053(f)"),
        ("2100.051(b)(9)", "2100.051(b)"),
        ("2100.51(b)(1)", "2100.051(b)(1)"),
        ("crop interval", '2100.002 "crop interval"'),
        ('2100.002 "STIR"', '2100.002 "soil tillage intensity rating"'),
        ('2100.002 "ci"', '2100.002 "carbon intensity"'),
    ],
)
def test_a_mistyped_citation_finds_its_neighbour(written: str, first: str) -> None:
    assert str(nearest(written)[0]) == first


def test_nonsense_has_no_neighbour() -> None:
    assert nearest("") == ()
    assert nearest("zzz") == ()


def entry(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - a row of a file, changed
    """Return a good entry with some of it changed."""
    good = {"cite": "2100.050", "summary": "Yes.", "force": "may", "subjects": ["verifier"], "answers": ["below"]}
    return {**good, **changes}


BROKEN: list[tuple[list[dict[str, Any]], str]] = [
    ([entry(force="shall")], "shall"),
    ([entry(subjects=["elevator"])], "elevator"),
    ([entry(answers=[])], "has no answer"),
    ([entry(answers=["reason:laziness"])], "laziness"),
    ([entry(answers=["requirement:"])], "kind:name"),
    ([entry(answers=["below:a"])], "kind:name"),
    ([entry(answers=["law:a"])], "law"),
    ([entry(cite="2100.051")], "stands in the file"),
    ([entry(cite="2100")], "is not a paragraph"),
    ([entry(more=1)], "needs exactly"),
    ([entry(), entry()], "each once"),
    ([entry(cite="2100.050(b)"), entry(cite="2100.050(a)")], "order of the rule"),
]


@pytest.mark.parametrize(("entries", "says"), BROKEN)
def test_a_file_that_leaves_a_doubt_is_refused(entries: list[dict[str, Any]], says: str) -> None:
    with pytest.raises(ParagraphsError, match=says):
        read_section({"section": "2100.050", "title": "General", "subpart": "F", "paragraph": entries})


def test_a_good_file_is_read() -> None:
    found = read_section({"section": "2100.050", "title": "General", "subpart": "F", "paragraph": [entry()]})
    assert found.paragraphs[0].subjects == (Subject.verifier,)


def test_a_paragraph_answered_in_part_has_a_reason_and_something_else() -> None:
    for name, group in answered_in_part().items():
        for one in group:
            kinds = {answer.kind for answer in one.answers}
            assert Answer(AnswerKind.reason, name) in one.answers
            assert kinds - {AnswerKind.reason}
    assert Cite.parse("2100.031(c)(3)(iv)") in {one.cite for one in answered_in_part()["promise"]}
