"""The README's commands run as they stand, in order from an empty folder."""

import os
import re
import sys
from pathlib import Path
from typing import Final

import httpx
import pytest

from tests.demo.typed import typed
from tests.processes import free_port, plain_environment, running, until

ROOT: Final = Path(__file__).parents[2]
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS: Final = re.findall(r"```sh\n(.*?)```", README, flags=re.DOTALL)
LINES: Final = [line for block in BLOCKS for line in block.replace("\\\n", "").splitlines()]
LEFT: Final = (
    "practices.csv",
    "practices.xlsx",
    "practices.svg",
    "book/operation.csv",
    "reports/BLUESTEM-corn-2025-v1.pdf",
)
"""Some of what the README says that ``make demo`` leaves."""
FEW: Final = f"""#!{sys.executable}
from provender.demo import farms
farms.FARMS = 6
from provender.cli import main
main()
"""


def recipe(target: str) -> str:
    found = re.search(rf"^{target}:.*\n\t(.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert found
    return found[1]


def with_few_farms(folder: Path) -> dict[str, str]:
    """Return the environment of a new terminal whose program makes few farms and begins no work beside the server."""
    program = folder / "provender"
    program.write_text(FEW, encoding="utf-8")
    program.chmod(0o700)
    return plain_environment(PATH=f"{folder}:{os.environ['PATH']}")


def test_every_command_of_the_readme_does_what_it_says(tmp_path: Path) -> None:
    assert recipe("demo") == "$(BIN)/provender demo farm"
    (serves,) = [line for line in LINES if line.startswith("provender serve")]
    script = [line.replace("make demo ", "provender demo farm ") for line in LINES]
    script = [f"{line}\n" for line in script if line != serves and not line.startswith("make test")]
    done = typed("".join(script), tmp_path)
    assert done.failed == []
    assert [name for name in LEFT if not (tmp_path / "out/demo/farm" / name).is_file()] == []
    assert done.said["signature out/demo/farm/reports/BLUESTEM-corn-2025-v1.json"].startswith("VALID")
    assert "2100.051(b)(1)" in done.said["rule show"]
    assert done.said["verify farm-01.zip"].rstrip().endswith("Nothing differs.")
    assert "3 of 5 farms" in done.said["audit sample"]
    answers_its_health_page(serves, tmp_path, with_few_farms(tmp_path))


def answers_its_health_page(line: str, folder: Path, shell: dict[str, str]) -> None:
    """Start the server as the line says, on a free port, and ask it how it is."""
    port, log = free_port(), folder / "log"
    with running([*line.split(), "--port", str(port)], log, shell, folder):
        health = until(lambda: httpx.get(f"http://127.0.0.1:{port}/health", timeout=60), log)
    assert health.json()["status"] == "ok"


def test_the_readme_names_two_commands_that_make_knows_and_fits_on_two_screens() -> None:
    assert [line.split()[1] for line in LINES if line.startswith("make")] == ["demo", "test"]
    assert recipe("test")
    assert len(README.splitlines()) <= 85


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_link_of_a_page_at_the_root_leads_to_something_in_the_tree(page: str) -> None:
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / page).read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
