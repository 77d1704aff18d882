"""Fields of a portfolio are valid before the validator of fiboa itself (fiboa-cli), which needs no network here.

The validator is a large download, so ``make fiboa`` runs this and neither tier collects it.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from provender.portfolio import export
from provender.portfolio.export import export_books, write_part
from provender.portfolio.layout import Partition
from provender.records.folder import load_book

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
GEOPARQUET: Final = "https://geoparquet.org/releases/v1.1.0/schema.json"
VECOREL, FIBOA = export.SCHEMAS
# What the two specifications ask of every file, said by us: the validator would look for them in the network.
_TEXT: Final = {"type": "string", "minLength": 1}
_CORE: Final[dict[str, Any]] = {
    "$schema": export.SDL,
    "required": ["schemas", "id", "collection", "geometry"],
    "collection": {"schemas": True, "id": False, "geometry": False},
    "properties": {"id": _TEXT, "collection": _TEXT, "geometry": {"type": "geometry"},
                   "schemas": {"type": "array", "items": {"type": "string", "pattern": "^https?://"}}},
}  # fmt: skip
_METADATA: Final[dict[str, Any]] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "required": ["version", "primary_column", "columns"],
    "properties": {"version": {"const": "1.1.0"}, "columns": {"additionalProperties": {
        "required": ["encoding", "geometry_types"], "properties": {"encoding": {"const": "WKB"}}}}},
}  # fmt: skip
_PROGRAM: Final = """
import json, sys
uri, told = sys.argv[1:3]
sys.argv[1:] = sys.argv[3:]
from vecorel_cli.vecorel import util
util.file_cache[uri] = json.loads(told)
from fiboa_cli.cli.setup import run
run()
"""

pytestmark = pytest.mark.samples


def validated(path: Path, samples: Path) -> tuple[int, str]:
    """Return the exit status of the validator and all that it tells; it reads JSON as YAML."""
    core = path.with_name("core.yaml")
    core.write_text(json.dumps(_CORE))
    schemas = {VECOREL: core, FIBOA: samples / "fields" / "fiboa" / "schema.yaml"}
    mapped = [text for uri, file in schemas.items() for text in ("--schema", f"{uri},{file}")]
    call = [GEOPARQUET, json.dumps(_METADATA), "validate", "--num", "-1", *mapped, str(path)]
    program = [os.environ["PROVENDER_FIBOA"], "-c", _PROGRAM, *call]
    done = subprocess.run(program, capture_output=True, text=True, check=False)  # noqa: S603
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("example", ["bluestem-farm", "basswood"])
def test_fields_of_a_portfolio_are_valid(example: str, tmp_path: Path, samples: Path) -> None:
    export_books([(example, load_book(EXAMPLES / example))], tmp_path)
    (path,) = (tmp_path / "unit").rglob("*.parquet")
    status, told = validated(path, samples)
    assert status == 0, told
    assert "INVALID" not in told


def test_the_validator_tells_of_a_bad_area_and_of_a_field_without_a_name(tmp_path: Path, samples: Path) -> None:
    export_books([("bluestem", load_book(EXAMPLES / "bluestem-farm"))], tmp_path)
    (path,) = (tmp_path / "unit").rglob("*.parquet")
    rows = pl.read_parquet(path, hive_partitioning=False)
    wrong = rows.with_columns(pl.lit("").alias("id"), pl.lit(-1, pl.Float32).alias("metrics:area"))
    write_part(tmp_path, "unit", Partition.of(path.relative_to(tmp_path)), wrong)
    status, told = validated(path, samples)
    assert status != 0
    assert "id:" in told
    assert "metrics:area" in told
