"""What stands over every module of Spark tests."""

from typing import Final

import pytest

WITH_SPARK: Final = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.xdist_group("spark"),
    # Spark's own clients leave sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning",
                               "ignore::DeprecationWarning", "ignore::FutureWarning"),
]  # fmt: skip
