"""The jobs that judge farms batch by batch, by name: a task on another machine knows its work by it."""

from collections.abc import Mapping
from typing import Final

from provender.portfolio.checking import check
from provender.portfolio.jobs import Judge

JOBS: Final[Mapping[str, Judge]] = {"check": check}
