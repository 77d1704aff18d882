"""What somebody else computes who has ``conformance/`` and its page alone: no line of the program is used here.

Run by itself it prints what it recomputed: ``python tests/conformance/outsider.py conformance``.
"""

import base64
import copy
import json
import sys
import zipfile
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LIMITS = {"no_till_stir_within_limit": Fraction(20), "reduced_till_stir_within_limit": Fraction(80)}
TYP_OF_REPORT = "biofuel-feedstock-report+json"


def load(kit: Path, name: str) -> Any:  # noqa: ANN401 - of JSON
    return json.loads((kit / f"{name}.json").read_text("utf-8"))


def written(value: object) -> bytes:
    """Write JSON in the one spelling of RFC 8785, for data without numbers that are not whole."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


# Verdicts: the limits of STIR.


def edited(base: dict[str, Any], edits: list[dict[str, Any]]) -> dict[str, Any]:
    rows = copy.deepcopy(base)
    for one in edits:
        if "set" in one:
            rows[one["set"]][one["row"]] |= one["cells"]
        elif "add" in one:
            rows.setdefault(one["add"], []).append(dict(one["cells"]))
        elif one["row"] is None:
            rows[one["remove"]] = []
        else:
            del rows[one["remove"]][one["row"]]
    return rows


def stir_of(row: dict[str, str], listed: dict[str, Any] | None, *, recorded: bool) -> Fraction | None:
    """Return the STIR of a pass by what is recorded, or as the list prints it; None where nobody can know."""
    if listed is None:
        return None
    published = Fraction(listed["published_stir"])
    if not recorded or listed["speed_mph"] is None or listed["drives_only"]:
        return published
    speed, depth, surface = (
        Fraction(row.get(name) or listed[name]) for name in ("speed_mph", "depth_in", "surface_pct")
    )
    if listed["several_tools"]:
        gang = Fraction(listed["deepest_gang_stir"])
        at_depth = published - gang + gang * depth / Fraction(listed["depth_in"])
        return at_depth * speed / Fraction(listed["speed_mph"])
    return Fraction(13, 8) * speed * Fraction(listed["type"]) * depth * surface / 100


def stir_verdict(rows: dict[str, Any], harvest: str, limit: Fraction, listed: dict[str, Any]) -> str:
    crops = {row["harvest_id"]: row for row in rows["harvest"]}
    last = crops.pop(harvest)["last_day"]
    first = max(row["last_day"] for row in crops.values() if row["last_day"] < last)
    passes = [row for row in rows["operation"] if first < row["day"] <= last]
    sums = {}
    for recorded in (True, False):
        values = [stir_of(row, listed.get(row["operation"]), recorded=recorded) for row in passes]
        sums[recorded] = sum(round(one, 4) for one in values if one is not None)
    grounds = [row for row in passes if not listed.get(row["operation"], {}).get("drives_only")]
    is_logged = all(row.get("known_by") == "machine" for row in grounds)
    if sums[True] > limit and (is_logged or sums[False] > limit):
        return "not met"
    is_whole = rows["declaration"][0]["all_operations_listed"] == "yes"
    is_known = all(row["operation"] in listed for row in passes)
    is_decided = is_logged or (sums[True] <= limit) == (sums[False] <= limit)
    return "met" if is_whole and is_known and is_decided and sums[True] <= limit else "not shown"


def stir_verdicts(kit: Path) -> dict[str, str]:
    file, listed = load(kit, "verdicts/thresholds.input"), load(kit, "verdicts/operations")
    return {
        case["id"]: stir_verdict(edited(file["base"], case["input"]["edits"]), file["harvest"], limit, listed)
        for case in file["cases"]
        if (limit := LIMITS.get(case["input"]["ask"])) is not None
    }


# Signatures, chains and balances.


def is_signed(envelope: dict[str, Any], typ: str) -> bool:
    """Tell whether the key in a paper's signature signed the paper, as a paper of that type."""
    head, between, signature = envelope["signature"].split(".")
    header = json.loads(unpacked(head))
    payload = base64.urlsafe_b64encode(written(envelope["document"])).rstrip(b"=")
    try:
        key = Ed25519PublicKey.from_public_bytes(unpacked(header["jwk"]["x"]))
        key.verify(unpacked(signature), head.encode() + b"." + payload)
    except InvalidSignature:
        return False
    named = {name: header["jwk"][name] for name in ("crv", "kty", "x")}
    kid = base64.urlsafe_b64encode(sha256(written(named)).digest()).rstrip(b"=").decode()
    return (between, header["typ"], header["kid"]) == ("", typ, kid)


def unpacked(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def chain_holds(book: bytes) -> bool:
    """Tell whether every line of a book is sealed over the line before it."""
    first, *lines = (json.loads(line) for line in book.splitlines())
    seal = sha256(b"\n" + written(first)).hexdigest()
    for line in lines:
        seal = sha256(seal.encode() + b"\n" + written(line["event"])).hexdigest()
        if line != {"event": line["event"], "chain": seal}:
            return False
    return True


def files_in(package: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(package) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def balance(asked: dict[str, Any]) -> dict[str, Any]:
    """Return which movements take more of a carbon intensity than there is, and the equation of each period and CI."""
    stock: dict[str, Fraction] = {}
    refused, taken = [], []
    for number, one in enumerate(asked["movements"], start=1):
        change = Fraction(one["bushels"]) * (1 if one["what"] == "bought" else -1)
        if stock.get(one["ci"], 0) + change < 0:
            refused.append(number)
            continue
        stock[one["ci"]] = stock.get(one["ci"], Fraction(0)) + change
        taken.append((one["day"], one["ci"], change))
    lines, cis = [], sorted({ci for _, ci, _ in taken}, key=Fraction)
    for number, (first, last) in enumerate(asked["periods"], start=1):
        for ci in cis:
            before = sum(change for day, of, change in taken if of == ci and day < first)
            here = [change for day, of, change in taken if of == ci and first <= day <= last]
            came, went = sum(one for one in here if one > 0), -sum(one for one in here if one < 0)
            if any(day <= last for day, of, _ in taken if of == ci):
                amounts = {"beginning": before, "incoming": came, "outgoing": went, "ending": before + came - went}
                lines.append({"period": number, "ci": ci, **{name: plain(one) for name, one in amounts.items()}})
    return {"refused": refused, "lines": lines}


def plain(amount: Fraction | int) -> str:
    return f"{float(amount):.3f}".rstrip("0").rstrip(".") or "0"


def main(kit: Path) -> None:
    told = {"verdicts": stir_verdicts(kit), "report is signed": is_signed(load(kit, "packages/buyer"), TYP_OF_REPORT)}
    sys.stdout.write(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
