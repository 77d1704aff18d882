"""The reference pages that are made when the site is built hold all that their tables declare, each with its words."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import provender.standards.judge  # noqa: F401 - its sections enter their requirements
from provender.cli.app import VERBS
from provender.custody.events.registry import DECISIONS
from provender.custody.model.event import Status
from provender.records.kind import KINDS
from provender.rule.law import parameters
from provender.rule.paragraphs import paragraphs
from provender.schema import infos
from provender.standards.standard import REQUIREMENTS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def hooks() -> Iterator[ModuleType]:
    sys.path.insert(0, str(DOCS))
    yield import_module("hooks")
    sys.path.remove(str(DOCS))


DECLARED = {
    "reference/rule.md": {f"| {cite} |" for cite in paragraphs()},
    "reference/parameters.md": {f"| `{name}` |" for name in parameters().by_name},
    "reference/requirements.md": {f"`{name}`: " for name in REQUIREMENTS},
    "reference/records.md": {f"## {name}\n" for name in KINDS},
    "reference/custody_events.md": {f"## {event.type}\n" for event in DECISIONS}
    | {f"| `{name}` |" for event in DECISIONS for name in infos(event) if name not in ("id", "day", "actor")},
    "reference/custody_statuses.md": {f"| `{status}` |" for status in Status},
    "reference/commands.md": {f"## {verb}\n\n{VERBS[verb].help}" for verb in VERBS},
}


@pytest.mark.parametrize("page", DECLARED)
def test_a_made_page_holds_everything_that_is_declared(hooks: ModuleType, page: str) -> None:
    text = hooks.MADE[page]()
    assert DECLARED[page]
    assert {one for one in DECLARED[page] if one not in text} == set()
    assert list(hooks.blank_cells(text, hooks.MAY_BE_BLANK.get(page, frozenset()))) == []


def test_every_column_of_every_kind_stands_in_the_section_of_its_kind(hooks: ModuleType) -> None:
    sections = dict(part.split("\n", 1) for part in hooks.MADE["reference/records.md"]().split("\n## ")[1:])
    lost = {
        (kind.name, name)
        for kind in KINDS.values()
        for name, field in kind.typed_fields.items()
        if name not in ("farm_id", "known_by", "evidence", "note") and f" | {field.label} | " not in sections[kind.name]
    }
    assert lost == set()


def test_a_blank_cell_is_seen_and_one_that_may_be_blank_is_not(hooks: ModuleType) -> None:
    page = "| name | meaning | unit |\n| --- | --- | --- |\n| a | x \\| y | |\n| b | | % |\n\n| other |\n| --- |\n"
    assert list(hooks.blank_cells(page, frozenset({"unit"}))) == ["b, meaning"]


def test_no_made_page_is_in_the_tree_and_one_that_cites_what_is_not_there_ends_the_build(hooks: ModuleType) -> None:
    assert "[interpretation 7](interpretations/0007" in hooks.link_citations("see interpretation 7", "index.md")
    with pytest.raises(KeyError):
        hooks.link_citations(f"see interpretation {700}", "index.md")
    assert [page for page in hooks.MADE if (DOCS / page).exists()] == []
    pages = hooks.rule.cited_pages("interpretations")
    assert hooks.amended_by(pages[24][1]) == "*Amended by interpretation 64 and interpretation 80.*"
    assert hooks.amended_by(pages[80][1]) == ""
