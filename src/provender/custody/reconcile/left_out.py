"""Loads of a file that make no entry of the grain book: which rows, how much, and why. Absence is not clean."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from provender.custody.reconcile.ticket_rows import ScaleTicket, Split
from provender.frozen import frozen
from provender.problem import Problem
from provender.quantity import parse, show_whole
from provender.signing.hashes import sha256_hex

OF_A_LOAD: Final = ("number", "day", "crop")
"""What a row of a load says; one that says fewer than two of them is a sum or a remark."""


@frozen
class LeftOut:
    """A load that is not taken.

    Attributes:
        row: where it stands in the file.
        number: of the ticket, as far as it has one.
        crop: as the file writes it.
        bushels: as far as the file says them, thousandths; None where it does not.
        problem: why, and what to do.
        heading: of the column at which it is, as the file writes it; empty where it is of none.
    """

    row: int
    number: str
    crop: str
    bushels: int | None
    problem: Problem
    heading: str = ""


def is_load(values: Mapping[str, str]) -> bool:
    """Tell whether a mapped row is of a load."""
    return sum(bool(values.get(name, "").strip()) for name in OF_A_LOAD) > 1


def says_way(rows: Iterable[Mapping[str, str]]) -> bool:
    """Tell whether a file says of any row which way it went: a row that then says nothing is not known to be in."""
    return any(values.get("direction", "").strip() for values in rows)


def left_row(row: int, values: Mapping[str, str], problem: Problem) -> LeftOut:
    """Return a row of a load that could not be read, or whose crop is none of ours."""
    try:
        bushels = parse(values.get("net_bushels", ""))
    except ValueError:
        bushels = None
    return LeftOut(row, values.get("number", ""), values.get("crop", ""), bushels, problem)


def left_tickets(
    tickets: Iterable[ScaleTicket], parts: Mapping[tuple[str, str], Sequence[Split]], problems: Sequence[Problem]
) -> list[LeftOut]:
    """Return the tickets that were read and still make no entry: asked about as a whole, or without an amount.

    Args:
        tickets: of the file.
        parts: those that make an entry, by site and number.
        problems: what was told of them.
    """
    found = []
    by_key: dict[tuple[str, str], list[ScaleTicket]] = {}
    for one in tickets:
        by_key.setdefault((one.site, one.number), []).append(one)
    for key, rows in by_key.items():
        made = parts.get(key)
        if made is not None and (made[0].ticket.void or sum(part.bushels for part in made) > 0):
            continue
        numbers = {one.row for one in rows}
        why = next(each for each in reversed(problems) if each.place.row in numbers)
        found += [LeftOut(one.row, one.number, one.crop, one.net or None, why) for one in rows if not one.void]
    return found


def said_of(left: Sequence[LeftOut]) -> str:
    """Say how many loads are not taken, and how many bushels."""
    loads = "1 load is" if len(left) == 1 else f"{len(left):,} loads are"
    known = [one.bushels for one in left if one.bushels is not None]
    return f"{loads} not taken, {show_whole(sum(known))} bu as far as the file says."


def mark_of(left: Sequence[LeftOut]) -> str:
    """Return what a person confirms who leaves these loads out, and no others; empty where there are none."""
    told = [(one.row, one.number, one.crop, one.bushels, one.problem.code) for one in left]
    return sha256_hex(repr(told).encode())[:16] if told else ""
