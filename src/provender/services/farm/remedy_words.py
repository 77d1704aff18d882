"""The remedies of problems, where the command line's way out is not the page's."""

from dataclasses import replace
from typing import Final

from provender.problem import Problem

REMEDIES: Final[dict[str, str]] = {
    "no_farm": "Write down the farm first: All records, Farm.",
    "waits": "Look at the rows below; nothing is written until you confirm.",
    "word_asked": "Say below which of them it is.",
    "word_unknown": "Choose below what it is, or leave it as it is.",
    "day_order": "Say below whether the month or the day comes first.",
    "unknown_reference": "Say below which field it is, or correct the row.",
    "entry_asked": "Choose it beside the row below.",
    "entry_missing": "Add the crop entry below, or correct the row.",
    "entry_open": "It goes in without a crop entry, and its day decides. Name one beside the row if it is another.",
    "stray_rows": "Say what they are, or that they are not to count, on the page of rejected rows.",
    "unknown_sheet": "Say below what its rows are, or leave the sheet out.",
    "kind_by_headings": "Say below what its rows are, if they are something else.",
    "no_headings": "Say below which column is which, or use the template.",
    "unknown_column": "Say below what the column is, or leave it out.",
    "suggested_map": "Look at the columns below; correct what is wrong.",
    "differs_from_book": "Choose below whose values count: the book's or the file's.",
    "other_boundary": "Choose below whose boundary counts: the book's or the file's.",
    "rejected_rows": "Correct them, or say that they are not to count, on the page of rejected rows.",
    "unusable_file": "Correct the rejected rows of the book first.",
    "paper_kept": "Complete its row below: what it is, and which unit it is about. Then type its figures.",
    "unknown_file": "Nothing to do.",
    "nothing_retired": "Enter what went into fuel first: Retire into fuel.",
}
"""By the code of the problem."""


def for_page(problem: Problem) -> Problem:
    """Return a problem as a page tells it: a whole sentence, and the remedy that the page offers."""
    cause = problem.cause[:1].upper() + problem.cause[1:]
    return replace(problem, cause=cause, remedy=REMEDIES.get(problem.code, problem.remedy))
