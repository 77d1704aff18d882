"""What a package shows of the audit that it is of, for the statement that rests on it (interpretation 90)."""

from collections.abc import Iterable, Iterator
from typing import Any

from provender.audit.outcome import rows_of
from provender.audit.package.contents import PackageContents, ReportFile
from provender.audit.package.custody_section import EntityBook, books, closed_balances
from provender.audit.package.layout import AS_AUDITED
from provender.audit.package.write import Header, Subject
from provender.audit.programme import NotNeeded, Role
from provender.audit.sampling.before import sample_hash
from provender.audit.sampling.population import incoming_farms
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.statement.facts import Closed, PackageFacts, Supplied
from provender.custody.events.closing import Closing
from provender.custody.events.processing import ProcessEvent
from provender.custody.events.trade import SaleEvent
from provender.custody.model.entities import Contract, ContractKind, Entity
from provender.custody.model.store_view import CustodyStep
from provender.rule.crops import Crop, Practice

_OF_PROVIDERS = (ContractKind.SERVICE_PROVIDER, ContractKind.SUBCONTRACTOR)


def facts_of(case: PackageContents) -> tuple[PackageFacts, ...]:
    """Return what a package shows; nothing where it has no header that can be read."""
    head = case.header
    if head is None:
        return ()
    sample = case.object(SAMPLE)
    about: dict[str, Any] = {
        "audited": head.audited, "audited_name": head.audited_name, "subject": str(head.subject), "first": head.first,
        "last": head.last, "made_on": head.made_on, "own_keys": case.pins.own,
        "asked_by": case.request.verifier if case.request else "",
        "practices": _practices(case.all_reports), "sample_hash": sample_hash(sample) if sample else "",
    }  # fmt: skip
    if head.subject is Subject.FARM_REPORT:
        return (PackageFacts(**about, **_of_farm(case, head)),)
    found = books(case).get(head.audited)
    return (PackageFacts(**about, **(_of_book(case, head, found) if found else {})),)


def _practices(reports: Iterable[ReportFile]) -> tuple[Practice, ...]:
    used = {
        str(name) for one in reports for unit in rows_of(one.document.get("units")) for name in unit.get("used") or ()
    }
    return tuple(one for one in Practice if one in used)


def _of_farm(case: PackageContents, head: Header) -> dict[str, Any]:
    reports = [one for farm in case.farms if farm.farm_id == head.audited for one in farm.reports]
    units = {str(row["unit_id"]) for farm in case.farms for row in farm.rows("unit")}
    return {
        "roles": (Role.FARM,), "sites": tuple(sorted(units)),
        "supports": (NotNeeded.NO_PRACTICE,) if _practices(reports) else (),
        "crops": tuple(sorted({one.key[1] for one in reports})),
        "harvest_years": tuple(sorted({one.key[2] for one in reports})),
        "records": tuple(sorted({one.digest for one in reports})),
    }  # fmt: skip


def _of_book(case: PackageContents, head: Header, found: EntityBook) -> dict[str, Any]:
    store, entity = found.store, found.store.one(Entity, found.entity)
    supplied = incoming_farms(store, found.entity, head.first, head.last)
    steps = [one for one in store.steps(found.entity) if head.first <= one.day <= head.last]
    came = [one.after for one in steps if one.after.owner == found.entity]
    closed = store.many(Closing, found.entity)
    return {
        "roles": tuple(_roles(found, head, entity, supplied=bool(supplied))),
        "sites": entity.sites if entity else (),
        "crops": tuple(sorted({lot.crop for lot in came})),
        "harvest_years": tuple(sorted({lot.harvest_year for lot in came})),
        "supports": tuple(_supports(case, found, head, steps, supplied=bool(supplied))),
        "supplied": tuple(Supplied(*key, one.bushels) for key, one in sorted(supplied.items())),
        "closings": tuple(Closed(one.start, one.end, one.closed_on) for one in closed),
        "records": tuple(sorted(closed_balances(case, found.entity))),
    }


def _processed(found: EntityBook, head: Header) -> bool:
    own = (one for one in found.requests if isinstance(one, ProcessEvent) and one.entity == found.entity)
    return any(head.first <= one.day <= head.last for one in own)


def _roles(found: EntityBook, head: Header, entity: Entity | None, *, supplied: bool) -> Iterator[Role]:
    """Yield in which roles a book shows its party: as entered and as it acts, a first point where farms sold to it."""
    entered = {AS_AUDITED[one] for one in (entity.roles if entity else ()) if one in AS_AUDITED} - {Role.FARM}
    roles = entered - ({Role.FIRST_POINT} if not supplied and len(entered) > 1 else set())
    roles |= {Role.FIRST_POINT} if supplied or not roles else set()
    roles |= {Role.PROCESSOR} if _processed(found, head) else set()
    yield from (role for role in Role if role in roles)


def _supports(
    case: PackageContents, found: EntityBook, head: Header, steps: list[CustodyStep], *, supplied: bool
) -> Iterator[NotNeeded]:
    """Yield for which reasons lines need not be answered, by what the book does not show in the days of the package."""
    contracts = found.store.many(Contract, found.entity)
    ours = [one for one in found.requests if isinstance(one, SaleEvent) and one.giver == found.entity]
    crops = set(map(str, Crop))
    if _practices(case.all_reports):  # reports that count none show nothing of what farms claim
        yield NotNeeded.NO_PRACTICE
    if not supplied:
        yield NotNeeded.NO_FARM
    if not _processed(found, head):
        yield NotNeeded.NO_PROCESSING
    if all(lot.form in crops for one in steps for lot in (one.before, one.after) if lot is not None):
        yield NotNeeded.NO_PRODUCT
    if not any(head.first <= one.day <= head.last for one in ours):
        yield NotNeeded.NO_SALE
    if not any(one.role in _OF_PROVIDERS for one in contracts):
        yield NotNeeded.NO_PROVIDER
