"""What a farm does next: gaps to close, reports to sign, bushels to sell."""

from collections.abc import Iterator

from provender.database.models import Organisation
from provender.quantity import show
from provender.services.custody.farm_sales import bushels_left
from provender.services.farm.book import FarmBook, is_farm, opened_book_of
from provender.services.farm.keys import registered_fingerprint
from provender.services.farm.verdicts import count_gaps
from provender.services.reports.deliveries import awaited
from provender.services.reports.drafts import DraftState, crop_label, standings_of
from provender.services.reports.things import count_things
from provender.services.steps import NextStep


def farm_steps(organisation: Organisation) -> list[NextStep]:
    """Return what the farm does next, the first thing first; nothing for an organisation that is no farm."""
    if not is_farm(organisation):
        return []
    farm = opened_book_of(organisation)
    if farm is None:
        return [NextStep("farm", "Open the record book", "It keeps your units, crops, passes and nutrients.")]
    gaps = count_gaps(farm)
    if not gaps["intervals"]:
        return [NextStep("farm_records", "Enter the farm, its units and their crops", "Everything else rests on them.")]
    return [*_gaps(gaps["open"], gaps["missing"], gaps["where"]), *_reports(farm)]


def state_of(organisation: Organisation) -> str:
    """Return in a few words how far a farm's records are, for whoever keeps those of many."""
    if not is_farm(organisation):
        return ""
    farm = opened_book_of(organisation)
    if farm is None:
        return "The record book is not open"
    gaps = count_gaps(farm)
    if not gaps["intervals"]:
        return "No crops entered yet"
    if not gaps["asked"]:
        return "No practice is claimed"
    one = gaps["open"] == 1
    return f"{gaps['open']} practice{'' if one else 's'} not shown yet" if gaps["open"] else "Every practice is shown"


def _gaps(unshown: int, missing: int, where: str) -> Iterator[NextStep]:
    if unshown:
        one = unshown == 1
        practices = "practice is not shown, and earns" if one else "practices are not shown, and earn"
        records = "record" if missing == 1 else "records"
        words, why = f"Add {missing} missing {records}", f"{unshown} {practices} nothing until then."
        yield NextStep("farm_crop", words, why, query=(("crop", where),)) if where else NextStep("farm", words, why)


def _reports(farm: FarmBook) -> Iterator[NextStep]:
    standings = standings_of(farm)
    ready = [each for each in standings if not each.refused and each.is_news]
    if ready and not registered_fingerprint(farm, ready[0].producer_id):
        why = "The farm producer signs reports and sale slips with it."
        yield NextStep("farm_key", "Make a signing key", why)
    for each in ready:
        what = "an amendment of " if each.versions else ""
        why = "Its bushels get their serials." if not each.versions else "The records say something else by now."
        yield _at_report(each, f"Sign {what}the report on {_name(each)}", why)
    waiting = count_things(farm)
    for each in standings:
        if each.refused and each.is_news:
            number = waiting.get((each.crop, each.harvest_year), each.refused)
            things = "1 thing stands" if number == 1 else f"{number} things stand"
            yield NextStep("farm_todo", f"Do what {_name(each)} still needs", f"{things} before its signature.")
    for buyer in awaited(farm):
        why = f"{buyer.buyer} bought it as reduced-CI crop, and no delivery of the report is recorded."
        yield NextStep("farm_sales", f"Give the report on {buyer.crop} {buyer.harvest_year} to its buyer", why)
    for each in standings:
        left = bushels_left(farm.book.organisation, each.crop, each.harvest_year)
        if left is not None and left.free > 0:
            why = f"{show(left.free, group=True)} bushels have no buyer's slip yet."
            yield NextStep("farm_sales", f"Sell {_name(each)}", why)


def _at_report(standing: DraftState, words: str, why: str) -> NextStep:
    return NextStep("farm_report", words, why, (standing.crop, standing.harvest_year))


def _name(standing: DraftState) -> str:
    return f"{crop_label(standing.crop).lower()} {standing.harvest_year}"
