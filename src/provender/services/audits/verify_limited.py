"""Verify one package in a process of its own, with limits.

``python -I -m provender.services.audits.verify_limited PACKAGE ROLE... [held=FILE...] [pinned=FILE]``; what is held is
the verifier's own copy, and pinned are the keys that count.

It writes what it found as JSON to its output. A package is somebody else's files: whatever they do to this process,
the server goes on.
"""

import json
import resource
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from provender.audit.programme import Role
from provender.audit.recompute.verify import verify_package
from provender.problem import ProblemsError, refuse

MEBIBYTE: Final = 2**20
MEMORY: Final = 4096 * MEBIBYTE
"""Address space, libraries included; Polars reserves much more than it uses."""
FILE: Final = 1024 * MEBIBYTE
SECONDS: Final = 300


HELD, PINNED = "held=", "pinned="


def main(package: str, *given: str) -> int:
    """Limit this process, verify, write JSON; 0 when there is a result, 2 when the package cannot be used."""
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, FILE),
        (resource.RLIMIT_CPU, SECONDS),
    ):
        resource.setrlimit(what, (most, most))
    try:
        held, keys = ([Path(one.removeprefix(of)) for one in given if one.startswith(of)] for of in (HELD, PINNED))
        roles = [Role(one) for one in given if not one.startswith((HELD, PINNED))]
        own = [(path.name, path.read_bytes()) for path in held]
        pinned, day = keys[0].read_bytes() if keys else None, datetime.now(UTC).date()
        found = verify_package(
            Path(package), pinned=pinned, pinned_name="the keys known here", held=own, roles=roles, today=day
        ).found
    except ProblemsError as refused:
        json.dump({"problems": [one.as_json() for one in refused.problems]}, sys.stdout)
        return 2
    json.dump(found.as_json(), sys.stdout)
    return 0


def verify_limited(
    package: Path, roles: Iterable[Role], held: Iterable[Path] = (), pinned: Path | None = None
) -> dict[str, Any]:
    """Verify a package in a child process, with the verifier's own sample, findings and pinned keys, as plain data.

    Raises:
        ProblemsError: the package cannot be used, or the child did not end well.
    """
    given = (*map(str, roles), *(f"{HELD}{one}" for one in held), *([f"{PINNED}{pinned}"] if pinned else []))
    command = [sys.executable, "-I", "-B", "-m", "provender.services.audits.verify_limited", str(package), *given]
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and module, no shell
            command, capture_output=True, timeout=2 * SECONDS, check=False, env={"LC_ALL": "C.UTF-8"}
        )
        said: dict[str, Any] = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        remedy = "Make smaller packages, one farm at a time, or verify on your own machine."
        raise refuse(package.name, "Verifying took more than this server gives.", remedy, code="too_much") from None
    if done.returncode != 0:
        first = said["problems"][0]
        raise refuse(package.name, first["cause"], first["remedy"], code=first["code"])
    return said


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
