"""Make the packages of the kit: ``python -m tests.conformance.make_packages``.

What is wrong in each is known because it was done here, by hand or by a tampering of ``tests.audit.tamper_farm``, never
because verification found it. Both keys are test keys of RFC 8032, as in ``conformance/signing``. Run again only when a
package has to change.
"""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from provender.audit.package.keys import Pin, pins_document
from provender.audit.package.write import make_package
from provender.signing.canonical import canonical_json
from provender.signing.keys import SigningKey
from tests.audit import forge, tamper_farm
from tests.conformance.kit import KIT, part

HERE: Final = KIT / "packages"
SEED: Final = 2026
NOTHING: Final[dict[str, Any]] = {"verdict": "same", "names": []}
Change = Callable[[forge.Files], dict[str, Any]]


def test_key(name: str) -> SigningKey:
    """Return a key that everybody knows."""
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


def main() -> None:
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
    """Write one file of a part."""
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    (HERE / f"{name}.{kind}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
