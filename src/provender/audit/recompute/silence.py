"""What a package says nothing of: parties, crops, drawn farms, copies and files without anything computed again.

Recomputation finds what differs among the things that are there. Whoever leaves a thing out, or makes it unreadable,
must not be told that nothing differs: so each thing that ought to have been computed and was not is a difference.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from provender.audit.findings.log import read_log
from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import HELD, PackageContents
from provender.audit.package.custody_section import EntityBook, books, papers
from provender.audit.package.farm_section import FarmPart
from provender.audit.package.key_statements import KINDS as KEY_KINDS
from provender.audit.package.layout import BOOK, KEYS, REQUEST, Part, part_of
from provender.audit.package.pins import pins_document, read_pins
from provender.audit.package.write import PackageRequest, Subject
from provender.audit.sampling.drawn_farms import Extent
from provender.audit.sampling.sample import KIND as SAMPLE_KIND
from provender.audit.sampling.sample_file import PATH as SAMPLE
from provender.audit.shape import inside, rows_of
from provender.audit.statement.statement import ADDENDUM_KIND
from provender.audit.statement.statement import KIND as STATEMENT
from provender.custody.documents.build import PERIOD, SLIP, TRANSFER
from provender.custody.documents.read import FOREIGN
from provender.custody.documents.sign import TYPS
from provender.custody.events.period import Closing
from provender.custody.model.entities import Entity
from provender.custody.model.periods import Period
from provender.problem import ProblemsError
from provender.report.typ import TYPE as REPORT
from provender.signing.canonical import read_json
from provender.signing.jws import MEANING, Status, check
from provender.signing.transparency import is_head

CITES: Final = ("2100.030(d)", "2100.040(b)(1)")
KEPT: Final = "2100.030(d)"
READ: Final = frozenset({TRANSFER, SLIP, PERIOD, REPORT})
"""Types of documents that are computed again: one that claims to be of them and is not readable is missing."""
_SIGNED: Final = frozenset({Part.REPORTS, Part.DOCUMENTS, Part.STATEMENTS, Part.KEYS})
_STATED: Final = frozenset({STATEMENT, ADDENDUM_KIND, SAMPLE_KIND})


def recompute(case: PackageContents) -> CheckResult:
    """Look for whatever the other checks had nothing to say of."""
    told: list[str] = []
    differences = [*_header(case, told), *_keys(case)]
    for farm in case.farms:
        differences += _farm(farm, told)
    for entity, prefix in case.entities.items():
        differences += _entity(case, entity, prefix)
    differences += [*_drawn(case), *_documents(case, told), *_held(case)]
    told += _copies(case)
    parties = len(case.header.parties) if case.header else 0
    if not parties:
        differences.append(
            Difference("nothing_recomputed", KEPT, "package.json, parties", "a package", "no party in it")
        )
    return CheckResult("nothing left out", CITES, parties, tuple(differences), tuple(told))


def _copies(case: PackageContents) -> Iterator[str]:
    """Yield the papers that stand in one folder under two names; by number and hash they are one."""
    first: dict[tuple[str, bytes], str] = {}
    for path in sorted(case):
        if path.endswith(".json") and part_of(path) in _SIGNED:
            known = first.setdefault((path.rpartition("/")[0], case[path]), path)
            if known != path:
                yield f"{path} holds the same as {known}; it counts once."


def _farm(farm: FarmPart, told: list[str]) -> Iterator[Difference]:
    """Yield every crop and year that was run through a calculator and has no report, and a farm without any."""
    if not farm.latest:
        yield Difference(
            "farm_without_report", "2100.031(a)", farm.farm_id, "a party of this package", "no report of it"
        )
    reported = {claimed.key for claimed in farm.latest}
    run = {row["harvest_id"] for row in farm.rows("calculator_run")}
    for key, intervals in sorted(farm.assessment.harvests.items()):
        name = f"{key[0]}, {key[1]} {key[2]}"
        if key[0] != farm.farm_id or key in reported:
            continue
        if any(one.harvest_id in run for one in intervals):
            bushels = sum(one.facts.get("bushels") or 0 for one in intervals)
            words = ("calculator runs in the records", "no report in the package")
            yield Difference("harvest_without_report", "2100.031(c)", name, *words, bushels)
        else:
            told.append(f"{name}: harvested, and in no report; its records are bound by no signature.")


def _entity(case: PackageContents, entity: str, prefix: str) -> Iterator[Difference]:
    found = books(case).get(entity)
    if found is None or not found.lines:
        place = f"{prefix}/{BOOK}"
        yield Difference("party_without_book", "2100.032(a)", place, f"the book of {entity}", "no line of it")
        return
    own = [paper for paper in papers(case) if (paper.prefix, paper.issuer) == (found.prefix, entity)]
    stated = {paper.number for paper in own if paper.kind == PERIOD}
    for closing in found.store.many(Closing, entity):
        if closing.key not in stated:
            words = (f"a period closed on {closing.closed_on}", "no signed statement of it")
            yield Difference(
                "period_without_statement", "2100.034(c)", f"{entity}, period from {closing.start}", *words
            )


def _header(case: PackageContents, told: list[str]) -> Iterator[Difference]:
    """Yield where the package says of itself what its content does not bear out."""
    head = case.header
    if head is None:
        return
    kind = "farms/" if head.subject is Subject.FARM_REPORT else "entities/"
    if head.audited not in {party for folder, party in head.parties.items() if folder.startswith(kind)}:
        words = (f"about {head.audited}", "no such party in the package")
        yield Difference("audited_party_missing", KEPT, "package.json, audited", *words)
    names = _names(case, head.audited)
    if names and head.audited_name not in names:
        words = (head.audited_name, " or ".join(sorted(names)))
        yield Difference("audited_name_differs", "2100.031(c)(1)", "package.json, audited_name", *words)
    rules = {str(one.document["rule"]["id"]) for farm in case.farms for one in farm.latest if "rule" in one.document}
    where = "reports"
    if not rules:  # a package of entities without farms: their papers name the text, too
        where, named = "documents", [paper.document.get("rule") for paper in papers(case) if paper.prefix]
        rules = {str(one["id"]) for one in named if isinstance(one, dict) and "id" in one}
    if rules and head.rule_version not in rules:
        words = (head.rule_version, f"{' and '.join(sorted(rules))} in the {where}")
        yield Difference("rule_version_differs", "2100.020", "package.json, rule_version", *words)
    yield from _days(case, (head.first, head.last), told)
    latest = max(_made(case), default=None)
    if latest is not None and head.made_on < latest[0]:
        words = (f"made on {head.made_on}", f"it holds {latest[1]} of {latest[0]}")
        yield Difference("made_before_content", KEPT, "package.json, made_on", *words)


def _names(case: PackageContents, audited: str) -> set[str]:
    """Return what records and book call the audited party."""
    found = {row["name"] for farm in case.farms if farm.farm_id == audited for row in farm.rows("farm") if row["name"]}
    entity = books(case)[audited].store.one(Entity, audited) if audited in books(case) else None
    return found | ({entity.name} if entity else set())


def _days(case: PackageContents, said: tuple[date, date], told: list[str]) -> Iterator[Difference]:
    from provender.audit.package.collect import days_of_records

    head = case.header
    found: EntityBook | None = books(case).get(head.audited) if head else None
    if found is not None:
        periods = found.store.many(Period, found.entity)
        borders = {one.start for one in periods}, {one.end for one in periods}
        whole = (min(borders[0]), max(borders[1])) if periods else said
        if periods and said == _asked(case):
            # What a verifier covers is the verifier's to say; it need not begin and end with the party's periods.
            if said != whole:
                told.append(
                    f"The verifier asked for {said[0]} to {said[1]}; "
                    f"the book's periods run from {whole[0]} to {whole[1]}."
                )
        elif periods and (said[0] not in borders[0] or said[1] not in borders[1]):
            words = (f"{said[0]} to {said[1]}", f"the book's periods run from {whole[0]} to {whole[1]}")
            yield Difference("days_differ", "2100.034(b)", "package.json, first and last", *words)
        elif said != whole:
            told.append(
                f"The package covers {said[0]} to {said[1]}; the book's periods run from {whole[0]} to {whole[1]}."
            )
    elif head and head.subject is Subject.FARM_REPORT and len(case.farms) == 1:
        days, harvested = days_of_records(case.farms[0].book), _last_harvest(case.farms[0])
        if days is None or days == said:
            return
        found_days = f"{days[0]} to {days[1]} in the records"
        if said[0] == days[0] and (harvested or said[1]) <= said[1] < days[1]:
            told.append(f"The package covers {said[0]} to {said[1]}; a later season stands in it, {found_days}.")
        else:
            yield Difference("days_differ", KEPT, "package.json, first and last", f"{said[0]} to {said[1]}", found_days)


def _asked(case: PackageContents) -> tuple[date, date] | None:
    """Return the days that the verifier's signed request names; None where there is none that may be followed.

    Whose key an unknown one is, opening the package asks; here it must not be another's than the verifier's own.
    """
    envelope = _object(case, REQUEST)
    try:
        request = PackageRequest.read(inside(envelope))
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    checked = check(envelope, case.pins.keys_of(request.verifier))
    own = case.header is not None and request.verifier in (case.header.audited, *case.header.parties.values())
    if own or checked.status not in (Status.VALID, Status.SIGNER_UNKNOWN):
        return None
    return request.first, request.last


def _last_harvest(farm: FarmPart) -> date | None:
    """Return the last day of the harvests that the farm's reports are about."""
    keys = {claimed.key for claimed in farm.latest}
    days = [one.facts.get("last_day") for key, of in farm.assessment.harvests.items() if key in keys for one in of]
    return max((day for day in days if day is not None), default=None)


def _made(case: PackageContents) -> Iterator[tuple[date, str]]:
    """Yield the day and name of every signed document that says when it was made."""
    yield from ((date.fromisoformat(one.document["made_on"]), one.name) for farm in case.farms for one in farm.reports)
    for paper in papers(case):
        if paper.prefix and (day := paper.document.get("made_on", paper.document.get("closed_on"))):
            yield date.fromisoformat(str(day)), paper.name


def _keys(case: PackageContents) -> Iterator[Difference]:
    """Yield where the package's own list of keys cannot be read, or gives a party keys that the verifier's does not."""
    if not case.pins.own:
        return
    if KEYS not in case:
        yield Difference("keys_missing", "2100.031(c)(3)", KEYS, "the party's list of keys", "no such file")
        return
    try:
        theirs = read_pins(case[KEYS], KEYS)
    except ProblemsError as refused:
        for one in refused.problems:
            yield Difference("keys_unreadable", "2100.031(c)(3)", KEYS, "a list of keys", one.cause)
        return
    if pins_document(theirs.pins) != read_json(case[KEYS], file=KEYS):
        yield Difference("keys_unreadable", "2100.031(c)(3)", KEYS, "a list of keys", "more than such a list holds")
    for pin in theirs.pins:
        known = case.pins.of(pin.party)
        if known and pin.key.fingerprint not in known:
            words = (f"key {pin.key.fingerprint}", f"the list of pinned keys has {', '.join(sorted(known))}")
            yield Difference("keys_differ", "2100.031(c)(3)", f"{KEYS}, {pin.party}", *words)


def _drawn(case: PackageContents) -> Iterator[Difference]:
    """Yield drawn farms that are here by name, without a report of the crop that they were drawn for."""
    document = _object(case, SAMPLE)
    spared = {
        str(one.get("farm_id")) for one in rows_of(document.get("treatments")) if one.get("extent") == Extent.EXEMPT
    }
    drawn = {str(farm) for farm in document.get("sample") or ()} - spared
    crops = {(str(row.get("farm_id")), str(row.get("crop"))) for row in rows_of(document.get("population"))}
    here = {farm.farm_id: {str(claimed.key[1]) for claimed in farm.latest} for farm in case.farms}
    for farm, crop in sorted(crops):
        if farm in drawn & here.keys() and crop not in here[farm]:
            words = (f"drawn with its {crop}", "no report of it in the package")
            yield Difference("drawn_crop_without_report", "2100.040(b)(1)", f"{SAMPLE}, {farm}", *words)


def _documents(case: PackageContents, told: list[str]) -> Iterator[Difference]:
    """Yield documents that cannot be read as what they claim to be; tell of files that no check reads."""
    read = {paper.path for paper in papers(case)} | {one.path for one in case.held_reports}
    for path in case:
        if path in read or not path.endswith(".json") or part_of(path) not in (Part.DOCUMENTS, Part.STATEMENTS):
            continue
        kind = _kind(_object(case, path))
        if kind in READ or kind not in {*TYPS, *_STATED, FOREIGN}:
            what = kind.replace("-", " ") or "a document"
            yield Difference("document_unreadable", KEPT, path, what, "it cannot be read as one")
        elif kind not in _STATED:
            told.append(f"{path}: no check reads a {kind.replace('-', ' ')}; look at it.")
            yield from _only_signed(case, path, kind)
    parties = books(case).keys()
    for paper in papers(case):
        if paper.prefix and not {paper.issuer, str(paper.document.get("buyer", {}).get("id"))} & parties:
            words = ("a paper of a party of this package", f"one of {paper.issuer}, whose book is not here")
            yield Difference("paper_of_others", KEPT, f"{paper.name}, in {paper.path}", *words)


def _only_signed(case: PackageContents, path: str, kind: str) -> Iterator[Difference]:
    """Yield what is wrong with the signature of a document that nothing computes again."""
    checked = check(_object(case, path), case.pins.keys, typ=TYPS.get(kind, ""))
    if kind in TYPS and checked.status not in (Status.VALID, Status.SIGNER_UNKNOWN):
        yield Difference(f"signature_{checked.status}", "2100.032(a)", path, "signed", MEANING[checked.status][0])


def _held(case: PackageContents) -> Iterator[Difference]:
    """Yield the verifier's own copies that meet nothing in the package."""
    mine = {(one.key, one.version) for farm in case.farms for one in farm.reports}
    mine |= {(one.key, one.version) for one in case.held_reports if not one.path.startswith(HELD)}
    for copy in case.held_reports:
        if copy.path.startswith(HELD) and (copy.key, copy.version) not in mine:
            words = (f"a copy held as {copy.path.removeprefix(HELD)}", "the package holds no such report")
            yield Difference("copy_without_counterpart", "2100.032(b)(1)", copy.name, *words, copy.bushels)
    parties = books(case).keys()
    for paper in papers(case):
        if not paper.prefix and not {paper.issuer, str(paper.document.get("buyer", {}).get("id"))} & parties:
            words = (f"a copy held as {paper.path.removeprefix(HELD)}", "the package holds no book of its parties")
            yield Difference("copy_without_counterpart", "2100.032(b)", paper.name, *words)
    known = {one.path for one in case.held_reports} | {paper.path for paper in papers(case)}
    for path in case:
        if path.startswith(HELD) and path not in known and not _read_elsewhere(case, path):
            words = ("a signed document", "it cannot be read as one")
            yield Difference("copy_unreadable", KEPT, path.removeprefix(HELD), *words)


def _read_elsewhere(case: PackageContents, path: str) -> bool:
    if path.endswith(".jsonl"):
        try:
            return bool(read_log(case[path], path))
        except ProblemsError:
            return False
    return is_head(case.json(path)) or _kind(_object(case, path)) in {*TYPS, *_STATED, *KEY_KINDS} - READ


def _object(case: PackageContents, path: str) -> Mapping[str, Any]:
    """Return a file as a JSON object; an empty one where it is none."""
    data = case.json(path)
    return data if isinstance(data, dict) else {}


def _kind(data: Mapping[str, Any]) -> str:
    document = inside(data)
    return str(document.get("type") or document.get("kind") or "")
