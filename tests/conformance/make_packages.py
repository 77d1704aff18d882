"""Make the packages of the kit: ``python -m tests.conformance.make_packages farm`` or ``houses``.

What is wrong in each is known because it was done here, by hand or by a tampering of ``tests.audit.tamper_farm``, never
because verification found it. Both keys of the farm's are test keys of RFC 8032, as in ``conformance/signing``; the
houses' (an elevator, a crusher, a refiner) are made up for a run and kept by nobody. Run again only when a package
has to change.
"""

import json
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from provender.audit.package.layout import Part, Pin, entity_path, folder_name, pins_document
from provender.audit.package.write import Header, Subject, make_package
from provender.signing.canonical import canonical_json
from provender.signing.keys import SigningKey
from tests.audit import chain, forge, tamper_entity, tamper_farm
from tests.audit.forge import Files
from tests.audit.mutation.hands import reseal
from tests.audit.prairie import chain as prairie
from tests.audit.prairie import house_party
from tests.conformance.kit import KIT, part

HERE: Final = KIT / "packages"
SEED: Final = 2026
NOTHING: Final[dict[str, Any]] = {"verdict": "same", "names": []}
Change = Callable[[forge.Files], dict[str, Any]]


def test_key(name: str) -> SigningKey:
    raw = bytes.fromhex(part("signing/signatures")["keys"][name]["private_hex"])
    return SigningKey(Ed25519PrivateKey.from_private_bytes(raw))


def untouched(files: forge.Files) -> dict[str, Any]:
    assert files
    return NOTHING


def laid_out_otherwise(files: forge.Files) -> dict[str, Any]:
    """Write rows in another order, with a byte order mark and line ends of Windows; the meaning stays."""
    for path, content in files.items():
        if path.endswith(".csv"):
            head, *lines = content.decode().splitlines()
            Random(SEED).shuffle(lines)
            files[path] = b"\xef\xbb\xbf" + "\r\n".join([head, *lines, ""]).encode()
    return NOTHING


def by(name: str) -> Change:
    """Tamper as the tampering of this name does; the last word of what it names is the row or file."""
    tampering = next(one for one in tamper_farm.TAMPERINGS if one.name == name)

    def change(files: forge.Files) -> dict[str, Any]:
        named = tampering.apply(Random(SEED), files).split()[-1]
        if tampering.remake:
            forge.remade_by_forger(files)
        return {"verdict": "differs", "names": [named]}

    return change


CHANGES: Final[dict[str, tuple[str, Change]]] = {
    "good": ("as the farm made it", untouched),
    "laid-out-otherwise": ("rows, line ends and marks moved, nothing meant", laid_out_otherwise),
    "yield": ("the bushels of a unit changed, bagged again", by("harvested")),
    "pass-dropped": (
        "a pass left out, the report made anew and signed by a thief; the buyer holds the true one",
        by("pass_dropped, report remade"),
    ),
    "evidence": ("an evidence file and its hash exchanged, bagged again", by("evidence_swapped_with_hash")),
    "under-signature": ("the signed report edited under its signature", by("document_edited_under_signature")),
}


def flipped(package: Path, target: Path) -> None:
    """Copy a package with one digit of a record changed and its sums left as they were."""
    with zipfile.ZipFile(package) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename.endswith("records/harvest.csv"):
                content = content.replace(b"2025", b"2024", 1)
            copy.writestr(entry, content)


def farm() -> None:
    """Write packages, pins, the buyer's copy, and both files of the part."""
    forge.ADA, forge.FORGER = test_key("farm"), test_key("thief")  # type: ignore[misc]
    (HERE / "pins.json").write_bytes(canonical_json(pins_document([Pin(forge.FARM, forge.ADA.public, "test key")])))
    (HERE / "buyer.json").write_bytes(forge.clean()[forge.REPORT])
    cases, answers = [], {}
    for name, (about, change) in CHANGES.items():
        files = dict(forge.clean())
        answers[name] = change(files)
        (HERE / f"{name}.zip").unlink(missing_ok=True)
        make_package(HERE / f"{name}.zip", forge.header(), files)
        held = ["buyer.json"] if name == "pass-dropped" else []
        cases.append(
            {"id": name, "about": about, "input": {"package": f"{name}.zip", "pins": "pins.json", "held": held}}
        )
    flipped(HERE / "good.zip", HERE / "not-sealed-again.zip")
    asked = {"package": "not-sealed-again.zip", "pins": "pins.json", "held": []}
    cases.append({"id": "not-sealed-again", "about": "a digit changed, the sums left", "input": asked})
    answers["not-sealed-again"] = {"verdict": "unusable", "names": ["harvest.csv"]}
    reached = "By construction: each package was made from the good one by the change named in `about`."
    write("input", {"part": "packages/packages", "cases": cases})
    how = {"part": "packages/packages", "reached": reached, "compare": {"how": "says"}, "answers": answers}
    write("expected", how)


def write(kind: str, content: dict[str, Any], name: str = "packages") -> None:
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    (HERE / f"{name}.{kind}.json").write_text(text, encoding="utf-8")


REFINER: Final = "sod-diesel"
MADE_ON: Final = date(2026, 11, 21)
ABOUT: Final = {
    "loss_hidden": (
        "the elevator's book tells a smaller loss than its signed period statement, sealed again", ["coop/2026-01-01"],
    ),
    "sold_less, papers remade": (
        "a sale made smaller, every own paper made anew; the buyer holds the true one", ["s1", "coop"],
    ),
    "report_rewritten": (
        "a farm's report in the elevator's package rewritten and signed with another key", ["ben"],
    ),
    "crushed_more": (
        "the crusher's book processes more than its signed period statement, sealed again", ["crush/2026-01-01"],
    ),
    "received_lower_ci": (
        "the crusher booked a lower carbon intensity than the seller's paper says", ["s1", "coop"],
    ),
    "statement_forged": ("the verification statement about the seller signed by a stranger", ["V-1"]),
}  # fmt: skip
"""What was done, and the ids of what it was done to: any reader must name these."""


def header(me: str) -> Header:
    """Return what a package of the small chain says of itself."""
    return Header(
        Subject.ENTITY_PERIOD, me, me.title(), date(2026, 1, 1), date(2026, 6, 30), "interim-2025", "provender",
        MADE_ON, {f"entities/{folder_name(me)}": me},
    )  # fmt: skip


def tampered(name: str) -> tuple[str, Files, dict[str, bytes]]:
    """Return whose package it is, its files, and what others hold of the true ones."""
    found = next(one for one in tamper_entity.TAMPERINGS if one.name == name)
    files = chain.clean(found.me)
    true = {path.rpartition("/")[2]: content for path, content in files.items() if "transfer-" in path}
    tamper_entity.applied(found, Random(SEED), files)
    return found.me, files, true if found.remake else {}


def retired_more(files: Files) -> str:
    """Have a batch of fuel take a pound more, and seal the book again."""
    path = entity_path(REFINER, Part.BOOK)
    lines = [json.loads(line) for line in files[path].decode().splitlines()]
    event = next(line["event"] for line in lines if line.get("event", {}).get("type") == "retire")
    event["pounds"] = str(int(float(event["pounds"])) + 1)
    files[path] = "\n".join([*map(json.dumps, lines), ""]).encode()
    reseal(files, path)
    return REFINER


def paper_lost(files: Files) -> str:
    """Take out a paper under which the refiner received."""
    lines = files[entity_path(REFINER, Part.BOOK)].decode().splitlines()[1:]
    number = next(event["number"] for line in lines if (event := json.loads(line)["event"])["type"] == "document")
    (path,) = [path for path in files if path.endswith(f"-{number}.json")]
    del files[path]
    return str(number)


def houses() -> None:
    """Write packages, pins, what others hold, and both files of the part."""
    cases: list[dict[str, Any]] = []
    answers: dict[str, Any] = {}

    def put(name: str, about: str, files: Files, head: Header, pinned: str, named: list[str], *held: str) -> None:
        (HERE / f"{name}.zip").unlink(missing_ok=True)
        make_package(HERE / f"{name}.zip", head, files)
        asked = {"package": f"{name}.zip", "pins": pinned, "held": list(held)}
        cases.append({"id": name, "about": about, "input": asked})
        answers[name] = {"verdict": "differs", "names": named} if named else NOTHING

    (HERE / "chain-pins.json").write_bytes(chain.pins())
    (HERE / "refiner-pins.json").write_bytes((prairie(5) / "pins.json").read_bytes())
    for me, kind in (("coop", "elevator"), ("crush", "crusher")):
        put(kind, f"as the {kind} made it", chain.clean(me), header(me), "chain-pins.json", [])
    for name, (about, named) in ABOUT.items():
        me, files, true = tampered(name)
        for file, content in true.items():
            (HERE / file).write_bytes(content)
        title = f"{'elevator' if me == 'coop' else 'crusher'}-{name.split(',')[0].replace('_', '-')}"
        put(title, about, files, header(me), "chain-pins.json", named, *true)
    clean = house_party(prairie(5), REFINER)
    head = replace(clean.header, made_on=MADE_ON.replace(year=2027))
    for title, about, change in (
        ("refiner", "as the refiner made it", lambda _: ""),
        ("refiner-retired-more", "a batch of fuel took more than its signed period statement says", retired_more),
        ("refiner-paper-lost", "a paper under which it received is not in the package", paper_lost),
    ):
        files = dict(clean.files)
        touched = change(files)
        put(title, about, files, head, "refiner-pins.json", [touched] if touched else [])
    reached = "By construction: each package was made from a good one by the change named in `about`."
    write("input", {"part": "packages/houses", "cases": cases}, name="houses")
    how = {"part": "packages/houses", "reached": reached, "compare": {"how": "says"}, "answers": answers}
    write("expected", how, name="houses")


if __name__ == "__main__":
    {"farm": farm, "houses": houses}[sys.argv[1]]()
