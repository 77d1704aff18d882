"""The documented system of 2100.032(a): a manual written from what the entity's own book says."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from provender.custody.events.plant import yields_at
from provender.custody.events.rules import closed_sites
from provender.custody.model import entities
from provender.custody.model.lots import STOCK, Origin, OriginKind
from provender.custody.model.store_view import CustodyStep, StoreView
from provender.exact import RATE_SCALE, show
from provender.rule.law import rule_version
from provender.schema import field, view

_ROLE_WORDS = {
    entities.Role.FARM: "farm",
    entities.Role.LANDOWNER: "landowner with a share of a farm's bushels",
    entities.Role.FIRST_POINT: "first point of aggregation",
    entities.Role.INTERMEDIARY: "intermediary entity",
    entities.Role.REFINER: "biofuel refiner (and first point for crop it buys from farms)",
    entities.Role.SERVICE_PROVIDER: "service provider",
}

_OPINION_WORDS = {
    entities.Opinion.FAVOURABLE: "favorable statement of",
    entities.Opinion.ADVERSE: "adverse statement of",
    entities.Opinion.FIRST_AUDIT_CONTRACTED: "first year, audit contracted with",
    entities.Opinion.NEXT_AUDIT_CONTRACTED: "next audit contracted with",
}
_BUYS_FROM_FARMS = frozenset({entities.Role.FIRST_POINT, entities.Role.REFINER})


def manual(store: StoreView, entity: entities.Entity, as_of: date) -> str:
    """Return the manual of an entity as Markdown: who we are, how claims move, what stops a double sale."""
    return "\n".join(
        (
            f"# How {entity.name} keeps its chain of custody",
            "",
            f"Written from the book on {as_of} under 7 CFR part 2100 ({rule_version(as_of).id}).",
            "",
            *_who(store, entity),
            *_claims(entity),
            *_records(store, entity),
            *_grain(),
            *_periods(store, entity),
            *_yields(store, entity),
            *_partners(store, entity, as_of),
            *_keeping(as_of),
            "",
        )
    )


def _who(store: StoreView, entity: entities.Entity) -> Iterator[str]:
    yield from ("## Who we are", "", f"- Roles (2100.010): {', '.join(_ROLE_WORDS[role] for role in entity.roles)}.")
    shut = {site: f"{site} (closed from {one.closed} on)" for site, one in closed_sites(store, entity.id).items()}
    yield f"- Sites: {', '.join(shut.get(site, site) for site in entity.sites) or 'none; we trade only'}."
    for one in store.many(entities.Verification, entity.id):
        yield f"- Verification: {_verified(one)}."
    yield ""


def _verified(one: entities.Verification) -> str:
    crops = ", ".join(one.crops)
    return f"{_OPINION_WORDS[one.opinion]} {one.verifier}, {one.start} to {one.end}, {crops} (no. {one.id})"


def _claims(entity: entities.Entity) -> Iterator[str]:
    yield from ("## How a bushel is followed, and why it cannot be sold twice (2100.032(a))", "")
    steps = [
        "A farm's signed report makes its bushels an origin with serial numbers. Only the farm hands serials out.",
        *(
            ("From a farm we buy the serials of a sale slip that it signed, on the day title passes.",)
            if _BUYS_FROM_FARMS & set(entity.roles)
            else ()
        ),
        "A trader's transfer document is taken in when its signature fits the pinned key and no other holder is known.",
        "Every lot names its owner, site, form and carbon intensity; a carbon intensity is never averaged.",
        "A movement takes only lots that are held now, and since a day not after its own. So a lot leaves once.",
        "What we sell is in transit until the buyer accepts it; a buyer lays its serials beside all it has seen.",
        "Nothing is changed or deleted. A mistake is taken back by one more entry, dated the day it is made.",
        "A supplier's claims without a favorable verification statement are held and not sold on.",
        f"Each line of {entity.name}'s book is sealed with a hash over the line before it.",
    ]
    yield from (f"{number}. {step}" for number, step in enumerate(steps, 1))
    yield ""


def _records(store: StoreView, entity: entities.Entity) -> Iterator[str]:
    """Say what is recorded of movements, what is kept from those before us, and what a buyer gets."""
    yield from ("## What we record, keep and hand on (2100.032(a)(1), (b), (c))", "")
    yield "- Of every movement: the amount, from whom and to whom, the carbon intensity, the date, and the serials."
    origins = {step.after.origin for step in store.steps(entity.id)}
    reports = sum(1 for one in origins if (origin := store.one(Origin, one)) and origin.source is OriginKind.REPORT)
    if reports:
        yield f"- Reports of farms behind what we bought: {reports} on file, each under the hash that its lots name."
    yield "- From traders: their transfer documents, and the verification statements listed below."
    yield "- A buyer gets a signed transfer document: our verification, the amount, and its carbon intensities."
    yield ""


def _grain() -> Iterator[str]:
    yield from ("## Claims need grain", "")
    yield "Scale tickets, shipments and measured stock are kept per site for all grain. At each close the claims in"
    yield "stock may not exceed the grain; a surplus is released without claim. Losses are shared over every carbon"
    yield "intensity and conventional grain; gains never make serials."
    yield ""


def _periods(store: StoreView, entity: entities.Entity) -> Iterator[str]:
    yield from ("## Mass balance time periods (2100.034(b))", "", "| first day | last day | sale policy | closed |")
    yield "| --- | --- | --- | --- |"
    for one in store.many(entities.Period, entity.id):
        yield f"| {one.start} | {one.end} | {one.policy.replace('_', ' ')} | {one.closed or 'open'} |"
    yield ""
    yield "For every crop, harvest year and carbon intensity: beginning + incoming = outgoing + ending, in bushels,"
    yield "losses counted as outgoing. A period begins with exactly what the one before it ended with."
    yield ""


def _yields(store: StoreView, entity: entities.Entity) -> Iterator[str]:
    found = [*yields_at(store, entity.id, *entity.sites)]
    if not found:
        return
    yield from ("## Yields (2100.033)", "", "| site | from | to | campaign | basis | lb per bu (or lb) | days |")
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for one in found:
        rate = show(one.rate, RATE_SCALE)
        cells = (one.site, one.made_of, one.output, one.campaign, one.basis, rate, f"{one.start} to {one.end}")
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield "Product is rounded down and crop used rounded up, to the thousandth; what rounding leaves is booked as lost."
    yield ""


def _partners(store: StoreView, entity: entities.Entity, as_of: date) -> Iterator[str]:
    yield from ("## Suppliers, recipients, subcontractors, service providers (2100.032(a)(2), (3))", "")
    contracts = [one for one in store.many(entities.Contract, entity.id) if one.covers(as_of)]
    if not contracts:
        yield from ("No contract is on file.", "")
        return
    yield from ("| name | is our | contract | since | signing key |", "| --- | --- | --- | --- | --- |")
    for one in contracts:
        party, key = _named(store, one.counterparty), "pinned" if one.signing_key else "none"
        cells = (_cell(party), one.role.replace("_", " "), _cell(one.id), str(one.start), key)
        yield f"| {' | '.join(cells)} |"
    yield ""
    suppliers = dict.fromkeys(one.counterparty for one in contracts if one.role is entities.ContractKind.SUPPLIER)
    stated = [(name, one) for name in suppliers for one in store.many(entities.Verification, name)]
    if stated:
        yield from ("## Verification of our suppliers (2100.032(b)(2))", "")
        yield from (f"- {_named(store, name)}: {_verified(one)}." for name, one in stated)
        yield ""


def _named(store: StoreView, name: str) -> str:
    entity = store.one(entities.Entity, name)
    return f"{entity.name} ({name})" if entity and entity.name != name else name


def _cell(words: str) -> str:
    return words.replace("|", "\\|")


def _keeping(as_of: date) -> Iterator[str]:
    years = rule_version(as_of).retention_years
    yield from ("## How long we keep it (2100.030(d))", "")
    yield f"Everything behind a sale is kept for {years} years from that sale. What is in stock keeps all behind it."


# Tables of papers that are written as Markdown, for ``documents.manual_print`` to lay out.

_NUMBER: Final = re.compile(r"(-?[\d,]+)(?:\.(\d+))?( (?:bu|lb))?")
_APART: Final = "---"


def table_lines(head: Sequence[str], rows: Iterable[Sequence[str]], *, amounts: Collection[str] = ()) -> Iterator[str]:
    """Yield a table line by line; one without rows says so.

    Args:
        head: what the columns are called.
        rows: their cells.
        amounts: what the columns of amounts are called: where all of one is numbers it stands to the right, with as
            many decimals in every row. No other column is changed, for a ticket 100.1 is not the ticket 100.10.

    Raises:
        ValueError: no column is called so.
    """
    if unknown := set(amounts) - set(head):
        raise ValueError(f"no column is called {', '.join(sorted(unknown))}")
    cells = [tuple(row) for row in rows]
    if not cells:
        yield "None."
        return
    columns = list(zip(*cells, strict=True))
    named = [(name in amounts, column) for name, column in zip(head, columns, strict=True)]
    numbers = [is_amount and all(map(_NUMBER.fullmatch, column)) for is_amount, column in named]
    padded = [_padded(column) if is_number else column for column, is_number in zip(columns, numbers, strict=True)]
    yield "| " + " | ".join(head) + " |"
    yield "|" + "".join(f"{_APART}:|" if is_number else f"{_APART}|" for is_number in numbers)
    for row in zip(*padded, strict=True):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def is_right(rule: str) -> bool:
    """Tell of a cell below a table's head whether the column stands to the right."""
    return rule.endswith(":")


def _padded(column: Sequence[str]) -> list[str]:
    """Return numbers with as many decimals each."""
    found = [match.groups("") for match in map(_NUMBER.fullmatch, column) if match]
    most = max(len(part) for _, part, _ in found)
    return [f"{whole}.{part:0<{most}}{unit}" if most else f"{whole}{unit}" for whole, part, unit in found]


# How long each holder must keep what: five years from its own sale (2100.030(d), interpretation 47).

_MONTHS = 12


@view
class KeepView:
    """A movement whose documents are kept; ``until`` is null while its claims are in stock."""

    day: date = field("Day")
    movement: str = field("Entry")
    type: str = field("Movement")
    until: date | None = field("Keep until")
    may_go: bool = field("May go")


def kept_until(sold: date) -> date:
    """Return the last day on which the documents of a sale must be kept."""
    return entities.months_on(sold, _MONTHS * rule_version(sold).retention_years)


def retention(steps: Sequence[CustodyStep], entity: str, day: date) -> list[KeepView]:
    """Return what an entity must keep on a day and until when, movement by movement.

    A movement's documents are kept until the last of what it brought has been sold (or lost, released, retired) and
    the years since that have passed. What is in stock keeps all movements behind it.
    """
    brought = {step.after.id: step for step in steps}
    ended = {step.before.id for step in steps if step.before is not None}
    last: dict[str, date] = {}
    stays: set[str] = set()
    for step in steps:
        if step.after.owner == entity and step.after.state in STOCK:
            if step.after.id not in ended:
                stays.update(one.movement for one in _behind(brought, step, entity) if not _is_remainder(one))
        elif step.before is not None and step.before.owner == entity:
            for one in _behind(brought, step, entity):
                if not _is_remainder(one):
                    last[one.movement] = max(last.get(one.movement, one.day), step.day)
    seen = {
        step.movement: step
        for step in steps
        if entity in ({step.after.owner} | ({step.before.owner} if step.before else set()))
    }
    ends = {name: None if name in stays else kept_until(last.get(name, step.day)) for name, step in seen.items()}
    return [
        KeepView(day=step.day, movement=name, type=step.type, until=until, may_go=until is not None and day > until)
        for (name, step), until in zip(seen.items(), ends.values(), strict=True)
    ]


def _is_remainder(step: CustodyStep) -> bool:
    """Tell whether a step is only what a movement left of a lot: the movement's papers say nothing about that rest."""
    before, after = step.before, step.after
    if before is None or before.owner != after.owner:
        return False
    same = replace(after, id=before.id, parent=before.parent, by=before.by, product=before.product)
    return replace(same, start=before.start, stop=before.stop) == before


def _behind(brought: dict[str, CustodyStep], step: CustodyStep, entity: str) -> list[CustodyStep]:
    """Return a step and those behind it, back to where the entity received the serials."""
    chain = [step]
    while (before := chain[-1].before) is not None and before.owner == entity and before.id in brought:
        chain.append(brought[before.id])
    return chain
