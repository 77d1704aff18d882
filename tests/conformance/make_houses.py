"""Make the packages of an elevator, a crusher and a refiner: ``python -m tests.conformance.make_houses``.

As for the farm's, what is wrong in each was done here and not found by verification. The keys are made up for a run and
kept by nobody. Run again only when a package has to change.
"""

import json
from dataclasses import replace
from datetime import date
from random import Random
from typing import Any, Final

from provender.audit.package.layout import Part, entity_path, folder_name
from provender.audit.package.write import Header, Subject, make_package
from tests.audit import chain, tamper_entity
from tests.audit.forge import Files
from tests.audit.mutation.hands import reseal
from tests.audit.prairie import chain as prairie
from tests.audit.prairie import house_party
from tests.conformance.make_packages import HERE, NOTHING, SEED, write

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


def main() -> None:
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
    main()
