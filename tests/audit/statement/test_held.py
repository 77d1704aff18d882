"""Each field of a statement is held against something, or the table says that nothing can be."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args

from provender.audit.findings import EFFECTS, Finding
from provender.audit.statement.held import FIELDS, PAPERS, Holding, Source, hold
from provender.audit.statement.opinion import Engagement, Work
from provender.audit.statement.papers import Papers
from provender.audit.statement.statement import Accreditation, Opinion, VerificationStatement
from provender.schema import types_of
from tests.audit.desk import drawn, favorable, papers, period, shown

PARTS = {"accreditation": Accreditation, "engagement": Engagement, "work": Work}


def paths(cls: type[Any], before: str = "") -> Iterator[str]:
    """Yield the path of every field of the schema; of lists of parts, those of a part."""
    kinds = types_of(cls)
    for one in fields(cls):
        inside = [kind for kind in get_args(kinds[one.name]) if isinstance(kind, type) and is_dataclass(kind)]
        part = PARTS.get(one.name) if not before else None
        nested = part or (inside[0] if inside and one.name not in ("memberships", "suspended") else None)
        if nested:
            yield from paths(nested, f"{before}{one.name}.")
        else:
            yield before + one.name


def test_every_field_of_the_schema_is_in_the_table_and_nothing_else() -> None:
    assert sorted(FIELDS) == sorted(paths(VerificationStatement))
    assert all(FIELDS.values())
    # A finding travels as far as its log tells it; what is added there is held against the log too.
    told = {"number", "severity", "cite", "stage", "resolution", *EFFECTS}
    assert set(favorable(findings=()).findings or told) <= told <= {one.name for one in fields(Finding)}


def test_a_field_of_the_verifiers_word_alone_is_held_against_nothing_else() -> None:
    assert all(sources == (Source.WORD,) or Source.WORD not in sources for sources in FIELDS.values())


def holding(one: VerificationStatement, papers: Papers) -> Holding:
    found = hold(one, papers)
    assert found is not None
    return found


def test_nothing_is_called_held_that_was_compared_with_nothing() -> None:
    for opinion in (Opinion.ADVERSE, Opinion.DISCLAIMED):
        assert hold(favorable(opinion=opinion), papers()) is None
    other = holding(favorable(package_mark="34" * 32), papers())
    assert Source.PACKAGE not in other.held
    assert "package_not_shown" in {one.code for one in other.problems}
    none = holding(favorable(farms=None, sampled=None, sample_hash="", draw=()), papers())
    assert Source.SAMPLE not in none.held


def test_who_receives_a_statement_is_told_what_was_held_against_the_papers_shown() -> None:
    whole = holding(favorable(), papers())
    assert (whole.problems, whole.not_held, set(whole.held)) == ((), {}, set(PAPERS))
    bare = holding(favorable(), Papers())
    assert (bare.problems, bare.held) == ((), {})
    assert bare.word == whole.word
    assert "role" in bare.not_held[Source.PACKAGE]
    some = holding(favorable(), Papers(sample=drawn()))
    assert set(some.held) == {Source.SAMPLE}
    assert "farms" not in some.not_held.get(Source.SAMPLE, ())
    assert "role" in some.not_held[Source.PACKAGE]


def test_what_a_paper_contradicts_is_told_to_who_receives_it() -> None:
    facts = replace(shown().facts, sites=("south",))
    for one, told, code in (
        (favorable(), Papers(recomputed=replace(shown(), facts=facts)), "other_site"),
        (favorable(farms=1), Papers(sample=drawn()), "other_sample"),
        (favorable(), Papers(records=[period(), {**period(), "signature": "x"}]), "record_signature_unreadable"),
    ):
        assert {each.code for each in holding(one, told).problems} & {code, "record_malformed", "record_tampered"}
