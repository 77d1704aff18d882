"""Why a deed was not done, in words for the person who asked."""

from provender.problem import Place, Problem, ProblemsError


class RefusedError(ProblemsError):
    """A deed that cannot be done as asked; nothing was written."""


def refusal(code: str, cause: str, remedy: str, *, cite: str = "", column: str = "") -> RefusedError:
    """Build the refusal of a deed for one reason. ``column`` names the form field it belongs to."""
    return RefusedError([Problem(Place("request", column=column), cause, remedy, cite=cite, code=code)])
