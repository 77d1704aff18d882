"""A stranger's redraw: written from docs/reference/draw.md alone, with nothing of the program."""

import json
from datetime import date, timedelta
from decimal import Decimal
from hashlib import sha256
from math import isqrt
from typing import Any

BANDS = ("low", "elevated", "high")
TRAITS = ("crop", "size", "risk", "state", "county")


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def written(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def units(text: str, places: int = 3) -> int:
    return int(Decimal(text).scaleb(places))


def seed_of(file: dict[str, Any]) -> str:
    frozen, opened = file["frozen"], file["opened"]
    mark = digest(written(frozen))
    if frozen["beacon"]:
        assert frozen["beacon"]["on"] > frozen["frozen_on"]
        return digest(f"{mark}\n{opened['beacon_value']}")
    secrets = opened["secrets"]
    assert {"verifier"} <= secrets.keys() <= {"audited", "verifier"} == frozen["commitments"].keys()
    late = date.fromisoformat(frozen["frozen_on"]) + timedelta(days=7)
    assert "audited" in secrets or date.fromisoformat(opened["on"]) >= late
    assert all(digest(secret) == frozen["commitments"][side] for side, secret in secrets.items())
    return digest("\n".join([mark, secrets.get("audited", ""), secrets.get("verifier", "")]))


def usual(rows: list[dict[str, Any]], value: Any) -> int:  # noqa: ANN401 - a function of a row
    ordered = sorted((value(row), units(row["bushels"])) for row in rows)
    whole, so_far = sum(amount for _, amount in ordered), 0
    for found, amount in ordered:
        so_far += amount
        if 2 * so_far >= whole:
            return int(found)
    raise AssertionError


def per_acre(row: dict[str, Any]) -> int:
    return units(row["bushels"]) * 1000 // units(row["acres"])


def intensity(row: dict[str, Any]) -> int:
    return units(row["ci_g_per_bu"], 2)


def band_of(rows: list[dict[str, Any]], known: dict[str, tuple[int, int]]) -> str:
    best = dict.fromkeys(("yield", "ci", "first", "findings", "late"), 0)
    for row in rows:
        bushels, ci = known[row["crop"]]
        late = Decimal(row.get("late_evidence_pct", "0"))
        for sign, points in (
            ("yield", 30 if per_acre(row) * 100 > 150 * bushels else 15 if per_acre(row) * 100 > 125 * bushels else 0),
            ("ci", 20 if intensity(row) * 100 < 50 * ci else 10 if intensity(row) * 100 < 75 * ci else 0),
            ("first", 10 if row.get("first_year") else 0),
            ("findings", min(30, 10 * row.get("earlier_findings", 0))),
            ("late", 20 if late >= 50 else 10 if late >= 25 else 0),
        ):
            best[sign] = max(best[sign], points)
    score = sum(best.values())
    return BANDS[(score >= 20) + (score >= 40)]


def shown(proofs: list[dict[str, Any]], frozen: dict[str, Any]) -> dict[str, list[int]]:
    """Return farm -> years of earlier audits; whether an accredited verifier signed is another question."""
    years: dict[str, list[int]] = {}
    for proof in proofs:
        said, sample = proof["statement"]["document"], proof["sample"]
        bare = {name: value for name, value in sample.items() if name != "proofs"}
        assert said["sample_hash"] == digest(written(bare))
        assert said["audited"] == sample["frozen"]["audited"] == frozen["audited"]
        assert sample["year"] < frozen["year"]
        for row in said["work"]["farms"]:
            if row["way"] in ("visit", "video", "records"):
                years.setdefault(sample["sample"][row["farm"] - 1], []).append(sample["year"])
    return {farm: sorted(own) for farm, own in years.items()}


def earlier(file: dict[str, Any], farms: set[str]) -> set[str]:
    """Return the farms that are in the sample for lists frozen before."""
    lists, stay = file.get("earlier", []), set[str]()
    marks = [digest(written(one["frozen"])) for one in lists]
    assert file["frozen"].get("earlier", []) == marks
    days = [one["frozen"]["frozen_on"] for one in [*lists, file]][1:]
    for one, day in zip(lists, days, strict=True):
        opened, frozen = one["opened"], one["frozen"]
        opened["on"] = opened["on"] or day
        until = (date.fromisoformat(frozen["frozen_on"]) + timedelta(days=7)).isoformat()
        open_ = frozen["beacon"] and opened["beacon_value"]
        if "verifier" in opened["secrets"]:
            open_ = "audited" in opened["secrets"] or opened["on"] >= until
        if open_ and one["population"]:
            stay |= set(draw(one, seed_of(one)))
        elif frozen["beacon"]:
            stay |= farms if day >= frozen["beacon"]["on"] else set()
        elif set(frozen.get("by_server", [])) <= opened["secrets"].keys():
            stay |= farms
    return stay & farms


def redraw(file: dict[str, Any]) -> list[str]:
    seed, farms = seed_of(file), {row["farm_id"] for row in file["population"]}
    sample = {*draw(file, seed), *earlier(file, farms)}
    return sorted({*sample, *(farm for one in file["extensions"] for farm in one["added"])})


def draw(file: dict[str, Any], seed: str) -> list[str]:
    rows, year, before = file["population"], file["frozen"]["year"], shown(file.get("proofs", []), file["frozen"])
    mark = digest(written(rows))
    assert file["frozen"]["population_hash"] == mark
    assert file["frozen"]["history_hash"] == digest(written(before))
    farms: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        farms.setdefault(row["farm_id"], []).append(row)
    crops = {crop: [row for row in rows if row["crop"] == crop] for crop in {row["crop"] for row in rows}}
    known = {crop: (usual(own, per_acre), usual(own, intensity)) for crop, own in crops.items()}
    has, amount, place = {}, {}, {}
    for farm, own in farms.items():
        amount[farm] = sum(units(row["bushels"]) for row in own)
        county = max(own, key=lambda row: (units(row["bushels"]), row["crop"]))["county_fips"]
        band = band_of(own, known)
        has[farm] = {"crop": {row["crop"] for row in own}, "risk": {band}, "state": {county[:2]}, "county": {county}}
        kept = 25_000 if year - max(before.get(farm, [0])) <= 3 else 100_000
        weight = amount[farm] * (1, 2, 4)[BANDS.index(band)] * kept
        ticket = int(digest("\n".join(["2027-01", mark, seed, str(year), farm])), 16)
        place[farm] = (ticket * 2**64 // weight, farm)
    small = sorted(farms, key=lambda farm: (amount[farm], farm))
    third = len(farms) // 3
    for at, farm in enumerate(small):
        has[farm]["size"] = {
            "small" if at < len(farms) - 2 * third else "middle" if at < len(farms) - third else "large"
        }
    line = sorted(farms, key=place.__getitem__)
    least = isqrt(len(farms) - 1) + 1
    on_top: list[str] = []
    for k in sorted({least, file["size_asked"] or least}):
        for trait, more in [*((one, 0) for one in TRAITS), ("size", len(file["added"]))]:
            sample = {*line[:k], *on_top}
            if trait == "size" and len(sample) + more < 3:
                continue
            for value in sorted(set().union(*(has[farm][trait] for farm in farms))):
                with_it = [farm for farm in line if value in has[farm][trait]]
                large = sum(amount[farm] for farm in with_it) * k >= sum(amount.values())
                if (trait in ("crop", "size") or large) and not set(with_it) & {*sample, *on_top}:
                    on_top.append(with_it[0])
    return [*line[:k], *on_top, *file["added"]]
