"""What a farm does next: gaps to close, reports to sign, bushels to sell."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from provender.database.models import Organisation
from provender.quantity import show
from provender.rule.crops import PRACTICE_LABELS
from provender.services.farm.book import FarmBook, is_farm, opened_book_of
from provender.services.farm.growing_asks import GrowingNeeds, growing_needs
from provender.services.farm.keys import registered_fingerprint
from provender.services.farm.sown import sowing_questions_left
from provender.services.farm.verdicts import count_gaps
from provender.services.reports.deliveries import awaited
from provender.services.reports.drafts import DraftState, standings_of
from provender.services.reports.left import Left, by_signature, left_of, name_of
from provender.services.reports.slip_signing import bushels_of
from provender.services.steps import NextStep

NAMES: Final = {label: str(practice) for practice, label in PRACTICE_LABELS.items()}
NAMED: Final = 3
"""Kinds of missing record that are named; the others are counted."""


def farm_steps(organisation: Organisation, needs: GrowingNeeds | None = None) -> list[NextStep]:
    """Return what the farm does next, the first thing first; nothing for an organisation that is no farm.

    Args:
        organisation: whose steps.
        needs: what its growing crops ask for, where that is at hand.
    """
    if not is_farm(organisation):
        return []
    farm = opened_book_of(organisation)
    if farm is None:
        return [NextStep("farm", "Open the record book", "It keeps your units, crops, passes and nutrients.")]
    gaps = count_gaps(farm)
    if not gaps["intervals"]:
        return [NextStep("farm_records", "Enter the farm, its units and their crops", "Everything else rests on them.")]
    standings = standings_of(farm)
    left = left_of(farm, standings)
    ready = [each for each in left if not each.standing.refused]
    amended, first = by_signature(ready)
    growing = _growing(growing_needs(farm) if needs is None else needs)
    between = [*_gaps(gaps), *_unsaid(gaps), *growing, *_sown(farm, standings)]
    key = list(_key(farm, ready))
    return [
        *contradicted(gaps), *(key if amended else ()), *map(signing, amended), *between,
        *(() if amended else key), *map(signing, first), *_still_needed(left), *_sales(farm, standings),
    ]  # fmt: skip


def contradicted(gaps: Mapping[str, Any]) -> Iterator[NextStep]:
    """Yield each claim that the records speak against, at the field where it is corrected or no longer made."""
    for unit, practice, why, entry in gaps["contradicted"]:
        words = f"Correct the record, or stop claiming {practice.lower()} on {unit}"
        yield NextStep("farm_crop", words, why, query=(("crop", entry),), anchor=NAMES.get(practice, ""))


def units_that_claim(gaps: Mapping[str, Any]) -> str:
    """Return the units of which nothing is said, with their verb: one claims, several claim."""
    units, rest = gaps["unsaid"][:NAMED], len(gaps["unsaid"]) - NAMED
    more = f" and {rest} more" if rest > 0 else ""
    return f"{', '.join(units)}{more} {'claims' if len(units) == 1 else 'claim'}"


def missing_in(gaps: Mapping[str, Any]) -> str:
    """Name the kinds of record in which most is missing, with how much of each; nothing where nothing is."""
    first, rest = gaps["lacks"][:NAMED], gaps["lacks"][NAMED:]
    kinds = " · ".join(f"{label} ({number})" for label, number in first)
    if rest:
        return f"Missing in {kinds}, and {sum(number for _, number in rest)} elsewhere."
    return f"Missing in {kinds}." if kinds else ""


def _gaps(gaps: Mapping[str, Any]) -> Iterator[NextStep]:
    if not gaps["open"]:
        return
    missing = gaps["missing"]
    words = f"Add {missing} missing {'record' if missing == 1 else 'records'}"
    names = ", ".join(gaps["unshown"])
    why = f"Nothing is earned for {names} until then. {missing_in(gaps)}".strip()
    yield at_gaps(gaps, words, " ".join([*_of_years(gaps["open_years"]), why]))


def at_gaps(gaps: Mapping[str, Any], words: str, why: str) -> NextStep:
    """Return a step at the crop that lacks everything, where several do at the table of all."""
    where = gaps["where"]
    return NextStep("farm_crop", words, why, query=(("crop", where),)) if where else NextStep("farm", words, why)


def _unsaid(gaps: Mapping[str, Any]) -> Iterator[NextStep]:
    if not gaps["unsaid"]:
        return
    why = "What is not claimed earns nothing, and nobody asks for its records."
    told = [*_of_years(gaps["unsaid_years"]), why, *_ruled_out(gaps)]
    yield at_unsaid(gaps, f"Say what {units_that_claim(gaps)}", " ".join(told))


def _of_years(years: Sequence[int]) -> Iterator[str]:
    """Say of which harvest something is asked, in a book that has several: an earlier one is not this year's."""
    if years:
        named = ", ".join(map(str, years))
        yield f"This is about the harvest of {named}."


def at_unsaid(gaps: Mapping[str, Any], words: str, why: str) -> NextStep:
    """Return a step at the ticks of the units of which nothing is said: the page opens at the first of them."""
    query = tuple(("unit", unit) for unit in gaps["unsaid"][:NAMED])
    return NextStep("farm_claims", words, why, query=query, anchor="asked")


def _ruled_out(gaps: Mapping[str, Any]) -> Iterator[str]:
    """Say what those units can no longer claim: why, where it is one practice; several are named."""
    for unit in gaps["unsaid"][:NAMED]:
        mine = [(practice, why) for where, practice, why in gaps["ruled_out"] if where == unit]
        if len(mine) == 1:
            practice, why = mine[0]
            yield f"{practice} cannot be met on {unit}: {why}"
        elif mine:
            yield f"What cannot be met on {unit}: {', '.join(practice for practice, _ in mine)}."


def at_growing(words: str, why: str = "") -> NextStep:
    """Return a step at the list of what growing crops ask for."""
    return NextStep("farm_todo", words, why)


def _growing(needs: GrowingNeeds) -> Iterator[NextStep]:
    """Yield what crops in the ground ask for before a day that does not come again; a report waits for none of it."""
    if needs.things:
        told = f"No report waits for these {needs.things} things."
        told = "No report waits for this one thing." if needs.things == 1 else told
        day = [f"The first is due by {needs.day}."] if needs.day else []
        yield at_growing("Do what the growing crops ask for", " ".join([told, *day]))


def _sown(farm: FarmBook, standings: Sequence[DraftState]) -> Iterator[NextStep]:
    """Yield that what was sown and its passes are asked about, before a signature rests on them."""
    settled = {(one.crop, one.harvest_year) for one in standings if not one.is_news}
    if number := len(sowing_questions_left(farm, settled)):
        words = "Answer 1 question" if number == 1 else f"Answer {number} questions"
        why = "What was sown and the pass of its planter or drill do not fit together."
        yield NextStep("farm_todo", words, why, anchor="sowing")


def _key(farm: FarmBook, ready: Sequence[Left]) -> Iterator[NextStep]:
    """Yield the key that each signature needs which nothing else keeps back."""
    if ready and not registered_fingerprint(farm, ready[0].standing.producer_id):
        yield NextStep("farm_key", "Make a signing key", "The farm producer signs reports and sale slips with it.")


def _still_needed(left: Sequence[Left]) -> Iterator[NextStep]:
    for each in left:
        if each.standing.refused:
            number = each.things
            things = "1 thing stands" if number == 1 else f"{number} things stand"
            yield NextStep("farm_todo", f"Do what {each.name} still needs", f"{things} before its signature.")


def _sales(farm: FarmBook, standings: Sequence[DraftState]) -> Iterator[NextStep]:
    """Yield each buyer who waits for a report, and each crop that has bushels left to sell."""
    for buyer in awaited(farm):
        why = f"{buyer.buyer} bought it as reduced-CI crop, and no delivery of the report is recorded."
        yield NextStep("farm_sales", f"Give the report on {buyer.crop} {buyer.harvest_year} to its buyer", why)
    for standing in standings:
        found = bushels_of(farm, standing)
        if found.serials is not None and found.left:
            why = f"{show(found.left, group=True)} bushels have no buyer's slip yet."
            yield NextStep("farm_sales", f"Sell {name_of(standing)}", why)


def signing(left: Left) -> NextStep:
    """Return the step of a report that nothing keeps from being signed."""
    standing = left.standing
    if standing.versions:
        words, why = f"Sign an amendment of the report on {left.name}", standing.reopened_by
    else:
        words, why = f"Sign the report on {left.name}", "Its bushels get their serials."
    return NextStep("farm_report", words, why, (standing.crop, standing.harvest_year))
