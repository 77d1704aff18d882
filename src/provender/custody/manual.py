"""The documented system of 2100.032(a): a manual written from what the entity's own book says."""

from collections.abc import Iterator
from datetime import date

from provender.custody.amounts import FORMS, RATE_SCALE
from provender.custody.entities import Contract, Entity, Role, Statement
from provender.custody.facts import Facts
from provender.custody.periods import Period
from provender.custody.yields import Yield
from provender.quantity import show
from provender.rule import rule_version

ROLE_WORDS = {
    Role.FARM: "farm",
    Role.LANDOWNER: "landowner with a share of a farm's bushels",
    Role.FIRST_POINT: "first point of aggregation",
    Role.INTERMEDIARY: "intermediary entity",
    Role.REFINER: "biofuel refiner (and first point for crop it buys from farms)",
    Role.SERVICE_PROVIDER: "service provider",
}


def manual(facts: Facts, entity: Entity, as_of: date) -> str:
    """Return the manual of an entity as Markdown: who we are, how claims move, what stops a double sale."""
    return "\n".join(
        (
            f"# How {entity.name} keeps its chain of custody",
            "",
            f"Written from the book on {as_of} under 7 CFR part 2100 ({rule_version(as_of).id}).",
            "",
            *_who(facts, entity),
            *_claims(entity),
            *_grain(),
            *_periods(facts, entity),
            *_yields(facts, entity),
            *_partners(facts, entity, as_of),
            *_keeping(as_of),
            "",
        )
    )


def _who(facts: Facts, entity: Entity) -> Iterator[str]:
    yield from ("## Who we are", "", f"- Roles (2100.010): {', '.join(ROLE_WORDS[role] for role in entity.roles)}.")
    yield f"- Sites: {', '.join(entity.sites) or 'none; we trade only'}."
    for one in facts.many(Statement, entity.id):
        crops = ", ".join(one.crops)
        yield f"- Verification: {one.opinion} by {one.verifier}, {one.start} to {one.end}, {crops} (no. {one.id})."
    yield ""


def _claims(entity: Entity) -> Iterator[str]:
    yield from ("## How a bushel is followed, and why it cannot be sold twice (2100.032(a))", "")
    yield "1. A farm's signed report makes its bushels an origin with serial numbers. Only the farm hands serials out."
    yield "2. We buy the serials of a sale slip. Every lot names its owner, site, form and carbon intensity."
    yield "3. A movement takes only lots that are held now, and since a day not after its own. So a lot leaves once."
    yield "4. What we sell is in transit until the buyer accepts it; a buyer lays its serials beside all it has seen."
    yield "5. Nothing is changed or deleted. A mistake is taken back by one more entry, dated the day it is made."
    yield "6. A supplier's claims without a favourable verification statement are held and not sold on."
    yield f"7. Each line of {entity.name}'s book is sealed with a hash over the line before it."
    yield ""


def _grain() -> Iterator[str]:
    yield from ("## Claims need grain", "")
    yield "Scale tickets, shipments and measured stock are kept per site for all grain. At each close the claims in"
    yield "stock may not exceed the grain; a surplus is released without claim. Losses are shared over every carbon"
    yield "intensity and conventional grain; gains never make serials."
    yield ""


def _periods(facts: Facts, entity: Entity) -> Iterator[str]:
    yield from ("## Mass balance time periods (2100.034(b))", "", "| first day | last day | sale policy | closed |")
    yield "| --- | --- | --- | --- |"
    for one in facts.many(Period, entity.id):
        yield f"| {one.start} | {one.end} | {one.policy.replace('_', ' ')} | {one.closed or 'open'} |"
    yield ""
    yield "For every crop, harvest year and carbon intensity: beginning + incoming = outgoing + ending, in bushels,"
    yield "losses counted as outgoing. A period begins with exactly what the one before it ended with."
    yield ""


def _yields(facts: Facts, entity: Entity) -> Iterator[str]:
    found = [
        one
        for site in entity.sites
        for form in FORMS.values()
        for made_of in form.made_from
        for one in facts.many(Yield, f"{entity.id}/{site}/{made_of}/{form.name}")
    ]
    if not found:
        return
    yield from ("## Yields (2100.033)", "", "| site | from | to | campaign | basis | yield | days |")
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for one in found:
        rate = show(one.rate, RATE_SCALE)
        cells = (one.site, one.made_of, one.output, one.campaign, one.basis, rate, f"{one.start} to {one.end}")
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield "Product is rounded down and crop used rounded up, to the thousandth; what rounding leaves is booked as lost."
    yield ""


def _partners(facts: Facts, entity: Entity, as_of: date) -> Iterator[str]:
    yield from ("## Suppliers, recipients, subcontractors, service providers (2100.032(a)(2), (3))", "")
    contracts = [one for one in facts.many(Contract, entity.id) if one.covers(as_of)]
    for one in contracts:
        key = "signs with a key we pinned" if one.signing_key else "no key pinned"
        yield f"- {one.counterparty}: {one.role.replace('_', ' ')}, contract {one.id} since {one.start}; {key}."
    if not contracts:
        yield "No contract is on file."
    yield ""


def _keeping(as_of: date) -> Iterator[str]:
    years = rule_version(as_of).retention_years
    yield from ("## How long we keep it (2100.030(d))", "")
    yield f"Everything behind a sale is kept for {years} years from that sale. What is in stock keeps all behind it."
