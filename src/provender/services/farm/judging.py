"""A version of a book is judged once a process, however many pages, reports and sums ask for it in turn."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final

from django.conf import settings

from provender import __version__
from provender.database.actor import today
from provender.practices.assess import Assessment
from provender.rule.parameters import parameters
from provender.rule.version import rule_version
from provender.signing.hashes import sha256_hex

KEPT: Final = 4
"""Judged books that a process keeps: a consultant looks at a few farms at a time, and each may be some megabytes."""
MARK: Final = 16
"""Hexadecimal digits of the mark that are kept."""

_judged: OrderedDict[tuple[str, str], Assessment] = OrderedDict()
_turn = Lock()


def judged_under(files_held: Sequence[tuple[str, str, int, int, int]]) -> str:
    """Return what moves with whatever else a book is judged by: rule, program, its files as they lie, calculators."""
    calculators = settings.CALCULATORS
    listed = sha256_hex(calculators.read_bytes()) if calculators else ""
    moving = repr((files_held, parameters().citation, parameters().read_up_to, listed))
    return f"{rule_version(today()).id} {__version__} {sha256_hex(moving.encode())[:MARK]}"


def judged_once(head: str, under: str, judge: Callable[[], Assessment]) -> Assessment:
    """Return a judged version of a book, judged now only where it is not kept.

    Args:
        head: the hash of the version's last change, which binds every row of the book.
        under: what else it is judged by.
        judge: judges it.
    """
    key = (head, under)
    with _turn:
        if key in _judged:
            _judged.move_to_end(key)
            return _judged[key]
    made = judge()
    with _turn:
        _judged[key] = made
        while len(_judged) > KEPT:
            _judged.popitem(last=False)
    return made
