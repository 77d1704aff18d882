"""Farm reports become origins (2100.031(c)): one per farm, crop and harvest year, in versions (interpretation 34)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from provender.custody.events.changed_report import NoticeKind, ReportChange, amend, check_holders, check_later
from provender.custody.events.rules import (
    MovementDraft,
    check_amounts,
    check_crop,
    entity_of,
    lot_as_grown,
    lot_location,
    require,
)
from provender.custody.model.amounts import BUSHEL, show_amount
from provender.custody.model.entities import Role
from provender.custody.model.event import EVERYONE, Event, Party, event
from provender.custody.model.lots import LIVE, Lot, LotState, length, subtract_spans
from provender.custody.model.origins import Origin, OriginKind, ReportStanding, Version, origin_id, origin_name
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import declared, field
from provender.quantity import CI_SCALE, Bushels, Ci, Serials, show
from provender.wire import Name, Text, Whole

CI_MAX_G_PER_BU = 10_000_000
"""100,000 g CO2e per bushel, several times any crop's: beyond it the unit is wrong."""


@event("report")
class ReportEvent(Event):
    """A farm's signed report, or a later version of it. It makes the origin ``farm/crop/year``, or its blinded id."""

    entity: Name = field("Entity", help="The farm.", party=Party.ENTERS)
    crop: Text = field("Crop", help="`corn`, `soybeans` or `sorghum`.", choices="crops")
    harvest_year: Whole = field("Harvest year", help="Year of harvest.", folded=True)
    bushels: Bushels = field("Bushels", help="The whole harvest of the crop and year.")
    ci: Ci = field("Carbon intensity", help="The farm-level carbon intensity.")
    version: Whole = field("Version", help="1, 2, ...; a later one amends.", default=1)
    salt: Text = field(
        "Salt", help="The secret that blinds the origin's id; it stands in the report.", asked=False, default=""
    )
    report: Text = field("Report", help="Hash of the signed report.", asked=False, default="")
    spans: tuple[Serials, ...] = field(
        "Spans",
        help=(
            "For a later version with fewer bushels, the serials that bear them where a book that holds more parties "
            "found them; left out, this book finds them by the order of interpretation 35."
        ),
        folded=True,
        example=[["0", "500"]],
        default=(),
    )
    sold: tuple[Serials, ...] = field(
        "Sold",
        help=(
            "For a later version with a better carbon intensity, serials that others had when it came, where a book "
            "that holds more parties knows of them: they keep the worse one, though this book sees them with the "
            "farm."
        ),
        default=(),
    )

    def locks(self) -> tuple[str, ...]:
        """Return the farm for a first version; everybody for a later one, which may reach any holder."""
        return (self.entity,) if self.version == 1 else (EVERYONE,)

    @property
    def origin(self) -> str:
        """Return the id of the origin.

        Raises:
            ValueError: the salt is too short.
        """
        return origin_id(self.entity, self.crop, self.harvest_year, self.salt)


def check_ci(ci: int) -> None:
    """Refuse a carbon intensity that no crop has; a soil that stores carbon may bring it below zero."""
    possible = -CI_MAX_G_PER_BU < ci < CI_MAX_G_PER_BU
    require(possible, Status.CI_NOT_POSSIBLE, f"It says {show(ci, CI_SCALE)} g CO2e/bu.")


def decide_report(facts: StoreView, request: ReportEvent) -> Decision:
    """Make an origin of the farm's bushels, or enter the next version of its report."""
    farm = entity_of(facts, request.entity)
    require(Role.FARM in farm.roles, Status.ROLE_NOT_ALLOWED, f"{farm.name} is no farm.")
    check_crop(request.crop)
    check_amounts((request.bushels, BUSHEL))
    check_ci(request.ci)
    try:
        origin = request.origin
    except ValueError as short:
        raise Refusal(Status.FIELD_UNREADABLE, f"salt: {short}.") from None
    known = facts.many(Origin, origin_name(farm.id, request.crop, request.harvest_year))
    _check_spans(known[0] if known else None, request)
    if known:
        check_holders(facts, known[0], request)
    else:
        require(request.version == 1, Status.VERSION_OUT_OF_ORDER, "The book has no version 1.")
        return _first(facts, request, origin)
    same = known[0]
    second = request.version == 1 or (bool(request.salt) and same.id != origin)
    require(not second, Status.SECOND_ORIGIN, f"{same.id}, version {same.current.number}.")
    follows = request.version == same.current.number + 1 and request.day >= same.current.day
    last = f"The last one is {same.current.number} of {same.current.day}."
    require(follows, Status.VERSION_OUT_OF_ORDER, last)
    require(same.standing is not ReportStanding.WITHDRAWN, Status.REPORT_WITHDRAWN)
    check_later(facts, same, request)
    version = Version(request.version, request.day, request.bushels, request.ci, request.report)
    return amend(facts, request, same, version, request.spans, request.sold)


def _check_spans(origin: Origin | None, request: ReportEvent) -> None:
    """Refuse serials to bear missing bushels that overlap, are not the report's, or are more than it lacks."""
    spans = sorted(request.spans)
    upward = all(start < stop for start, stop in spans) and all(one[1] <= other[0] for one, other in pairwise(spans))
    within = not spans or (spans[0][0] >= 0 and origin is not None and spans[-1][1] <= origin.issued)
    missing = max(0, origin.current.bushels - request.bushels) if origin else 0
    said = f"{show_amount(missing, BUSHEL)} are missing."
    require(upward and within and length(spans) <= missing, Status.SPAN_NOT_POSSIBLE, said)


def _first(facts: StoreView, request: ReportEvent, origin: str) -> Decision:
    seen = facts.one(Origin, origin)
    came = facts.lots_at(origin, *seen.span) if seen else ()
    _check_seen(request, seen, came)
    draft = MovementDraft(request)
    version = Version(1, request.day, request.bushels, request.ci, request.report)
    made = Origin(
        id=origin,
        form=request.crop,
        issuer=request.entity,
        crop=request.crop,
        harvest_year=request.harvest_year,
        source=OriginKind.REPORT,
        number="",
        standing=ReportStanding.SUSPENDED if seen and seen.is_doubtful else ReportStanding.ACTIVE,
        versions=(version,),
        issued=request.bushels,
    )
    draft.state(made)
    for span in subtract_spans([(0, request.bushels)], ((lot.start, lot.stop) for lot in came)):
        draft.enter(lot_as_grown(made, version, *span))
    return draft.outcome(f"Origin {origin}: {show_amount(request.bushels, BUSHEL)}.", facts=(("origin", origin),))


def _check_seen(request: ReportEvent, seen: Origin | None, came: Sequence[Lot]) -> None:
    """Refuse a report that what came of it on traders' documents before contradicts.

    A house may buy of a farm whose bushels it had from others: those stay where they are, the rest lies with the farm.
    """
    if seen is None:
        return
    same = (seen.source, seen.crop, seen.harvest_year) == (OriginKind.DOCUMENT, request.crop, request.harvest_year)
    require(same, Status.DOCUMENT_SEEN, f"Origin {seen.id}.")
    require(seen.standing is not ReportStanding.WITHDRAWN, Status.REPORT_WITHDRAWN)
    issued, reported = show(seen.issued, group=True), show(request.bushels, group=True)
    beyond = f"{seen.id}: serials up to {issued} came on documents, the report has {reported}."
    require(seen.issued <= request.bushels, Status.OUTSIDE_ORIGIN, beyond)
    better = next((lot for lot in came if lot.ci < request.ci), None)
    said = f"{lot_location(better)} came at {show(better.ci, CI_SCALE)} g CO2e/bu." if better else ""
    require(better is None, Status.CI_DIFFERS, said)


@declared
class StandingEvent(Event):
    """Fields of the events that suspend, reinstate or withdraw a report."""

    origin: Text = field("Origin", help="The origin's id.")
    reason: Text = field("Reason", help="In words.", default="")


@event("suspend", everyone=True)
class SuspendEvent(StandingEvent):
    """Suspends a report: its claims rest where they are."""


@event("reinstate", everyone=True)
class ReinstateEvent(StandingEvent):
    """Ends a suspension."""


def decide_standing(facts: StoreView, request: SuspendEvent | ReinstateEvent) -> Decision:
    """Suspend or reinstate a report, and tell everybody who has its claims or retired them."""
    origin = facts.one(Origin, request.origin)
    if origin is None:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no origin {request.origin!r}.")
    to = ReportStanding.SUSPENDED if isinstance(request, SuspendEvent) else ReportStanding.ACTIVE
    require(origin.standing is not to, Status.ALREADY_ANSWERED, f"The report is {to}.")
    require(origin.standing is not ReportStanding.WITHDRAWN, Status.REPORT_WITHDRAWN)
    change = ReportChange(request, origin)
    suspended = to is ReportStanding.SUSPENDED
    kind = NoticeKind.SUSPENDED if suspended else NoticeKind.REINSTATED
    said = "The report is suspended: these claims rest." if suspended else "The report is in force again."
    for lot in facts.lots_at(origin.id, *origin.span):
        if lot.state in LIVE or lot.state is LotState.RETIRED:
            change.tell(lot.owner, lot.start, lot.stop, kind, said)
    change.draft.state(replace(origin, standing=to))
    return change.draft.outcome(f"The report behind {origin.id} is {to}.")
