"""What the tests of portfolios share: one of two farms, written once and copied for each test."""

import shutil
from pathlib import Path

import pytest

from provender.portfolio.export import export_books
from tests.portfolio.world import farm


@pytest.fixture(scope="session")
def two_farms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("two-farms") / "p"
    export_books([("one", farm("F1")), ("two", farm("F2"))], folder)
    return folder


@pytest.fixture
def root(two_farms: Path, tmp_path: Path) -> Path:
    """Return a portfolio of two farms with the same clean season."""
    return Path(shutil.copytree(two_farms, tmp_path / "p"))
