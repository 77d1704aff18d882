"""What was computed from a farm's book, kept per version of book, rule and program, so that a page computes once."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any

from django.utils import timezone

from provender import __version__
from provender.database.models import VerdictCache
from provender.practices.assess import Assessment
from provender.rule.version import rule_version
from provender.services.farm.records import FarmBook


def today() -> date:
    """Return the day on which pages are made (UTC)."""
    return timezone.now().date()


def kept(farm: FarmBook, what: str, compute: Callable[[Assessment], object]) -> Any:  # noqa: ANN401 - any JSON
    """Return plain data computed from a version of the book, from the cache where it was computed before.

    Args:
        farm: the version of the book.
        what: name and shape of what is kept, at most 40 characters; another shape takes another name.
        compute: makes it from the judged book; its result goes through JSON.
    """
    rule = f"{rule_version(today()).id} {__version__}"
    row = VerdictCache.objects.filter(book=farm.book, book_version=farm.version, rule_version=rule, what=what).first()
    if row is not None:
        return json.loads(bytes(row.content))
    content = json.dumps(compute(farm.judged)).encode()
    made = VerdictCache(book=farm.book, book_version=farm.version, rule_version=rule, what=what, content=content)
    VerdictCache.objects.bulk_create([made], ignore_conflicts=True)
    return json.loads(content)
