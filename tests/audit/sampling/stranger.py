"""A stranger's redraw: written from docs/reference/draw.md alone, with nothing of the program."""

import json
from decimal import Decimal
from hashlib import sha256
from math import isqrt
from typing import Any

BANDS = ("low", "elevated", "high")


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
    assert secrets.keys() <= frozen["commitments"].keys()
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


def redraw(file: dict[str, Any]) -> list[str]:
    rows, year = file["population"], file["year"]
    mark, seed = digest(written(rows)), seed_of(file)
    assert (file["frozen"]["population_hash"], file["seed"]) == (mark, seed)
    assert file["frozen"]["history_hash"] == digest(written(file["audited_before"]))
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
        since = min(max(year - max(file["audited_before"].get(farm, [0])), 1), 7)
        weight = amount[farm] * (1, 2, 4)[BANDS.index(band)] * 2**since
        ticket = int(digest("\n".join(["2026-12", mark, seed, str(year), farm])), 16)
        place[farm] = (ticket * 2**64 // weight, farm)
    line = sorted(farms, key=place.__getitem__)
    k = file["size_asked"] or isqrt(len(farms) - 1) + 1
    sample = line[:k]
    for trait in ("crop", "risk", "state", "county"):
        for value in sorted(set().union(*(has[farm][trait] for farm in farms))):
            with_it = [farm for farm in line if value in has[farm][trait]]
            large = sum(amount[farm] for farm in with_it) * k >= sum(amount.values())
            if (trait == "crop" or large) and not set(with_it) & set(sample):
                sample.append(with_it[0])
    return sorted({*sample, *file["added"], *(farm for one in file["extensions"] for farm in one["added"])})
