"""bash completes verbs and options; help of ``manage`` writes nothing; long work says how far it is."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from rich.console import Console

from provender.cli.app import VERBS, call
from provender.cli.tables import each, reading

PROGRAM: Final = Path(sys.executable).with_name("provender")


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shell") / "completion.bash"
    path.write_bytes(subprocess.run([PROGRAM, "completion", "bash"], capture_output=True, check=True).stdout)  # noqa: S603
    return path


def completed(script: Path, line: str) -> list[str]:
    """Return what bash offers at the end of a line, by the script that a person puts into their shell."""
    words = line.split(" ")
    typed = " ".join(f"'{word}'" for word in words)
    asks = (
        f"source {script}; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; "
        f'_provender_completion provender; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
    said = subprocess.run(  # noqa: S603 - our own line
        ["/bin/bash", "--norc", "-c", asks],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": path},
    )
    assert said.stderr == ""
    return said.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("provender che", ["check"]),
        ("provender re", ["report", "rejects", "restore"]),
        ("provender check --price", ["--price-per-point"]),
        ("provender rule calc", ["calculators"]),
        ("provender nothi", []),
    ],
)
def test_bash_completes_verbs_their_options_and_their_commands(script: Path, line: str, offered: list[str]) -> None:
    assert completed(script, line) == offered


def test_every_verb_is_offered(script: Path) -> None:
    assert completed(script, "provender ") == list(VERBS)


def test_a_shell_without_a_script_is_told_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        call(["completion", "tcsh"])
    assert left.value.code == 2
    assert "zsh" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--help"], ["help"], [], ["migrate", "--help"]])
def test_help_of_manage_writes_nothing(tmp_path: Path, words: list[str]) -> None:
    without = {name: value for name, value in os.environ.items() if name != "PROVENDER_FOLDER"}
    said = subprocess.run(  # noqa: S603 - our own program
        [PROGRAM, "manage", *words], cwd=tmp_path, env=without, capture_output=True, text=True, check=True
    )
    assert "migrate" in said.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_is_told_how_far_long_work_is_and_a_pipe_nothing() -> None:
    terminal, pipe = io.StringIO(), io.StringIO()
    assert list(each(["a", "b", "c"], "books", Console(file=terminal, force_terminal=True, width=80))) == [
        "a",
        "b",
        "c",
    ]
    assert "books" in terminal.getvalue()
    assert "3/3" in terminal.getvalue()
    assert list(each(["a", "b", "c"], "books", Console(file=pipe))) == ["a", "b", "c"]
    assert pipe.getvalue() == ""


@pytest.mark.parametrize("looks_on", [True, False])
def test_an_import_names_the_files_that_it_reads_where_somebody_looks_on(tmp_path: Path, *, looks_on: bool) -> None:
    files = [tmp_path / name for name in ("operation.csv", "harvest.csv", "unit.csv")]
    for file in files:
        file.write_text("unit_id\nN40\n")
    out = io.StringIO()
    with reading(Console(file=out, force_terminal=looks_on, width=100)) as parse:
        parse.announce("sniff", [(file, file.name) for file in files[:2]])
        found = [parse("sniff", file, name=file.name) for file in files]
    assert all(one.result is not None for one in found)
    assert ("Reading 2 files, operation.csv first" in out.getvalue()) is looks_on
    assert ("Reading unit.csv" in out.getvalue()) is looks_on
    if not looks_on:
        assert out.getvalue().strip() == ""
