"""What a package says nothing of: parties, crops, drawn farms, copies and files without anything computed again.

Recomputation finds what differs among the things that are there. Whoever leaves a thing out, or makes it unreadable,
must not be told that nothing differs: so each thing that ought to have been computed and was not is a difference.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta
from itertools import combinations, pairwise
from typing import Any, Final

from provender.audit.findings import read_log
from provender.audit.outcome import Answer, Difference, check, inside, rows_of
from provender.audit.package.collect import days_of_records
from provender.audit.package.contents import FARM_FILE, HELD, FarmPart, PackageContents, ReportFile
from provender.audit.package.custody_section import EntityBook, books, papers
from provender.audit.package.layout import BOOK, FINDINGS, KEYS, REQUEST, Part, part_of, pins_document, read_pins
from provender.audit.package.layout import KINDS as KEY_KINDS
from provender.audit.package.write import Subject
from provender.audit.recompute.reports import compare
from provender.audit.sampling.draw import KIND as LIST_KIND
from provender.audit.sampling.sample import KIND as SAMPLE_KIND
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.statement.papers import draw_days
from provender.audit.statement.statement import ADDENDUM_KIND
from provender.audit.statement.statement import KIND as STATEMENT
from provender.custody.documents.build import PERIOD
from provender.custody.documents.read import FOREIGN
from provender.custody.documents.receive import TYPS
from provender.custody.events.closing import Closing
from provender.custody.model.entities import Entity, Period
from provender.custody.model.lots import origin_name
from provender.days import iso_day
from provender.exact import ticket_key
from provender.intensity.quantify import farm_facts
from provender.intensity.runs import RunFacts, one_ci_per_inputs
from provender.paper.pdf import attached_json
from provender.problem import ProblemsError, counted
from provender.records.book import file_inside
from provender.records.folder import BOUNDARIES
from provender.records.kind import KINDS
from provender.report.signing import is_example
from provender.report.typ import TYPE as REPORT
from provender.rule.crops import Crop
from provender.signing.canonical import document_hash, read_json
from provender.signing.jws import WHOLE
from provender.signing.jws import check as check_signature
from provender.signing.transparency import is_head

KEPT: Final = "2100.030(d)"
CLOCKS: Final = timedelta(days=1)
"""Two parties write down the days of their own places."""
READ: Final = frozenset({*TYPS, REPORT})
"""Types of documents that are computed again: one that claims to be of them and is not readable is missing."""
_SIGNED: Final = frozenset({Part.REPORTS, Part.DOCUMENTS, Part.STATEMENTS, Part.KEYS})
_STATED: Final = frozenset({STATEMENT, ADDENDUM_KIND, SAMPLE_KIND})


@check("nothing left out", KEPT, "2100.040(b)(1)")
def missing_parts(case: PackageContents) -> Iterator[Answer]:
    """Look for whatever the other checks had nothing to say of."""
    parties = len(case.header.parties) if case.header else 0
    yield parties
    yield from (*_header(case), *_keys(case))
    for farm in case.farms:
        yield from (*_farm(farm), *_of_others(farm))
    for prefix, party in case.header.parties.items() if case.header else ():
        if prefix.startswith("farms/") and f"{prefix}/{FARM_FILE}" not in case:
            words = (f"the records of {party}", "no such file")
            yield Difference("party_without_records", KEPT, f"{prefix}/{FARM_FILE}", *words)
    for entity, prefix in case.entities.items():
        yield from _entity(case, entity, prefix)
    yield from (*_drawn(case), *_documents(case), *_held(case), *_copies(case), *_prints(case))
    if not parties:
        yield Difference("nothing_recomputed", KEPT, "package.json, parties", "a package", "no party in it")


def _copies(case: PackageContents) -> Iterator[str]:
    """Yield the papers that stand in one folder under two names; by number and hash they are one."""
    first: dict[tuple[str, bytes], str] = {}
    for path in sorted(case):
        if path.endswith(".json") and part_of(path) in _SIGNED:
            known = first.setdefault((path.rpartition("/")[0], case[path]), path)
            if known != path:
                yield f"{path} holds the same as {known}; it counts once."


def _of_others(farm: FarmPart) -> Iterator[Difference]:
    """Yield rows that stand in a farm's records under another farm's id: no check of this farm reads them."""
    for name, kind in KINDS.items():
        others = Counter(str(row["farm_id"]) for row in farm.book[name] if row["farm_id"] != farm.farm_id)
        for other, rows in sorted(others.items()):
            words = (f"rows of {farm.farm_id}", f"{counted(rows, 'row')} of {other}")
            yield Difference("rows_of_other_farm", "2100.031(a)", f"{farm.farm_id}, {kind.label}", *words)


_NAMED_BY_HASH: Final = re.compile(r"[0-9a-f]{8}-")
"""Before the name of a paper, so that two parties may give their papers one name."""


def _prints(case: PackageContents) -> Iterator[Answer]:
    """Hold every PDF among the papers against the originals there; what of it nobody compares is for eyes, by name."""
    marks: dict[str, dict[str, str]] = defaultdict(dict)
    stems: dict[str, set[str]] = defaultdict(set)
    prints = [path for path in case if path.lower().endswith(".pdf") and part_of(path) in _SIGNED]
    folders = {path.rpartition("/")[0] for path in prints}
    for path in (path for path in case if path.endswith(".json") and part_of(path) in _SIGNED):
        folder, _, name = path.rpartition("/")
        if folder not in folders:
            continue
        marks[folder][document_hash(case.object(path))] = path
        stems[folder].add(_NAMED_BY_HASH.sub("", name, count=1).removesuffix(".json"))
    read: list[str] = []
    for path in prints:
        folder, _, name = path.rpartition("/")
        inside_it = list(_originals(case[path]))
        if any(mark in marks[folder] for mark in inside_it):
            read.append(name)
        elif _NAMED_BY_HASH.sub("", name, count=1)[: -len(".pdf")] in stems[folder]:
            found = "it carries another original" if inside_it else "it carries no original that can be read"
            yield Difference("print_differs", KEPT, path, "a print of the document beside it", found)
        else:
            yield f"{path}: no document beside it is its original, so no check read it; look at it."
    if read:
        yield f"Printed pages are not compared, only the originals that they carry; look at {', '.join(read)}."


def _originals(pdf: bytes) -> Iterator[str]:
    """Yield the hashes of the documents that a PDF carries."""
    for raw in attached_json(pdf):
        with suppress(ProblemsError, ValueError):
            if isinstance(data := read_json(raw, file="attachment"), dict):
                yield document_hash(data)


def _farm(farm: FarmPart) -> Iterator[Answer]:
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
            bushels = sum(one.season.harvest.bushels or 0 for one in intervals)
            words = ("calculator runs in the records", "no report in the package")
            yield Difference("harvest_without_report", "2100.031(c)", name, *words, bushels)
        else:
            yield f"{name}: harvested, and in no report; its records are bound by no signature."


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


def _header(case: PackageContents) -> Iterator[Answer]:
    """Yield where the package says of itself what its content does not bear out."""
    head = case.header
    if head is None:
        return
    kind = "farms/" if head.subject is Subject.FARM_REPORT else "entities/"
    if head.audited not in {party for folder, party in head.parties.items() if folder.startswith(kind)}:
        words = (f"about {head.audited}", "no such party in the package")
        yield Difference("audited_party_missing", KEPT, "package.json, audited", *words)
    holds = Subject.AUDIT if SAMPLE in case else Subject.ENTITY_PERIOD if case.entities else Subject.FARM_REPORT
    if head.subject is not holds:
        words = (f"about {head.subject}", f"it holds {holds}")
        yield Difference("subject_differs", KEPT, "package.json, subject", *words)
    if case.today is not None and head.made_on > case.today + CLOCKS:
        place, words = "package.json, made_on", (f"made on {head.made_on}", f"today is {case.today}")
        if any(is_example(one.document) for one in case.all_reports):  # demonstrations play in a year to come
            yield f"{place}: {words[0]}, and {words[1]}; its reports are examples."
        else:
            yield Difference("made_ahead_of_clock", KEPT, place, *words)
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
    yield from _days(case, (head.first, head.last))
    latest = max(_made(case), default=None)
    if latest is not None and head.made_on < latest[0]:
        words = (f"made on {head.made_on}", f"it holds {latest[1]} of {latest[0]}")
        yield Difference("made_before_content", KEPT, "package.json, made_on", *words)


def _names(case: PackageContents, audited: str) -> set[str]:
    """Return what records and book call the audited party."""
    found = {row["name"] for farm in case.farms if farm.farm_id == audited for row in farm.rows("farm") if row["name"]}
    entity = books(case)[audited].store.one(Entity, audited) if audited in books(case) else None
    return found | ({entity.name} if entity else set())


def _days(case: PackageContents, said: tuple[date, date]) -> Iterator[Answer]:
    head = case.header
    found: EntityBook | None = books(case).get(head.audited) if head else None
    if found is not None:
        periods = found.store.many(Period, found.entity)
        borders = {one.start for one in periods}, {one.end for one in periods}
        whole = (min(borders[0]), max(borders[1])) if periods else said
        if periods and said == _asked(case):
            # What a verifier covers is the verifier's to say; it need not begin and end with the party's periods.
            if said != whole:
                yield (
                    f"The verifier asked for {said[0]} to {said[1]}; "
                    f"the book's periods run from {whole[0]} to {whole[1]}."
                )
        elif periods and (said[0] not in borders[0] or said[1] not in borders[1]):
            words = (f"{said[0]} to {said[1]}", f"the book's periods run from {whole[0]} to {whole[1]}")
            yield Difference("days_differ", "2100.034(b)", "package.json, first and last", *words)
        elif said != whole:
            yield f"The package covers {said[0]} to {said[1]}; the book's periods run from {whole[0]} to {whole[1]}."
    elif head and head.subject is Subject.FARM_REPORT and len(case.farms) == 1:
        farm = case.farms[0]
        days, harvested = days_of_records(farm.book), max(farm.harvest_days(*farm.latest), default=None)
        if days is None or days == said:
            return
        found_days = f"{days[0]} to {days[1]} in the records"
        if said[0] == days[0] and (harvested or said[1]) <= said[1] < days[1]:
            yield f"The package covers {said[0]} to {said[1]}; a later season stands in it, {found_days}."
        else:
            yield Difference("days_differ", KEPT, "package.json, first and last", f"{said[0]} to {said[1]}", found_days)


def _asked(case: PackageContents) -> tuple[date, date] | None:
    """Return the days that the verifier's signed request names; None where there is none that may be followed.

    Whose key an unknown one is, opening the package asks; here it must not be another's than the verifier's own.
    """
    request = case.request
    if request is None:
        return None
    checked = check_signature(case.json(REQUEST), case.pins.keys_of(request.verifier))
    own = case.header is not None and request.verifier in (case.header.audited, *case.header.parties.values())
    if own or checked.status not in WHOLE:
        return None
    return request.first, request.last


def _made(case: PackageContents) -> Iterator[tuple[date, str]]:
    """Yield the day and name of everything in it that says when it was made."""
    yield from ((date.fromisoformat(one.document["made_on"]), one.name) for farm in case.farms for one in farm.reports)
    for paper in papers(case):
        if paper.prefix and (day := paper.document.get("made_on", paper.document.get("closed_on"))):
            yield date.fromisoformat(str(day)), paper.name
    yield from ((day, "the farm sample") for day in draw_days(case.object(SAMPLE)) if day)
    with suppress(ProblemsError):  # a log that cannot be read is told with the verifier's decisions
        for event in read_log(case.get(FINDINGS, b"")):
            if (on := iso_day(event.get("on"))) is not None:
                yield on, f"finding {event.get('finding')}"


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
        kid, known = pin.key.fingerprint, case.pins.of(pin.party)
        whose = case.pins.others(kid, pin.party)
        if whose or (known and kid not in known):
            has = f"gives that key to {', '.join(whose)}" if whose else f"has {', '.join(sorted(known))}"
            words = (f"key {kid}", f"the list of pinned keys {has}")
            yield Difference("keys_differ", "2100.031(c)(3)", f"{KEYS}, {pin.party}", *words)


def _drawn(case: PackageContents) -> Iterator[Difference]:
    """Yield drawn farms that are here by name, without a report of the crop that they were drawn for."""
    document = case.object(SAMPLE)
    drawn = {str(farm) for farm in document.get("sample") or ()} - case.spared
    crops = {(str(row.get("farm_id")), str(row.get("crop"))) for row in rows_of(document.get("population"))}
    here = {farm.farm_id: {str(claimed.key[1]) for claimed in farm.latest} for farm in case.farms}
    for farm, crop in sorted(crops):
        if farm in drawn & here.keys() and crop not in here[farm]:
            words = (f"drawn with its {crop}", "no report of it in the package")
            yield Difference("drawn_crop_without_report", "2100.040(b)(1)", f"{SAMPLE}, {farm}", *words)


def _documents(case: PackageContents) -> Iterator[Answer]:
    """Yield documents that cannot be read as what they claim to be; tell of files that no check reads."""
    read = {paper.path for paper in papers(case)} | {one.path for one in case.held_reports}
    for path in case:
        if path in read or not path.endswith(".json") or part_of(path) not in (Part.DOCUMENTS, Part.STATEMENTS):
            continue
        kind = _kind(case.object(path))
        if kind in READ or kind not in {*TYPS, *_STATED, FOREIGN}:
            what = kind.replace("-", " ") or "a document"
            yield Difference("document_unreadable", KEPT, path, what, "it cannot be read as one")
        elif kind not in _STATED:
            yield f"{path}: no check reads a {kind.replace('-', ' ')}; look at it."
    parties = books(case).keys()
    for paper in papers(case):
        if paper.prefix and not {paper.issuer, str(paper.document.get("buyer", {}).get("id"))} & parties:
            words = ("a paper of a party of this package", f"one of {paper.issuer}, whose book is not here")
            yield Difference("paper_of_others", KEPT, f"{paper.name}, in {paper.path}", *words)


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
    return is_head(case.json(path)) or _kind(case.object(path)) in {*TYPS, *_STATED, *KEY_KINDS, LIST_KIND} - READ


def _kind(data: Mapping[str, Any]) -> str:
    document = inside(data)
    return str(document.get("type") or document.get("kind") or "")


# What only shows when several parties' papers lie side by side (interpretations 29, 34).
#
# One farm alone can make its records and its report agree. It cannot change the printouts of its neighbours, the copy
# of its report that the buyer keeps, or the fields and tickets that stand behind another farm's bushels.

_OVERLAP_LEAST: Final = 0.05
"""Share of the smaller field above which two farms report the same ground; lines drawn twice differ by less."""


@check("same inputs, same CI", "2100.031(c)(2)(i)", nothing="The package holds no calculator run.")
def same_inputs(case: PackageContents) -> Iterator[Answer]:
    """Hold the calculator's results of all farms against each other: the same inputs give the same CI."""
    runs = [run for farm in case.farms for run in _runs(farm)]
    yield len(runs)
    for one in one_ci_per_inputs(runs):
        yield Difference(one.code, one.cite, one.subject, one.claimed, one.expected, one.effect_bushels)


def _runs(farm: FarmPart) -> Iterator[RunFacts]:
    for name, crop, year in {one.key for one in farm.latest}:
        if crop in set(Crop):
            yield from farm_facts(farm.assessment, name, Crop(crop), year).runs


@check("one origin", "2100.031(c)", "2100.032(a)", nothing="The package holds no report.")
def one_origin(case: PackageContents) -> Iterator[Answer]:
    """Look for a second report of a farm, crop and year, for one field or ticket behind two farms."""
    yield len(case.all_reports)
    yield from _second_reports(case.all_reports)
    for farm in case.farms:
        for one in farm.reports:
            if one.key[0] != farm.farm_id:
                words = (f"a report of {farm.farm_id}", f"a report of {one.key[0]}")
                yield Difference("report_of_other_farm", "2100.031(c)(1)", one.path, *words, one.bushels)
    yield from (*_same_ground(case), *_same_tickets(case))


def _second_reports(reports: Iterable[ReportFile]) -> Iterator[Difference]:
    """Yield reports of one key that stand under different origins: each would bring its own serial numbers.

    A first version signed by hand has the readable id and no salt; the salt comes with the first electronic one.
    """
    first: dict[tuple[str, str, int], ReportFile] = {}
    for one in sorted(reports, key=lambda one: one.version):
        other = first.setdefault(one.key, one)
        if one.version > other.version and _unsalted(other) and not _unsalted(one):
            first[one.key] = one
            continue
        ids = (str(other.document["edition"]["origin_id"]), str(one.document["edition"]["origin_id"]))
        if ids[0] != ids[1]:
            words = (f"origin {ids[1][:12]} in {one.path}", f"origin {ids[0][:12]} in {other.path}")
            yield Difference("second_report", "2100.031(c)", one.name, *words, one.bushels)


def _unsalted(one: ReportFile) -> bool:
    edition = one.document["edition"]
    return not edition.get("salt") and edition["origin_id"] in ("", origin_name(*one.key))


def _same_ground(case: PackageContents) -> Iterator[Difference]:
    """Yield pairs of fields of two farms that lie on each other and bore the same crop in the same year."""
    if len(case.farms) < 2:  # noqa: PLR2004 - two farms are needed to report the same ground
        return
    shapes = [(farm, unit, shape, _grown(farm, unit)) for farm in case.farms for unit, shape in _shapes(farm)]
    for (a, unit_a, left, grown_a), (b, unit_b, right, grown_b) in combinations(shapes, 2):
        both = grown_a.keys() & grown_b.keys()
        if a.farm_id == b.farm_id or not both or not left.intersects(right):
            continue
        share = left.intersection(right).area / min(left.area, right.area)
        if share > _OVERLAP_LEAST:
            place = f"{a.farm_id} unit {unit_a} and {b.farm_id} unit {unit_b}"
            words = ("two fields", f"{share:.0%} of the smaller lies in the other")
            bushels = max(grown_a[key] + grown_b[key] for key in both)
            yield Difference("same_ground_twice", "2100.032(a)", place, *words, bushels)


def _shapes(farm: FarmPart):  # type: ignore[no-untyped-def]  # noqa: ANN202 - shapely has no types
    # Boundaries need libraries that are slow to load; one farm alone never does.
    from shapely import from_geojson

    from provender.formats.boundaries import of_unit, read_boundaries

    for row in farm.rows("unit"):
        path = file_inside(farm.folder / BOUNDARIES, row["boundary"] or "")
        if path is None:
            continue
        read = read_boundaries(path, row["boundary"]).result
        for one in of_unit(read, row["unit_id"], row["name"]) if read else ():
            yield row["unit_id"], from_geojson(one.geojson)


def _grown(farm: FarmPart, unit: str) -> dict[tuple[str, int | None], int]:
    """Return bushels by crop and harvest year of a unit; zero where they are not recorded."""
    return {
        (row["crop"], farm.assessment.harvest_year(row)): row["bushels"] or 0
        for row in farm.rows("harvest")
        if row["unit_id"] == unit and row["last_day"] and row["ending"] == "harvested"
    }


def _same_tickets(case: PackageContents) -> Iterator[Difference]:
    seen: dict[tuple[str, str, object], list[tuple[str, int]]] = defaultdict(list)
    for farm in case.farms:
        for row in farm.rows("scale_ticket"):
            seen[row["buyer"], ticket_key(row["ticket_id"]), row["day"]].append((farm.farm_id, row["net_bushels"] or 0))
    for (buyer, ticket, _), held in seen.items():
        if len({farm for farm, _ in held}) > 1:
            place = f"ticket {ticket} of {buyer}"
            words = (", ".join(sorted(farm for farm, _ in held)), "one farm")
            yield Difference("ticket_behind_two_farms", "2100.032(a)", place, *words, max(b for _, b in held))


@check("copies in other hands", "2100.032(b)(1)")
def copies(case: PackageContents) -> Iterator[Answer]:
    """Compare each farm's reports with the copies that its buyers hold, field by field."""
    held = case.held_reports
    mine = {(one.key, one.version): one for farm in case.farms for one in farm.reports}
    pairs = [(copy, own) for copy in held if (own := mine.get((copy.key, copy.version))) is not None]
    yield len(pairs)
    for copy, own in pairs:
        if own.digest != copy.digest:
            yield from _changed_since(own, copy)
        yield from _records_since(case, copy)
    for one, other in pairwise(sorted(held, key=lambda one: (one.key, one.version))):
        if (one.key, one.version) == (other.key, other.version) and one.mark != other.mark:
            words = (f"two texts, in {one.path} and {other.path}", "one report of this version")
            yield Difference("copies_differ", "2100.032(b)(1)", one.name, *words, one.bushels)
    if not pairs:
        yield "No copy of a farm's report in other hands is here; bring the buyer's (--held)."


def _changed_since(own: ReportFile, copy: ReportFile) -> Iterator[Difference]:
    found = compare(own.document, copy.document, f"{own.name}, as in {copy.path}", code="copy_differs")
    yield from found
    if not found:
        yield Difference(
            "copy_differs", "2100.032(b)(1)", own.name, "the text here", f"another in {copy.path}", own.bushels
        )


def _records_since(case: PackageContents, copy: ReportFile) -> Iterator[Difference]:
    """Yield what the records give otherwise than the buyer's copy says, where the farm's own report hides it."""
    for farm in case.farms:
        again = farm.recomputed.get(copy.key)
        latest = {one.key: one.version for one in farm.latest}
        if again is None or latest.get(copy.key) != copy.version:
            continue
        own = next(one for one in farm.latest if one.key == copy.key)
        if own.digest == copy.digest:
            continue  # compared with the records already
        lost = {line["evidence_id"]: line for line in copy.document.get("rests_on", {}).get("evidence", [])}
        now = {line["evidence_id"]: line for line in again["rests_on"]["evidence"]}
        for name, line in lost.items():
            if name not in now or now[name]["sha256"] != line["sha256"]:
                place = f"{copy.name}: evidence {name}, file {line['file']}"
                said = f"hash {str(line['sha256'])[:12]} in the copy {copy.path}"
                found = f"hash {str(now[name]['sha256'])[:12]}" if name in now else "no such evidence"
                yield Difference("evidence_swapped", "2100.030(d)", place, said, found, copy.bushels)
