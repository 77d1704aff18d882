"""How the sample mirrors the list, characteristic by characteristic (2100.040(a)(3)(iii)).

The strata divide only as finely as the sample can bear; this table shows what they left out, so that the verifier can
judge it and add farms. A farm with two crops counts under both.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from provender.audit.sampling.population import Farm, Population
from provender.audit.sampling.risk import Risk
from provender.audit.sampling.strata import by_size


def representation(
    population: Population, risks: Mapping[str, Risk], sample: Collection[str]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return, for each value of crop, size, state, county and risk, how many farms have it and how many are drawn."""
    size = by_size(population)
    kinds: dict[str, Callable[[Farm], Iterable[str]]] = {
        "crop": lambda farm: [row.crop for row in farm.crops],
        "size": lambda farm: [size(farm)],
        "state": lambda farm: [farm.state_fips],
        "county": lambda farm: [farm.county_fips],
        "risk": lambda farm: [risks[farm.farm_id].band],
    }
    table = {}
    for kind, values in kinds.items():
        farms = Counter(value for farm in population.farms for value in values(farm))
        drawn = Counter(value for farm in population.farms if farm.farm_id in sample for value in values(farm))
        table[kind] = {value: {"farms": farms[value], "sample": drawn[value]} for value in sorted(farms)}
    return table
