"""Verdicts of a farm's book as plain data, and whatever else is computed once per version of book, rule and program."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple, TypeVar

import orjson
from django.db.models import Q, QuerySet

from provender.database.actor import today
from provender.database.models.farm import VerdictCache
from provender.days import iso_day
from provender.records.book import RecordBook
from provender.records.field import ColumnKind
from provender.records.kind import KINDS
from provender.report.season import pictures, seasons
from provender.rule.crops import Practice
from provender.schema import read, write
from provender.services.farm import check
from provender.services.farm.book import FarmBook, once
from provender.standards.judge import IntervalJudged, PracticeJudged
from provender.verdicts.assess import Assessment
from provender.verdicts.words import Standing, as_json, requirements_of, standing_of

__all__ = [
    "Claim",
    "Standing",
    "as_seen",
    "cached_result",
    "claimed_of",
    "count_gaps",
    "crop_shown",
    "judged_result",
    "lacks_of",
    "overview_of",
    "told_against",
    "totals_of",
    "verdicts_of",
    "with_shown",
]


T = TypeVar("T")

# Standing lives in verdicts; pages, which reach behind no service, ask for it here.
UNASKED: Final = frozenset({Standing.RULED_OUT, Standing.NOT_CLAIMED, Standing.NOT_FOR_CROP})
"""How a practice stands of which nothing is asked: grey everywhere."""

WHAT: Final = "practices 15"
"""Name and shape of what is cached; another shape takes another number."""
SHOWN: Final = "shown 1"
_OVERVIEW: Final = "overview 1"
_GAPS: Final = "gaps 14"
LAST_DAY: Final = "last day 1"
SETTLED: Final = "settled"
THINGS: Final = "things 7"
CLAIMED: Final = "claimed 3"
_DECLARATION: Final = "declaration"

_PLAIN: Final = orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
"""JSON's own types alone, and words of ours as keys: what is read again must be what was written."""


def cached_result(farm: FarmBook, what: str, compute: Callable[[Assessment], T]) -> T:
    """Return plain data computed from a version of the book, from the cache where it was computed before.

    Args:
        farm: the version of the book.
        what: name and shape of what is kept, at most 40 characters; another shape takes another name.
        compute: makes it from the judged book; its result goes through JSON.

    Nothing is kept of a supposed book, and nothing kept is taken for what it says. Tuples come back as lists.
    """
    found: T
    if farm.supposed:
        found = orjson.loads(orjson.dumps(compute(farm.judged), option=_PLAIN))
        return found
    content = _kept(farm, what).values_list("content", flat=True).first()
    if content is None:
        content = orjson.dumps(compute(farm.judged), option=_PLAIN)
        made = VerdictCache(
            book=farm.book, book_version=farm.version, rule_version=farm.judged_under, what=what, content=content
        )
        VerdictCache.objects.bulk_create([made], ignore_conflicts=True)
    found = orjson.loads(content)
    return found


def _kept(farm: FarmBook, what: str) -> QuerySet[VerdictCache]:
    return VerdictCache.objects.filter(
        book=farm.book, book_version=farm.version, rule_version=farm.judged_under, what=what
    )


def judged_result(farm: FarmBook, what: str, compute: Callable[[Assessment], T]) -> T:
    """Return the same where it depends on the judged book alone: looked at, then written, it is computed once."""
    return cached_result(farm, what, lambda judged: judged.once(what, farm.farm_id, lambda: compute(judged)))


def verdicts_of(farm: FarmBook) -> dict[str, Any]:
    """Return the ``intervals`` of a book with all verdicts, judged once per version of it, rule and program.

    What *met* rests on is not among them: most pages do not ask for it, and it is half of all (``with_shown``).
    """
    return once(farm, WHAT, lambda: judged_result(farm, WHAT, _verdicts))


def overview_of(farm: FarmBook) -> dict[str, Any]:
    """Return how each practice stands on the ``crops`` of a book, its ``totals`` and its ``problems``.

    A practice has ``waits``, whether nothing but the producer's word is missing, and ``why`` records speak against it.
    """
    return once(farm, _OVERVIEW, lambda: cached_result(farm, _OVERVIEW, _overview))


def crop_shown(farm: FarmBook, entry: str) -> dict[str, Any] | None:
    """Return the judged crop that an entry is of with what shows it, as ``with_shown``; None where there is none.

    It alone is put into words where those of the whole book are not kept yet.
    """
    if not farm.supposed and _kept(farm, SHOWN).exists():
        found = next((one for one in verdicts_of(farm)["intervals"] if entry in one["harvest_ids"]), None)
        return found and with_shown(farm, found)
    return next((check.interval_json(one) for one in farm.judged.intervals if entry in one.harvest_ids), None)


def with_shown(farm: FarmBook, one: Mapping[str, Any]) -> dict[str, Any]:
    """Return an interval of ``verdicts_of`` with the records that show each requirement which is met."""
    found = shown_by_crop(farm).get(one["harvest_id"], {})
    rules = {name: {**rule, "shown": found.get(name, [])} for name, rule in one["requirements"].items()}
    return {**one, "requirements": rules}


def shown_by_crop(farm: FarmBook) -> dict[str, dict[str, list[dict[str, str]]]]:
    """Return by crop entry and requirement the records that show it."""
    return once(farm, SHOWN, lambda: cached_result(farm, SHOWN, _shown))


def _shown(judged: Assessment) -> dict[str, dict[str, list[dict[str, str]]]]:
    return {
        one.harvest_id: {
            name: [as_json(found, one.season.rows) for found in rule.shown]
            for name, rule in one.requirements.items() if rule.shown
        }
        for one in judged.intervals
    }  # fmt: skip


def totals_of(farm: FarmBook) -> list[check.PracticeTotal]:
    """Return the totals of each practice across the operation, as ``operation_totals`` adds them up."""
    return [read(check.PracticeTotal, one) for one in overview_of(farm)["totals"]]


class Claim(NamedTuple):
    """A practice that a farm claims on a crop."""

    standing: str  # how it stands
    named: bool  # whether a calculator run names it; else it is only ticked, and no carbon intensity rests on it


def claimed_of(farm: FarmBook) -> dict[tuple[str, str], Claim]:
    """Return by crop entry and practice each practice that the farm claims.

    A report asks for no more than this of the verdicts, which take ten times as long to keep and to read.
    """
    kept = cached_result(farm, CLAIMED, _claimed)
    return {(entry, practice): Claim(standing, named) for entry, practice, standing, named in kept}


def _claimed(judged: Assessment) -> list[tuple[str, str, str, bool]]:
    return [
        (one.harvest_id, each.practice, standing_of(each), each.named)
        for one in judged.intervals
        for each in one.practices
        if each.claimed
    ]


def forget_earlier(farm: FarmBook) -> None:
    """Remove what was kept of earlier versions of a book, and of reports as they would have been on earlier days."""
    kept = VerdictCache.objects.filter(book=farm.book)
    kept.exclude(book_version=farm.version).delete()
    by_day = kept.filter(Q(what__startswith="report") | Q(what__startswith=THINGS))
    by_day.exclude(what__contains=f" {day_that_counts(farm)} ").delete()


def day_that_counts(farm: FarmBook) -> str:
    """Return what of today a report depends on: the day itself, or *settled* once every day in the book has passed.

    A report holds its own day only against days that the book names: whether they are before, on or after it. Once all
    are before it, each later day makes the same report but for the day written on it.
    """
    last = once(farm, LAST_DAY, lambda: cached_result(farm, LAST_DAY, lambda judged: _last_day(judged.book)))
    return SETTLED if last is None or date.fromisoformat(last) < today() else f"{today():%y%m%d}"


def _last_day(book: RecordBook) -> str | None:
    """Return the latest day that any row of a book names."""
    columns = (
        (kind.name, one) for kind in KINDS.values() for one, of in kind.columns.items() if of.kind is ColumnKind.DAY
    )
    last = max((row[column] for name, column in columns for row in book[name] if row[column]), default=None)
    return last.isoformat() if last else None


def _verdicts(judged: Assessment) -> dict[str, Any]:
    return {"intervals": [check.interval_json(one, shown=False) for one in judged.intervals]}


def _overview(judged: Assessment) -> dict[str, Any]:
    return {
        "crops": [
            {
                "unit_id": one.unit_id, "harvest_id": one.harvest_id, "crop_label": one.crop.label,
                "harvest_year": one.harvest_year, "practices": [_practice_verdict(one, each) for each in one.practices],
            }
            for one in judged.intervals
        ],
        "totals": [write(one, whole=True) for one in check.operation_totals(judged.intervals)],
        "problems": [{**one.as_json(), "place": str(one.place)} for one in judged.problems],
    }  # fmt: skip


def _practice_verdict(one: IntervalJudged, practice: PracticeJudged) -> dict[str, Any]:
    standing = standing_of(practice)
    is_against = standing in (Standing.RULED_OUT, Standing.CONTRADICTED)
    lacks = (missing.kind for rule in practice.requirements for missing in rule.missing)
    return {
        "practice": str(practice.practice), "claimable": practice.claimable, "standing": str(standing),
        "waits": standing is Standing.NOT_SHOWN and _is_word_alone(lacks),
        "why": check.why_judged_against(one, practice) if is_against else "",
    }  # fmt: skip


def _is_word_alone(lacking: Iterable[str]) -> bool:
    """Tell whether of some kinds of record, at least one, all are the producer's declaration."""
    kinds = iter(lacking)
    return next(kinds, "") == _DECLARATION and all(one == _DECLARATION for one in kinds)


def lacks_of(requirements: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what requirements miss: each column once for each reason, with the ``rows`` that lack it, in their order.

    Beside it stand what it is to show (``asked``) and the paragraph (``cite``) of the first requirement that asks. A
    column is not named alone where the same one stands there with a reason.
    """
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for one in requirements:
        for missing in one["missing"]:
            about = missing["kind"], missing["column"], missing["reason"]
            lack = found.setdefault(about, {**missing, "rows": [], "asked": one["says"], "cite": one["cite"]})
            if missing["row"] and missing["row"] not in lack["rows"]:
                lack["rows"].append(missing["row"])
    reasoned = {about[:2] for about in found if about[2]}
    return [one for about, one in found.items() if one["reason"] or one["rows"] or about[:2] not in reasoned]


def shown_of(intervals: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return of each practice, in words, how many of the crops that claim it show it."""
    said = []
    for practice in Practice:
        every = (each for one in intervals for each in one["practices"] if each["practice"] == practice)
        standings = [Standing(each["standing"]) for each in every if each["claimable"]]
        asked = [one for one in standings if one not in UNASKED]
        said.append(f"{asked.count(Standing.MET)} of {len(asked)} met" if asked else "none claimed")
    return said


def as_seen(interval: Mapping[str, Any], practice: Mapping[str, Any], *, signs: bool) -> Standing:
    """Return how a practice stands to whoever looks: it waits for the producer where nothing but his word is missing.

    Args:
        interval: of ``verdicts_of``.
        practice: one of its practices.
        signs: whether whoever looks may give that word.
    """
    standing = Standing(practice["standing"])
    lacks = (record["kind"] for each in requirements_of(interval, practice) for record in each["missing"])
    waits = standing is Standing.NOT_SHOWN and not signs and _is_word_alone(lacks)
    return Standing.WAITING if waits else standing


def count_gaps(farm: FarmBook) -> dict[str, Any]:
    """Count ``intervals``, practices that are not shown yet (``open``), and ``missing`` records that would show them.

    ``asked`` are the practices that count. What nobody claims is not counted. ``where`` is the crop entry that all open
    practices are of; empty where they are of several. ``unshown`` names the open practices, and ``lacks`` the kinds of
    the missing records with how many of each, the most first: a record that several practices of a crop ask for is one.
    A farm that says of some crops what they claim is asked for no records of the others: those are ``unsaid``, by unit.
    ``ruled_out`` are unit, practice and why of what those can no longer claim, in the order of the units;
    ``contradicted`` the same of what is claimed and the records speak against, with the crop entry behind it.
    ``open_years`` and ``unsaid_years`` are the harvest years of what is open and unsaid, in a book that has several.
    """
    return cached_result(farm, _GAPS, lambda _: _count_gaps(farm))


def _count_gaps(farm: FarmBook) -> dict[str, Any]:
    every = verdicts_of(farm)["intervals"]
    unsaid = _unsaid(every)
    intervals = [one for one in every if one["harvest_id"] not in unsaid]
    practices = [practice for interval in intervals for practice in interval["practices"]]
    asked = sum(each["standing"] not in UNASKED for each in practices)
    unshown = {
        one["harvest_id"]: [each for each in one["practices"] if bool(each["standing"] == Standing.NOT_SHOWN)]
        for one in intervals
    }
    of = [name for name, those in unshown.items() if those]
    years = {one["harvest_id"]: one["harvest_year"] for one in every}
    lacks = Counter(
        lack["label"]
        for one in intervals
        for lack in lacks_of(rule for each in unshown[one["harvest_id"]] for rule in requirements_of(one, each))
    )
    return {
        "intervals": len(every),
        "open_years": _told_years(years, of),
        "unsaid": [*dict.fromkeys(unsaid.values())],
        "unsaid_years": _told_years(years, unsaid),
        "ruled_out": [list(one) for one in told_against(every, Standing.RULED_OUT) if one[0] in unsaid.values()],
        "contradicted": [
            [*told, one["harvest_id"]] for one in every for told in told_against([one], Standing.CONTRADICTED)
        ],
        "missing": lacks.total(),
        "open": sum(map(len, unshown.values())),
        "asked": asked,
        "where": of[0] if len(of) == 1 else "",
        "unshown": [*dict.fromkeys(each["label"] for those in unshown.values() for each in those)],
        "lacks": [list(one) for one in lacks.most_common()],
    }


def _told_years(years: Mapping[str, int], entries: Iterable[str]) -> list[int]:
    """Return the harvest years of some crop entries; none where all crops of the book are of one."""
    return sorted({years[one] for one in entries}) if len(set(years.values())) > 1 else []


def _unsaid(intervals: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return crop entry and unit of the crops that may claim something and of which nothing is said.

    A farm that has said nothing of any crop yet has none: it learns from what is missing what it could claim.
    """
    said = {one["harvest_id"]: any(each["claimed"] is not None for each in one["practices"]) for one in intervals}
    if not any(said.values()):
        return {}
    unsettled = (Standing.NOT_SHOWN, Standing.RULED_OUT)  # what is ruled out goes only once that is said
    return {
        one["harvest_id"]: one["unit_id"]
        for one in intervals
        if not said[one["harvest_id"]] and any(each["standing"] in unsettled for each in one["practices"])
    }


def told_against(intervals: Sequence[Mapping[str, Any]], standing: Standing) -> list[tuple[str, str, str]]:
    """Return unit, practice and why of every practice that stands so: ruled out, or claimed and contradicted."""
    return [
        (one["unit_id"], each["label"], check.why_against(one, each))
        for one in intervals for each in one["practices"] if each["standing"] == standing
    ]  # fmt: skip


# The season of a farm as plain data: every crop interval with its events and STIR as it builds up.

_SEASON_WHAT: Final = "season 5"
_PICTURES: Final = "season pictures 2"


def seasons_of(farm: FarmBook) -> list[dict[str, Any]]:
    """Return every crop interval of the book with its events, computed once per version."""
    return cached_result(farm, _SEASON_WHAT, seasons)


def pictures_of(farm: FarmBook) -> dict[str, str]:
    """Return how STIR builds up of each crop, drawn once per version: a list of fields needs none of them."""
    return cached_result(farm, _PICTURES, pictures)


def photographs_of(farm: FarmBook) -> list[tuple[str, date, str]]:
    """Return unit, day and key of each photograph of the book that says both."""
    rows = farm.of(KINDS["evidence"]).items()
    found = ((str(row.get("unit_id") or ""), iso_day(str(row.get("taken_on") or "")[:10]), key) for key, row in rows
             if row.get("what") == "photograph")  # fmt: skip
    return [(unit, day, key) for unit, day, key in found if unit and day]
