"""Ways to tamper with an entity's package, each with what a verifier must be told by name.

The entity holds its own key, so it can make its own papers anew; it cannot make those of its farms and customers.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any, Final

from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from tests.audit import chain
from tests.audit.forge import FORGER, Files
from tests.custody.world import Event

Edit = Callable[[Random, list[Event]], str]


@dataclass(frozen=True)
class Tampering:
    """One way to tamper.

    Attributes:
        name: for people.
        me: whose package.
        edit: changes the events of the book, which is sealed again; None for a change of papers.
        papers: changes the files after that.
        codes: what the code of the naming difference begins with.
        remake: the entity makes its own papers anew and signs them with its own key; a customer's copy still tells.
    """

    name: str
    me: str
    edit: Edit | None
    codes: tuple[str, ...]
    papers: Callable[[Random, Files], str] | None = None
    remake: bool = False


def _event(events: list[Event], name: str) -> Event:
    return next(one for one in events if one["id"] == name)


def _set(name: str, named: str, **fields: object) -> Edit:
    """Set fields of an event, each to a value or to what chance makes of it."""

    def edit(rng: Random, events: list[Event]) -> str:
        _event(events, name).update({field: one(rng) if callable(one) else one for field, one in fields.items()})
        return named

    return edit


def _drop(name: str, named: str) -> Edit:
    def edit(rng: Random, events: list[Event]) -> str:
        del rng
        events.remove(_event(events, name))
        return named

    return edit


SOLD: Final = "transfer document s1 of coop"
FIRST_PERIOD: Final = "p-coop-2026-01-01"
sold_less = _set("s1", SOLD, bushels=lambda rng: str(6000 + rng.randint(1, 900)))
sold_on_another_day = _set("s1", SOLD, day=lambda rng: f"2026-02-{rng.randint(2, 9):02}")
bought_less = _set("buy-ada", "coop/2026-01-01", bushels=lambda rng: str(5000 + rng.randint(1, 900)))
ci_of_farm = _set("report-ben-soybeans-2025-v1", "report of ben", ci=lambda rng: f"{rng.randint(4000, 5000)}.5")
bushels_of_farm = _set(
    "report-ada-soybeans-2025-v1", "report of ada", bushels=lambda rng: str(9000 + rng.randint(1, 900))
)
loss_hidden = _set("l1", "coop/2026-01-01", bushels=lambda rng: f"{rng.randint(1, 24)}.5")
grain_measured_lower = _set("m1", "coop/2026-01-01", amount=lambda rng: str(rng.randint(100, 2000)))
period_border = _set(FIRST_PERIOD, "period p-coop-2026-04-01", end_day=lambda rng: f"2026-03-{rng.randint(20, 29)}")
crushing_yield = _set("y1", "yield lb per bu", rate=lambda rng: f"11.{rng.randint(6, 9)}")
crushed_more = _set("x1", "crush/2026-01-01", bushels=lambda rng: str(5000 + rng.randint(1, 1900)))
oil_sold_less = _set("o1", "transfer document o1 of crush", pounds=lambda rng: str(30000 + rng.randint(1, 9000)))


def moved_between_farms(rng: Random, events: list[Event]) -> str:
    less = rng.randint(100, 900)
    for name, bushels in (("slip-ada", 6000 - less), ("slip-ben", 4000 + less)):
        _event(events, name)["spans"] = [["0", str(bushels)]]
    for name, bushels in (("buy-ada", 6000 - less), ("buy-ben", 4000 + less)):
        number = _event(events, name)["tickets"][0]["number"]
        _event(events, name)["tickets"] = [{"number": number, "bushels": str(bushels)}]
    return "sale slip slip-ada of ada"


def lot_border(rng: Random, events: list[Event]) -> str:
    by = rng.randint(1, 2000)
    _event(events, "slip-ben")["spans"] = [[str(by), str(4000 + by)]]
    return "sale slip slip-ben of ben"


def period_moved_whole(rng: Random, events: list[Event]) -> str:
    day = rng.randint(24, 29)
    _event(events, "p-coop-2026-01-01")["end_day"] = f"2026-03-{day}"
    _event(events, "p-coop-2026-04-01").update(start_day=f"2026-03-{day + 1}", end_day="2026-06-29")
    _event(events, "m1")["day"] = f"2026-03-{day}"
    _event(events, "c1")["day"] = f"2026-03-{day}"
    return "coop/2026-01-01"


def received_more(rng: Random, events: list[Event]) -> str:
    line = _event(events, "document-coop-s1")["lines"][0]
    line["bushels"] = str(float(line["bushels"]) - rng.randint(1, 50))
    return "transfer document s1 of coop, book of crush"


def received_lower_ci(rng: Random, events: list[Event]) -> str:
    _event(events, "document-coop-s1")["lines"][0]["ci"] = str(rng.randint(3000, 4900))
    return "transfer document s1 of coop, book of crush"


def seal_broken(rng: Random, files: Files) -> str:
    head, *lines = files[chain.book("coop")].decode().splitlines()
    at = rng.randrange(len(lines))
    data = json.loads(lines[at])
    data["event"]["actor"] = "somebody else"
    lines[at] = json.dumps(data)
    files[chain.book("coop")] = "\n".join([head, *lines, ""]).encode()
    return f"line {at + 2}"


def line_dropped(rng: Random, files: Files) -> str:
    lines = files[chain.book("coop")].decode().splitlines()
    at = rng.randrange(1, len(lines) - 1)
    del lines[at]
    files[chain.book("coop")] = "\n".join([*lines, ""]).encode()
    return f"line {at + 1}"


def _rewritten(me: str, name: str, change: Callable[[Random, dict[str, Any]], object], named: str) -> Any:  # noqa: ANN401
    """Edit a paper and sign it with the forger's key."""

    def papers(rng: Random, files: Files) -> str:
        envelope = json.loads(files[chain.paper(me, name)])
        change(rng, envelope["document"])
        typ = f"{envelope['document']['type']}+json"
        files[chain.paper(me, name)] = canonical_json(sign(envelope["document"], FORGER, typ=typ))
        return named

    return papers


def _without(me: str, name: str, named: str) -> Any:  # noqa: ANN401
    def papers(rng: Random, files: Files) -> str:
        del rng
        del files[chain.paper(me, name)]
        return named

    return papers


def _edited(me: str, name: str, named: str) -> Any:  # noqa: ANN401
    def papers(rng: Random, files: Files) -> str:
        envelope = json.loads(files[chain.paper(me, name)])
        envelope["document"]["number"] = f"{envelope['document']['number']}"
        envelope["document"]["made_on"] = f"2026-05-{rng.randint(10, 28)}"
        files[chain.paper(me, name)] = canonical_json(envelope)
        return named

    return papers


def more(rng: Random, document: dict[str, Any]) -> None:
    document["amount"] = str(float(document["amount"]) + rng.randint(1, 99))


def better(rng: Random, document: dict[str, Any]) -> None:
    document["lines"][0]["ci_g_per_bu"] = str(rng.randint(1000, 4000))


def fuller(rng: Random, document: dict[str, Any]) -> None:
    document["balance"]["lines"][0]["incoming_bu"] = str(rng.randint(10000, 20000))


def wider(rng: Random, document: dict[str, Any]) -> None:
    document["spans"][0]["stop"] = str(rng.randint(7000, 8000))


TRANSFER: Final = ("transfer_differs",)
BALANCE: Final = ("balance_differs",)
COPY: Final = ("copies_differ",)


def _statement(**changes: object) -> Callable[[Random, Files], str]:
    """Have the forger put another statement about the elevator in the crusher's package, under a key of his own."""

    def apply(rng: Random, files: Files) -> str:
        del rng
        files[chain.STATEMENT_ON_COOP] = canonical_json(chain.statement_on_coop(FORGER, **changes))
        return "V-1"

    return apply


def statement_of_the_elevators_own_making(rng: Random, files: Files) -> str:
    """Have the elevator state its own verification with the key that the verifier knows as the elevator's."""
    del rng
    files[chain.STATEMENT_ON_COOP] = canonical_json(chain.statement_on_coop(chain.KEYS_OF["coop"]))
    return "the key of coop"


def statement_edited(rng: Random, files: Files) -> str:
    envelope = json.loads(files[chain.STATEMENT_ON_COOP])
    envelope["document"]["materiality_pct"] = str(rng.randint(6, 50))
    files[chain.STATEMENT_ON_COOP] = canonical_json(envelope)
    return "V-1"


def statement_dropped(rng: Random, files: Files) -> str:
    del rng, files[chain.STATEMENT_ON_COOP]
    return "statement V-1 about coop"


TAMPERINGS: Final[tuple[Tampering, ...]] = (
    Tampering("sold_less", "coop", sold_less, TRANSFER),
    Tampering("sold_less, papers remade", "coop", sold_less, COPY, remake=True),
    Tampering("sold_on_another_day", "coop", sold_on_another_day, TRANSFER),
    Tampering("sold_on_another_day, papers remade", "coop", sold_on_another_day, COPY, remake=True),
    Tampering("bought_less", "coop", bought_less, BALANCE),
    Tampering("moved_between_farms", "coop", moved_between_farms, ("slip_differs",)),
    Tampering("moved_between_farms, papers remade", "coop", moved_between_farms, ("slip_differs",), remake=True),
    Tampering("lot_border", "coop", lot_border, ("slip_differs",)),
    Tampering("lot_border, papers remade", "coop", lot_border, ("slip_differs",), remake=True),
    Tampering("ci_of_farm", "coop", ci_of_farm, ("wrong_ci_of_farm",)),
    Tampering("ci_of_farm, papers remade", "coop", ci_of_farm, ("wrong_ci_of_farm",), remake=True),
    Tampering("bushels_of_farm", "coop", bushels_of_farm, ("wrong_bushels_of_farm",)),
    Tampering("loss_hidden", "coop", loss_hidden, BALANCE),
    Tampering("grain_measured_lower", "coop", grain_measured_lower, BALANCE),
    Tampering("period_border", "coop", period_border, ("book_period_not_continuous",)),
    Tampering("period_moved_whole", "coop", period_moved_whole, BALANCE),
    Tampering("policy", "coop", _set("p-coop-2026-01-01", "policy", policy="proportional"), (*BALANCE, *TRANSFER)),
    Tampering("purchase_dropped", "coop", _drop("buy-ben", "coop/2026-01-01"), (*BALANCE, "book_")),
    Tampering("slip_dropped", "coop", _drop("slip-ben", "purchase buy-ben"), ("book_record_not_found",)),
    Tampering("sale_dropped", "coop", _drop("s1", "transfer document s1"), ("transfer_differs:missing",)),
    Tampering("report_dropped", "coop", _drop("report-ben-soybeans-2025-v1", "slip slip-ben"), ("book_",)),
    Tampering("close_dropped", "coop", _drop("c1", "period statement"), ("balance_differs:missing",)),
    Tampering("seal_broken", "coop", None, ("book_seal",), seal_broken),
    Tampering("line_dropped", "coop", None, ("book_seal",), line_dropped),
    Tampering("crushing_yield", "crush", crushing_yield, TRANSFER),
    Tampering("crushing_yield, papers remade", "crush", crushing_yield, COPY, remake=True),
    Tampering("crushed_more", "crush", crushed_more, BALANCE),
    Tampering("received_less", "crush", received_more, ("booked_otherwise",)),
    Tampering("received_lower_ci", "crush", received_lower_ci, ("booked_otherwise",)),
    Tampering("received_lower_ci, papers remade", "crush", received_lower_ci, ("booked_otherwise",), remake=True),
    Tampering("oil_sold_less", "crush", oil_sold_less, TRANSFER),
    Tampering("process_dropped", "crush", _drop("x1", "sale o1"), ("book_",)),
    Tampering("document_dropped", "crush", _drop("document-coop-s1", "document s1"), ("document_not_booked",)),
    Tampering(
        "transfer_rewritten", "coop", None, ("signed_with_other_key",),
        _rewritten("coop", "transfer-s1.json", more, "transfer document s1"),
    ),
    Tampering(
        "transfer_ci_rewritten", "crush", None, ("booked_otherwise",),
        _rewritten("crush", "transfer-s1.json", better, "transfer document s1"),
    ),
    Tampering(
        "period_rewritten", "coop", None, BALANCE,
        _rewritten("coop", "period-2026-01-01.json", fuller, "incoming bu"),
    ),
    Tampering(
        "slip_rewritten", "coop", None, ("slip_differs", "signed_with_other_key"),
        _rewritten("coop", "slip-ada.json", wider, "sale slip slip-ada"),
    ),
    Tampering("slip_paper_dropped", "coop", None, ("paper_missing",), _without("coop", "slip-ada.json", "slip-ada")),
    Tampering(
        "report_paper_dropped", "coop", None, ("report_not_kept",), _without("coop", "report-ben.json", "report of ben")
    ),
    Tampering(
        "letter_dropped", "crush", None, ("paper_missing",), _without("crush", "transfer-s1.json", "s1 of coop")
    ),
    Tampering(
        "transfer_edited_under_signature", "coop", None, ("signature_signature_wrong",),
        _edited("coop", "transfer-s1.json", "transfer document s1"),
    ),
    Tampering("statement_dropped", "crush", None, ("statement_missing",), statement_dropped),
    Tampering("statement_edited", "crush", None, ("statement_signature_signature_wrong",), statement_edited),
    Tampering(
        "statement_by_itself", "crush", None, ("statement_signed_by_other",), statement_of_the_elevators_own_making
    ),
    Tampering("statement_forged", "crush", None, ("statement_signature_signer_unknown",), _statement()),
    Tampering(
        "statement_of_other_days", "crush", None, ("statement_differs",), _statement(covered_first=date(2025, 9, 1))
    ),
    Tampering(
        "statement_booked_wider", "crush", _set("v-coop", "statement V-1 about coop", end_day="2026-12-31"),
        ("statement_differs",),
    ),
    Tampering(
        "report_rewritten", "coop", None, ("signed_with_other_key", "other_report_than_received"),
        _rewritten("coop", "report-ben.json", lambda _, one: one.update(farm_ci_g_per_bu="4000"), "report of ben"),
    ),
)  # fmt: skip


def applied(tampering: Tampering, rng: Random, files: Files) -> str:
    """Tamper with the files of a package as told, and return what a verifier must be told by name."""
    me, named = tampering.me, ""
    if tampering.edit is not None:
        events = json.loads(json.dumps(chain.events_in(files, me)))
        named = tampering.edit(rng, events)
        files[chain.book(me)] = chain.sealed(me, events)
        if tampering.remake:
            for name, envelope in chain.own_papers(me, events, chain.KEYS_OF[me]).items():
                files[chain.paper(me, name)] = canonical_json(envelope)
    return tampering.papers(rng, files) if tampering.papers is not None else named


def forged(tampering: Tampering, seed: str) -> str:
    """Tamper as told, verify, and return what verification failed to say; empty when it named everything."""
    me, files = tampering.me, chain.clean(tampering.me)
    held = {name: content for name, content in files.items() if "transfer-" in name} if tampering.remake else {}
    named = applied(tampering, Random(seed), files)
    found = chain.verify(files, me, held={f"{number}.json": one for number, one in enumerate(held.values())})
    if any(named in str(one) and one.code.startswith(tampering.codes) for one in found.differences):
        return ""
    return f"{tampering.name}, seed {seed!r}: {named!r} of {tampering.codes} is not in:\n{found.text}"
