"""Every command runs once as a process of its own, in a folder of a user's own, and does its work."""

import contextlib
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from provender.cli.app import VERBS, call
from provender.signing.timestamps import query
from tests.audit.desk import write_desk
from tests.cli.command_rows import BOOK, ELSEWHERE, FILES, NOT_QUICK, QUICK, ROWS, Row
from tests.conformance.kit import KIT, workbook
from tests.processes import plain_environment
from tests.signing.authority import answer, found_authority

# What the demonstrations fill is costly: one worker makes it.
pytestmark = pytest.mark.xdist_group("commands")

PROVENDER: Final = Path(sys.executable).with_name("provender")


class Ended(NamedTuple):
    status: int
    said: str


def leaves(command: object, name: str) -> Iterator[str]:
    """Yield the names of all commands under one, each of which says what it does."""
    if not isinstance(command, TyperGroup):
        assert isinstance(command, TyperCommand)
        assert command.help, f"{name} has no help"
        yield name
        return
    context = typer.Context(command)
    for part in command.list_commands(context):
        yield from leaves(command.get_command(context, part), f"{name} {part}")


def test_every_command_has_its_row_and_every_verb_is_started_quickly_or_said_not_to_be() -> None:
    found = {
        leaf
        for name, verb in VERBS.items()
        for leaf in leaves(typer.main.get_command(getattr(import_module(verb.module), verb.app)), name)
    }
    assert found == {*ROWS, *ELSEWHERE}
    assert {name.split()[0] for name in QUICK} | NOT_QUICK == set(VERBS)


def run(line: str, folder: Path) -> Ended:
    """Run one line as a user's shell would, with nothing of these tests in its environment."""
    typed, _, into = line.partition(" > ")
    words = [word for part in shlex.split(typed) for word in meant(part, folder)]
    environment = plain_environment(PROVENDER_FOLDER=str(folder / "data"), COLUMNS="160")
    done = subprocess.run(  # noqa: S603 - our own program
        [PROVENDER, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if into:
        (folder / into).write_text(done.stdout, encoding="utf-8")
    return Ended(done.returncode, " ".join((done.stdout + done.stderr).split()))


def meant(word: str, folder: Path) -> list[str]:
    """Return the files that a word with a star stands for."""
    return sorted(str(path.relative_to(folder)) for path in folder.glob(word)) if "*" in word else [word]


EXAMPLES: Final = Path(__file__).parents[2] / "examples"


def lay_out(folder: Path) -> None:
    """Write what a user has at hand beside what the demonstrations make."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    rows = [{name: value for name, value in one.items() if name != "outputs"} for one in workbook()[:3]]
    (folder / "model_rows.json").write_text(json.dumps(rows), encoding="utf-8")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("commands")
    assert run("demo farm --out demo", folder).status == 0
    assert run("demo chain --out demo --farms 6", folder).status == 0
    lay_out(folder)
    for name in ("authority", "audit"):
        (folder / name).mkdir()
    found_authority(folder / "authority")
    (folder / "query.tsq").write_bytes(query((folder / "receipt.json").read_bytes()))
    answer(folder / "authority", folder / "query.tsq", folder / "answer.tsr")
    write_desk(folder / "audit")
    return folder


@pytest.fixture(scope="module")
def begun(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[tuple[str, ...]], Path]:
    """Return a maker of folders in which some commands have run: many rows begin with the same ones."""

    @cache
    def make(before: tuple[str, ...]) -> Path:
        if not before:
            return filled
        folder = tmp_path_factory.mktemp("begun") / "user"
        shutil.copytree(make(before[:-1]), folder)
        done = run(before[-1], folder)
        assert done.status in (0, 1), (before[-1], done.said)
        assert "Traceback" not in done.said, (before[-1], done.said)
        return folder

    return make


def assert_works(name: str, row: Row, folder: Path) -> None:
    done = run(f"{name} {row.words}", folder)
    assert "Traceback" not in done.said, done.said
    assert (done.status, row.says in done.said) == (row.status, True), done.said
    assert not row.leaves or (folder / row.leaves).stat().st_size, done.said


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_a_command_does_its_work_as_a_process_of_its_own(
    name: str, begun: Callable[[tuple[str, ...]], Path], tmp_path: Path
) -> None:
    shutil.copytree(begun(ROWS[name].before), tmp_path / "user")
    assert_works(name, ROWS[name], tmp_path / "user")


@pytest.mark.parametrize("name", QUICK)
def test_one_command_of_each_verb_works_on_the_examples(name: str, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES / "bluestem-farm", tmp_path / BOOK)
    for package in ("elevator.zip", "chain-pins.json"):
        shutil.copy(KIT / "packages" / package, tmp_path)
    lay_out(tmp_path)
    for line in QUICK[name].before:  # no process of its own: it is another verb's row
        with contextlib.chdir(tmp_path), contextlib.suppress(SystemExit):
            call(shlex.split(line))
    assert_works(name, QUICK[name], tmp_path)
