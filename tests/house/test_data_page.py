"""The page that NOTICE names lists every file that ships without being our code."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "data.md").read_text(encoding="utf-8")
ABOUT = frozenset({"PROVENANCE.md", "README.md"})
FILES = sorted(
    path
    for folder in (ROOT / "src").rglob("data")
    for path in folder.rglob("*")
    if path.is_file() and "__pycache__" not in path.parts and path.name not in ABOUT
)


def is_named(path: Path) -> bool:
    """Tell whether the page names a file, or the series that it belongs to."""
    return path.name in PAGE or f"{path.parent.name}/{path.name.partition('_')[0]}_*{path.suffix}" in PAGE


def test_every_packaged_data_file_is_named_with_its_source() -> None:
    assert FILES
    assert [path for path in FILES if not is_named(path)] == []


def test_every_vendored_script_is_named_and_carries_its_licence() -> None:
    folders = sorted((ROOT / "src/provender/web/static/provender/vendor").glob("*/"))
    assert folders
    assert [folder.name for folder in folders if f"vendor/{folder.name}`" not in PAGE] == []
    assert [folder.name for folder in folders if not (folder / "LICENSE").is_file()] == []


def test_notice_names_a_page_that_exists() -> None:
    assert "docs/reference/data.md" in (ROOT / "NOTICE").read_text(encoding="utf-8")
