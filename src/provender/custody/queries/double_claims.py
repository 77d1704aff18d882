"""Double claims among the claims of many books, by sorting: for each serial, each giver must be the previous taker.

Every party has a random number. Along an honest chain the sum of (taker - giver) over all claims of a serial leaves
just (last holder - first giver), however often it was resold, in whatever order the rows come. A serial whose sum is
no such difference was given by somebody who had not received it: two chains on one bushel. One sum over sorted range
ends finds those serials among millions of claims; only they are then looked at claim by claim.
"""

import secrets
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import partial
from typing import Any, Final

import polars as pl

from provender.custody.model.lots import SPAN_BITS, joined, layers
from provender.custody.queries.claims import ENDED, Claim, back_of

# Serials that somebody may have given before they came: with days, a chain of hands has an order.
#
# The sum over a serial's claims (``double_claims``) does not see days: who sells what it will only buy, sells twice
# what one buyer brings back later, or trades in a circle what nobody gave to it, leaves the sum of an honest chain.

UNDOING: Final = ("correct", "reject")
"""Kinds of rows that say of a transfer that it never was: serials then never left, on whichever day that is entered."""
_LOW: Final = 2**24
"""A party of an origin is told by the upper bits, its day and whether it gave by these."""
_MIX: Final = 0x9E37_79B9_7F4A_7C15 - 2**64


def day_of_order() -> pl.Expr:
    """Return the day of a row as a number, null for one that undoes another."""
    day = pl.col("day").to_physical() + date(1970, 1, 1).toordinal()
    return pl.when(~pl.col("kind").is_in(UNDOING)).then(day).alias("day")


def too_soon(claims: pl.DataFrame) -> pl.DataFrame:
    """Return serials that a party gave before the last time it got them: few of them are honest, and all are looked at.

    Args:
        claims: ``origin``, ``start``, ``stop``, ``giver`` and ``taker`` (numbers), ``day`` (``day_of_order``).

    Returns:
        ``origin``, ``start``, ``stop``, sorted.
    """
    dated = claims.filter(pl.col("day").is_not_null()).with_columns(pl.col("day").cast(pl.Int64))
    gave = dated.select((_party("giver") | (pl.col("day") * 2 + 1)).alias("at"))
    got = dated.select((_party("taker") | (pl.col("day") * 2)).alias("at"))
    # Of one day what came stands before what went: within a day nobody knows the order.
    ordered = pl.concat([gave, got])["at"].sort()
    after = ordered.shift(-1)
    same = (ordered // _LOW) == (after // _LOW)
    parties = ordered.filter(same & (ordered % 2 == 1) & (after % 2 == 0)) // _LOW
    return _overlapping(dated, parties.unique())


def _party(side: str) -> pl.Expr:
    """Return the upper bits that tell a party of an origin; of a million few share them, which costs a look."""
    mixed = (pl.col("origin").cast(pl.Int64) * _MIX) + pl.col(side)
    return mixed - mixed % _LOW


def _overlapping(dated: pl.DataFrame, parties: pl.Series) -> pl.DataFrame:
    """Return the serials that these parties gave once before they got them, or moved more than once."""
    if parties.is_empty():
        return dated.select("origin", "start", "stop").clear()
    sides = []
    for side, got in (("giver", 0), ("taker", 1)):
        mine = dated.select("origin", "start", "stop", "day", (_party(side) // _LOW).alias("party"))
        rows = mine.filter(pl.col("party").is_in(parties.implode()))
        sides.append(rows.with_columns(pl.lit(got).alias("got"), pl.lit(1 - got).alias("gave"),
                                       (pl.col("day") * (2 * got - 1)).alias("late")))  # fmt: skip
    rows = pl.concat(sides)
    sums = ("got", "gave", "late")
    begins = rows.select("party", "origin", pl.col("start").alias("at"), *sums)
    ends = rows.select("party", "origin", pl.col("stop").alias("at"), *(-pl.col(name) for name in sums))
    ordered = pl.concat([begins, ends]).sort("party", "origin", "at").with_columns(pl.col(sums).cum_sum())
    several = (pl.col("got") > 1) | (pl.col("gave") > 1)
    early = (pl.col("got") == 1) & (pl.col("gave") == 1) & (pl.col("late") > 0)
    found = ordered.with_columns(pl.col("at").shift(-1).alias("stop")).filter(
        (several | early) & (pl.col("at") != pl.col("stop"))
    )
    return found.select("origin", pl.col("at").alias("start"), "stop").unique().sort("origin", "start", "stop")


def _gave_too_soon(rows: Iterable[Mapping[str, Any]], root: str | None) -> dict[str, int]:
    """Return who gave a serial by the end of a day oftener than it had come, and by how often.

    Args:
        rows: every claim on the serial, which together leave one holder.
        root: who had it first; where it is not known, whoever gave it once oftener than it came, or first of all.
    """
    moves: defaultdict[str, list[tuple[date, int]]] = defaultdict(list)
    for row in rows:
        moves[row["giver"]].append((row["day"], -1))
        moves[row["taker"]].append((date.min if row["kind"] in UNDOING else row["day"], 1))
    first = root or min(moves, key=lambda party: (sum(by for _, by in moves[party]), min(moves[party])))
    found = {party: _lacked(sorted(days, key=lambda one: (one[0], -one[1])), 1 if party == first else 0)
             for party, days in moves.items() if party != ENDED}  # fmt: skip
    return {party: times for party, times in found.items() if times}


def _lacked(moves: Sequence[tuple[date, int]], held: int) -> int:
    """Return by how often a party gave more than it had at worst."""
    worst = 0
    for _, by in moves:
        held += by
        worst = min(worst, held)
    return -worst


_PAIRS_AT_MOST: Final = 1_000
"""With more parties than this among origins of unknown root, every pair of them is too many: look at all claims."""
SEED: Final = secrets.randbits(60)
"""Drawn anew by each process, so that nobody can choose names whose numbers hide each other."""


class Fault(StrEnum):
    """What is wrong with serials that more than one chain claims."""

    DOUBLE_SALE = "double_sale"
    """Somebody gave the same serials more often than it received them."""
    OVERLAP = "overlap"
    """Two chains that never meet claim the same serials."""
    BROKEN_CHAIN = "broken_chain"
    """Given by somebody to whom nobody is seen to have given them; a book or document may be missing."""


@dataclass(frozen=True, slots=True)
class DoubleClaim:
    """Serials claimed twice."""

    fault: Fault  # what is wrong
    origin: str  # whose serials
    start: int  # first serial
    stop: int  # the serial after the last
    parties: tuple[str, ...]  # who gave them, and to whom, in words, the earliest first
    days: tuple[date, date]  # first and last day of the claims
    # who had the serials before an unexplained giver gave them: a book of theirs may hold the missing link
    holders: tuple[str, ...] = ()


def party_number(name: str, seed: int = SEED) -> pl.Expr:
    return pl.col(name).hash(seed).reinterpret(signed=True).alias(name)


def suspects(claims: pl.DataFrame, roots: pl.DataFrame) -> pl.DataFrame:
    """Return the serial ranges on which claims do not form one chain.

    Args:
        claims: ``origin`` (a number below 2**27), ``start``, ``stop``, ``giver`` and ``taker`` (numbers or texts); each
            transfer once. Order does not matter.
        roots: ``origin`` and ``root``, the party that each origin's serials begin with, null where not known.

    Returns:
        ``origin``, ``start``, ``stop``, sorted.
    """
    known = roots.filter(pl.col("root").is_not_null()).select(pl.col("origin").cast(pl.Int64), party_number("root"))
    return suspects_by_number(claims.with_columns(party_number("giver"), party_number("taker")), known)


def suspects_by_number(claims: pl.DataFrame, roots: pl.DataFrame) -> pl.DataFrame:
    """Return what ``suspects`` does, of parties that have their random numbers already (``party_number``).

    ``roots`` has one row for each origin whose root is known.
    """
    base = pl.col("origin").cast(pl.Int64) * 2**SPAN_BITS
    step = (pl.col("taker") - pl.col("giver")).alias("step")
    rows = claims.lazy().select((base + pl.col("start")).alias("start"), (base + pl.col("stop")).alias("stop"), step)
    begins = rows.select(pl.col("start").alias("at"), "step")
    ends = rows.select(pl.col("stop").alias("at"), -pl.col("step"))
    # Sorting ten million ends is faster than grouping them, since ends that coincide lie beside each other after it.
    ordered = pl.concat([begins, ends]).sort("at").with_columns(pl.col("step").cum_sum().alias("sum"))
    after = pl.col("at").shift(-1)
    parts = (
        ordered.select(pl.col("at").alias("start"), after.alias("stop"), "sum")
        .filter((pl.col("start") != pl.col("stop")) & (pl.col("sum") != 0))
        .collect()
    )
    return _unexplained(parts, claims, roots)


def _unexplained(parts: pl.DataFrame, claims: pl.DataFrame, roots: pl.DataFrame) -> pl.DataFrame:
    """Return the parts whose sum is no difference of two parties, the first being the root where it is known."""
    parties = pl.concat([claims["giver"], claims["taker"]]).unique()
    parts = parts.with_columns((pl.col("start") // 2**SPAN_BITS).alias("origin"))
    parts = parts.join(roots, on="origin", how="left", maintain_order="left")
    rooted = parts.filter(pl.col("root").is_not_null())
    rooted = rooted.filter(~(pl.col("sum") + pl.col("root")).is_in(parties.implode()))
    free = parts.filter(pl.col("root").is_null())
    if free.height and parties.len() <= _PAIRS_AT_MOST:
        givers = parties.to_frame("giver")
        pairs = parties.to_frame("taker").join(givers, how="cross").select(pl.col("taker") - pl.col("giver"))
        free = free.join(pairs.unique(), left_on="sum", right_on="taker", how="anti")
    low = 2**SPAN_BITS
    return pl.concat([rooted, free]).sort("start").select(
        "origin", pl.col("start") % low, (pl.col("stop") - pl.col("origin") * low).alias("stop")
    )  # fmt: skip


def double_claims(
    claims: pl.DataFrame, roots: Mapping[str, str], books: Container[str] | None = None
) -> list[DoubleClaim]:
    """Return every double claim among claims of named origins and parties.

    Args:
        claims: each transfer once (``counted_once``).
        roots: who each origin's serials begin with, where it is known.
        books: whose whole books the claims hold; None when they hold everybody's. Another party may have had serials
            before by papers that are not here: that it gave them before they came is not said of it.
    """
    if claims.is_empty():
        return []
    names = claims["origin"].unique().sort()
    numbers = pl.DataFrame({"origin": names, "number": pl.Series(range(names.len()), dtype=pl.Int64)})
    coded = claims.join(numbers, on="origin", how="left").with_columns(pl.col("number").alias("origin"))
    known = pl.DataFrame(
        {"origin": numbers["number"], "root": [roots.get(one) for one in names]},
        schema={"origin": pl.Int64, "root": pl.String},
    )
    told = coded.select("origin", "start", "stop", "giver", "taker", day_of_order())
    numbered = told.with_columns(party_number("giver"), party_number("taker"))
    doubtful = pl.concat([suspects(told.drop("day"), known), too_soon(numbered)])
    found: list[DoubleClaim] = []
    for (number,), ranges in doubtful.partition_by("origin", as_dict=True, maintain_order=True).items():
        name = str(names[int(str(number))])
        rows = list(claims.filter(pl.col("origin") == name).iter_rows(named=True))
        spans = joined(zip(ranges["start"], ranges["stop"], strict=True))
        found.extend(_joined(_looked_at(name, rows, spans, roots.get(name), books)))
    return sorted(found, key=lambda one: (one.start - one.stop, one.origin, one.start))


def _looked_at(
    origin: str, rows: Sequence[Mapping[str, Any]], spans: Iterable[tuple[int, int]], root: str | None,
    books: Container[str] | None,
) -> Iterator[DoubleClaim]:  # fmt: skip
    for start, stop, here in layers(_within(rows, list(spans))):
        verdict = _judge(here, root, books)
        if verdict:
            days = [row["day"] for row in here]
            fault, said, holders = verdict
            yield DoubleClaim(fault, origin, start, stop, said, (min(days), max(days)), holders)


def _within(
    rows: Sequence[Mapping[str, Any]], spans: Sequence[tuple[int, int]]
) -> list[tuple[int, int, Mapping[str, Any]]]:
    """Return the parts of rows that lie in spans, which are sorted and apart, each with its row."""
    found = []
    for row in rows:
        place = max(bisect_right(spans, (row["start"], row["start"])) - 1, 0)
        while place < len(spans) and spans[place][0] < row["stop"]:
            low, high = max(spans[place][0], row["start"]), min(spans[place][1], row["stop"])
            if low < high:
                found.append((low, high, row))
            place += 1
    return found


def _judge(
    rows: Sequence[Mapping[str, Any]], root: str | None, books: Container[str] | None
) -> tuple[Fault, tuple[str, ...], tuple[str, ...]] | None:
    """Tell what is wrong with the claims of one serial, and who had it; None when they form one chain after all."""
    given: Counter[str] = Counter(row["giver"] for row in rows)
    taken: Counter[str] = Counter(row["taker"] for row in rows)
    taken[root or ENDED] += 1 if root else 0
    over = {party: given[party] - taken[party] for party in given if given[party] > taken[party]}
    if not root:
        # One party must have been first: whoever gave one more than it took, at best one of them.
        firsts = sorted(
            over,
            key=lambda party: (
                over[party] > 1,
                taken[party],
                min((row["day"] for row in rows if row["giver"] == party), default=date.max),
            ),
        )
        for party in firsts[:1]:
            over[party] -= 1
        over = {party: times for party, times in over.items() if times}
    if not over:
        early = _gave_too_soon(rows, root)
        over = {party: times for party, times in early.items() if books is None or party in books}
    if not over:
        return None
    said = tuple(words for _, words in sorted((row["day"], _in_words(row)) for row in rows))
    fault, holders = _walked(rows, root, over)
    return fault, said, tuple(sorted(holders)) if fault is Fault.BROKEN_CHAIN else ()


def _walked(rows: Sequence[Mapping[str, Any]], root: str | None, over: Iterable[str]) -> tuple[Fault, set[str]]:
    """Follow one serial from day to day: whoever gives it unexplained and never had it may have it through others.

    Who had it and gave it away before gave it twice. If instead somebody gives it who had it when a stranger did, the
    stranger's chain and its own are two. What else a stranger's chain does after that is as good as any other.

    Returns:
        What is wrong, and who had the serial each time that a stranger gave it.
    """
    holder, ever, holders = root, {root}, set[str]()
    waiting = sorted(rows, key=lambda row: row["day"])
    while waiting:
        # Of one day the order is not known: what follows on the last holder comes first, and of that what leads on to
        # something else of the day; what takes back comes last.
        today = [row for row in waiting if row["day"] == waiting[0]["day"]]
        row = min(today, key=partial(_rank, holder, {one["giver"] for one in today}))
        waiting.remove(row)
        if row["giver"] != holder and holder is not None:
            if row["giver"] in ever:
                return (Fault.DOUBLE_SALE if row["giver"] in over else Fault.OVERLAP), set()
            holders.add(holder)
        ever |= {row["giver"], row["taker"]}
        holder = row["taker"]
    return Fault.BROKEN_CHAIN, holders


def _rank(holder: str | None, givers: Container[str], row: Mapping[str, Any]) -> tuple[bool, bool, bool]:
    """Return how late in its day a row is to be followed."""
    return row["giver"] != holder, row["key"].startswith(back_of("")), row["taker"] not in givers


def _in_words(row: Mapping[str, Any]) -> str:
    hands = f"{row['giver']} to {row['taker']}" if row["taker"] else f"{row['giver']} ended it"
    return f"{hands} ({row['key'].strip()}, {row['day']})"


def _joined(found: Iterable[DoubleClaim]) -> list[DoubleClaim]:
    """Join neighbours with the same parties into one finding."""
    by_words: defaultdict[tuple[Fault, tuple[str, ...]], list[DoubleClaim]] = defaultdict(list)
    for one in found:
        runs = by_words[one.fault, one.parties]
        if runs and runs[-1].stop == one.start:
            runs[-1] = replace(one, start=runs[-1].start)
        else:
            runs.append(one)
    return [one for runs in by_words.values() for one in runs]


# Claims in columns, as a search runs over them, and each transfer counted once.
#
# Apart from the claims themselves, since whoever only reads a book needs no columns, and what makes them takes as long
# to begin as all the rest.

SCHEMA: Final[Mapping[str, pl.DataType | type[pl.DataType]]] = {
    "source": pl.UInt32,
    "kind": pl.String,
    "key": pl.String,
    "origin": pl.String,
    "start": pl.Int64,
    "stop": pl.Int64,
    "giver": pl.String,
    "taker": pl.String,
    "day": pl.Date,
}


def frame(claims: Iterable[Claim]) -> pl.DataFrame:
    """Return claims as a frame; see ``SCHEMA``."""
    columns = zip(*claims, strict=True)  # sooner read than rows
    return pl.DataFrame(dict(zip(SCHEMA, map(list, columns), strict=False)), schema=dict(SCHEMA))


_TRANSFER: Final = ("origin", "giver", "taker", "key")
_ROW: Final = ("origin", "start", "stop", "giver", "taker", "day", "kind", "key")


def counted_once(claims: pl.DataFrame) -> pl.DataFrame:
    """Return claims with each transfer once, however many sources tell of it; columns as ``SCHEMA`` without source.

    Two books may have cut the same transfer differently, so the sources are held together serial by serial: a serial
    counts as often as the one source says that has it most often.
    """
    sources = claims.group_by(_TRANSFER).agg(pl.col("source").n_unique().alias("sources"))
    marked = claims.join(sources, on=_TRANSFER, how="left")
    alone = marked.filter(pl.col("sources") == 1).select(_ROW)
    shared = marked.filter(pl.col("sources") > 1).partition_by(_TRANSFER, maintain_order=True)
    rows = [row for one in shared for row in _most(one)]
    return pl.concat([alone, pl.DataFrame(rows, schema={name: SCHEMA[name] for name in _ROW}, orient="row")])


def _most(one: pl.DataFrame) -> Iterator[tuple[object, ...]]:
    """Return the rows of one transfer, each serial as often as the source says that has it most often."""
    rows = [(row["start"], row["stop"], row) for row in one.iter_rows(named=True)]
    first = rows[0][2]
    # A sale may come back in parts on several days: each serial has the day of its own rows.
    for start, stop, here in layers(rows):
        day, kind = min(row["day"] for row in here), min(row["kind"] for row in here)
        for _ in range(max(Counter(row["source"] for row in here).values())):
            yield first["origin"], start, stop, first["giver"], first["taker"], day, kind, first["key"]
