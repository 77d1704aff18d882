"""Every table, one module per subject."""

from provender.database.models.append_only import AppendOnly, WrittenOnceError
from provender.database.models.audits import Audit, AuditEntry, EntryKind, VerifierAccreditation, VerifierKey
from provender.database.models.books import Book, BookKind, Change, ReportVersion, VerdictCache
from provender.database.models.custody import (
    CustodyEvent,
    CustodyLot,
    CustodyOrigin,
    CustodyStep,
)
from provender.database.models.custody_records import (
    CustodyContract,
    CustodyEntity,
    CustodyEventParty,
    CustodyGrainEntry,
    CustodyPending,
    CustodyPeriod,
    CustodyRecord,
    CustodySlip,
    CustodyStanding,
    CustodyVerification,
    Stated,
)
from provender.database.models.grants import ReadGrant, SupplyContract
from provender.database.models.imports import BookImport
from provender.database.models.keys import ProducerKey, SignedSlip
from provender.database.models.log import LogRow
from provender.database.models.organisations import (
    Invitation,
    Membership,
    Organisation,
    OrganisationRole,
    Right,
    Role,
)
from provender.database.models.people import Person
from provender.database.models.settlements import SettlementComparison
from provender.database.models.signed_documents import SignedDocument
from provender.database.models.tokens import ApiToken, IdempotentAnswer, Scope, scopes_within
from provender.database.models.uploads import Upload

__all__ = [
    "ApiToken",
    "AppendOnly",
    "Audit",
    "AuditEntry",
    "Book",
    "BookImport",
    "BookKind",
    "Change",
    "CustodyContract",
    "CustodyEntity",
    "CustodyEvent",
    "CustodyEventParty",
    "CustodyGrainEntry",
    "CustodyLot",
    "CustodyOrigin",
    "CustodyPending",
    "CustodyPeriod",
    "CustodyRecord",
    "CustodySlip",
    "CustodyStanding",
    "CustodyStep",
    "CustodyVerification",
    "EntryKind",
    "IdempotentAnswer",
    "Invitation",
    "LogRow",
    "Membership",
    "Organisation",
    "OrganisationRole",
    "Person",
    "ProducerKey",
    "ReadGrant",
    "ReportVersion",
    "Right",
    "Role",
    "Scope",
    "SettlementComparison",
    "SignedDocument",
    "SignedSlip",
    "Stated",
    "SupplyContract",
    "Upload",
    "VerdictCache",
    "VerifierAccreditation",
    "VerifierKey",
    "WrittenOnceError",
    "scopes_within",
]
