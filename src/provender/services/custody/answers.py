"""Answers of the book as doors tell them: a refusal is a problem at its field, with what to do about it."""

from collections.abc import Collection

from provender.custody.events.refusals import UNREADABLE, problem_of
from provender.custody.model.store_view import Decision
from provender.problem import Problem, ProblemsError


def refused(answer: Decision, *, file: str, known: Collection[str] = ()) -> Problem:
    """Return a refusal as a problem; ``known`` are the fields of the form that it may stand at."""
    return problem_of(answer, file=file, known=known)


def is_unreadable(answer: Decision) -> bool:
    """Tell whether the event could not be read: then nothing in the book speaks against it."""
    return answer.status in UNREADABLE


def well(answer: Decision, *, file: str = "event") -> Decision:
    """Return an answer that stands.

    Raises:
        ProblemsError: it is a refusal.
    """
    if not answer.status.well:
        raise ProblemsError([refused(answer, file=file)])
    return answer
