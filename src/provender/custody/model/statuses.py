"""Every answer a book can give, in order of precedence: the first that applies is the answer.

A request that breaks several conditions is answered with the one that stands first here, in every store. The table
of cases (``tests/custody/ladders.py``) holds at least one row for each, in the same order, against every store.
"""

from enum import StrEnum
from typing import Final, Self


class Status(StrEnum):
    """The answer to one request. ``POSTED`` and ``EXISTS`` are no refusals."""

    def __new__(cls, value: str, sentence: str = "") -> Self:
        """Give the member its sentence beside its value."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.sentence = sentence
        return member

    sentence: str

    LINE_UNREADABLE = "line_unreadable", "The line is not one JSON object. Write one event a line."
    TYPE_UNKNOWN = "type_unknown", "No event has this type. The page on custody events lists the types."
    FIELD_UNKNOWN = "field_unknown", "The event has a field that its type does not know. Correct or remove it."
    FIELD_MISSING = "field_missing", "A field of the event is missing. Add it."
    FIELD_UNREADABLE = "field_unreadable", "A field cannot be read. Write it as its help and its example say."
    EXISTS = "exists", "The same event is in the book already. Nothing was changed."
    ID_HAS_OTHER_CONTENT = "id_has_other_content", "Another event has this id. Give the new one an id of its own."
    RULE_NOT_IN_FORCE = "rule_not_in_force", "The day is before the rule was in force. Check the day."
    HARVEST_YEAR_NOT_POSSIBLE = (
        "harvest_year_not_possible",
        "No crop of this harvest year can be there: it lies ahead, or before the rule.",
    )

    ENTITY_NOT_FOUND = "entity_not_found", "The book does not know this entity. Register it first."
    PARTIES_ARE_ONE = "parties_are_one", "Giver and taker are the same. Use a move between sites."
    ROLE_NOT_ALLOWED = "role_not_allowed", "The entity's roles do not allow this. Check its roles in 2100.010."
    SITE_NOT_FOUND = "site_not_found", "The entity has no such site, or has several: name one of them."
    RECORD_NOT_FOUND = "record_not_found", "The event names a record that the book does not have."
    PARTIES_DIFFER = "parties_differ", "The record named is about other parties or another crop."
    NOT_CORRECTABLE = "not_correctable", "An event of this type cannot be taken back. Enter what replaces it."
    ALREADY_ANSWERED = "already_answered", "This was answered before: accepted, used, voided or corrected."
    PAPER_NOT_SHOWN = (
        "paper_not_shown",
        "The signed paper of the other party is missing, or does not show that it agrees.",
    )

    CROP_NOT_COVERED = "crop_not_covered", "2100.011 lists field corn, soybeans and sorghum only."
    FORM_NOT_POSSIBLE = "form_not_possible", "This product is not made from that input."
    FORM_CARRIES_NO_CLAIM = "form_carries_no_claim", "A co-product carries no claim. List it without one."
    AMOUNT_NOT_POSITIVE = "amount_not_positive", "The amount must be above zero."
    AMOUNT_TOO_LARGE = "amount_too_large", "The amount is beyond what one origin can hold. Check the unit."
    SPAN_NOT_POSSIBLE = "span_not_possible", "Serial ranges must run upward and may not overlap each other."
    CI_NOT_POSSIBLE = "ci_not_possible", "The carbon intensity is not a possible one. Check the unit."
    DATES_REVERSED = "dates_reversed", "The last day is before the first. Check both."

    PERIOD_TOO_LONG = "period_too_long", "A mass balance time period is longer than the rule allows."
    PERIOD_NOT_CONTINUOUS = "period_not_continuous", "The period must begin on the day after the last one ends."
    PERIOD_DECLARED_LATE = (
        "period_declared_late",
        "A period that has begun already takes the borders and the policy of the rhythm.",
    )
    PERIOD_NOT_DECLARED = "period_not_declared", "No mass balance time period covers the day. Declare it first."
    PERIOD_CLOSED = "period_closed", "The period of this day is closed. Correct it in the open period."
    CLOSE_OUT_OF_ORDER = "close_out_of_order", "An earlier period is still open. Close it first."
    PERIOD_NOT_ENDED = "period_not_ended", "The period has not ended. Close it on its last day or later."
    OPENING_TOO_LATE = "opening_too_late", "Opening stock is declared once, before the first period begins."

    SECOND_ORIGIN = "second_origin", "The farm has a report for this crop and harvest year. Enter a new version."
    VERSION_OUT_OF_ORDER = "version_out_of_order", "Versions of a report go up by one, each dated after the last."
    YIELD_BEYOND_BOUNDS = (
        "yield_beyond_bounds",
        "So much product of a bushel is beyond what its form can give, and no file is named that shows it.",
    )
    YIELDS_OVERLAP = "yields_overlap", "Another yield of this kind covers some of these days."
    YIELD_NOT_FOUND = "yield_not_found", "The plant has no yield for this output. Record it first."
    YIELD_OUT_OF_DATE = "yield_out_of_date", "The plant's yields do not cover the day."
    DOCUMENT_SEEN = "document_seen", "A document of this number was taken in before, by another event."
    TICKET_DIFFERS = (
        "ticket_differs",
        "The site has a ticket of this number: another event's, or with another amount or day.",
    )
    TICKET_USED = "ticket_used", "This ticket stands behind another purchase."
    TICKETS_BELOW_CLAIM = "tickets_below_claim", "What was weighed is less grain than the claim."
    TITLE_NOT_AT_DELIVERY = "title_not_at_delivery", "Under delayed price, title passes on the day of delivery."

    OUTSIDE_ORIGIN = "outside_origin", "These serials are not part of the origin."
    OUTSIDE_MOVEMENT = "outside_movement", "These serials were not part of the movement named."
    REPORT_WITHDRAWN = "report_withdrawn", "The farm's report was withdrawn. Its bushels carry no claim."
    REPORT_SUSPENDED = "report_suspended", "The farm's report is suspended. Wait until it is reinstated."
    SERIALS_ASSIGNED = "serials_assigned", "The farm has assigned these serials to another sale slip."
    BROKEN_CHAIN = "broken_chain", "The book saw these serials with another holder than the one who gives them."
    CHAIN_NOT_SHOWN = "chain_not_shown", "This book does not show how these serials came to the one who gives them."
    CI_DIFFERS = "ci_differs", "The book knows these serials at another carbon intensity."
    NOT_HELD = "not_held", "The giver does not hold these serials."
    IN_TRANSIT = "in_transit", "These serials are in transit. Accept them first."
    IN_DISPUTE = "in_dispute", "These serials are in dispute: they were taken back without the other party's paper."
    OTHER_FORM = "other_form", "The giver holds these serials in another form."
    OTHER_SITE = "other_site", "The giver holds these serials at another site."
    UNVERIFIED = "unverified", "The supplier's verification is missing, so this may not go on as reduced-CI."
    NOT_HELD_YET = "not_held_yet", "The giver had no title to this on that day."
    OUTSIDE_CI_RANGE = "outside_ci_range", "The stock within the carbon intensities asked for is too small."
    EXCEEDS_STOCK = "exceeds_stock", "The giver does not hold that much."
    LOTS_NOT_NAMED = "lots_not_named", "No sale policy covers the day. Name the lots."
    PENDING_TOO_LATE = "pending_too_late", "A purchase is assigned in its own period or the next one."
    EXCEEDS_PENDING = "exceeds_pending", "More is assigned than was bought with CI pending."
    BEYOND_CROP = "beyond_crop", "The crop used does not support that much product at the yield given."
    NO_PRODUCT = "no_product", "The amount is too small to give any product."
    BEYOND_CROP_CRUSHED = "beyond_crop_crushed", "The plant crushed less crop than the claims use up."
    BEYOND_ACTUAL_PRODUCT = "beyond_actual_product", "The claims exceed the share of the product actually made."
    NOTHING_TO_ADJUST = "nothing_to_adjust", "No claim of this campaign is left to adjust."
    NO_GRAIN_BOOK = "no_grain_book", "The site has no record of grain. Enter tickets or a measurement."
    CLAIMS_EXCEED_GRAIN = "claims_exceed_grain", "Claims would exceed the grain at the site."
    SITE_IN_USE = "site_in_use", "Grain or claims lie at the site, or came there later."
    SITE_CLOSED = "site_closed", "The site is closed: nothing is stored there, sold from there or moved there."
    POSTED = "posted", "Done."

    @property
    def well(self) -> bool:
        """Tell whether the request stands in the book."""
        return self in (Status.POSTED, Status.EXISTS)

    @property
    def rank(self) -> int:
        """Return the place in the order of precedence, from 0."""
        return PRECEDENCE[self]


PRECEDENCE: Final = {status: number for number, status in enumerate(Status)}


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not an error of the program
    """Ends a decision with a status other than ``POSTED``; caught where the decision began.

    Attributes:
        status: the answer.
        detail: the particulars, as whole sentences; may be empty.
    """

    def __init__(self, status: Status, detail: str = "") -> None:
        super().__init__(status, detail)
        self.status = status
        self.detail = detail

    @property
    def message(self) -> str:
        """Return the sentence of the status and the particulars."""
        return f"{self.status.sentence} {self.detail}".strip()
