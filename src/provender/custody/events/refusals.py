"""A refusal as a problem: which field of the event it is about, what is wrong, what to do, by which paragraph.

The sentence of a status says what is wrong and often what to do. The rest stands here in one row for each.
"""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from provender.custody.model.event import Status
from provender.custody.model.store_view import Decision
from provender.problem import Place, Problem

UNREADABLE: Final = frozenset(
    {Status.LINE_UNREADABLE, Status.TYPE_UNKNOWN, Status.FIELD_UNKNOWN, Status.FIELD_MISSING, Status.FIELD_UNREADABLE}
)
"""Statuses of an event that could not be read: nothing in the book speaks against it."""


class About(NamedTuple):
    """What a status is about, beside its sentence."""

    fields: str = ""  # of the event, the likeliest first; without any it is about the event as a whole
    remedy: str = ""  # what to do, where the sentence says only what is wrong
    cite: str = ""  # the paragraph


ABOUT: Final[Mapping[Status, About]] = {
    Status.RULE_NOT_IN_FORCE: About("day"),
    Status.DAY_AHEAD: About("day"),
    Status.HARVEST_YEAR_NOT_POSSIBLE: About(
        "harvest_year lines", "Write the year of its harvest, such as 2025.", "2100.031(c)"
    ),
    Status.ENTITY_NOT_FOUND: About("taker counterparty giver custodian"),
    Status.PARTIES_ARE_ONE: About("taker giver"),
    Status.ROLE_NOT_ALLOWED: About("", "", "2100.010"),
    Status.SITE_NOT_FOUND: About("site to_site", "Name one of its sites, or add the site under Partners and sites."),
    Status.RECORD_NOT_FOUND: About(
        "slip pending movement origin number", "Choose one that the book has, or enter it first."
    ),
    Status.PARTIES_DIFFER: About(
        "slip pending movement origin", "Choose one between these two parties and of this crop."
    ),
    Status.NOT_CORRECTABLE: About("movement"),
    Status.ALREADY_ANSWERED: About("slip movement number", "Look at the movements: nothing is left to do here."),
    Status.PAPER_NOT_SHOWN: About(
        "paper movement",
        "Ask the other party for its signed paper over this movement and these serials, and take it in with `receive`.",
        "2100.032(a)",
    ),
    Status.CROP_NOT_COVERED: About("crop", "Other crops move without a claim: enter them as tickets.", "2100.011"),
    Status.FORM_NOT_POSSIBLE: About("output form", "Choose an output that this input can become."),
    Status.FORM_CARRIES_NO_CLAIM: About("output form"),
    Status.AMOUNT_NOT_POSITIVE: About(
        "bushels amount pounds", "Type the amount in the unit of the form, or leave it out where lots are named."
    ),
    Status.AMOUNT_TOO_LARGE: About("bushels amount pounds"),
    Status.SPAN_NOT_POSSIBLE: About(
        "lots spans", "Write the first serial, then the one after the last, each range once."
    ),
    Status.CI_NOT_POSSIBLE: About("ci"),
    Status.DATES_REVERSED: About("end_day"),
    Status.PERIOD_TOO_LONG: About("end_day", "Choose an earlier last day.", "2100.034(b)"),
    Status.PERIOD_NOT_CONTINUOUS: About("start_day", "Begin the period on that day.", "2100.034(b)"),
    Status.PERIOD_DECLARED_LATE: About(
        "start_day", "Declare it with exactly these; the next one that has not begun may differ.", "2100.034(b)"
    ),
    Status.PERIOD_NOT_DECLARED: About("day", "", "2100.034(b)"),
    Status.PERIOD_CLOSED: About("day"),
    Status.CLOSE_OUT_OF_ORDER: About("day"),
    Status.PERIOD_NOT_ENDED: About("closed_on"),
    Status.OPENING_TOO_LATE: About("day", "Take the stock in by its documents instead."),
    Status.SECOND_ORIGIN: About("", "", "2100.031(c)"),
    Status.VERSION_OUT_OF_ORDER: About("", "Enter the missing version first."),
    Status.YIELD_BEYOND_BOUNDS: About(
        "rate pounds lines evidence",
        "Check the unit of product and crop; if it is right, name the SHA-256 of the file that shows it as "
        "`evidence`: the verifier sees both.",
        "2100.033(a)(2)",
    ),
    Status.YIELDS_OVERLAP: About("start_day", "Choose days that no other yield of this plant and output covers."),
    Status.YIELD_NOT_FOUND: About("output", "", "2100.033(a)"),
    Status.YIELD_OUT_OF_DATE: About(
        "day", "Record a yield for these days, or choose a day that one covers.", "2100.033(a)"
    ),
    Status.DOCUMENT_SEEN: About("number", "Ask the sender for a document with a number of its own."),
    Status.TICKET_DIFFERS: About(
        "tickets number", "Compare the ticket with the site's list, and void it there if it was entered wrong."
    ),
    Status.TICKET_USED: About("tickets number", "Name another ticket, or take the other purchase back."),
    Status.TICKETS_BELOW_CLAIM: About("tickets bushels", "Add the tickets that are missing, or buy what they show."),
    Status.TITLE_NOT_AT_DELIVERY: About("delivered", "Choose the day of delivery, or other terms."),
    Status.OUTSIDE_ORIGIN: About("lots spans", "Name serials that the report has."),
    Status.OUTSIDE_MOVEMENT: About("lots", "Name serials that came with that movement."),
    Status.REPORT_WITHDRAWN: About("", "Release them without claim."),
    Status.SERIALS_ASSIGNED: About("spans", "Choose serials that are free."),
    Status.BROKEN_CHAIN: About("", "Ask the sender how the serials came to them; both books must agree."),
    Status.CHAIN_NOT_SHOWN: About(
        "",
        "Take in first what lies between: the sale slip of the farm to somebody else, or the document by "
        "which the house that had them last sold them on.",
    ),
    Status.CI_DIFFERS: About("", "Ask the sender for a document at the carbon intensity of the report."),
    Status.NOT_HELD: About("lots", "Somebody else has them now: open the trace, and choose other lots.", "2100.032(a)"),
    Status.IN_TRANSIT: About("lots"),
    Status.IN_DISPUTE: About(
        "lots",
        "Settle it with the other party's signed paper, take your own entry back, or release them without claim.",
        "2100.032(a)",
    ),
    Status.OTHER_FORM: About("form", "Name the form they have, or choose other lots."),
    Status.OTHER_SITE: About("site", "Name the site where they lie, or move them first."),
    Status.UNVERIFIED: About("", "Enter the supplier's verification statement as soon as there is one.", "2100.032(b)"),
    Status.NOT_HELD_YET: About("day", "Choose a day on which the giver had them."),
    Status.OUTSIDE_CI_RANGE: About("ci_max ci_min lots", "Widen the range, or sell less."),
    Status.EXCEEDS_STOCK: About("bushels pounds amount", "Choose a smaller amount.", "2100.034(d)"),
    Status.LOTS_NOT_NAMED: About("lots"),
    Status.PENDING_TOO_LATE: About("day", "This grain stays without a claim."),
    Status.EXCEEDS_PENDING: About("bushels", "Assign what is pending at most."),
    Status.BEYOND_CROP: About("", "Compare the product with the crop used and the yield.", "2100.033(a)"),
    Status.NO_PRODUCT: About("bushels pounds", "Process more at once."),
    Status.BEYOND_CROP_CRUSHED: About("bushels crop_crushed", "Process less, or correct the figures of the campaign."),
    Status.BEYOND_ACTUAL_PRODUCT: About(
        "bushels product_made", "Process less, or correct the figures of the campaign."
    ),
    Status.NOTHING_TO_ADJUST: About(
        "campaign", "Look at the campaign's claims: they stand at the final yield or have left."
    ),
    Status.NO_GRAIN_BOOK: About("site"),
    Status.CLAIMS_EXCEED_GRAIN: About(
        "bushels surplus",
        "Enter the tickets or the measurement that show the grain, or the tickets of the destination with the"
        " sale, or claim less.",
        "2100.034(d)",
    ),
    Status.SITE_IN_USE: About(
        "site movement", "Move, sell or release it and enter the tickets out, or choose a later day.", "2100.032(a)"
    ),
    Status.SITE_CLOSED: About(
        "to_site site number movement",
        "Name another site, or open this one again: take the entry back that closed it.",
        "2100.032(a)",
    ),
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
    about = ABOUT.get(status, About())
    if about.remedy:
        wrong, advice = status.sentence, about.remedy
    detail = outcome.message.removeprefix(status.sentence).strip()
    cause = f"{wrong.removesuffix('.')}. {detail}".strip()
    likely = [name for name in about.fields.split() if name in known]
    said = known if isinstance(known, Mapping) else {}
    column = next((name for name in likely if name in said and repr(said[name]) in detail), likely[0] if likely else "")
    if status in UNREADABLE:
        signs = [(name, sign) for sign in ("{}:", " {}.") for name in known]  # what follows may be "is not a number."
        column = next((name for name, sign in signs if sign.format(name) in f" {detail}"), column)
    return Problem(Place(file, column=column), cause, advice, about.cite, code=str(status))
