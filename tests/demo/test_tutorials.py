"""Every command of the tutorials of elevator, crusher and refiner runs, as a process from an empty folder."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

# The example chain is costly: one worker makes it.
pytestmark = pytest.mark.xdist_group("demonstrations")

ROOT: Final = Path(__file__).parents[2]
BIN: Final = Path(sys.executable).parent
SERVES: Final = "provender serve --demo"
"""It does not end; ``test_server`` starts it."""
CHAIN: Final = "provender demo chain --out out/demo"
LOOKED_AT: Final[dict[str, list[str]]] = {
    "elevator": [
        "1 provender custody tickets tickets.csv --as-of 2026-03-31 --save-map scale.json",
        "1 provender custody alerts coop.jsonl --as-of 2026-03-31",
    ],
    "crusher": [],
    "refiner": ["1 provender custody reconcile books/*.jsonl second.jsonl"],
}
"""Commands with something to look at; all others end with status 0."""


def commands(tutorial: str) -> str:
    """Return the blocks of a tutorial as one script, but for the server."""
    lines = (ROOT / "docs" / "tutorials" / f"{tutorial}.md").read_text(encoding="utf-8").splitlines()
    script = [line.removeprefix("    ") for line in lines if line.startswith("    ")]
    assert SERVES in script
    return "".join(f"{line}\n" for line in script if line not in (SERVES, CHAIN))


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder in which the command that the tutorials begin with has made the example chain."""
    folder = tmp_path_factory.mktemp("tutorials")
    assert run(CHAIN, folder) == []
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def run(script: str, folder: Path) -> list[str]:
    """Run a script; return the commands that did not end with 0, each behind its status."""
    told = 'trap \'echo "$? $BASH_COMMAND" >> "$TOLD"\' ERR\n'
    where = folder / "told"
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "TOLD": str(where)}
    done = subprocess.run(  # noqa: S603 - the tutorials are our own
        ["/bin/bash", "-c", told + script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    found = where.read_text(encoding="utf-8").splitlines() if where.exists() else []
    where.unlink(missing_ok=True)
    assert "Traceback" not in done.stderr, done.stderr
    return found


def test_the_elevators_commands_run(tmp_path: Path) -> None:
    assert run(commands("elevator"), tmp_path) == LOOKED_AT["elevator"]
    assert list((tmp_path / "out" / "elevator" / "letters").glob("*.pdf")), "the papers were made"


@pytest.mark.parametrize("tutorial", ["crusher", "refiner"])
def test_the_commands_on_the_example_chain_run(tutorial: str, chain: Path) -> None:
    assert run(commands(tutorial), chain) == LOOKED_AT[tutorial]
