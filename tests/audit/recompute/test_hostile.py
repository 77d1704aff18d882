"""Packages made to harm whoever opens them: paths that lead out, control characters, what systems leave behind."""

import json
import zipfile
from pathlib import Path

import pytest

from provender.audit.package.layout import HEADER
from provender.audit.package.write import Header, make_package, open_package
from provender.audit.recompute.verify import verify_package
from provender.cli.output import visible
from provender.problem import ProblemsError
from provender.signing.bags import write_zip
from provender.signing.canonical import canonical_json
from tests.audit import forge


@pytest.mark.parametrize(
    "change",
    [
        {"parties": {"farms/../../out": "BLUESTEM"}},
        {"parties": {"/etc": "BLUESTEM"}},
        {"parties": {"farms/a/b": "BLUESTEM"}},
        {"parties": {"elsewhere/a": "BLUESTEM"}},
        {"parties": {"farms/a": 1}},
        {"left_out": [{"path": "../x", "sha256": "0", "reason": ""}]},
    ],
)
def test_a_header_whose_paths_lead_out_is_refused_before_anything_is_written(
    change: dict[str, object], tmp_path: Path
) -> None:
    document = {**forge.header().document(), **change}
    with pytest.raises(ValueError, match=r"no (folder|path)"):
        Header.read(document)
    write_zip(tmp_path / "x.zip", {HEADER: canonical_json(document)}, name="x", as_of=forge.DAY, info={})
    with pytest.raises(ProblemsError) as refused:
        open_package(tmp_path / "x.zip")
    assert [one.code for one in refused.value.problems] == ["unreadable_header"]


def test_what_systems_leave_in_a_zip_is_told_and_ignored(tmp_path: Path) -> None:
    target = tmp_path / "farm.zip"
    make_package(target, forge.header(), dict(forge.clean()))
    with zipfile.ZipFile(target, "a") as opened:
        top = opened.namelist()[0].partition("/")[0]
        for name in ("__MACOSX/._farm", f"{top}/.DS_Store", f"{top}/data/Thumbs.db"):
            opened.writestr(name, b"left")
    found = verify_package(target, pinned=forge.PINS).found
    assert found.clean
    assert sum("left by a system" in why for _, why in found.not_shown) == 3


def test_a_stranger_s_file_in_a_package_is_still_refused(tmp_path: Path) -> None:
    target = tmp_path / "farm.zip"
    make_package(target, forge.header(), dict(forge.clean()))
    with zipfile.ZipFile(target, "a") as opened:
        opened.writestr(f"{opened.namelist()[0].partition('/')[0]}/data/more.txt", b"x")
    with pytest.raises(ProblemsError, match="not in the manifest"):
        open_package(target)


def test_control_characters_are_written_out_on_a_terminal() -> None:
    assert visible("Ada\x1b[2J\u202eexe.\x9b") == "Ada\\x1b[2J\\u202eexe.\\x9b"
    assert visible("Åse, 5 µg\nnext") == "Åse, 5 µg\nnext"


def test_a_hostile_name_reaches_the_terminal_written_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from provender.cli.app import run

    document = {**forge.header().document(), "audited_name": "Ada\x1b]0;owned\x07"}
    files = {**forge.clean(), HEADER: canonical_json(document)}
    write_zip(tmp_path / "x.zip", files, name="x", as_of=forge.DAY, info={})
    with pytest.raises(SystemExit) as ended:
        run(["verify", str(tmp_path / "x.zip")])
    assert ended.value.code == 1
    assert "\x1b]" not in (out := capsys.readouterr().out)
    assert "Ada\\x1b]0;owned\\x07" in out
    assert json.loads(canonical_json(document))["audited_name"].endswith("\x07")
