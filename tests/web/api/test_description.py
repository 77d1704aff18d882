"""The description of the API that is kept is the application's, is sound by others' rules, and a generator takes it."""

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from tools import client, openapi


def test_the_file_is_what_the_application_says() -> None:
    assert openapi.FILE.read_text("utf-8") == openapi.written(openapi.described()), "run `make openapi`"


def test_the_description_is_sound_by_anothers_validator() -> None:
    assert [str(wrong) for wrong in OpenAPIV31SpecValidator(openapi.described()).iter_errors()] == []


def test_the_validator_sees_a_default_that_breaks_its_own_pattern() -> None:
    description = openapi.described()
    parameter = {"name": "day", "in": "query", "schema": {"type": "string", "pattern": "^2", "default": "0001-01-01"}}
    next(iter(description["paths"].values()))["get"]["parameters"] = [parameter]
    assert "0001-01-01" in "".join(str(wrong) for wrong in OpenAPIV31SpecValidator(description).iter_errors())


@pytest.mark.slow
def test_the_generator_makes_a_module_for_each_call(tmp_path: Path) -> None:
    client.generate(tmp_path / "client")
    modules = {path.stem for path in (tmp_path / "client" / "provender_client" / "api").rglob("[a-z]*.py")}
    described: dict[str, Any] = json.loads(openapi.FILE.read_text("utf-8"))["paths"]
    assert modules == {call["operationId"] for path in described.values() for call in path.values()}
