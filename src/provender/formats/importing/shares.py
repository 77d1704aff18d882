"""Rows of one scale ticket in a farm's own list: shares are added up, what contradicts itself is asked about.

A load that was split over contracts, owners or fields is printed once for each share (600 and 400 bushels). Shares have
one ticket, day and crop, and amounts of their own; where anything but the field differs, or the pounds of the load are
not those of the bushels of its rows, nobody can tell, and the rows stay out until a person says which is right.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from provender.catalog.materials import BUSHEL_LB
from provender.days import DayTextError
from provender.formats.importing.incoming_files import IncomingFile
from provender.formats.parsed import doubt
from provender.formats.units import number_out, read_number
from provender.problem import Place, listed
from provender.records.kind import Kind
from provender.records.reading import column_names

TICKETS: Final = "scale_ticket"
_AMOUNTS: Final = ("net_lb", "net_bushels")
_FIELD: Final = "unit_id"
_LEAST_SHRUNK: Final = Fraction(3, 4)
"""Very wet corn loses a quarter of its weight until it is dry."""
_ROUNDED: Final = Fraction(1, 100)


def with_shares(incoming: IncomingFile, *, accept: bool) -> IncomingFile:
    """Return a table of scale tickets in which the shares of a ticket are one row, and what is told of them.

    Args:
        incoming: the table.
        accept: a person has looked at what is asked, so that rows which may be shares count as shares.
    """
    kind, table = incoming.kind, incoming.table
    if kind is None or kind.name != TICKETS:
        return incoming
    where = _columns(kind, table.heading)
    groups: dict[tuple[str, ...], list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    for number, cells in table.rows:
        groups[_cell(cells, where.get("farm_id")), _cell(cells, where.get("ticket_id"))].append((number, cells))
    kept, problems = dict(table.rows), list(incoming.problems)
    for (_, ticket), same in groups.items():
        whole = _whole([cells for _, cells in same], where) if ticket and len(same) > 1 else None
        if whole is None or _disproved(whole, where):
            continue
        amount = where.get("net_bushels", where.get("net_lb"))
        shown = " and ".join(_cell(cells, amount) for _, cells in same)
        fields = list(dict.fromkeys(_cell(cells, where.get(_FIELD)) for _, cells in same))
        of_fields = f" of {listed(fields)}, so it names no field" if len(fields) > 1 else ""
        cause = f"ticket {ticket} stands in rows {listed(number for number, _ in same)} with {shown}{of_fields}"
        place = Place(table.file, table.sheet, same[0][0], "ticket_id")
        if accept or _proven(whole, where):
            for number, _ in same[1:]:
                del kept[number]
            kept[same[0][0]] = whole
            told = f"{cause}: shares of one load, which make {_cell(whole, amount)}."
            problems.append(doubt(place, told, "Confirm it.", "shares_added"))
        else:
            remedy = "If they are shares of one load, import with --accept and they are added up."
            problems.append(doubt(place, f"{cause}.", remedy, "shares_asked"))
    return replace(incoming, table=replace(table, rows=tuple(kept.items())), problems=tuple(problems))


def _proven(whole: Sequence[str], where: Mapping[str, int]) -> bool:
    """Tell whether the pounds of a load, printed on each row, are those of the bushels that the rows add up to."""
    ratio = _weighed(whole, where)
    return ratio is not None and _LEAST_SHRUNK <= ratio <= 1 + _ROUNDED


def _disproved(whole: Sequence[str], where: Mapping[str, int]) -> bool:
    """Tell whether pounds and bushels that the rows add up to are not of one load: a row says the other again."""
    return _weighed(whole, where) is not None and not _proven(whole, where)


def _weighed(whole: Sequence[str], where: Mapping[str, int]) -> Fraction | None:
    """Return what the bushels weigh, as a share of the pounds; None where one of them or the crop is not told."""
    pounds, bushels = (_cell(whole, where.get(name)) for name in _AMOUNTS)
    weight = BUSHEL_LB.get(_cell(whole, where.get("crop")))
    if not pounds or not bushels or weight is None:
        return None
    return read_number(bushels) * weight / 1000 / read_number(pounds)


def _columns(kind: Kind, heading: Sequence[str]) -> dict[str, int]:
    known = column_names(kind)
    return {known.get(text.casefold(), ""): at for at, text in reversed(list(enumerate(heading)))}


def _cell(cells: Sequence[str], at: int | None) -> str:
    return cells[at].strip() if at is not None and at < len(cells) else ""


def _whole(rows: Sequence[tuple[str, ...]], where: Mapping[str, int]) -> tuple[str, ...] | None:
    """Return the row of the whole ticket, or None where the rows are no shares of one.

    Pounds that all rows print alike are those of the whole load; bushels of their own are added up. Rows of which two
    are the same say nothing of shares.
    """
    amounts = {name: where[name] for name in _AMOUNTS if name in where}
    width = max(map(len, rows))
    padded = [(*row, *[""] * (width - len(row))) for row in rows]
    own_to_each = {*amounts.values(), where.get(_FIELD, -1)}
    alike = all(len({row[at].strip() for row in padded}) == 1 for at in range(width) if at not in own_to_each)
    if not alike:
        return None
    if len(set(padded)) < len(padded):
        return None
    whole, own = list(padded[0]), False
    for at in amounts.values():
        texts = [row[at].strip() for row in padded]
        try:
            parts = [read_number(text) for text in texts if text]
        except DayTextError:
            return None
        if any(part <= 0 for part in parts) or len(parts) not in (0, len(texts)):
            return None
        if len(set(texts)) == 1:
            continue
        whole[at], own = number_out(sum(parts, Fraction()))[0], True
    if not own:
        return None
    if _FIELD in where and len({row[where[_FIELD]].strip() for row in padded}) > 1:
        whole[where[_FIELD]] = ""
    return tuple(whole)
