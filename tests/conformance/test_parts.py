"""Every part of the kit is answered by the package as others who read the rule answered it."""

import json
import subprocess
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any, Final
from unittest.mock import ANY

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from provender.audit.package.write import open_package
from provender.audit.recompute.verify import verify_package
from provender.audit.sampling.population import minimum_farms
from provender.audit.sampling.sample import redraw
from provender.catalog.tables import find_operation
from provender.custody.model.balances import line_document, period_balances
from provender.custody.model.entities import latest_end
from provender.custody.model.store_view import Store
from provender.custody.store import MemoryStore
from provender.exact import CI_SCALE, parse, show
from provender.intensity.argonne2021.model import evaluate as run_model
from provender.intensity.average import Share, farm_average
from provender.problem import ProblemsError
from provender.rule.crops import Practice
from provender.signing.canonical import canonical_json, read_json, sha256_hex
from provender.signing.jws import check, sign
from provender.signing.keys import PublicKey, SigningKey, decode_base64url
from provender.signing.merkle import grew, leaf_hash, root, root_of_path
from provender.standards.judge import judge
from provender.standards.standard import REQUIREMENTS, Part
from provender.standards.stir import of_listed
from tests.audit.sampling import stranger
from tests.conformance.kit import KIT, Answer, differences, part
from tests.custody.test_cases import PROVEN, close, sale
from tests.custody.world import CAST, Event, bought, ev, period, posted, report, status
from tests.standards.season import Rows, answers, book_of, clean_season, edited
from tests.standards.seasons import put_together
from tests.standards.test_stir import Tool, of_pass

PLACES: Final = 4
# Where the WEPS service holds a coarser value (33 and 35) than the first row of the name.
ROUNDER_IN_WEPS: Final = {"chisel, st. pt. 5 in deep", "chisel, st. pt. 5 in deep, coil tine har"}


def scaled(text: str | None, places: int = 3) -> int | None:
    return None if text is None else parse(text, places)


def of_input(asked: dict[str, Any]) -> str | None:
    tools = tuple(
        Tool(one["tillage_type"], scaled(one["depth_in"]), scaled(one["surface_pct"])) for one in asked["tools"]
    )
    found = of_pass(None, speed_mph=scaled(asked["speed_mph"]), tools=tools).value
    return None if found is None else show(found, PLACES, places=PLACES)


def rotation(asked: dict[str, Any]) -> dict[str, str]:
    """Add up a rotation by our list; an operation that the printout leaves out is not in it."""
    total = Fraction(0)
    for one in asked["operations"]:
        listed = find_operation(one["operation"])
        if one["stir"] is None:
            assert listed is None, one
            continue
        assert listed is not None, one
        value = Fraction(of_listed(listed).value or 0, 10**PLACES)
        coarser = asked["service"].startswith("WEPS") and one["operation"].lower() in ROUNDER_IN_WEPS
        assert coarser or abs(value - Fraction(one["stir"])) <= Fraction(5, 1000), one
        total += Fraction(one["stir"]) if coarser else value
    yearly = {"annual": str(float(total / asked["years"]))} if "CSIP" in asked["service"] else {}
    return {"sum": str(float(total)), **yearly}


def average(asked: dict[str, Any]) -> str | None:
    shares = [
        Share(str(at), scaled(one["bushels"]), scaled(one["ci_g_per_bu"], CI_SCALE), one["conventional"])
        for at, one in enumerate(asked["units"])
    ]
    found = farm_average(shares, scaled(asked["national_default"], CI_SCALE)).ci_g_per_bu
    return None if found is None else show(found, CI_SCALE, places=CI_SCALE)


def test_every_line_item_of_the_workbook_is_met_and_a_stranger_draws_the_same() -> None:
    def answer(asked: dict[str, Any]) -> object:
        return run_model(asked["crop"], {name: value for name, value in asked.items() if name != "crop"})

    assert differences("intensity/open_model", answer) == []
    assert differences("draw/draws", by_the_stranger) == []
    parts = json.loads((KIT / "kit.json").read_text(encoding="utf-8"))["parts"]
    others = ("intensity/open_model", "verdicts/seasons", "verdicts/thresholds")
    assert {one["name"] for one in parts} == {*ANSWERS, *others}


def spelled(asked: dict[str, str]) -> object:
    raw = bytes.fromhex(asked["hex"]) if "hex" in asked else asked["text"].encode()
    try:
        found = canonical_json(read_json(raw))
    except (ProblemsError, ValueError):
        return "refused"
    return {"canonical": found.decode(), "sha256": sha256_hex(found)}


def checked(asked: dict[str, Any]) -> dict[str, object]:
    pinned = {key.fingerprint: key for key in map(PublicKey.from_jwk, asked["pinned"])}
    revoked = {kid: date.fromisoformat(day) for kid, day in asked["revoked"].items()}
    found = check(asked["envelope"], pinned, revoked=revoked)
    return {"status": str(found.status), "proved_on": found.proved_on.isoformat() if found.proved_on else None}


def test_our_signature_is_that_of_openssl_byte_by_byte() -> None:
    file = part("signing/signatures")
    raw = bytes.fromhex(file["keys"]["farm"]["private_hex"])
    key = SigningKey(Ed25519PrivateKey.from_private_bytes(raw))
    made = file["cases"][0]["input"]["envelope"]
    assert key.fingerprint == file["keys"]["farm"]["kid"]
    assert sign(made["document"], key) == made


@pytest.mark.parametrize("case", ["signed by a pinned key", "an amount changed"])
def test_openssl_says_the_same_of_the_bytes_that_were_signed(tmp_path: Path, case: str) -> None:
    found = next(one["input"] for one in part("signing/signatures")["cases"] if one["id"] == case)
    head, _, tail = found["envelope"]["signature"].split(".")
    text = head.encode() + b"." + urlsafe_b64encode(canonical_json(found["envelope"]["document"])).rstrip(b"=")
    key = bytes.fromhex("302a300506032b6570032100") + decode_base64url(found["pinned"][0]["x"])
    for name, content in (("key", key), ("text", text), ("signature", decode_base64url(tail))):
        (tmp_path / name).write_bytes(content)
    asked = "openssl pkeyutl -verify -pubin -keyform DER -inkey key -rawin -in text -sigfile signature"
    run = subprocess.run(asked.split(), cwd=tmp_path, check=False, capture_output=True)  # noqa: S603 - our own words
    assert (run.returncode == 0) is (checked(found)["status"] == "valid")


def raw(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(one) for one in texts]


def rooted(asked: dict[str, Any]) -> dict[str, str]:
    return {"root": root([leaf_hash(one) for one in raw(asked["leaves"])]).hex()}


def included(asked: dict[str, Any]) -> bool:
    led = root_of_path(leaf_hash(bytes.fromhex(asked["leaf"])), asked["place"], asked["size"], raw(asked["beside"]))
    return led is not None and led.hex() == asked["root"]


def consistent(asked: dict[str, Any]) -> bool:
    old, new = raw([asked["old"], asked["new"]])
    return grew(asked["earlier"], old, asked["size"], new, raw(asked["beside"]))


def drawn(asked: dict[str, Any]) -> dict[str, object]:
    found = redraw({**asked, "treatments": [], "extensions": []})
    return {"seed": found["seed"], "sample": found["sample"]}


def by_the_stranger(asked: dict[str, Any]) -> dict[str, object]:
    return {"seed": stranger.seed_of(asked), "sample": stranger.redraw({**asked, "extensions": []})}


HERE = KIT / "packages"


def verified(asked: dict[str, Any]) -> dict[str, str]:
    """Verify a package as the command does, with the pins and the held copies of the case."""
    held = [(name, (HERE / name).read_bytes()) for name in asked["held"]]
    pins = (HERE / asked["pins"]).read_bytes()
    try:
        found = verify_package(HERE / asked["package"], pinned=pins, pinned_name=asked["pins"], held=held).found
    except ProblemsError as refused:
        return {"verdict": "unusable", "said": str(refused)}
    said = "\n".join(map(str, [*found.problems, *found.differences]))
    return {"verdict": "same" if found.clean else "differs", "said": said}


FARMS = ("ada", "ben")


def events(at: int, asked: dict[str, str], farm: str) -> list[Event]:
    """Return a movement of the kit as the events of a book: a purchase is a slip and its acceptance."""
    day, bushels, name = asked["day"], asked["bushels"], f"m{at}"
    if asked["what"] == "bought":
        return bought(name, farm, "coop", f"{farm}/soybeans/2025", bushels, day=day, site="north")
    if asked["what"] == "sold":
        return [sale(name, bushels, day, ci_min=asked["ci"], ci_max=asked["ci"])]
    return [ev("loss", name, day, entity="coop", crop="soybeans", bushels=bushels)]


def closings(periods: list[list[str]], day: str) -> Iterator[Event]:
    """Close every period that ended before a day, on the day after its last."""
    for _, end in periods:
        if end < day:
            yield close(f"close-{end}", end, end)


def balanced(asked: dict[str, Any], store: Store) -> dict[str, object]:
    """Post the movements, count what is refused, and read the equations of every period."""
    periods = asked["periods"]
    cis = sorted({one["ci"] for one in asked["movements"]})
    farm_of = dict(zip(cis, FARMS, strict=False))
    cast = [one for one in CAST if not str(one["id"]).startswith("period-coop")]
    reports = [report(farm_of[ci], "soybeans", "100000", ci) for ci in cis]
    posted(store, [*cast, *[period("coop", *days) for days in periods], *PROVEN, *reports])
    refused, done = [], set()
    for at, one in enumerate(asked["movements"], start=1):
        for event in closings(periods, one["day"]):
            if event["id"] not in done:
                done.add(event["id"])
                posted(store, [event])
        if any(status(store, event) != "posted" for event in events(at, one, farm_of[one["ci"]])):
            refused.append(at)
    with store.reading() as facts:
        books = period_balances(facts, "coop")
    return {"refused": refused, "lines": [one for at, book in enumerate(books, 1) for one in lines(at, book, cis)]}


def lines(at: int, book: Any, cis: list[str]) -> list[dict[str, object]]:  # noqa: ANN401 - a Balance
    """Return the line of each CI in a period; noughts where the book has none."""
    held = {one.key.ci: one for one in book.lines}
    found = []
    for ci in cis:
        one = held.get(parse(ci, 2))
        amounts = (one.beginning, one.total_incoming, one.total_outgoing, one.ending) if one else (0, 0, 0, 0)
        names = ("beginning", "incoming", "outgoing", "ending")
        shown = {name: show(amount) for name, amount in zip(names, amounts, strict=True)}
        found.append({"period": at, "ci": ci, **shown})
    return found


def length(asked: dict[str, str]) -> str:
    last = latest_end(date.fromisoformat(asked["start"]))
    return "accepted" if date.fromisoformat(asked["end"]) <= last else "too long"


def packaged(asked: dict[str, str]) -> list[dict[str, object]]:
    """Replay the book of a package and read the equations of the period that begins on a day."""
    files = open_package(KIT / "packages" / asked["package"]).files
    raw = next(files[path] for path in files if path.endswith("/book.jsonl"))
    store = posted(MemoryStore(), [json.loads(line)["event"] for line in raw.decode().splitlines()[1:]])
    balance = next(one for one in period_balances(store, asked["entity"]) if str(one.start) == asked["start"])
    kept = ("ci_g_per_bu", "beginning_bu", "incoming_bu", "outgoing_bu", "ending_bu")
    return [
        {name: line[name] for name in kept}
        | {"forms": {one["form"]: {way: one[way] for way in ("incoming", "outgoing", "ending")} for one in forms}}
        for line in map(line_document, balance.lines)
        if isinstance(forms := line["forms"], list)
    ]


WORDS: Final = {True: "met", False: "not met", None: "not shown"}
Judged = Iterator[dict[str, bool | None]]


def seasons_of_kit(name: str) -> list[Rows]:
    file = part(f"verdicts/{name}")
    return [edited(file["base"], case["input"]["edits"]) for case in file["cases"]]


def judged_by(name: str) -> Judged:
    """Judge the cases of a part in one book, each as a farm of its own."""
    book, harvest = book_of(put_together(seasons_of_kit(name))), part(f"verdicts/{name}")["harvest"]
    found = {one.farm_id: answers(one) for one in judge(book) if one.harvest_id == harvest}
    return (found[f"F{at}"] for at in range(len(found)))


def test_thresholds_and_whole_seasons_are_judged_as_the_kit_says_from_the_clean_season() -> None:
    judged = judged_by("thresholds")
    assert differences("verdicts/thresholds", lambda case: WORDS[next(judged)[case["ask"]]]) == []
    assert part("verdicts/thresholds")["base"] == clean_season()
    assert part("verdicts/seasons")["base"].items() >= {**clean_season(), "unit": ANY}.items()


def test_whole_seasons_are_judged_as_the_kit_says() -> None:
    judged, asked = judged_by("seasons"), part("verdicts/seasons")["asked"]

    def said(_: dict[str, Any]) -> dict[str, list[str]]:
        found = next(judged)
        return {WORDS[answer]: [name for name in asked if found[name] is answer] for answer in (False, None)}

    assert asked == [*REQUIREMENTS, *Practice]
    assert differences("verdicts/seasons", said) == []


NEVER_FAILS: Final = ("cover_crop_legume_budget", "nutrients_records_agree")
"""Requirements of implementation for which no record can show that they were not kept, as for records."""


def test_the_kit_has_every_requirement_and_practice_with_each_verdict_that_it_can_have() -> None:
    file = json.loads((KIT / "verdicts/seasons.expected.json").read_text(encoding="utf-8"))["answers"].values()
    asked = part("verdicts/seasons")["asked"]
    fails, open_ = ({name for one in file for name in one[verdict]} for verdict in ("not met", "not shown"))
    kept = {name for name in asked for one in file if name not in one["not met"] and name not in one["not shown"]}
    can_fail = [name for name in asked if name not in REQUIREMENTS or REQUIREMENTS[name].part is Part.IMPLEMENTATION]
    assert fails == set(can_fail) - set(NEVER_FAILS)
    assert open_ == kept == set(asked)


ANSWERS: Final[dict[str, Answer]] = {
    "stir/published": of_input, "stir/passes": of_input, "stir/rotations": rotation, "intensity/averages": average,
    "signing/canonical": spelled, "signing/signatures": checked, "log/roots": rooted, "log/inclusion": included,
    "log/consistency": consistent, "draw/minimum": lambda asked: str(minimum_farms(int(asked["farms"]))),
    "draw/draws": drawn, "packages/packages": verified, "packages/houses": verified, "balances/houses": packaged,
    "balances/periods": length, "balances/equation": lambda asked: balanced(asked, MemoryStore()),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_each_part_is_answered_as_the_kit_says(name: str) -> None:
    assert differences(name, ANSWERS[name]) == []
