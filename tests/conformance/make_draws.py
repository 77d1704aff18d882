"""Make the draws of the kit: ``python -m tests.conformance.make_draws``. The answers are the stranger's, never ours.

Run again only when the method of the draw changes. The key that signs the proofs is a test key of RFC 8032.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

from provender.audit.sampling.draw import METHOD, Beacon, Opened, Side, commitment
from provender.audit.sampling.population import Population, freeze
from provender.audit.sampling.sample import KIND, SampleRequest
from tests.audit.farms import farm, mixed, proof
from tests.audit.sampling import stranger
from tests.audit.sampling.test_draw import DAY, frozen
from tests.conformance.kit import KIT
from tests.conformance.make_packages import test_key

WEEK: Final = timedelta(days=7)


def stated(count: int) -> Population:
    """Make farms that say what risk is judged by."""
    rows = enumerate(mixed(count, 2026).rows)
    return freeze(
        replace(row, first_year=at % 3 == 0, earlier_findings=at % 4, late_evidence_pct=at % 5 * 15_000)
        for at, row in rows
    )


FIFTY_ONE: Final = stated(51)
NINE: Final = stated(9)


def listed(name: str, population: Population, *proofs: Any, **more: Any) -> SampleRequest:  # noqa: ANN401
    """Freeze a list with commitments of its own, all of them open on the day of freezing."""
    secrets = {side: f"the {side} side's secret for {name}" for side in Side}
    day = more.pop("day", DAY)
    fixed = {
        "frozen_on": day,
        "salt": f"salt of {name}",
        "commitments": {side: commitment(text) for side, text in secrets.items()},
    }
    fixed |= {name: more.pop(name) for name in ("earlier_marks", "by_server", "beacon") if name in more}
    made = frozen(population, proofs, **{name.removesuffix("_marks"): value for name, value in fixed.items()})
    return SampleRequest(population, made, Opened(secrets, on=day), proofs, **more)


def opened(one: SampleRequest, *sides: Side, on: date) -> SampleRequest:
    return replace(one, opened=Opened({side: one.opened.secrets[side] for side in sides}, on=on))


def anew(name: str, first: SampleRequest) -> SampleRequest:
    marks = (first.frozen.sha256,)
    return listed(name, first.population, earlier=(first,), earlier_marks=marks, day=DAY + WEEK)


def cases() -> Iterator[tuple[str, SampleRequest]]:
    """Yield the name of each case with what is drawn from."""
    key = test_key("buyer")
    last_year = [one.farm_id for one in FIFTY_ONE.farms[:20]]
    beacon = listed("a beacon", NINE, beacon=Beacon("NIST Randomness Beacon 2.0", "2026-11-05T12:00Z", DAY + WEEK))
    beacon = replace(beacon, frozen=replace(beacon.frozen, commitments={}))
    yield "one farm", listed("one", stated(1))
    yield "four farms alike", listed("four", freeze(farm(f"F{at}") for at in range(4)))
    yield "nine farms", listed("nine", NINE)
    yield "eleven farms: the two left over are of the smallest third", listed("eleven", stated(11))
    yield (
        "fifty-one farms, twenty of them audited last year by a signed statement",
        listed("fifty-one", FIFTY_ONE, proof(last_year, key=key)),
    )
    yield "twelve asked for, one added for cause", listed("twelve", FIFTY_ONE, size=12, added={"F00009": "a complaint"})
    alone = opened(listed("refusal", FIFTY_ONE), Side.VERIFIER, on=DAY + WEEK)
    yield "the audited party did not open its part for a week", alone
    yield "a beacon named beforehand", replace(beacon, opened=Opened(beacon_value="c0" * 64, on=DAY + WEEK))
    yield "begun anew: what the first list drew stays", anew("anew", listed("first", FIFTY_ONE))
    closed = opened(listed("first", NINE), Side.AUDITED, on=DAY)
    yield "begun anew, the verifier's first part closed: every farm", anew("anew", closed)
    kept = opened(listed("first", NINE, by_server=(Side.AUDITED, Side.VERIFIER)), on=DAY)
    yield "begun anew, where a server kept both parts of the first", anew("anew", kept)


def file_of(one: SampleRequest) -> dict[str, Any]:
    """Return the part of a sample file that everything in it follows from."""
    carried = {"earlier": [each.document() for each in one.earlier]}
    return {"kind": KIND, "method": METHOD, "year": one.frozen.year, **one.document(), **carried}


def main() -> None:
    inputs = [{"id": name, "input": json.loads(json.dumps(file_of(one)))} for name, one in cases()]
    answers = {}
    for case in inputs:
        asked = json.loads(json.dumps(case["input"])) | {"extensions": []}
        answers[case["id"]] = {"seed": stranger.seed_of(asked), "sample": stranger.redraw(asked)}
    reached = (
        "By an independent script, tests/audit/sampling/stranger.py, written from docs/reference/draw.md alone; it "
        "shares nothing with this project's draw."
    )
    head = {"part": "draw/draws", "reached": reached, "compare": {"how": "exact"}}
    write("expected", head, "answers", {name: answers[name] for name in answers})
    write("input", {"part": "draw/draws"}, "cases", inputs)


def write(name: str, head: dict[str, Any], what: str, found: dict[str, Any] | list[Any]) -> None:
    """Write a file of the part with a line for each case."""
    first, last = "{}" if isinstance(found, dict) else "[]"
    lines = [json.dumps(one) for one in found] if isinstance(found, list) else [
        f"{json.dumps(key)}: {json.dumps(value)}" for key, value in found.items()]  # fmt: skip
    start = json.dumps(head, indent=1).removesuffix("\n}")
    text = f'{start},\n "{what}": {first}\n  ' + ",\n  ".join(lines) + f"\n {last}\n}}\n"
    (KIT / f"draw/draws.{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
