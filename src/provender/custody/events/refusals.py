"""A refusal as a problem: which field of the event it is about, what is wrong, what to do, by which paragraph.

The sentences of ``statuses`` say what is wrong and often what to do. Here stand the rest, for pages, API and files:
the field each status belongs to, and a remedy where the sentence holds none.
"""

from collections.abc import Collection, Mapping
from typing import Final

from provender.custody.model.event import Status
from provender.custody.model.store_view import Decision
from provender.problem import Place, Problem

UNREADABLE: Final = frozenset(
    {
        Status.LINE_UNREADABLE,
        Status.TYPE_UNKNOWN,
        Status.FIELD_UNKNOWN,
        Status.FIELD_MISSING,
        Status.FIELD_UNREADABLE,
    }
)
"""Statuses of an event that could not be read: nothing in the book speaks against it."""

FIELDS: Final[Mapping[Status, tuple[str, ...]]] = {
    Status.RULE_NOT_IN_FORCE: ("day",),
    Status.HARVEST_YEAR_NOT_POSSIBLE: ("harvest_year", "lines"),
    Status.ENTITY_NOT_FOUND: ("taker", "counterparty", "giver", "custodian"),
    Status.PARTIES_ARE_ONE: ("taker", "giver"),
    Status.SITE_NOT_FOUND: ("site", "to_site"),
    Status.RECORD_NOT_FOUND: ("slip", "pending", "movement", "origin", "number"),
    Status.PARTIES_DIFFER: ("slip", "pending", "movement", "origin"),
    Status.NOT_CORRECTABLE: ("movement",),
    Status.ALREADY_ANSWERED: ("slip", "movement", "number"),
    Status.CROP_NOT_COVERED: ("crop",),
    Status.FORM_NOT_POSSIBLE: ("output", "form"),
    Status.FORM_CARRIES_NO_CLAIM: ("output", "form"),
    Status.AMOUNT_NOT_POSITIVE: ("bushels", "amount", "pounds"),
    Status.AMOUNT_TOO_LARGE: ("bushels", "amount", "pounds"),
    Status.SPAN_NOT_POSSIBLE: ("lots", "spans"),
    Status.CI_NOT_POSSIBLE: ("ci",),
    Status.DATES_REVERSED: ("end_day",),
    Status.PERIOD_TOO_LONG: ("end_day",),
    Status.PERIOD_NOT_CONTINUOUS: ("start_day",),
    Status.PERIOD_DECLARED_LATE: ("start_day",),
    Status.PERIOD_NOT_DECLARED: ("day",),
    Status.PERIOD_CLOSED: ("day",),
    Status.CLOSE_OUT_OF_ORDER: ("day",),
    Status.PERIOD_NOT_ENDED: ("closed_on",),
    Status.OPENING_TOO_LATE: ("day",),
    Status.YIELD_BEYOND_BOUNDS: ("rate", "pounds", "lines", "evidence"),
    Status.YIELDS_OVERLAP: ("start_day",),
    Status.YIELD_NOT_FOUND: ("output",),
    Status.YIELD_OUT_OF_DATE: ("day",),
    Status.DOCUMENT_SEEN: ("number",),
    Status.TICKET_DIFFERS: ("tickets", "number"),
    Status.TICKET_USED: ("tickets", "number"),
    Status.TICKETS_BELOW_CLAIM: ("tickets", "bushels"),
    Status.TITLE_NOT_AT_DELIVERY: ("delivered",),
    Status.OUTSIDE_ORIGIN: ("lots", "spans"),
    Status.OUTSIDE_MOVEMENT: ("lots",),
    Status.SERIALS_ASSIGNED: ("spans",),
    Status.NOT_HELD: ("lots",),
    Status.IN_TRANSIT: ("lots",),
    Status.IN_DISPUTE: ("lots",),
    Status.PAPER_NOT_SHOWN: ("paper", "movement"),
    Status.OTHER_FORM: ("form",),
    Status.OTHER_SITE: ("site",),
    Status.NOT_HELD_YET: ("day",),
    Status.OUTSIDE_CI_RANGE: ("ci_max", "ci_min", "lots"),
    Status.EXCEEDS_STOCK: ("bushels", "pounds", "amount"),
    Status.LOTS_NOT_NAMED: ("lots",),
    Status.PENDING_TOO_LATE: ("day",),
    Status.EXCEEDS_PENDING: ("bushels",),
    Status.NO_PRODUCT: ("bushels", "pounds"),
    Status.BEYOND_CROP_CRUSHED: ("bushels", "crop_crushed"),
    Status.BEYOND_ACTUAL_PRODUCT: ("bushels", "product_made"),
    Status.NOTHING_TO_ADJUST: ("campaign",),
    Status.NO_GRAIN_BOOK: ("site",),
    Status.CLAIMS_EXCEED_GRAIN: ("bushels", "surplus"),
    Status.SITE_IN_USE: ("site", "movement"),
    Status.SITE_CLOSED: ("to_site", "site", "number", "movement"),
}
"""Fields a status is about, the likeliest first; a status without any is about the event as a whole."""

REMEDIES: Final[Mapping[Status, str]] = {
    Status.HARVEST_YEAR_NOT_POSSIBLE: "Write the year of its harvest, such as 2025.",
    Status.SITE_NOT_FOUND: "Name one of its sites, or add the site under Partners and sites.",
    Status.RECORD_NOT_FOUND: "Choose one that the book has, or enter it first.",
    Status.PARTIES_DIFFER: "Choose one between these two parties and of this crop.",
    Status.ALREADY_ANSWERED: "Look at the movements: nothing is left to do here.",
    Status.CROP_NOT_COVERED: "Other crops move without a claim: enter them as tickets.",
    Status.FORM_NOT_POSSIBLE: "Choose an output that this input can become.",
    Status.AMOUNT_NOT_POSITIVE: "Type the amount in the unit of the form, or leave it out where lots are named.",
    Status.SPAN_NOT_POSSIBLE: "Write the first serial, then the one after the last, each range once.",
    Status.PERIOD_TOO_LONG: "Choose an earlier last day.",
    Status.PERIOD_NOT_CONTINUOUS: "Begin the period on that day.",
    Status.PERIOD_DECLARED_LATE: "Declare it with exactly these; the next one that has not begun may differ.",
    Status.OPENING_TOO_LATE: "Take the stock in by its documents instead.",
    Status.VERSION_OUT_OF_ORDER: "Enter the missing version first.",
    Status.YIELD_BEYOND_BOUNDS: (
        "Check the unit of product and crop; if it is right, name the SHA-256 of the file that shows it as `evidence`:"
        " the verifier sees both."
    ),
    Status.YIELDS_OVERLAP: "Choose days that no other yield of this plant and output covers.",
    Status.YIELD_OUT_OF_DATE: "Record a yield for these days, or choose a day that one covers.",
    Status.DOCUMENT_SEEN: "Ask the sender for a document with a number of its own.",
    Status.TICKET_DIFFERS: "Compare the ticket with the site's list, and void it there if it was entered wrong.",
    Status.TICKET_USED: "Name another ticket, or take the other purchase back.",
    Status.TICKETS_BELOW_CLAIM: "Add the tickets that are missing, or buy what they show.",
    Status.TITLE_NOT_AT_DELIVERY: "Choose the day of delivery, or other terms.",
    Status.OUTSIDE_ORIGIN: "Name serials that the report has.",
    Status.OUTSIDE_MOVEMENT: "Name serials that came with that movement.",
    Status.REPORT_WITHDRAWN: "Release them without claim.",
    Status.SERIALS_ASSIGNED: "Choose serials that are free.",
    Status.BROKEN_CHAIN: "Ask the sender how the serials came to them; both books must agree.",
    Status.CHAIN_NOT_SHOWN: (
        "Take in first what lies between: the sale slip of the farm to somebody else, or the document by which the "
        "house that had them last sold them on."
    ),
    Status.CI_DIFFERS: "Ask the sender for a document at the carbon intensity of the report.",
    Status.NOT_HELD: "Somebody else has them now: open the trace, and choose other lots.",
    Status.PAPER_NOT_SHOWN: (
        "Ask the other party for its signed paper over this movement and these serials, and take it in with `receive`."
    ),
    Status.IN_DISPUTE: (
        "Settle it with the other party's signed paper, take your own entry back, or release them without claim."
    ),
    Status.OTHER_FORM: "Name the form they have, or choose other lots.",
    Status.OTHER_SITE: "Name the site where they lie, or move them first.",
    Status.UNVERIFIED: "Enter the supplier's verification statement as soon as there is one.",
    Status.NOT_HELD_YET: "Choose a day on which the giver had them.",
    Status.OUTSIDE_CI_RANGE: "Widen the range, or sell less.",
    Status.EXCEEDS_STOCK: "Choose a smaller amount.",
    Status.PENDING_TOO_LATE: "This grain stays without a claim.",
    Status.EXCEEDS_PENDING: "Assign what is pending at most.",
    Status.BEYOND_CROP: "Compare the product with the crop used and the yield.",
    Status.NO_PRODUCT: "Process more at once.",
    Status.BEYOND_CROP_CRUSHED: "Process less, or correct the figures of the campaign.",
    Status.BEYOND_ACTUAL_PRODUCT: "Process less, or correct the figures of the campaign.",
    Status.NOTHING_TO_ADJUST: "Look at the campaign's claims: they stand at the final yield or have left.",
    Status.CLAIMS_EXCEED_GRAIN: (
        "Enter the tickets or the measurement that show the grain, or the tickets of the destination with the sale,"
        " or claim less."
    ),
    Status.SITE_IN_USE: "Move, sell or release it and enter the tickets out, or choose a later day.",
    Status.SITE_CLOSED: "Name another site, or open this one again: take the entry back that closed it.",
}
"""What to do, for the statuses whose own sentence says only what is wrong."""

CITES: Final[Mapping[Status, str]] = {
    Status.HARVEST_YEAR_NOT_POSSIBLE: "2100.031(c)",
    Status.CROP_NOT_COVERED: "2100.011",
    Status.ROLE_NOT_ALLOWED: "2100.010",
    Status.PERIOD_TOO_LONG: "2100.034(b)",
    Status.PERIOD_NOT_CONTINUOUS: "2100.034(b)",
    Status.PERIOD_DECLARED_LATE: "2100.034(b)",
    Status.PERIOD_NOT_DECLARED: "2100.034(b)",
    Status.SECOND_ORIGIN: "2100.031(c)",
    Status.YIELD_BEYOND_BOUNDS: "2100.033(a)(2)",
    Status.YIELD_NOT_FOUND: "2100.033(a)",
    Status.YIELD_OUT_OF_DATE: "2100.033(a)",
    Status.NOT_HELD: "2100.032(a)",
    Status.IN_DISPUTE: "2100.032(a)",
    Status.PAPER_NOT_SHOWN: "2100.032(a)",
    Status.EXCEEDS_STOCK: "2100.034(d)",
    Status.BEYOND_CROP: "2100.033(a)",
    Status.UNVERIFIED: "2100.032(b)",
    Status.CLAIMS_EXCEED_GRAIN: "2100.034(d)",
    Status.SITE_IN_USE: "2100.032(a)",
    Status.SITE_CLOSED: "2100.032(a)",
}


def problem_of(outcome: Decision, *, file: str = "event", known: Collection[str] = ()) -> Problem:
    """Return a refusal as a problem.

    Args:
        outcome: an outcome that does not stand.
        file: what the place is called, such as the event's id.
        known: the fields that the event has, perhaps with what they say; the place names one of them, or none: that
            whose value the message quotes, or else the likeliest.
    """
    status = outcome.status
    wrong, _, advice = status.sentence.partition(". ")
    if status in REMEDIES:
        wrong, advice = status.sentence, REMEDIES[status]
    detail = outcome.message.removeprefix(status.sentence).strip()
    cause = f"{wrong.removesuffix('.')}. {detail}".strip()
    likely = [name for name in FIELDS.get(status, ()) if name in known]
    said = known if isinstance(known, Mapping) else {}
    column = next((name for name in likely if name in said and repr(said[name]) in detail), likely[0] if likely else "")
    if status in UNREADABLE:
        column = next((name for name in known if f"{name}:" in detail or f" {name}." in f" {detail}"), column)
    return Problem(Place(file, column=column), cause, advice, CITES.get(status, ""), code=str(status))
