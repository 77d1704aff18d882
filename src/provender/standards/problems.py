"""What is told beside the verdicts: doubts for the verifier, rows that contradict one another, evidence that fails."""

from collections.abc import Iterator, Mapping, Sequence

from provender.problem import Problem
from provender.records.book import RecordBook
from provender.standards.judge import IntervalJudged
from provender.standards.rows import FarmRows


def told(book: RecordBook, farms: Mapping[str, FarmRows], intervals: Sequence[IntervalJudged]) -> Iterator[Problem]:
    """Yield what is told of a judged book.

    Args:
        book: the records.
        farms: the rows of each farm as verdicts read them.
        intervals: what was judged.
    """
    yield from ()
