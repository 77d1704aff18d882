"""Writing the chain into a server: its parties, their books, and the custody book they share.

A party's id in the chain is the code (handle) of its organisation, so events, origins and signed documents name the
same parties here as in the four separate books of ``provender demo chain``.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC as DATETIME_UTC
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.contrib.auth.hashers import PBKDF2PasswordHasher, get_hasher, make_password
from django.db import transaction
from django.utils import timezone

from provender.audit.findings import Severity
from provender.audit.programme import Role as AuditRole
from provender.custody.documents.build import SLIP, period_document, slip_document, transfer_document
from provender.custody.documents.receive import sign_document
from provender.custody.events.closing import Closing
from provender.custody.events.registry import post, read_event
from provender.custody.model.event import Status
from provender.custody.model.store_view import StoreView
from provender.database.actor import Actor
from provender.database.actor import today as today_here
from provender.database.choices import Right, Role
from provender.database.models import farm as farm_models
from provender.database.models.accounts import Organisation, Person
from provender.database.models.audits import Audit, VerifierKey
from provender.database.store.custody import SqlStore
from provender.demo import farms as story
from provender.demo.asking import ask_soon
from provender.demo.chain import QUARTERS, Chain, accredited, build_chain
from provender.exact import parse
from provender.records.folder import BOUNDARIES, EVIDENCE, written_row
from provender.records.kind import KINDS, Record
from provender.services.accounts.grants import enter_contract, grant_reading
from provender.services.accounts.organisations import add_member, create_organisation, create_person
from provender.services.audits.audits import LineMark, Mark, Opening, SeedOpened, open_audit, record_accreditation
from provender.services.audits.programme import items_of, mark_line, raise_finding
from provender.services.audits.sample import commit_seed, freeze_farms
from provender.services.custody.documents import keep_signed, mark_on_server
from provender.services.farm.book import Edit, change_book, key_of, open_book
from provender.services.farm.boundaries import LEAF_SECRET
from provender.services.farm.files import store_upload
from provender.services.farm.folder import FILE
from provender.services.sealed_keys import CIPHER, IV_BYTES, KDF, LEAST_ROUNDS, SALT_BYTES
from provender.signing.canonical import canonical_json, document_hash
from provender.signing.jws import register
from provender.signing.keys import encode_base64url

VERIFIER, _CONSULTANT = "verifiers", "tall-grass"
PASSPHRASE: Final = "prairie demo passphrase"  # noqa: S105 - it opens nothing but made-up keys


class DemoPart(NamedTuple):
    """One organisation that somebody may sign in to, and who that is."""

    handle: str
    organisation: str
    roles: tuple[Role, ...]
    county: str
    person: str
    email: str
    what: str


CAST: Final[tuple[DemoPart, ...]] = (
    DemoPart("farm-01", "Abel Creek Farm", (Role.FARM,), "Pottawatomie", "Ada Abel", "ada@farm.example", "farm"),
    DemoPart(
        story.COOP, "Prairie Cooperative Elevator", (Role.FIRST_POINT,), "Riley", "Eli Bins", "eli@elevator.example",
        "elevator",
    ),
    DemoPart(
        story.CRUSHER, "Plains Crushing", (Role.PROCESSOR, Role.INTERMEDIARY), "Shawnee", "Cora Press",
        "cora@crusher.example", "crusher",
    ),
    DemoPart(
        story.DIESEL, "Sod Renewable Diesel", (Role.REFINER,), "Geary", "Ray Fuel", "ray@diesel.example", "oil refiner",
    ),
    DemoPart(
        story.HANDLES[story.ETHANOL], "Bluestem Ethanol", (Role.FIRST_POINT, Role.REFINER), "Dickinson", "Etta Still",
        "etta@ethanol.example", "ethanol refiner",
    ),
    DemoPart(
        VERIFIER, "Prairie Verification (made up)", (Role.VERIFIER,), "Shawnee", "Vic Check", "vic@verifier.example",
        "verifier",
    ),
    DemoPart(
        _CONSULTANT, "Tall Grass Agronomy", (), "Riley", "Connie Walker", "connie@agronomy.example", "consultant",
    ),
)  # fmt: skip


# The demonstration keys as people of the example find them in a browser: sealed under a passphrase all may know.


@cache
def _wrapping() -> tuple[bytes, bytes]:
    """Return salt and wrapping key of the example: one passphrase that all may know makes one, and slowly by design."""
    salt = hashlib.sha256(b"provender demonstration salt").digest()[:SALT_BYTES]
    return salt, hashlib.pbkdf2_hmac("sha256", PASSPHRASE.encode(), salt, LEAST_ROUNDS)


def _sealed_demo_key(party: str) -> dict[str, object]:
    """Return the demonstration key of a party as a browser seals one (``signing.js``)."""
    salt, under = _wrapping()
    iv = hashlib.sha256(f"provender demonstration iv of {party}".encode()).digest()[:IV_BYTES]
    text = story.private_half(party).private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    sealed = AESGCM(under).encrypt(iv, text, story.demo_key(party).fingerprint.encode())
    made = {"salt": salt, "iv": iv, "sealed": sealed}
    return {"kdf": KDF, "rounds": LEAST_ROUNDS, "cipher": CIPHER} | {
        name: encode_base64url(value) for name, value in made.items()
    }


def _seal_for_farm(farm: Organisation, holder: Person) -> None:
    """Keep the key that signed a farm's reports sealed for the person who sells there."""
    key, now = story.demo_key(farm.handle), timezone.now()
    rows = farm_models.rows_of(farm.books.get())["producer"]
    producer = next(name for name, row in rows.items() if row.get("key_fingerprint") == key.fingerprint)
    farm_models.ProducerKey.objects.create(
        organisation=farm, holder=holder, producer_id=producer, fingerprint=key.fingerprint,
        public=key.public.export(), sealed=_sealed_demo_key(farm.handle),
        statement=register(farm.handle, producer, key, on=timezone.localdate()), at=now,
    )  # fmt: skip


def _seal_for(rows: type[farm_models.PartyKey | VerifierKey], firm: Organisation, holder: Person) -> None:
    """Register the key that signs a verifier's statements or a party's documents, sealed for the person who signs."""
    key = story.demo_key(firm.handle)
    rows._default_manager.create(  # noqa: SLF001 - Django has no other name for it
        organisation=firm, fingerprint=key.fingerprint, public=key.public.export(),
        sealed=_sealed_demo_key(firm.handle), at=timezone.now(), actor=holder,
    )  # fmt: skip


# The farms' record books, evidence and signed reports as a server keeps them; all is that of the example's folders.

UTC: Final = ZoneInfo("UTC")


def _write_farms(
    seed: int,
    farms: int,
    organisations: Mapping[str, Organisation],
    managers: Mapping[str, Person],
    reports: Sequence[story.Report],
) -> None:
    """Write every farm's records in one change, keep its signed reports; the farm that amends writes both twice."""
    records, evidence = story.farm_records(seed, farms), story.farm_evidence(seed, farms)
    amended_later = story.amended_records(records)
    first, later = _by_farm(records), _by_farm(amended_later)
    again = story.second_printout(amended_later)
    for number in range(farms):
        farm = story.farm_id(number)
        actor = Actor(managers[farm], "demo")
        book = open_book(organisations[farm], farm_models.BookKind.FARM, actor=actor)
        mine = [one for one in reports if one.farm == farm]
        secret = Edit(FILE, LEAF_SECRET, {"text": story.demo_leaf_secret(farm)})
        files = [secret, *_boundaries(number, first[farm]), *_stored(organisations[farm], evidence[farm], actor)]
        change = change_book(book, [*first[farm], *files], reason="Season of the example", actor=actor)
        for one in mine:
            _keep(book, change, one, one.envelope, managers[farm])
        amended = [one for one in mine if one.amended]
        if amended:
            changed = [edit for edit in later[farm] if edit not in first[farm]]
            changed += _stored(organisations[farm], {again[0]["file"]: again[1]}, actor)
            change = change_book(book, changed, reason="Calculator run corrected", actor=actor)
            for one in amended:
                _keep(book, change, one, one.amended or {}, managers[farm])


def _boundaries(number: int, edits: Sequence[Edit]) -> Iterator[Edit]:
    """Yield the outline of each of a farm's units, under the name that its row says."""
    units = [edit.row for edit in edits if edit.kind == "unit" and edit.row is not None]
    for place, row in enumerate(units):
        text = json.dumps(story.boundary(number, place, parse(str(row["acres"])))) + "\n"
        yield Edit(FILE, f"{BOUNDARIES}/{row['boundary']}", {"text": text})


def _stored(organisation: Organisation, files: Mapping[str, bytes], actor: Actor) -> Iterator[Edit]:
    """Store files of evidence, and yield what the book says of each."""
    for name, content in files.items():
        stored = store_upload(organisation, name, content, actor=actor)
        yield Edit(FILE, f"{EVIDENCE}/{name}", {"sha256": stored.sha256, "upload": stored.handle})


def _by_farm(records: Mapping[str, Sequence[Record]]) -> dict[str, list[Edit]]:
    """Return the rows of each farm as edits, texts as a person would type them."""
    edits: dict[str, list[Edit]] = {}
    for farm, edit in _edits(records):
        edits.setdefault(farm, []).append(edit)
    return edits


def _edits(records: Mapping[str, Sequence[Record]]) -> Iterator[tuple[str, Edit]]:
    for name, rows in records.items():
        kind = KINDS[name]
        for row in rows:
            texts = dict(zip(kind.typed_fields, written_row(row, kind.typed_fields), strict=True))
            yield row.farm_id, Edit(name, key_of(kind, texts), texts)


def _keep(
    book: farm_models.Book, change: farm_models.Change, one: story.Report, envelope: Mapping[str, Any], person: Person
) -> None:
    document = envelope["document"]
    number = farm_models.ReportVersion.objects.filter(book=book, crop=one.crop, harvest_year=story.YEAR).count() + 1
    farm_models.ReportVersion.objects.create(
        book=book,
        crop=one.crop,
        harvest_year=story.YEAR,
        number=number,
        book_head=change.hash,
        document=canonical_json(document).decode(),
        document_hash=document_hash(document),
        signature=envelope["signature"],
        at=datetime.combine(datetime.fromisoformat(document["made_on"]), time(12), UTC),
        actor=person,
    )


# What the parties of the example signed, as a server keeps it: slips, transfer documents, statements of periods.
#
# They are made from the book that all share, after its year, as each party's own page would make them, and signed with
# the demonstration keys that the contracts name.

_VIA: Final = "demo"
_NOON: Final = time(12, tzinfo=DATETIME_UTC)


def _sign_papers(
    events: Iterable[Mapping[str, Any]], organisations: Mapping[str, Organisation], managers: Mapping[str, Person]
) -> None:
    """Sign the paper of every slip, sale and closed period, and keep each where its signer would.

    Args:
        events: the chain's, as posted on this server.
        organisations: by code.
        managers: who manages each.
    """
    with SqlStore(Actor(None, _VIA)).reading() as store:
        papers = [*_trading(store, events), *_closed(store, organisations)]
    for signer, document in papers:
        envelope = sign_document(document, story.key_of(signer))
        if signer not in organisations:  # a landowner without an account hands the slip to the buyer
            buyer = document["buyer"]["id"]
            content, by = canonical_json(envelope), Actor(managers[buyer], _VIA)
            store_upload(organisations[buyer], f"{document['number']}.json", content, actor=by)
        elif document["type"] == SLIP:
            _keep_slip(organisations[signer], envelope, managers[signer])
        else:
            keep_signed(organisations[signer], envelope, document, actor=Actor(managers[signer], _VIA))


def _trading(store: StoreView, events: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the document of every slip and sale with its signer, made on the day of the event."""
    for event in events:
        if event["type"] == "slip":
            yield event["giver"], slip_document(store, event["id"], as_of=date.fromisoformat(event["day"]))
        elif event["type"] == "sale":
            made = transfer_document(store, event["id"], as_of=date.fromisoformat(event["day"]))
            yield event["giver"], mark_on_server(made, event["giver"], event["id"], lines=0)


def _closed(store: StoreView, parties: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the statement of every closed period with its signer."""
    for party in parties:
        for closing in store.many(Closing, party):
            yield party, mark_on_server(period_document(store, party, closing.start), party, lines=0)


def _keep_slip(farm: Organisation, envelope: Mapping[str, Any], person: Person) -> None:
    document = envelope["document"]
    farm_models.SignedSlip.objects.create(
        organisation=farm,
        number=document["number"],
        document=canonical_json(document).decode(),
        document_hash=document_hash(document),
        signature=envelope["signature"],
        at=datetime.combine(date.fromisoformat(document["day"]), _NOON),
        actor=person,
    )


# The verifier's audit of the elevator, begun: farms frozen and drawn, a line seen, a finding open, books asked for.

_SCOPE: Final = "Carbon intensity of feedstocks; made up for the example."
YEAR: Final = timedelta(days=365)
_DUE: Final = timedelta(days=60)
_ANSWER: Final = timedelta(days=30)
_SEEN: Final = "The manual of the documented system was read; it names both sites. Made up for the example."
MISSING: Final = "The scale at the north site has no certificate of this year on file. Made up for the example."


def begin_audit(organisations: Mapping[str, Organisation], verifier: str, today: date, *, actor: Actor) -> Audit:
    """Bring an audit of the elevator to where its verifier would go on working.

    Args:
        organisations: of the example, by code.
        verifier: the code of the verifier, whom the elevator and its farms let in.
        today: the day; the audit covers the quarters that ended before it.
        actor: the verifier's person.

    Raises:
        ProblemsError: the example does not allow it.
    """
    firm = organisations[verifier]
    shown = accredited(firm.name, firm.handle, _SCOPE, today - YEAR, today + YEAR)
    record_accreditation(firm, shown, actor=actor)
    ended = [end for _, end in QUARTERS if end < today] or [QUARTERS[-1][1]]
    opening = Opening(
        role=AuditRole.FIRST_POINT, number=f"PV-{story.COOP}-{ended[-1].year}", harvest_year=QUARTERS[0][0].year - 1,
        covered_first=QUARTERS[0][0], covered_last=ended[-1], due_on=max(today, ended[-1]) + _DUE,
    )  # fmt: skip
    audit = open_audit(firm, organisations[story.COOP], opening, actor=actor)
    freeze_farms(audit, actor=actor)
    commit_seed(audit, SeedOpened(), actor=actor)
    items = items_of(audit)
    mark_line(audit, items[0], LineMark(state=Mark.DONE, note=_SEEN), actor=actor)
    said = {
        "severity": str(Severity.MINOR), "cite": "2100.032(a)", "subject": "Scale at north", "text": MISSING,
        "owner": str(audit.audited), "due": (today + _ANSWER).isoformat(),
    }  # fmt: skip
    raise_finding(audit, said, actor=actor)
    return audit


SEED: Final = 2100
BY: Final = Actor(None, "demo")
_ADVISED: Final = 12
"""Farms whose books the consultant keeps."""
_GRANTED_DAYS: Final = 365


def _load_chain(farms: int, today: date | None) -> None:
    """Make the chain's parties with their books and papers; ``farms`` and ``today`` as in ``server.load_demo``.

    Raises:
        RuntimeError: an event of the chain was refused.
    """
    reports = list(story.signed_reports(SEED, farms))
    chain = build_chain(SEED, reports)
    if today is not None and today > QUARTERS[0][1]:
        chain.events = [event for event in chain.events if event["day"] <= today.isoformat()]
    organisations, managers = _organisations(reports, farms)
    _contracts(chain, organisations, managers)
    _write_farms(SEED, farms, organisations, managers, reports)
    _post(chain)
    _sign_papers([story.as_posted(event) for event in chain.events], organisations, managers)
    _visitors(organisations, managers, farms)
    _seal_for_farm(organisations[story.farm_id(0)], managers[story.farm_id(0)])
    _seal_for(VerifierKey, organisations[VERIFIER], managers[VERIFIER])
    for party in (story.COOP, story.CRUSHER, story.DIESEL):
        _seal_for(farm_models.PartyKey, organisations[party], managers[party])
    if today is not None:
        begin_audit(organisations, VERIFIER, today, actor=Actor(managers[VERIFIER], BY.via))


def _organisations(reports: list[story.Report], farms: int) -> tuple[dict[str, Organisation], dict[str, Person]]:
    """Make every organisation with somebody who manages it, and return both by code."""
    organisations, managers = {}, {}
    for part in CAST:
        managers[part.handle] = create_person(part.email, name=part.person, password=None, actor=BY)
        organisations[part.handle] = create_organisation(
            part.organisation, roles=part.roles, manager=managers[part.handle], county=part.county, state="KS",
            handle=part.handle, actor=BY,
        )  # fmt: skip
    names = {one.farm: one.name for one in reports}
    counties = [row["county"] for row in story.farm_records(SEED, farms)["farm"]]
    for number, county in enumerate(counties):
        farm = story.farm_id(number)
        if farm in organisations:
            continue
        family = names[farm].split()[0]
        # Nobody signs in as these: they are there so that each farm has somebody who let the verifier in.
        managers[farm] = create_person(f"{farm}@farms.example", name=f"{family} (made up)", password=None, actor=BY)
        organisations[farm] = create_organisation(
            names[farm], roles=[Role.FARM], manager=managers[farm], county=county, state="KS", handle=farm, actor=BY
        )
    return organisations, managers


def _contracts(chain: Chain, organisations: dict[str, Organisation], managers: dict[str, Person]) -> None:
    """Enter the chain's contracts of supply in the buyers' registers."""
    for event in (story.as_posted(one) for one in chain.events if one["type"] == "contract"):
        buyer, seller = event["entity"], event["counterparty"]
        if event["role"] != "supplier" or seller not in organisations:
            continue
        enter_contract(
            organisations[seller], organisations[buyer], number=event["number"],
            signed_on=read_event(event).day, actor=Actor(managers[buyer], BY.via),
        )  # fmt: skip


def _post(chain: Chain) -> None:
    store = SqlStore(BY)
    for event in chain.events:
        outcome = post(store, read_event(story.as_posted(event)))
        if outcome.status is not Status.POSTED:
            raise RuntimeError(f"{event['id']}: {outcome.status}: {outcome.message}")


def _visitors(organisations: dict[str, Organisation], managers: dict[str, Person], farms: int) -> None:
    """Let the consultant write for some farms, and the verifier read the elevator and its farms."""
    for number in range(min(_ADVISED, farms)):
        add_member(
            organisations[story.farm_id(number)], managers[_CONSULTANT], Right.WRITE, actor=BY,
            on_behalf_of=organisations[_CONSULTANT],
        )  # fmt: skip
    today = today_here()
    for handle in (story.COOP, *(story.farm_id(number) for number in range(farms))):
        grant_reading(
            organisations[handle], organisations[VERIFIER], first_day=today - timedelta(days=7),
            last_day=today + timedelta(days=_GRANTED_DAYS), purpose="Audit of the elevator",
            actor=Actor(managers[handle], BY.via),
        )  # fmt: skip


# The chain on one server: loaded once, its people given new passwords at each start.
#
# What loads it is imported only where it is not there yet: a second start waits for nothing of it.

ROUNDS: Final = 1_000
"""Of hashing a password that was drawn at random."""


def load_demo(farms: int = story.FARMS, today: date | None = None) -> Iterator[str]:
    """Load the chain unless it is there, give the people of the cast new passwords, and yield lines that show them.

    Everything is made from one seed and written in one transaction. ``farms`` fewer than all are quicker.

    Args:
        farms: how many.
        today: nothing that the story dates later has happened yet, and the verifier has begun his audit; None tells
            the whole year without an audit. A day before the first period ended tells the whole year too.

    Raises:
        RuntimeError: the example does not stand on this server; nothing is written.
    """
    with transaction.atomic():
        if not Organisation.objects.filter(handle=CAST[0].handle).exists():
            _load_chain(farms, today)
        lines = _sign_in()
    said = f"every farm, key, run and document is made up. Whoever signs does so with the passphrase '{PASSPHRASE}':"
    yield f"Demo accounts (e-mail, password, role, organization); {said}"
    yield from lines


def load_begun(today: date) -> Iterator[str]:
    """Load the example as it stands on a day, with the verifier's audit begun and the elevator's books asked for.

    They are asked for, packed and recomputed beside the server; the package is there soon after the server answers.
    """
    begun = Organisation.objects.filter(handle=VERIFIER).exists()
    yield from load_demo(today=today)
    if not begun:
        ask_soon(today)


def _sign_in() -> list[str]:
    """Give everybody of the cast a new password, and return the lines that show them."""
    passwords = [secrets.token_urlsafe(9) for _ in CAST]
    for part, password in zip(CAST, passwords, strict=True):
        Person.objects.filter(email=part.email).update(password=_hashed(password))
    return [
        f"  {part.email:24} {password:14} {part.what:16} {part.organisation}"
        for part, password in zip(CAST, passwords, strict=True)
    ]


def _hashed(password: str) -> str:
    """Return the hash of a password of 72 random bits, made for this start, in few rounds: nobody guesses one.

    Many rounds, a quarter of a second each time by design, protect what people choose. When somebody signs in Django
    makes the hash anew with them.
    """
    hasher = get_hasher()
    if isinstance(hasher, PBKDF2PasswordHasher):
        return hasher.encode(password, hasher.salt(), iterations=ROUNDS)
    return make_password(password)
