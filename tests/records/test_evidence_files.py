"""Files of evidence: two of one name are two, each row finds its own by its hash, and no name leads out of a folder."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from provender.portfolio.export import held_files, stated_files
from provender.records.book import EvidenceFiles, FolderFiles, HeldFiles, file_inside, kept_as
from provender.records.folder import load_book
from provender.signing.canonical import sha256_hex

FARM, NAME = "F1", "IMG_0001.jpg"
FIRST, SECOND = b"the rye on N40", b"the oats on W35"
ONE, TWO = sha256_hex(FIRST), sha256_hex(SECOND)
LYING = {NAME: FIRST, kept_as(NAME, TWO): SECOND}


def in_folder(folder: Path) -> EvidenceFiles:
    for name, content in LYING.items():
        (folder / name).write_bytes(content)
    return FolderFiles(folder)


def left_out(folder: Path) -> EvidenceFiles:
    return FolderFiles(folder, {name: sha256_hex(content) for name, content in LYING.items()})


def held(_: Path) -> EvidenceFiles:
    return HeldFiles({(FARM, name): partial(bytes, content) for name, content in LYING.items()})


def stated(folder: Path) -> EvidenceFiles:
    (folder / "farm.csv").write_text(f"farm_id,name\n{FARM},A farm\n", "utf-8")
    rows = [f"{name},{NAME},photograph,{sha256}\n" for name, sha256 in (("A", ONE), ("B", TWO))]
    (folder / "evidence.csv").write_text("".join(["evidence_id,file,what,sha256\n", *rows]), "utf-8")
    book = load_book(folder, in_folder(folder))
    return stated_files([held_files(book)])


WAYS = (in_folder, left_out, held, stated)
ways = pytest.mark.parametrize("way", WAYS)


@ways
def test_each_row_finds_the_file_of_its_hash(way: Callable[[Path], EvidenceFiles], tmp_path: Path) -> None:
    files = way(tmp_path)
    assert files.hash_of(FARM, NAME, ONE) == ONE
    assert files.hash_of(FARM, NAME, TWO) == TWO
    assert files.hash_of(FARM, NAME, f" {TWO.upper()} ") == TWO
    assert files.hash_of(FARM, NAME) == ONE


@ways
def test_a_file_that_was_changed_stays_changed(way: Callable[[Path], EvidenceFiles], tmp_path: Path) -> None:
    assert way(tmp_path).hash_of(FARM, NAME, sha256_hex(b"what was there before")) == ONE
    assert way(tmp_path).hash_of(FARM, "other.jpg", TWO) == ""


@pytest.mark.parametrize("way", [in_folder, held])
def test_the_content_is_that_of_the_hash(way: Callable[[Path], EvidenceFiles], tmp_path: Path) -> None:
    files = way(tmp_path)
    assert (files.content_of(FARM, NAME, ONE), files.content_of(FARM, NAME, TWO)) == (FIRST, SECOND)
    assert files.content_of(FARM, NAME) == FIRST


def test_what_is_inside_is_found_and_what_lies_under_anothers_hash_counts_for_nothing(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(FIRST)
    (tmp_path / kept_as(NAME, TWO)).write_bytes(b"forged")
    assert FolderFiles(tmp_path).hash_of(FARM, NAME, TWO) == ONE
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("a")
    assert file_inside(tmp_path, "sub/../sub/a.txt") == (tmp_path / "sub" / "a.txt").resolve()


@pytest.mark.parametrize("name", ["../IMG_0001.jpg", "a/b/IMG_0001.jpg", "a\\IMG_0001.jpg", "IMG_0001.jpg"])
def test_a_name_beside_others_leads_into_no_other_folder(name: str) -> None:
    assert kept_as(name, TWO) == f"IMG_0001-{TWO[:12]}.jpg"


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../out.txt", "/etc/hostname", "a\0b", "x" * 300, "x/" * 3000, "sub", "no"]
)
def test_no_name_leads_out_of_a_folder_or_breaks(name: str, tmp_path: Path) -> None:
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "out.txt").write_text("secret")
    assert file_inside(tmp_path / "in", name) is None
    files = FolderFiles(tmp_path / "in")
    assert (files.hash_of("F1", name), files.content_of("F1", name)) == ("", b"")
