"""Farm lists for the tests of this room."""

import random
from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from provender.audit.sampling.draw import Opened, Side, commitment, freeze_list
from provender.audit.sampling.population import FarmCrop, Population, Proof, bare, freeze, sample_hash, years_shown
from provender.audit.sampling.sample import SampleRequest, draw_sample, sample_document
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.audit.verifier import statement

POINT, VERIFIER = "prairie-coop", "verity"
BETWEEN: Final = (POINT, VERIFIER)
KEY: Final = SigningKey.generate()
COUNTIES = ("19153", "19169", "29001", "17019")
YIELDS = {"corn": 190, "soybeans": 58, "sorghum": 90}


def farm(farm_id: str, crop: str = "corn", county: str = "19153", acres: int = 100, **more: int) -> FarmCrop:
    """Make a farm of usual yield; amounts in whole units."""
    bushels = more.pop("bushels", acres * YIELDS[crop]) * 1000
    return FarmCrop(farm_id, crop, county, bushels, more.pop("ci", 4000) * 100, acres * 1000)


def alike(count: int) -> Population:
    """Make farms that differ in nothing but their name."""
    return freeze(farm(f"F{number:03}") for number in range(count))


def mixed(count: int, seed: int, two_crops_each: int = 7) -> Population:
    """Make farms of all crops, counties and sizes; every so many supply a second crop."""
    return freeze(rows(count, seed, two_crops_each))


def rows(count: int, seed: int, two_crops_each: int = 7) -> Iterable[FarmCrop]:
    """Make the rows of ``mixed``."""
    chance = random.Random(seed)
    for number in range(count):
        crop = chance.choice(("corn", "corn", "soybeans", "sorghum"))
        county, acres = chance.choice(COUNTIES), chance.randint(20, 2000)
        yield farm(f"F{number:05}", crop, county, acres, ci=chance.randint(1000, 6000))
        if number % two_crops_each == 0:
            other = "soybeans" if crop != "soybeans" else "corn"
            yield farm(f"F{number:05}", other, county, acres, ci=chance.randint(1000, 6000))


def asked(
    population: Population,
    seed: str = "7",
    proofs: tuple[Proof, ...] = (),
    **more: Any,  # noqa: ANN401 - as SampleRequest takes it
) -> SampleRequest:
    """Freeze a list and open the seed of both sides over it, whose secrets are made of a text."""
    secrets = {side: f"the secret of the {side} side, {seed}" for side in Side}
    made = {side: commitment(secret) for side, secret in secrets.items()}
    year, day = more.pop("year", 2026), more.pop("day", date(2026, 11, 1))
    between = more.pop("between", BETWEEN)
    seen = years_shown(proofs, between[0], year, day)
    frozen = freeze_list(population, year, seen, made, between=between, day=day, salt="salt")
    return SampleRequest(population, frozen, Opened(secrets, on=day), proofs, **more)


def proof(farms: Iterable[str], year: int = 2025, point: str = POINT, **said: Any) -> Proof:  # noqa: ANN401
    """Return the signed statement of an earlier year, with its sample: it saw exactly these farms."""
    population = freeze(farm(name) for name in farms)
    request = asked(population, year=year, day=date(year, 11, 1), size=len(population.farms), between=(point, VERIFIER))
    sample = bare(sample_document(draw_sample(request)))
    rows = [{"farm": at, "way": "visit", "on": f"{year}-12-01", "by": "V. Moss"}
            for at in range(1, len(population.farms) + 1)]  # fmt: skip
    about: dict[str, Any] = {"audited": point, "sample_hash": sample_hash(sample), "work": {"farms": rows}}
    about |= {"issued_on": date(year, 12, 30), "verifier": VERIFIER}
    about |= {"covered_first": date(year - 1, 10, 1), "covered_last": date(year, 9, 30)}
    key = said.pop("key", KEY)
    one = statement(**{**about, **said})
    return Proof(sign(one.document(), key), sample)
