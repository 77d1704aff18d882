import re
from importlib import import_module
from pathlib import Path

import pytest

from provender import rule
from provender.practices import requirement
from provender.practices.evaluate import ROOMS
from provender.practices.requirement import REQUIREMENTS
from provender.records.kind import KINDS
from provender.rule.law import parameters
from provender.rule.paragraphs import paragraphs

assert ROOMS  # importing them registers the requirements
DOCS = Path(__file__).parent.parent.parent / "docs"
INTERPRETATIONS = sorted((DOCS / "interpretations").glob("0*.md"))
PARTS = ["Text", "Reading", "Other readings and why not", "What it governs", "Status"]
TITLE = re.compile(r"# (\d{4}) (\S.+)")


def part(path: Path, heading: str) -> str:
    """Return the text under a heading of a page."""
    return path.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0].strip()


def test_there_is_one_interpretation_for_each_reading() -> None:
    assert [int(path.name[:4]) for path in INTERPRETATIONS] == list(range(1, 80))


@pytest.mark.parametrize("path", INTERPRETATIONS, ids=lambda path: path.stem)
def test_an_interpretation_has_its_number_its_title_and_all_its_parts(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    title = TITLE.fullmatch(lines[0])
    assert title is not None
    assert title[1] == path.name[:4]
    assert [line.removeprefix("## ") for line in lines if line.startswith("## ")] == PARTS
    assert all(part(path, heading) for heading in PARTS)


@pytest.mark.parametrize("path", INTERPRETATIONS, ids=lambda path: path.stem)
def test_an_interpretation_names_every_parameter_that_rests_on_it(path: Path) -> None:
    governs = part(path, "What it governs")
    for one in parameters().by_name.values():
        if one.reading == int(path.name[:4]):
            assert f"`{one.name}`" in governs


@pytest.mark.parametrize("path", INTERPRETATIONS, ids=lambda path: path.stem)
def test_an_interpretation_cites_paragraphs_that_exist(path: Path) -> None:
    known = {str(cite) for cite in paragraphs()}
    cited = set(re.findall(r"2100\.\d{3}(?:\(\w+\))*", path.read_text(encoding="utf-8")))
    # 0007 is about a reference to 2100.053(g), which it writes as words.
    assert cited <= known


def governed() -> list[tuple[str, str]]:
    """Return every name in backticks under *What it governs*, with its page."""
    return [
        (path.stem, name)
        for path in INTERPRETATIONS
        for name in re.findall(r"`([^`]+)`", part(path, "What it governs"))
    ]


@pytest.mark.parametrize(("page", "name"), governed())
def test_what_an_interpretation_governs_exists(page: str, name: str) -> None:
    columns = {column for kind in KINDS.values() for column in kind.fields}
    requirements = {*REQUIREMENTS, *{f"{'_'.join(one.split('_')[:2])}_" for one in REQUIREMENTS}}
    if name in {*parameters().by_name, *requirements, *KINDS, *columns}:
        return
    if name.startswith("provender."):
        import_module(name)
        return
    found: object = rule
    for attribute in name.split("."):
        found = getattr(found, attribute, None) or getattr(requirement, attribute)
