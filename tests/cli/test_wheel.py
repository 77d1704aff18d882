"""The built wheel alone, in a fresh environment outside the tree, does the main job and serves."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.docs.test_readme import answers_its_health_page
from tests.processes import plain_environment

pytestmark = pytest.mark.slow

ROOT: Final = Path(__file__).parents[2]
UV: Final = shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")


def run(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program with nothing of this environment but what any user has."""
    return subprocess.run(  # noqa: S603 - our own programs
        list(map(str, words)), cwd=folder, env=plain(folder), capture_output=True, text=True, check=False
    )


def plain(folder: Path) -> dict[str, str]:
    there = plain_environment(PROVENDER_FOLDER=str(folder / "data"), UV_PYTHON_DOWNLOADS="never")
    return {name: text for name, text in there.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}


@pytest.fixture(scope="module")
def provender(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, install it with what the lock file says and nothing else, and return the program."""
    folder = tmp_path_factory.mktemp("wheel")
    locked = run(UV, "export", "--frozen", "--no-dev", "--no-emit-project", "--directory", ROOT, folder=folder)
    assert locked.returncode == 0, locked.stderr
    (folder / "locked.txt").write_text(locked.stdout, encoding="utf-8")
    for words in (
        (UV, "build", "--wheel", "--out-dir", folder / "dist", ROOT),
        (UV, "venv", "--python", sys.executable, folder / "venv"),
        (UV, "pip", "install", "--python", folder / "venv", "--requirements", "locked.txt"),
    ):
        done = run(*words, folder=folder)
        assert done.returncode == 0, done.stderr
    (wheel,) = (folder / "dist").glob("*.whl")
    done = run(UV, "pip", "install", "--python", folder / "venv", "--no-deps", wheel, folder=folder)
    assert done.returncode == 0, done.stderr
    return folder / "venv" / "bin" / "provender"


def test_the_demonstration_runs_and_what_it_leaves_is_checked(provender: Path, tmp_path: Path) -> None:
    made = run(provender, "demo", "farm", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    checked = run(provender, "check", "out/demo/farm/book", folder=tmp_path)
    assert (checked.returncode, "G70" in checked.stdout) == (1, True), checked.stderr


def test_the_server_answers_its_health_page(provender: Path, tmp_path: Path) -> None:
    answers_its_health_page(f"{provender} serve", tmp_path, plain(tmp_path))
