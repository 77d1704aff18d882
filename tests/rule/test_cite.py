import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.rule.cite import Cite
from provender.rule.paragraphs import paragraphs


def test_a_citation_reads_back_as_written() -> None:
    assert str(Cite.parse("2100.051(b)(1)")) == "2100.051(b)(1)"


@pytest.mark.parametrize("written", ["7 CFR 2100.051(b)(1)", "§ 2100.051(b)(1)", " 7 CFR § 2100.051(b)(1) "])
def test_the_title_and_the_section_sign_may_stand_before_it(written: str) -> None:
    assert Cite.parse(written) == Cite("2100.051", ("b", "1"))


def test_documents_print_it_with_the_title() -> None:
    assert Cite.parse("2100.030(d)").full == "7 CFR 2100.030(d)"


def test_a_definition_is_cited_by_its_term_in_any_case() -> None:
    assert Cite.parse('2100.002 "Crop Interval"') == Cite("2100.002", (), "crop interval")


@pytest.mark.parametrize(
    "written",
    [
        "",
        "2100",
        "2100.51",
        "2101.051",
        "2100.051(b)(1",
        "2100.051 (b)",
        "2100.051(1)",
        "2100.051(b)(0)",
        "2100.051(b)(10)",
        "2100.051(b)(i)",
        "2100.051(b)(1)()",
        "2100.051(b)(1)(iiii)",
        "2100.051(b)(1)(i)(A)",
        "2100.051(b)(1) and more",
        '2100.002 ""',
    ],
)
def test_anything_else_is_refused_with_an_example(written: str) -> None:
    with pytest.raises(ValueError, match=r"Write it like 2100\.051\(b\)\(1\)"):
        Cite.parse(written)


def test_a_term_outside_the_definitions_is_refused() -> None:
    with pytest.raises(ValueError, match=r"only 2100\.002 defines terms"):
        Cite.parse('2100.051 "crop interval"')


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


def test_citations_sort_in_the_order_of_the_rule() -> None:
    written = ["2100.031", "2100.031(c)", "2100.031(c)(3)", "2100.031(c)(3)(iv)", "2100.031(c)(3)(v)", "2100.032"]
    assert [str(one) for one in sorted(map(Cite.parse, reversed(written)))] == written


def test_the_parent_of_a_section_is_nothing_and_of_a_term_the_definitions() -> None:
    assert Cite.parse("2100.051(b)(1)").parent == Cite.parse("2100.051(b)")
    assert Cite.parse('2100.002 "farm"').parent == Cite.parse("2100.002")
    assert Cite.parse("2100.051").parent is None


@pytest.mark.parametrize(
    ("inner", "outer", "lies_within"),
    [
        ("2100.051(b)(1)", "2100.051(b)", True),
        ("2100.051(b)", "2100.051(b)", True),
        ("2100.051(b)", "2100.051(b)(1)", False),
        ("2100.052(b)(1)", "2100.051(b)", False),
        ('2100.002 "farm"', "2100.002", True),
        ('2100.002 "farm"', '2100.002 "field"', False),
    ],
)
def test_a_paragraph_lies_within_those_above_it(inner: str, outer: str, lies_within: bool) -> None:
    assert Cite.parse(inner).within(Cite.parse(outer)) is lies_within
