"""One Spark session and one small nation for all modules."""

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.nation.build import build

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


@pytest.fixture(scope="package")
def spark() -> "Iterator[SparkSession]":
    assert importlib.util.find_spec("pyspark"), "install provender[spark]"
    from provender.portfolio.spark import session

    made = session("local[2,4]")
    yield made
    made.stop()


@pytest.fixture(scope="package")
def nation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nation") / "p"
    build(folder, 7, farms=150, each=1, states=("KS",))
    return folder
