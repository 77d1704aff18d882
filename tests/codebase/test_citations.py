"""What the code and the pages cite is there: interpretations, decisions, modules, and each file that is not ours."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.codebase.source import PROJECT, SOURCE, found_in, text_of

pytestmark = pytest.mark.xdist_group("house")

SUFFIXES: Final = frozenset({".py", ".md", ".toml", ".html", ".csv", ".css", ".js", ".sql"})
CITATION: Final = re.compile(r"\b(interpretation|decision)s?\s+(?:#\s+)?(\d+(?:(?:, | and | to )\d+)*)", re.IGNORECASE)
NUMBERED: Final = {
    word: {int(path.name[:4]) for path in (PROJECT / "docs" / f"{word}s").glob("0*.md")}
    for word in ("interpretation", "decision")
}
FILES: Final = sorted(
    path
    for folder in ("src", "bench", "docs", "tests", "fuzz", "tools")
    for path in (PROJECT / folder).rglob("*")
    if path.suffix in SUFFIXES and "vendor" not in path.parts
) + sorted(PROJECT.glob("*.md"))
MODULES: Final = [path for path in FILES if path.suffix == ".py" and "tests" not in path.parts]
PAGES: Final = [path for path in FILES if path.suffix == ".md"]
NAMED: Final = re.compile(r"`(provender(?:\.\w+)+)`")


def cited(text: str) -> Iterator[tuple[str, int]]:
    """Yield what a text cites, as a word and a number."""
    for word, numbers in CITATION.findall(text):
        ends = [int(number) for number in re.findall(r"\d+", numbers)]
        yield from ((word.casefold(), number) for number in ends)


def resolves(dotted: str) -> bool:
    """Tell whether a dotted name is a package, a module, or something that a module holds."""
    path = SOURCE.parent
    for name in dotted.split("."):
        if (path / name).is_dir():
            path /= name
        elif (path / f"{name}.py").is_file():
            path /= f"{name}.py"
        else:
            return name in found_in(path / "__init__.py" if path.is_dir() else path).names
    return True


def test_every_interpretation_and_decision_that_is_cited_has_its_page() -> None:
    lost = [
        f"{path.relative_to(PROJECT)}: {word} {number}"
        for path in FILES
        for word, number in cited(text_of(path))
        if number not in NUMBERED[word]
    ]
    assert lost == []
    texts = [text_of(path) for path in MODULES]
    assert {word for text in texts for word, _ in cited(text)} == set(NUMBERED)
    private = re.compile(r"READINGS\s+\d|\bissues? \d")
    assert [str(path) for path in FILES if private.search(text_of(path))] == []


def test_every_module_that_is_named_is_there_and_a_name_that_leads_nowhere_seen() -> None:
    naming = [path for path in MODULES if NAMED.search(text_of(path))]
    by_code = {name: path for path in naming for text in found_in(path).texts for name in NAMED.findall(text)}
    by_pages = {name: path for path in PAGES for name in NAMED.findall(text_of(path))}
    assert by_code
    assert by_pages
    assert [(name, str(path)) for one in (by_code, by_pages) for name, path in one.items() if not resolves(name)] == []
    assert resolves("provender.exact.show")
    assert not resolves("provender.exact.shown")
    assert not resolves("provender.nowhere")
    assert list(cited(f"(interpretations 34, 35 and {900})")) == [("interpretation", n) for n in (34, 35, 900)]


PLACES: Final = (PROJECT, SOURCE)
"""Where a path that a page names may begin."""
GUIDES: Final = ("CONTRIBUTING.md", "docs/developers.md")
CODE: Final = re.compile(r"`([\w.*-]+/[\w./*-]*)`")


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_to_the_code_names_packages_and_paths_that_are_there(guide: str) -> None:
    text = text_of(PROJECT / guide)
    assert NAMED.findall(text), "that they lead somewhere is held for every page above"
    paths = set(CODE.findall(text))
    lost = {path for path in paths if not any(found for place in PLACES for found in place.glob(path.rstrip("/")))}
    assert lost == set()


NAMED_FILES: Final = re.compile(r"`([a-z_]+(?:/[\w-]+)+\.(?:py|toml))`")


def test_every_file_that_a_page_names_is_there_and_what_is_packaged_has_its_licence() -> None:
    named = {name: path for path in PAGES for name in NAMED_FILES.findall(text_of(path))}
    lost = {name: str(path) for name, path in named.items() if not any((place / name).is_file() for place in PLACES)}
    assert named
    assert lost == {}
    assert SHIPPED
    assert [path for path in SHIPPED if not is_named(path)] == []
    folders = sorted((PROJECT / "src/provender/web/static/provender/vendor").glob("*/"))
    assert folders
    assert [folder.name for folder in folders if f"vendor/{folder.name}`" not in DATA_PAGE] == []
    assert [folder.name for folder in folders if not (folder / "LICENSE").is_file()] == []
    assert "docs/reference/data.md" in text_of(PROJECT / "NOTICE")


DATA_PAGE = text_of(PROJECT / "docs" / "reference" / "data.md")
ABOUT = frozenset({"PROVENANCE.md", "README.md"})
SHIPPED = sorted(
    path
    for folder in (PROJECT / "src").rglob("data")
    for path in folder.rglob("*")
    if path.is_file() and "__pycache__" not in path.parts and path.name not in ABOUT
)


def is_named(path: Path) -> bool:
    """Tell whether the page names a file, or the series that it belongs to."""
    return path.name in DATA_PAGE or f"{path.parent.name}/{path.name.partition('_')[0]}_*{path.suffix}" in DATA_PAGE
