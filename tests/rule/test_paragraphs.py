"""The paragraphs of the part: how they are cited, that all are there, and that what answers each exists."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.records.kind import KINDS
from provender.rule import crops, law
from provender.rule.crops import Cite
from provender.rule.law import parameters
from provender.rule.paragraphs import (
    Answer,
    AnswerKind,
    Force,
    ParagraphsError,
    Subject,
    answered_in_part,
    children,
    coverage,
    nearest,
    not_modelled,
    paragraphs,
    read_section,
    reasons,
    sections,
)
from provender.standards import judge, standard
from provender.standards.standard import REQUIREMENTS
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

assert judge  # importing it registers the requirements

RESERVED = {"2100.040(d)(2)", "2100.040(e)(2)", "2100.053(b)(2)", "2100.053(d)(2)"}


def outline() -> set[str]:
    """Return the citations noted down from the text apart from the packaged files: a1i is (a)(1)(i)."""
    found = set()
    for line in (Path(__file__).parent / "data" / "outline.txt").read_text("utf-8").splitlines():
        section, _, steps = line.partition(":")
        found.add(section)
        for step in steps.split():
            found.add(section + "".join(f"({part})" for part in re.findall(r"^[a-z]|\d|(?<=\d)[a-z]+", step)))
    return found


def test_every_paragraph_of_the_part_is_there_and_counted_once() -> None:
    assert {str(cite) for cite in paragraphs()} == outline()
    assert len(outline()) == 188 + 36
    assert {cite.parent for cite in paragraphs()} - {None} <= set(paragraphs())
    counted = coverage()
    assert sum(one.paragraphs for one in counted) == len(paragraphs())
    for one in counted:
        assert all(number <= one.paragraphs for number in one.by_kind.values())
        assert sum(one.by_kind.values()) >= one.paragraphs
    alone = {one.cite for group in not_modelled().values() for one in group}
    assert sum(sum(one.not_modelled.values()) for one in counted) == len(alone)
    assert {Cite.parse(one) for one in RESERVED} <= alone


def test_paragraphs_come_in_the_order_of_the_rule_the_reserved_are_reserved_and_every_reason_is_used() -> None:
    assert list(paragraphs()) == sorted(paragraphs())
    assert [one.number for one in sections()] == sorted({cite.section for cite in paragraphs()})
    assert {str(one.cite) for one in paragraphs().values() if one.force is Force.reserved} == RESERVED
    answer = Answer(AnswerKind.reason, "reserved")
    assert {str(one.cite) for one in paragraphs().values() if answer in one.answers} == RESERVED
    assert [str(one.cite) for one in children(Cite.parse("2100.052(a)(2)"))] == [
        "2100.052(a)(2)(i)",
        "2100.052(a)(2)(ii)",
    ]
    assert children(Cite.parse("2100.052(a)(2)(i)")) == ()
    assert len(children(Cite.parse("2100.002"))) == 36
    used = {one.name for each in paragraphs().values() for one in each.answers if one.kind is AnswerKind.reason}
    assert used == set(reasons())


def test_a_paragraph_binds_somebody_and_a_requirement_answers_the_one_it_cites() -> None:
    for cite, one in paragraphs().items():
        assert one.summary.endswith("."), cite
        assert one.summary[0].isupper(), cite
        assert len(set(one.answers)) == len(one.answers) > 0, cite
        assert one.force is Force.definition or not cite.term, cite
        assert one.subjects or one.force not in (Force.must, Force.should, Force.may), cite
        assert one.force is not Force.must or {answer.kind for answer in one.answers} != {AnswerKind.reason}, cite
    for one in paragraphs().values():
        for answer in one.answers:
            if answer.kind is AnswerKind.requirement:
                cite = REQUIREMENTS[answer.name].cite
                assert one.cite.term or cite.within(one.cite) or one.cite.within(cite), f"{answer} cites {cite}"
    for name, requirement in REQUIREMENTS.items():
        assert Answer(AnswerKind.requirement, name) in paragraphs()[requirement.cite].answers


@ROWS
def test_a_mistyped_citation_finds_its_neighbour_and_nonsense_none(written: str, first: str | None) -> None:
    assert [str(one) for one in nearest(written)[:1]] == ([first] if first else [])


def entry(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - a row of a file, changed
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


def section(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"section": "2100.050", "title": "General", "subpart": "F", "paragraph": [*entries]}


@pytest.mark.parametrize(("entries", "says"), BROKEN)
def test_a_file_that_leaves_a_doubt_is_refused(entries: list[dict[str, Any]], says: str) -> None:
    assert read_section(section(entry())).paragraphs[0].subjects == (Subject.verifier,)
    with pytest.raises(ParagraphsError, match=says):
        read_section(section(*entries))


def test_what_is_answered_in_part_by_those_below_or_by_a_record_is_there() -> None:
    for name, group in answered_in_part().items():
        for one in group:
            kinds = {answer.kind for answer in one.answers}
            assert Answer(AnswerKind.reason, name) in one.answers
            assert kinds - {AnswerKind.reason}
    assert Cite.parse("2100.031(c)(3)(iv)") in {one.cite for one in answered_in_part()["promise"]}
    for kind in KINDS.values():
        for cite in (kind.cite, *(field.cite for field in kind.fields.values())):
            assert not cite or Cite.parse(cite) in paragraphs(), f"{kind.name}: {cite}"
    for one in paragraphs().values():
        introduces = Answer(AnswerKind.below) in one.answers
        assert not introduces or children(one.cite), one.cite


@pytest.mark.parametrize("written", ["7 CFR 2100.051(b)(1)", "§ 2100.051(b)(1)", " 7 CFR § 2100.051(b)(1) "])
def test_the_title_and_the_section_sign_may_stand_before_a_citation(written: str) -> None:
    cite = Cite.parse(written)
    assert (cite, str(cite), cite.full) == (
        Cite("2100.051", ("b", "1")), "2100.051(b)(1)", "7 CFR 2100.051(b)(1)",
    )  # fmt: skip


def test_a_definition_is_cited_by_its_term_and_citations_sort_as_the_rule() -> None:
    assert Cite.parse('2100.002 "Crop Interval"') == Cite("2100.002", (), "crop interval")
    with pytest.raises(ValueError, match=r"only 2100\.002 defines terms"):
        Cite.parse('2100.051 "crop interval"')
    written = ["2100.031", "2100.031(c)", "2100.031(c)(3)", "2100.031(c)(3)(iv)", "2100.031(c)(3)(v)", "2100.032"]
    assert [str(one) for one in sorted(map(Cite.parse, reversed(written)))] == written


@pytest.mark.parametrize(
    ("written", "above"), [("2100.051(b)(1)", "2100.051(b)"), ('2100.002 "farm"', "2100.002"), ("2100.051", None)]
)
def test_what_stands_above_a_citation(written: str, above: str | None) -> None:
    assert Cite.parse(written).parent == (Cite.parse(above) if above else None)


_STEPS = (
    " (b)", "(1)", "(b)(1", "(b)(0)", "(b)(10)", "(b)(i)", "(b)(1)()", "(b)(1)(iiii)", "(b)(1)(i)(A)",
    "(b)(1) and more",
)  # fmt: skip


@pytest.mark.parametrize(
    "written", ["", "2100", "2100.51", "2101.051", '2100.002 ""', *(f"2100.051{steps}" for steps in _STEPS)]
)
def test_anything_else_is_refused_with_an_example(written: str) -> None:
    with pytest.raises(ValueError, match=r"Write it like 2100\.051\(b\)\(1\)"):
        Cite.parse(written)


@given(st.sampled_from(sorted(paragraphs())))
def test_every_citation_of_the_rule_reads_back(cite: Cite) -> None:
    assert Cite.parse(str(cite)) == cite
    assert Cite.parse(cite.full) == cite


@given(st.text(max_size=40))
def test_no_text_ends_in_anything_but_a_citation_or_a_value_error(text: str) -> None:
    try:
        cite = Cite.parse(text)
    except ValueError:
        return
    assert Cite.parse(str(cite)) == cite


@ROWS
def test_a_paragraph_lies_within_those_above_it(inner: str, outer: str, lies_within: bool) -> None:
    assert Cite.parse(inner).within(Cite.parse(outer)) is lies_within


ANSWERS = sorted({answer for one in paragraphs().values() for answer in one.answers})


def resolve(name: str) -> object:
    """Import the longest module of a dotted name below provender and follow the rest as attributes."""
    parts = ["provender", *name.split(".")]
    for length in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:length]))
        except ModuleNotFoundError as missing:
            if not missing.name or not ".".join(parts[:length]).startswith(missing.name):
                raise
            continue
        for attribute in parts[length:]:
            found = getattr(found, attribute)
        return found
    raise LookupError(name)


def test_a_record_a_column_or_code_that_answers_a_paragraph_exists_and_says_what_it_does() -> None:
    for answer in ANSWERS:
        if answer.kind is AnswerKind.record:
            kind, _, column = answer.name.partition(".")
            assert not column or column in KINDS[kind].fields, answer
            assert kind in KINDS
    for answer in ANSWERS:
        if answer.kind in (AnswerKind.document, AnswerKind.procedure):
            found = resolve(answer.name)
            assert found.__doc__, answer
            assert not hasattr(found, "__path__"), f"{answer}: a whole package answers nothing; name what is in it"


DOCS = Path(__file__).parent.parent.parent / "docs"
INTERPRETATIONS = sorted((DOCS / "interpretations").glob("0*.md"))
PARTS = ["Text", "Reading", "Other readings and why not", "What it governs", "Status"]
TITLE = re.compile(r"# (\d{4}) (\S.+)")


def part(path: Path, heading: str) -> str:
    return path.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0].strip()


def test_an_interpretation_has_its_title_parts_paragraphs_and_parameters() -> None:
    numbers = [int(path.name[:4]) for path in INTERPRETATIONS]
    assert numbers[:79] == list(range(1, 80))
    assert set(numbers[79:]) <= set(range(80, 92))
    for path in INTERPRETATIONS:
        lines = path.read_text(encoding="utf-8").splitlines()
        title = TITLE.fullmatch(lines[0])
        assert title is not None, path
        assert title[1] == path.name[:4]
        assert [line.removeprefix("## ") for line in lines if line.startswith("## ")] == PARTS, path
        assert all(part(path, heading) for heading in PARTS), path
    governs = {int(path.name[:4]): part(path, "What it governs") for path in INTERPRETATIONS}
    for one in parameters().by_name.values():
        assert not one.reading or f"`{one.name}`" in governs[one.reading]
    known = {str(cite) for cite in paragraphs()}
    for path in INTERPRETATIONS:
        # 0007 is about a reference to 2100.053(g), which it writes as words.
        assert set(re.findall(r"2100\.\d{3}(?:\(\w+\))*", path.read_text(encoding="utf-8"))) <= known, path


def test_what_an_interpretation_governs_exists() -> None:
    columns = {column for kind in KINDS.values() for column in kind.fields}
    requirements = {*REQUIREMENTS, *{f"{'_'.join(one.split('_')[:2])}_" for one in REQUIREMENTS}}
    known = {*parameters().by_name, *requirements, *KINDS, *columns}
    named = {name for path in INTERPRETATIONS for name in re.findall(r"`([^`]+)`", part(path, "What it governs"))}
    assert known & named
    for name in named - known:
        if name.startswith("provender."):
            import_module(name)
            continue
        first, *more = name.split(".")
        found: object = next(getattr(one, first) for one in (crops, law, standard) if hasattr(one, first))
        for attribute in more:
            found = getattr(found, attribute)
