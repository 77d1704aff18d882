"""Who changes a package: anyone who bags it again, a stranger who seals and signs, the party with its own key."""

import contextlib
import json
from collections.abc import Iterable
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from polars.exceptions import PolarsError

from provender.audit.package.layout import HEADER, KEY_STATEMENTS, folder_name
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.sampling.sample import redraw
from provender.custody.book_file import BookLine, seal
from provender.custody.book_file import Header as BookHeader
from provender.custody.documents.build import PERIOD, marked, period_document, transfer_document
from provender.custody.documents.receive import TYPS, sign_document
from provender.custody.events.registry import post, read_posted
from provender.custody.model.event import Refusal
from provender.custody.store import MemoryStore
from provender.demo.farms import demo_key
from provender.intensity.quantify import quantify
from provender.problem import ProblemsError
from provender.records.folder import load_book
from provender.report.document import Edition, build
from provender.report.supporting import BoundRows
from provender.report.typ import TYP
from provender.report.versions import ENDING, leaves_document
from provender.rule.crops import Crop
from provender.signing.canonical import canonical_json
from provender.signing.jws import ROTATION, countersign, rotate, sign
from provender.signing.keys import SigningKey
from provender.verdicts.assess import assess
from tests.audit.forge import FORGER, Files, book_of
from tests.audit.mutation.changes import Change
from tests.audit.prairie import Party, farm_party

# A farm that changed its key between harvest and report: the package with what its keys said of that.

NEW: Final = demo_key("a second key of a farm")
ROTATED: Final = f"{KEY_STATEMENTS}rotation.json"


def rotated_party(folder: Path, farm: str) -> Party:
    """Return a farm's package whose reports its second key signed, with the rotation."""
    party = farm_party(folder, farm)
    files = {path: _signed(path, raw) for path, raw in party.files.items()}
    held = {path: _signed(path, raw) for path, raw in party.held.items()}
    first = min(_made_on(files))
    files[ROTATED] = canonical_json(rotate(demo_key(farm), NEW, on=first - timedelta(days=1)))
    return Party(party.name, files, party.header, held)


def _signed(path: str, raw: bytes) -> bytes:
    if not _is_report(path, raw):
        return raw
    return canonical_json(sign(json.loads(raw)["document"], NEW, typ=TYP))


def _is_report(path: str, raw: bytes) -> bool:
    return path.endswith(".json") and not path.endswith(ENDING) and b'"biofuel-feedstock-report"' in raw


def _made_on(files: dict[str, bytes]) -> Iterable[date]:
    for path, raw in files.items():
        if "/reports/" in path and _is_report(path, raw):
            yield date.fromisoformat(json.loads(raw)["document"]["made_on"])


def signed_again(document: dict[str, Any], key: SigningKey) -> bytes:
    """Return a changed rotation, signed by one key in the place of the old one, and by the new one."""
    return canonical_json(countersign(sign(document, key, typ=ROTATION), NEW, on=date(2027, 1, 1), role="takes over"))


class Hand(StrEnum):
    """How far a tamperer goes."""

    BAGGED = "bagged again"
    STRANGER = "sealed, or signed by a stranger"
    OWN_KEY = "signed with the right key"


def tampered(party: Party, change: Change, hand: Hand) -> Files:
    """Return a package after a change, put right again as far as the hand can."""
    files = change.apply({**party.files, HEADER: canonical_json(party.header.document())})
    if hand is Hand.BAGGED or change.path not in files:
        return files
    if change.path.endswith("book.jsonl"):
        reseal(files, change.path)
        if hand is Hand.OWN_KEY:
            _papers_again(files, change.path)
    elif hand is Hand.OWN_KEY and "/records/" in change.path:
        _reports_again(files, change.path)
    elif change.path == SAMPLE:
        with contextlib.suppress(ProblemsError, KeyError, TypeError, ValueError, AttributeError):
            files[SAMPLE] = canonical_json(redraw(json.loads(files[SAMPLE])))
    elif change.path.startswith(KEY_STATEMENTS):
        _say_again(party, files, change.path, hand)
    elif change.path.endswith(".json"):
        _sign(files, change.path, hand)
    return files


def reseal(files: Files, path: str) -> None:
    """Seal every line of a book anew; one that was emptied has none."""
    first, *lines = files[path].decode().splitlines() or [""]
    with contextlib.suppress(ValueError, KeyError, AttributeError, TypeError):
        head = BookHeader(**{k: v for k, v in json.loads(first).items() if k in ("entity", "shared")}).head
        made = [first]
        for line in lines:
            data = json.loads(line)
            head = seal(head, data["event"])
            made.append(json.dumps({**data, "chain": head}, ensure_ascii=False))
        files[path] = "\n".join([*made, ""]).encode()


def _sign(files: Files, path: str, hand: Hand) -> None:
    data = json.loads(files[path])
    document = data.get("document") if isinstance(data, dict) else None
    if not isinstance(document, dict) or "signature" not in data:
        return
    kind = str(document.get("type"))
    with contextlib.suppress(TypeError, ValueError, AttributeError):
        key = FORGER if hand is Hand.STRANGER else _key_of(document)
        files[path] = canonical_json(sign(document, key, typ=TYPS.get(kind, TYP)))


def _say_again(party: Party, files: Files, path: str, hand: Hand) -> None:
    """Sign what keys say of themselves: by a stranger, or by the farm's first key."""
    document = json.loads(files[path]).get("document")
    with contextlib.suppress(TypeError, ValueError, AttributeError):
        key = FORGER if hand is Hand.STRANGER else demo_key(next(iter(party.header.parties.values())))
        files[path] = signed_again(document, key)


def _key_of(document: dict[str, Any]) -> SigningKey:
    if document.get("type") in TYPS:
        return demo_key(str(document.get("entity" if document["type"] == PERIOD else "seller", {}).get("id")))
    return demo_key(str(document.get("farm", {}).get("farm_id")))


def _reports_again(files: Files, path: str) -> None:
    farm = json.loads(files[HEADER])["parties"]["/".join(path.split("/")[:2])]
    # Of a book without its farm, say, no report can be made: then the old ones stay.
    with contextlib.suppress(ProblemsError, ValueError, TypeError, LookupError, PolarsError):
        remake_reports(farm, files, demo_key(farm))


def remake_reports(farm: str, files: Files, key: SigningKey) -> None:
    """Make the last version of each report anew from a farm's changed records: nothing inside disagrees any more."""
    prefix = f"farms/{folder_name(farm)}/"
    with book_of(farm, files) as folder:
        judged = assess(load_book(folder))
        reports = [path for path in sorted(files) if path.startswith(f"{prefix}reports/") and not path.endswith(ENDING)]
        for path in {json.loads(files[path])["document"]["crop"]: path for path in reports}.values():
            old = json.loads(files[path])["document"]
            found = quantify(judged, farm, Crop(old["crop"]), old["harvest_year"])
            edition = Edition(**{**old["edition"], "changes": tuple(old["edition"]["changes"])})
            day, opening = date.fromisoformat(old["made_on"]), path.replace(".json", ENDING)
            secret = json.loads(files[opening])["secret"]
            leaves = BoundRows(judged, found, day).leaves(secret)
            made = build(judged, found, as_of=day, producer_id="P1", edition=edition, leaves=leaves)
            files[path] = canonical_json(sign(made, key, typ=TYP))
            files[opening] = canonical_json(leaves_document(made, secret, leaves))


def _papers_again(files: Files, path: str) -> None:
    """Make the house's own papers anew from the changed book, as of the day each had, and sign them."""
    prefix = path.rpartition("/")[0]
    house = json.loads(files[HEADER])["parties"][prefix]
    store, lines = MemoryStore(), []
    marks: dict[str, int] = {}
    for line in files[path].decode().splitlines()[1:]:
        data = json.loads(line)
        lines.append(BookLine.of(data.get("event", {}), data["chain"]))
        with contextlib.suppress(Refusal, KeyError, TypeError, AttributeError):
            post(store, read_posted(data["event"]))
            marks[str(data["event"].get("id"))] = len(lines)
    for name in [name for name in files if name.startswith(f"{prefix}/documents/") and name.endswith(".json")]:
        old = json.loads(files[name])["document"]
        if old.get("seller", old.get("entity", {})).get("id") != house or old["type"] not in TYPS:
            continue
        with contextlib.suppress(ProblemsError, KeyError, ValueError, TypeError):
            made = (
                marked(period_document(store, house, date.fromisoformat(old["start"])), lines)
                if old["type"] == PERIOD
                else marked(
                    transfer_document(store, old["number"], as_of=date.fromisoformat(old["made_on"])),
                    lines[: marks.get(old["number"], 0)],
                )
            )
            files[name] = canonical_json(sign_document(made, demo_key(house)))
