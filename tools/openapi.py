"""Write the description of the API as a server gives it into ``docs/reference/openapi.json``."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

FILE: Final = Path(__file__).parent.parent / "docs" / "reference" / "openapi.json"
PREFIX: Final = "/api/v1/"


def described() -> dict[str, Any]:
    """Return the description as a server gives it; Django has to be set up."""
    from provender.web.urls import api

    made: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema(path_prefix=PREFIX), default=str))
    return made


def written(description: dict[str, Any]) -> str:
    """Return the description as the file holds it: a line for each address and each schema, so that changes show."""
    parts = []
    for name, part in description.items():
        if name == "components":
            rest = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in part.items() if key != "schemas"]
            parts.append(f'"components": {{{", ".join([_by_line("schemas", part["schemas"]), *rest])}}}')
        elif isinstance(part, dict):
            parts.append(_by_line(name, part))
        else:
            parts.append(f"{json.dumps(name)}: {json.dumps(part)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _by_line(name: str, part: dict[str, Any]) -> str:
    rows = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in part.items())
    return f"{json.dumps(name)}: {{\n{rows}\n}}"


def main() -> None:
    """Write the file."""
    import django

    from provender.web.start import set_environment

    with TemporaryDirectory() as nowhere:
        set_environment(Path(nowhere))
        django.setup()
        FILE.write_text(written(described()), encoding="utf-8")


if __name__ == "__main__":
    main()
