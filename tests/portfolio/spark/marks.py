"""What stands over every module of Spark tests."""

import os
from typing import Final

import pytest

WITH_SPARK: Final = [
    pytest.mark.spark,
    pytest.mark.skipif(not os.environ.get("PROVENDER_SPARK"), reason="a large download: `make test-spark` runs it"),
    # Spark's own clients leave sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning",
                               "ignore::DeprecationWarning", "ignore::FutureWarning"),
]  # fmt: skip
