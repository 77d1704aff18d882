"""Every kind of record that an event states, by its word."""

from collections.abc import Mapping
from typing import Any, Final

from provender.custody.events.campaign import CampaignTotals, Conversion, Crush, Yield
from provender.custody.events.changed_report import Notice
from provender.custody.events.document import Document
from provender.custody.events.pending_purchase import Pending
from provender.custody.events.period import Closing
from provender.custody.events.processing import TruedUp
from provender.custody.events.shortfall import QuestionedBushels
from provender.custody.model.entities import Contract, Delivery, Entity, SiteClosure, Verification
from provender.custody.model.grain_book import GrainEntry, MovementTickets
from provender.custody.model.origins import Origin, Slip
from provender.custody.model.periods import Period

_KINDS: Final = (
    CampaignTotals, Closing, Contract, Conversion, Crush, Delivery, Document, Entity, GrainEntry, MovementTickets,
    Notice, Origin, Pending, Period, QuestionedBushels, SiteClosure, Slip, TruedUp, Verification, Yield,
)  # fmt: skip
RECORDS: Final[Mapping[str, type[Any]]] = {cls.kind: cls for cls in _KINDS}
