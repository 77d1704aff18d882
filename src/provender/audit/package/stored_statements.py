"""Verifications that an entity received and keeps (2100.030(d), .032(b)(2)): the event in its book, the file beside it.

A statement is entered into the book once its signature, its parts and its accreditation were checked, and its signed
file is laid into a folder beside the book. Later only a file that says what the sealed event says counts.
"""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

from provender.audit.programme.items import Role
from provender.audit.statement.audit_cycle import Entity
from provender.audit.statement.statement import VerificationStatement, favourable
from provender.custody.events.statement import StatementEvent
from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity as Party
from provender.custody.model.entities import Opinion
from provender.custody.model.entities import Role as CustodyRole
from provender.problem import ProblemsError
from provender.signing.canonical import read_json

SUFFIX: Final = ".statements"
_ROLES: Final = (
    (CustodyRole.FIRST_POINT, Role.FIRST_POINT),
    (CustodyRole.INTERMEDIARY, Role.INTERMEDIARY),
    (CustodyRole.REFINER, Role.REFINER),
)


def kept_folder(book: Path) -> Path:
    """Return the folder beside a custody book in which its entity keeps the statements it received."""
    return book.with_suffix(SUFFIX)


def kept_statements(book: Path, store: MemoryStore) -> list[VerificationStatement]:
    """Return the statements on file that stand by the book, whoever they are about; other files do not count."""
    booked = {
        (one.entity, one.number): (one.verifier, one.start_day, one.end_day, tuple(sorted(one.crops)), one.opinion)
        for one in (posted.request for posted in store.events())
        if isinstance(one, StatementEvent) and not one.opinion.contracted
    }
    return [one for one in _on_file(kept_folder(book)) if booked.get((one.audited, one.number)) == _as_booked(one)]


def _as_booked(one: VerificationStatement) -> tuple[str, date, date, tuple[str, ...], Opinion]:
    """Return what the book says of a statement that stands; of one taken back its last event says adverse."""
    opinion = Opinion.FAVOURABLE if favourable([], one) else Opinion.ADVERSE
    return one.verifier, one.covered_first, one.covered_last, tuple(sorted(one.crops)), opinion


def _on_file(folder: Path) -> Iterator[VerificationStatement]:
    for path in sorted(folder.glob("*.json")):
        try:
            data = read_json(path.read_bytes(), file=path.name)
            yield VerificationStatement.read(data["document"])  # type: ignore[index]  # answered by the except
        except (KeyError, TypeError, ValueError, ProblemsError):
            continue


def rhythm_entity(store: MemoryStore, entity: str) -> Entity:
    """Return what the yearly rhythm needs to know of a book's owner, from the book alone."""
    party = store.one(Party, entity)
    roles = party.roles if party else ()
    role = next((mine for theirs, mine in _ROLES if theirs in roles), Role.FARM)
    days = [step.day for step in store.steps(entity) if step.came and step.after.owner == entity]
    return Entity(party.name if party else entity, role, min(days, default=None), _contract_until(store, entity))


def _contract_until(store: MemoryStore, entity: str) -> date | None:
    days = [
        one.end_day
        for one in (posted.request for posted in store.events())
        if isinstance(one, StatementEvent) and one.entity == entity and one.opinion.contracted
    ]
    return max(days, default=None)
