"""The program as a whole: completion, help that comes at once, and what a season costs in commands."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from rich.console import Console

from bench.burden import Burden, from_machines
from provender.cli import app, output
from provender.cli.app import VERBS, call
from provender.cli.import_files import reading
from provender.cli.output import each

# bash completes verbs and options; help of ``manage`` writes nothing; long work says how far it is.

PROGRAM: Final = Path(sys.executable).with_name("provender")


def completed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str) -> list[str]:
    """Return what the program answers a bash that asks how a line may go on."""
    for name, text in (("", "complete_bash"), ("COMP_WORDS", line), ("COMP_CWORD", str(line.count(" ")))):
        monkeypatch.setenv(name or "_PROVENDER_COMPLETE", text)
    with pytest.raises(SystemExit):
        raise SystemExit(app.run([]))
    return capsys.readouterr().out.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("provender ", list(VERBS)), ("provender che", ["check"]), ("provender re", ["report", "rejects", "restore"]),
        ("provender check --price", ["--price-per-point"]), ("provender rule calc", ["calculators"]),
        ("provender nothi", []),
    ],
)  # fmt: skip
def test_verbs_their_options_and_their_commands_are_completed(
    line: str, offered: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert completed(monkeypatch, capsys, line) == offered


def test_bash_asks_by_the_script_of_the_guide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        raise SystemExit(call(["completion", "bash"]))
    (tmp_path / "completion.bash").write_text(capsys.readouterr().out, encoding="utf-8")
    asks = (
        "source completion.bash; COMP_WORDS=('provender' 'rule' 'calc'); COMP_CWORD=2; "
        '_provender_completion provender; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
    said = subprocess.run(  # noqa: S603 - our own line
        ["/bin/bash", "--norc", "-c", asks], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert (said.stderr, said.stdout.split()) == ("", ["calculators"])


def test_a_shell_without_a_script_is_told_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        call(["completion", "tcsh"])
    assert left.value.code == 2
    assert "zsh" in capsys.readouterr().err
    assert (app.ALL_WELL, app.WRONGLY_CALLED) == (output.ALL_WELL, output.WRONGLY_CALLED)


@pytest.mark.slow
@pytest.mark.parametrize("words", [[], ["migrate", "--help"]])
def test_help_of_manage_writes_nothing(tmp_path: Path, words: list[str]) -> None:
    without = {name: value for name, value in os.environ.items() if name != "PROVENDER_FOLDER"}
    said = subprocess.run(  # noqa: S603 - our own program
        [PROGRAM, "manage", *words], cwd=tmp_path, env=without, capture_output=True, text=True, check=True
    )
    assert "migrate" in said.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_is_told_how_far_long_work_is_and_a_pipe_nothing() -> None:
    terminal, pipe = io.StringIO(), io.StringIO()
    assert list(each("abc", "books", Console(file=terminal, force_terminal=True, width=80))) == [*"abc"]
    assert "books" in terminal.getvalue()
    assert "3/3" in terminal.getvalue()
    assert list(each("abc", "books", Console(file=pipe))) == [*"abc"]
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


# A verb imports what it needs when it is called, so that its help comes at once.

HEAVY = ("cattrs", "django", "numpy", "polars", "pydantic", "shapely", "typst", "xlsxwriter")
NEEDED = {"manage": ["django", "pydantic"]}
"""Verbs whose help cannot be written without these: Django describes its own commands."""
SCRIPT = f"""
import os
import sys
from provender.cli.app import VERBS, run
for name in ("", *VERBS):
    if os.fork() == 0:  # each verb begins with what the program has imported before it knows the verb
        try:
            run([name, "--help"] if name else ["--help"])
        except SystemExit:
            pass
        sys.stdout.flush()
        heavy = [module for module in {HEAVY!r} if module in sys.modules]
        print(name, os.lseek(1, 0, os.SEEK_CUR), *heavy, sep="|", file=sys.stderr, flush=True)
        os._exit(0)
    assert os.wait()[1] == 0
"""


@pytest.mark.slow
def test_help_imports_no_library_of_the_work(tmp_path: Path) -> None:
    """The list of verbs stands under no name."""
    answers = tmp_path / "out.txt"
    with answers.open("w") as out:
        called = subprocess.run(  # noqa: S603 - our own script
            [sys.executable, "-c", SCRIPT], stdout=out, stderr=subprocess.PIPE, text=True, check=True, timeout=300
        )
    imports: dict[str, list[str]] = {}
    before = 0
    for line in called.stderr.splitlines():
        name, written, *heavy = line.split("|")
        assert int(written) > before, name
        imports[name], before = heavy, int(written)
    assert imports == {name: NEEDED.get(name, []) for name in ("", *VERBS)}


# What a season costs a person is counted by playing the commands, and the season that comes of it is judged.


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Burden, dict[str, int]]:
    return from_machines(tmp_path_factory.mktemp("burden"), 2)


@pytest.mark.slow
def test_a_season_from_files_needs_at_most_forty_values_for_any_fields(played: tuple[Burden, dict[str, int]]) -> None:
    did, records = played
    assert 0 < did.values <= 40
    assert did.minutes <= 10
    assert records == {
        "unit": 2, "harvest": 4, "operation": 8, "nutrient_application": 2, "soil_test": 2, "declaration": 2,
        "calculator_run": 2, "judged": 2, "credited": 2,
    }  # fmt: skip
