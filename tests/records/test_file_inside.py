"""A file is found by the name that a record gives it, inside its folder only, and no name breaks the search."""

from pathlib import Path

import pytest

from provender.records.evidence_files import FolderFiles, file_inside


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../out.txt", "/etc/hostname", "a\0b", "x" * 300, "x/" * 3000, "sub", "no"]
)
def test_no_name_leads_out_of_a_folder_or_breaks(name: str, tmp_path: Path) -> None:
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "out.txt").write_text("secret")
    assert file_inside(tmp_path / "in", name) is None
    files = FolderFiles(tmp_path / "in")
    assert (files.hash_of("F1", name), files.content_of("F1", name)) == ("", b"")


def test_what_is_inside_is_found(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("a")
    assert file_inside(tmp_path, "sub/../sub/a.txt") == (tmp_path / "sub" / "a.txt").resolve()
