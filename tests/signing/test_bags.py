"""Packages: written the same every time, read back whole, and every hostile container refused with its reason."""

import os
import stat
import struct
import zipfile
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import bagit  # type: ignore[import-untyped, unused-ignore]
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from provender.problem import ProblemsError
from provender.signing.bags import Limits, collision_key, name_fault, read_bag, write_folder, write_zip
from provender.signing.canonical import sha256_hex

DAY = date(2026, 11, 21)
FILES: Mapping[str, bytes] = {
    "records/operations.csv": b"unit,day\nN 40,2026-04-20\n",
    "evidence/photo 100%.jpg": bytes(range(256)) * 40,
    "evidence/caf\u00e9.txt": "caf\u00e9".encode(),
    "empty.txt": b"",
}
Edit = Callable[[dict[str, bytes]], object]


def codes(path: Path, limits: Limits | None = None) -> set[str]:
    """Return the codes with which reading is refused; every problem has its remedy."""
    with pytest.raises(ProblemsError) as refused:
        read_bag(path, limits)
    assert all(problem.remedy and problem.cause.endswith(".") for problem in refused.value.problems)
    return {problem.code for problem in refused.value.problems}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_folder(tmp_path / "bag", FILES, as_of=DAY, info={"Source-Organization": "Prairie Elevator"})
    return tmp_path / "bag"


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    write_zip(tmp_path / "bag.zip", FILES, name="bag", as_of=DAY)
    return tmp_path / "bag.zip"


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def repack(path: Path, edit: Edit) -> Path:
    """Change a zip's members without touching its manifests."""
    content = members(path)
    edit(content)
    target = path.with_name("edited.zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return target


def test_a_folder_and_a_zip_read_back_as_written(folder: Path, packed: Path) -> None:
    bag = read_bag(folder)
    assert dict(bag) == dict(FILES)
    assert bag.info["Bagging-Date"] == "2026-11-21"
    assert bag.info["Source-Organization"] == "Prairie Elevator"
    assert bag.sums["empty.txt"] == sha256_hex(b"")
    assert dict(read_bag(packed)) == dict(FILES)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_bagit_library_finds_our_folder_valid(tmp_path: Path) -> None:
    plain = {path: data for path, data in FILES.items() if "%" not in path}
    write_folder(tmp_path / "bag", plain, as_of=DAY)
    assert bagit.Bag(str(tmp_path / "bag")).validate()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_bag_of_the_bagit_library_reads_here_but_for_its_other_manifests(tmp_path: Path) -> None:
    (tmp_path / "bag").mkdir()
    (tmp_path / "bag" / "a.txt").write_text("a")
    bagit.make_bag(str(tmp_path / "bag"), checksums=["sha256"], processes=1)
    assert read_bag(tmp_path / "bag")["a.txt"] == b"a"


def test_the_same_content_and_day_give_the_same_zip_and_files_on_disk_go_in_like_content(tmp_path: Path) -> None:
    one, other = tmp_path / "one.zip", tmp_path / "other.zip"
    mark = write_zip(one, FILES, name="bag", as_of=DAY)
    assert write_zip(other, dict(sorted(FILES.items(), reverse=True)), name="bag", as_of=DAY) == mark
    assert one.read_bytes() == other.read_bytes()
    assert write_folder(tmp_path / "bag", FILES, as_of=DAY) == mark
    marks = {write_zip(tmp_path / "a.zip", FILES, name="bag", as_of=day) for day in (DAY, date(2026, 11, 22))}
    assert len(marks) == 2
    source = tmp_path / "photo.jpg"
    source.write_bytes(b"light")
    mark = write_zip(tmp_path / "a.zip", {"p.jpg": source}, name="bag", as_of=DAY)
    assert mark == write_zip(tmp_path / "b.zip", {"p.jpg": b"light"}, name="bag", as_of=DAY)
    assert write_folder(tmp_path / "other", {"p.jpg": source}, as_of=DAY) == mark
    assert read_bag(tmp_path / "other")["p.jpg"] == b"light"


def test_a_package_is_never_written_over_something_and_other_files_are_none(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="not empty"):
        write_folder(folder, FILES, as_of=DAY)
    (tmp_path / "note.txt").write_text("not a zip")
    assert codes(tmp_path / "note.txt") == {"bag_damaged"}
    assert codes(tmp_path / "nothing") == {"bag_not_found"}
    assert codes(tmp_path) == {"bag_not_a_bag"}
    with pytest.raises(ValueError, match="one line"):
        write_zip(Path("never.zip"), {}, name="bag", as_of=DAY, info={"Note": "two\nlines"})
    with pytest.raises(ValueError, match="cannot name"):
        write_zip(Path("never.zip"), {}, name="a/b", as_of=DAY)


def test_packing_again_folders_in_a_zip_and_names_of_a_mac_change_nothing(packed: Path) -> None:
    def strip(content: dict[str, bytes]) -> None:
        for name in list(content):
            content[name.removeprefix("bag/")] = content.pop(name)

    assert dict(read_bag(repack(packed, strip))) == dict(FILES)

    def like_a_mac(content: dict[str, bytes]) -> None:
        content["bag/"] = b""
        content["bag/data/evidence/"] = b""
        content["bag/data/evidence/cafe\u0301.txt"] = content.pop("bag/data/evidence/caf\u00e9.txt")

    assert dict(read_bag(repack(packed, like_a_mac))) == dict(FILES)


EDITS: Mapping[str, tuple[Edit, str]] = {
    "a changed file": (lambda c: c.update({"bag/data/empty.txt": b" "}), "bag_changed_file"),
    "a file less": (lambda c: c.pop("bag/data/empty.txt"), "bag_missing_file"),
    "a file more": (lambda c: c.update({"bag/data/more.txt": b""}), "bag_added_file"),
    "a tag file more": (lambda c: c.update({"bag/manifest-md5.txt": b""}), "bag_added_file"),
    "a changed label": (lambda c: c.update({"bag/bag-info.txt": b"Bagging-Date: 2020-01-01\n"}), "bag_changed_file"),
    "no tag manifest": (lambda c: c.pop("bag/tagmanifest-sha256.txt"), "bag_missing_file"),
    "no manifest": (lambda c: c.pop("bag/manifest-sha256.txt"), "bag_missing_file"),
    "no declaration": (lambda c: c.pop("bag/bagit.txt"), "bag_not_a_bag"),
    "another declaration": (lambda c: c.update({"bag/bagit.txt": b"BagIt-Version: 9\n"}), "bag_not_a_bag"),
    "a file beside the bag": (lambda c: c.update({"other/x": b""}), "bag_not_a_bag"),
    "files to fetch": (lambda c: c.update({"bag/fetch.txt": b"https://example.org/ - data/x\n"}), "bag_fetch"),
    "a manifest of noise": (lambda c: c.update({"bag/manifest-sha256.txt": b"noise\n"}), "bag_malformed_manifest"),
    "a manifest in Latin-1": (lambda c: c.update({"bag/manifest-sha256.txt": b"\xe9"}), "bag_malformed_manifest"),
    "a doubled line": (
        lambda c: c.update({"bag/manifest-sha256.txt": c["bag/manifest-sha256.txt"] * 2}),
        "bag_malformed_manifest",
    ),
    "a line that leads out": (
        lambda c: c.update({"bag/manifest-sha256.txt": b"0" * 64 + b"  data/../../secret\n"}),
        "bag_malformed_manifest",
    ),
    "a tag line for data": (
        lambda c: c.update({"bag/tagmanifest-sha256.txt": b"0" * 64 + b"  data/x\n"}),
        "bag_malformed_manifest",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_package_is_refused(packed: Path, name: str) -> None:
    edit, code = EDITS[name]
    assert code in codes(repack(packed, edit))


@pytest.mark.parametrize("name", [name for name in EDITS if name != "a file beside the bag"])
def test_an_edited_folder_is_refused_for_the_same_reason(folder: Path, name: str) -> None:
    edit, code = EDITS[name]
    content = {f"bag/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in folder.rglob("*.*")}
    before = dict(content)
    edit(content)
    for path in before.keys() - content.keys():
        (folder.parent / path).unlink()
    for path, data in content.items():
        (folder.parent / path).write_bytes(data)
    assert code in codes(folder)


def test_all_problems_come_at_once_also_of_a_zip_cut_off_anywhere(packed: Path) -> None:
    def spoil(content: dict[str, bytes]) -> None:
        content.pop("bag/data/empty.txt")
        content["bag/data/more.txt"] = b""
        content["bag/data/records/operations.csv"] = b""

    assert codes(repack(packed, spoil)) == {"bag_missing_file", "bag_added_file", "bag_changed_file"}
    whole = packed.read_bytes()
    for length in (*range(0, len(whole), 97), len(whole) - 1):
        packed.write_bytes(whole[:length])
        assert codes(packed) == {"bag_damaged"}, f"cut after {length} bytes"


BAD_NAMES = (
    "../evil", "data/../../evil", "/etc/passwd", "C:/evil", "data/evil:stream", "data\\..\\evil", "data//evil",
    "data/./evil", "data/nul.txt", "data/COM1", "data/aux.tar.gz", "data/evil.", "data/evil ", "data/bell\x07",
    "data/line\nend", "data/right\u202eto left", "data/zero\u200bwidth", "data/what?", "data/" + "x" * 241,
    "/".join("d" * 17),
)  # fmt: skip


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_leads_elsewhere_is_refused_in_zips_and_in_writing(packed: Path, tmp_path: Path, name: str) -> None:
    assert name_fault(name)
    assert codes(repack(packed, lambda content: content.update({name: b""}))) == {"bag_unsafe_name"}
    with pytest.raises(ProblemsError, match="not allowed"):
        write_zip(tmp_path / "new.zip", {name: b""}, name="bag", as_of=DAY)


def with_entry(path: Path, change: Callable[[zipfile.ZipInfo], None], data: bytes = b"x") -> Path:
    with zipfile.ZipFile(path, "a") as archive:
        entry = zipfile.ZipInfo("bag/data/special")
        change(entry)
        archive.writestr(entry, data)
    return path


def encrypted(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(raw))


def twice(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("bag/data/empty.txt", b"second")


def sharing_bytes(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as archive:
        first = archive.infolist()[0]
        copy = zipfile.ZipInfo("bag/data/again")
        for name in ("CRC", "compress_size", "file_size", "header_offset", "compress_type", "external_attr"):
            setattr(copy, name, getattr(first, name))
        archive.filelist.append(copy)
        archive.NameToInfo[copy.filename] = copy
        archive._didModify = True  # type: ignore[attr-defined]


def of_kind(kind: int) -> Callable[[Path], object]:
    mode = (kind | 0o777) << 16
    return lambda path: with_entry(path, lambda one: setattr(one, "external_attr", mode), b"/etc/passwd")


SPOILED: Mapping[str, tuple[Callable[[Path], object], str]] = {
    "a name cut by a NUL": (
        lambda p: p.write_bytes(p.read_bytes().replace(b"bag/data/empty.txt", b"bag/data/emp\0y.txt")),
        "bag_unsafe_name",
    ),
    "a name twice": (twice, "bag_same_name"),
    "encrypted": (encrypted, "bag_link"),
    "another packing": (
        lambda p: with_entry(p, lambda one: setattr(one, "compress_type", zipfile.ZIP_LZMA)), "bag_link",
    ),
    "something in front": (lambda p: p.write_bytes(b"#!/bin/sh\n" + p.read_bytes()), "bag_damaged"),
    "bytes shared": (sharing_bytes, "bag_damaged"),
    "a link": (of_kind(stat.S_IFLNK), "bag_link"),
    "a pipe": (of_kind(stat.S_IFIFO), "bag_link"),
    "a device": (of_kind(stat.S_IFCHR), "bag_link"),
    "a socket": (of_kind(stat.S_IFSOCK), "bag_link"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", SPOILED)
def test_a_zip_that_is_spoiled_as_a_whole_is_refused_for_its_reason(packed: Path, name: str) -> None:
    spoil, code = SPOILED[name]
    spoil(packed)
    assert codes(packed) == {code}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("data/Photo.jpg", "data/photo.jpg"),
        ("data/caf\u00e9", "data/cafe\u0301"),
        ("data/stra\u00dfe", "data/STRASSE"),
        ("data/\ufb01eld", "data/field"),
        ("data/a", "data/a/b"),
        ("data/A/c", "data/a"),
    ],
)
def test_names_that_some_system_takes_for_one_are_refused(packed: Path, one: str, other: str) -> None:
    edited = repack(packed, lambda content: content.update({f"bag/{one}": b"1", f"bag/{other}": b"2"}))
    assert codes(edited) == {"bag_same_name"}


def test_ordinary_names_of_the_world_are_fine() -> None:
    names = ("N 40/2026-05-01 planting.csv", "\u00c5kerb\u00e4r.jpg", "\u7530\u3093\u307c/a.csv", "a'b (1) 50%.pdf")
    assert [name_fault(name) for name in names] == [""] * 4
    assert collision_key("a/B") == collision_key("A/b") != collision_key("a/c")


def test_links_and_pipes_are_refused_and_a_file_changed_after_opening_not_given_out(folder: Path) -> None:
    (folder / "data" / "link.txt").symlink_to("/etc/hostname")
    assert "bag_link" in codes(folder)
    (folder / "data" / "link.txt").unlink()
    (folder / "data" / "elsewhere").symlink_to("/etc")
    assert "bag_link" in codes(folder)
    (folder / "data" / "elsewhere").unlink()
    os.mkfifo(folder / "data" / "pipe")
    assert "bag_link" in codes(folder)
    (folder / "data" / "pipe").unlink()
    bag = read_bag(folder)
    (folder / "data" / "empty.txt").write_bytes(b"late")
    with pytest.raises(ProblemsError, match="changed while"):
        bag["empty.txt"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_a_flipped_bit_never_changes_what_a_zip_gives(tmp_path: Path, at: float, bit: int) -> None:
    path = tmp_path / "flip.zip"
    write_zip(path, FILES, name="bag", as_of=DAY)
    raw = bytearray(path.read_bytes())
    raw[int(at * len(raw))] ^= 1 << bit
    path.write_bytes(bytes(raw))
    try:
        content = dict(read_bag(path))
    except ProblemsError:
        return
    assert content == dict(FILES)


def test_bombs_and_zips_that_lie_about_their_sizes_are_refused_before_they_unpack(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bag/bagit.txt", b"")
        archive.writestr("bag/data/zeros", bytes(40 * 1024**2))
    assert codes(bomb) == {"bag_too_dense"}
    write_zip(bomb, {"zeros": bytes(4 * 1024**2)}, name="bag", as_of=DAY)
    real, claimed = struct.pack("<I", 4 * 1024**2), struct.pack("<I", 10)
    bomb.write_bytes(bomb.read_bytes().replace(real, claimed))
    assert codes(bomb) <= {"bag_damaged", "bag_changed_file"}


def test_limits_hold_at_their_edge(packed: Path, folder: Path) -> None:
    count = len(FILES) + 4
    largest = len(FILES["evidence/photo 100%.jpg"])
    total = sum(map(len, members(packed).values()))
    for path in (packed, folder):
        assert read_bag(path, Limits(files=count, one=largest))
        assert codes(path, Limits(files=count - 1)) == {"bag_too_many_files"}
        assert codes(path, Limits(one=largest - 1)) == {"bag_too_large"}
    assert read_bag(packed, Limits(total=total))
    assert codes(packed, Limits(total=total - 1)) == {"bag_too_large"}
