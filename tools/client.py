"""Generate a Python client of the API: ``python tools/client.py FOLDER``.

openapi-python-client, run apart by ``uvx``, makes the package from ``docs/reference/openapi.json``.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

GENERATOR: Final = "openapi-python-client==0.29.1"
FORMATTER: Final = "ruff"
ROOT: Final = Path(__file__).parent.parent
DESCRIPTION: Final = ROOT / "docs" / "reference" / "openapi.json"
REFUSAL: Final = 400
SETTINGS: Final = f"""package_name_override: provender_client
project_name_override: provender-client
post_hooks:
  - "{FORMATTER} check --select F401,I --fix-only --quiet ."
  - "{FORMATTER} format --quiet --line-length 120 ."
"""


def for_generator(description: dict[str, Any]) -> dict[str, Any]:
    """Return the description with one answer for all refusals of a call, and files under the type the generator reads.

    Each refusal is a problem of one form: an arm for each of eight statuses would say the same eight times.
    """
    for path in description["paths"].values():
        for call in path.values():
            answers: dict[str, Any] = call["responses"]
            refusals = [status for status in answers if int(status) >= REFUSAL]
            if refusals:
                answers["default"] = {**answers[refusals[0]], "description": "Refused."}
            for status in refusals:
                del answers[status]
            for answer in answers.values():
                _as_bytes(answer)
    for schema in description["components"]["schemas"].values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)  # what a later server adds is passed over
    return description


def _as_bytes(answer: dict[str, Any]) -> None:
    content = answer.get("content", {})
    if any(one.get("schema", {}).get("format") == "binary" for one in content.values()):
        answer["content"] = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


def generate(folder: Path) -> None:
    """Write the client as a project of its own into a folder, in place of one that stands there.

    Raises:
        CalledProcessError: the generator does not take the description as it is.
    """
    description = for_generator(json.loads(DESCRIPTION.read_text(encoding="utf-8")))
    with TemporaryDirectory() as made:
        source, settings = Path(made, "openapi.json"), Path(made, "settings.yml")
        source.write_text(json.dumps(description), encoding="utf-8")
        settings.write_text(SETTINGS, encoding="utf-8")
        # fmt: off
        command = [
            shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv"), "tool", "run", "--with", FORMATTER, GENERATOR,
            "generate", "--meta", "uv", "--overwrite", "--fail-on-warning",
            "--path", str(source), "--config", str(settings), "--output-path", str(folder),
        ]
        # fmt: on
        folder.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(command, check=True)  # noqa: S603 - fixed arguments


if __name__ == "__main__":
    generate(Path(sys.argv[1]))
