"""The page that NOTICE names lists every file that ships without being our code."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "data.md").read_text(encoding="utf-8")
ABOUT = frozenset({"PROVENANCE.md", "README.md"})
FILES = sorted(
    path
    for folder in (ROOT / "src").rglob("data")
    for path in folder.rglob("*")
    if path.is_file() and "__pycache__" not in path.parts and path.name not in ABOUT
)


def test_there_are_packaged_files() -> None:
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_packaged_data_file_is_named_with_its_source(path: Path) -> None:
    assert path.name in PAGE or f"{path.parent.name}/{path.name.partition('_')[0]}_*{path.suffix}" in PAGE


@pytest.mark.parametrize("folder", sorted((ROOT / "src/provender/web/static/provender/vendor").glob("*/")))
def test_every_vendored_script_is_named_and_carries_its_licence(folder: Path) -> None:
    assert f"vendor/{folder.name}`" in PAGE
    assert (folder / "LICENSE").is_file()


def test_notice_names_a_page_that_exists() -> None:
    assert "docs/reference/data.md" in (ROOT / "NOTICE").read_text(encoding="utf-8")
