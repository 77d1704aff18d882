"""Doing what a form asks for, and putting a refusal beside the field it is about."""

from collections.abc import Callable
from typing import TypeVar

from django import forms

from provender.problem import ProblemsError

Result = TypeVar("Result")


def attempt(form: forms.Form, deed: Callable[[], Result]) -> Result | None:
    """Call a deed; on refusal write its problems into the form and return None."""
    try:
        return deed()
    except ProblemsError as refused:
        for problem in refused.problems:
            column = problem.place.column
            law = f" [7 CFR {problem.cite}]" if problem.cite else ""
            form.add_error(column if column in form.fields else None, f"{problem.cause} {problem.remedy}{law}")
        return None
