"""Freezing a list and opening its seed by the command line, for tests that need a sample."""

from datetime import date
from pathlib import Path
from typing import Final

from provender.audit.sampling.draw import Side, commitment, freeze_list
from provender.audit.sampling.population import Proof, read_farms, years_shown
from provender.signing.canonical import canonical_json
from tests.audit.farms import BETWEEN, POINT

FROZEN_ON: Final = date(2026, 11, 22)
"""The seed moves with the day of the list, and with the seed who is drawn."""


def bound(farms: Path, seed: object = 1, proofs: tuple[Proof, ...] = ()) -> tuple[object, ...]:
    """Freeze a list with commitments made of a seed; return the arguments that draw from it."""
    folder = farms.parent
    secrets = {side: f"secret of the {side} side, seed {seed}" for side in Side}
    made = {side: commitment(secret) for side, secret in secrets.items()}
    history = years_shown(proofs, POINT, 2026, FROZEN_ON)
    population = read_farms(farms)[0]
    frozen = freeze_list(population, 2026, history, made, between=BETWEEN, day=FROZEN_ON, salt="salt of the test")
    (folder / f"frozen-{seed}.json").write_bytes(canonical_json(frozen.document()))
    arguments: list[object] = ["--frozen", folder / f"frozen-{seed}.json"]
    for side, secret in secrets.items():
        path = folder / f"{side}-{seed}.json"
        path.write_bytes(canonical_json({"secret": secret}))
        arguments += ["--open", f"{side}={path}"]
    return tuple(arguments)
