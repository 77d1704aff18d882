"""Why something was not done, in words for the person who asked."""

from datetime import date

from provender.problem import Place, Problem, ProblemsError


class RefusedError(ProblemsError):
    """What cannot be done as asked; nothing was written."""


class MissingError(LookupError):
    """There is no such thing for whoever asks, whatever there may be for others; pages and API answer 404."""


class UnopenedError(MissingError):
    """A book that is not open yet: its owner's pages offer to open it, for everybody else there is nothing."""


def check_not_past(last_day: date, today: date, *, column: str) -> None:
    """Refuse a last day that has passed: what it ends would never begin. ``column`` names its form field.

    Raises:
        RefusedError: it has.
    """
    if last_day < today:
        raise refusal("expired", "The last day has passed already.", "Choose a later day.", column=column)


def refusal(code: str, cause: str, remedy: str, *, cite: str = "", column: str = "") -> RefusedError:
    """Build the refusal for one reason. ``column`` names the form field it belongs to."""
    return RefusedError([Problem(Place("request", column=column), cause, remedy, cite=cite, code=code)])
