"""What happened in an audit, entry by entry, in sentences."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from provender.audit.findings.log import Deed
from provender.audit.sampling.seed import Side
from provender.database.models import AuditEntry, EntryKind
from provender.database.store.audits import data_of
from provender.services.audits.to_answer import shortened
from provender.services.steps import counted

DONE: Final[Mapping[str, str]] = {
    Deed.RAISED: "was raised",
    Deed.RESPONDED: "was answered",
    Deed.RESOLVED: "was resolved",
    Deed.REOPENED: "was opened again",
    Deed.CHANGED: "was changed",
}
"""What each deed did to a finding."""
COMMITTED: Final[Mapping[str, str]] = {Side.AUDITED: "The audited party", Side.VERIFIER: "The verifier"}
"""Who committed to a part of the seed."""


def _finding(said: Mapping[str, Any]) -> str:
    return f"Finding {said['finding']} {DONE[said['deed']]}: {shortened(said['text'])}"


def _recomputed(said: Mapping[str, Any]) -> str:
    count = len(said["differences"])
    return f"A package was recomputed: {counted(count, 'difference') if count else 'nothing differs'}."


def _asked(said: Mapping[str, Any]) -> str:
    return "A package could not be made." if "problems" in said else "A package was asked for."


def _marked(said: Mapping[str, Any]) -> str:
    note = shortened(said["note"])
    return f"A line of the work program was marked {said['state']}" + (f": {note}" if note else ".")


SENTENCES: Final[Mapping[str, str | Callable[[Mapping[str, Any]], str]]] = {
    EntryKind.POPULATION: lambda said: f"The list of supplying farms was frozen: {counted(len(said['rows']), 'farm')}.",
    EntryKind.COMMITMENT: lambda said: f"{COMMITTED[said['side']]} committed to a part of the seed.",
    EntryKind.OPENING: "A part of the seed was opened.",
    EntryKind.SEED: "The farm sample was drawn.",
    EntryKind.TREATMENT: lambda said: f"A borrowed audit of farm {said['farm_id']} was decided on.",
    EntryKind.FAILURE: lambda said: f"Farm {said['farm_id']} failed, and the sample was decided on again.",
    EntryKind.ENGAGEMENT: "The engagement was recorded.",
    EntryKind.VISIT: lambda said: f"A visit was logged: {said['site'] or said['farm']}.",
    EntryKind.TASK: _marked,
    EntryKind.ASKED: _asked,
    EntryKind.PACKAGE: "A package was made.",
    EntryKind.RESULT: _recomputed,
    EntryKind.FINDING: _finding,
    EntryKind.DRAFT: "The statement was drafted.",
    EntryKind.STATEMENT: "The statement was signed.",
    EntryKind.ADDENDUM: "A fact found later was signed.",
}
"""By kind of an entry: its sentence, or what makes it of what the entry says."""


def happened(entry: AuditEntry) -> str:
    """Return a sentence of what an entry says happened."""
    sentence = SENTENCES[entry.kind]
    return sentence if isinstance(sentence, str) else sentence(data_of(entry))
