"""The Python client of the API: its description as the server gives it, and the package that is generated from it.

``python tools/client.py`` writes ``clients/python/openapi.json`` and generates ``provender_client`` beside it with
openapi-python-client, run apart by ``uvx``. Nothing below ``clients/python/provender_client`` is written by hand.
"""

import json
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

GENERATOR: Final = "openapi-python-client==0.29.1"
FORMATTER: Final = "ruff"
ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = ROOT / "clients" / "python"
DESCRIPTION: Final = FOLDER / "openapi.json"
PACKAGE: Final = "provender_client"
REFUSAL: Final = 400
PREFIX: Final = "/api/v1/"
SETTINGS: Final = f"""package_name_override: {PACKAGE}
project_name_override: provender-client
post_hooks:
  - "{FORMATTER} check --select F401,I --fix-only --quiet ."
  - "{FORMATTER} format --quiet --line-length 120 ."
"""


def described() -> dict[str, Any]:
    """Return the description as a server gives it; Django has to be set up."""
    from provender.web.api_routes import api

    made: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema(path_prefix=PREFIX), default=str))
    return made


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


def _uv() -> str:
    return shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")


def written(description: dict[str, Any]) -> str:
    """Return the description as the file holds it: a line for each address and each schema, so that changes show."""
    lines = []
    for name, part in description.items():
        inner = part if name != "components" else part["schemas"]
        if isinstance(inner, dict):
            rows = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in inner.items())
            lines.append(f"{json.dumps(name)}: {{\n{rows}\n}}" if name != "components" else _components(part, rows))
        else:
            lines.append(f"{json.dumps(name)}: {json.dumps(inner)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _components(part: dict[str, Any], rows: str) -> str:
    rest = "".join(f", {json.dumps(key)}: {json.dumps(value)}" for key, value in part.items() if key != "schemas")
    return f'"components": {{"schemas": {{\n{rows}\n}}{rest}}}'


def _as_bytes(answer: dict[str, Any]) -> None:
    content = answer.get("content", {})
    if any(one.get("schema", {}).get("format") == "binary" for one in content.values()):
        answer["content"] = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


def generate(description: dict[str, Any]) -> None:
    """Generate the package anew in place of the one that stands there."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "openapi.json").write_text(json.dumps(for_generator(description)), encoding="utf-8")
        (folder / "settings.yml").write_text(SETTINGS, encoding="utf-8")
        # fmt: off
        command = [
            _uv(), "tool", "run", "--with", FORMATTER, GENERATOR, "generate", "--meta", "none",
            "--overwrite", "--fail-on-warning", "--path", str(folder / "openapi.json"),
            "--config", str(folder / "settings.yml"), "--output-path", str(folder / PACKAGE),
        ]
        # fmt: on
        subprocess.run(command, check=True)  # noqa: S603 - fixed arguments
        shutil.rmtree(FOLDER / PACKAGE, ignore_errors=True)
        shutil.copytree(folder / PACKAGE, FOLDER / PACKAGE, ignore=shutil.ignore_patterns("__pycache__", ".*"))


def main() -> None:
    """Write description and package."""
    import django

    from provender.web.start import set_environment

    with TemporaryDirectory() as nowhere:
        set_environment(Path(nowhere))
        django.setup()
        description = described()
    DESCRIPTION.write_text(written(description), encoding="utf-8")
    generate(description)


if __name__ == "__main__":
    main()
