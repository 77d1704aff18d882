"""A transparency log: an append-only Merkle tree of document hashes by RFC 6962, its signed heads, and proofs from it.

Whoever holds one head, on paper if need be, can tell later whether a document was in the log when the head was given
(inclusion), and whether a later head grew out of it (consistency). A document exchanged, a log cut short and a log told
in two ways are each said. The log is a text file: the SHA-256 of one document a line, oldest first, nothing else.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from provender.problem import ProblemsError, refuse
from provender.signing.canonical import canonical_json, read_json, sha256_hex
from provender.signing.jws import Span, Status, check, sign, signs_on
from provender.signing.keys import PublicKey, SigningKey
from provender.signing.merkle import Tree, grew, leaf_hash, root_of_path

HEAD: Final = "provender-log-head"
PROOF: Final = "provender/log-proof"
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_GROUP: Final = 8


@dataclass(frozen=True, slots=True)
class LogHead:
    """What a log was on a day."""

    log: str  # whose log, as it calls itself
    on: date  # the day the signer states
    size: int  # documents in it
    root: str  # of the tree over their hashes, 64 hexadecimal digits

    def document(self) -> dict[str, Any]:
        return {"log": self.log, "on": self.on.isoformat(), "size": self.size, "root": self.root}

    def on_paper(self) -> str:
        """Return the head as two short lines to be written down or read out."""
        groups = " ".join(self.root[at : at + _GROUP] for at in range(0, len(self.root), _GROUP))
        return f"Log {self.log}, {self.on}, {self.size} documents\n{groups}"

    @classmethod
    def read(cls, document: object, file: str) -> "LogHead":
        """Read what ``document`` wrote.

        Raises:
            ProblemsError: it is no head.
        """
        wrong = refuse(file, "This is no head of a log.", "Use the file as it was written.", code="no_head")
        if not isinstance(document, Mapping) or document.keys() != {"log", "on", "size", "root"}:
            raise wrong
        try:
            found = cls(str(document["log"]), date.fromisoformat(document["on"]), document["size"], document["root"])
        except (TypeError, ValueError):
            raise wrong from None
        whole = isinstance(found.size, int) and not isinstance(found.size, bool) and found.size > 0
        if not whole or not isinstance(found.root, str) or not _HASH.fullmatch(found.root):
            raise wrong
        return found


def is_head(envelope: object) -> bool:
    """Tell whether something is meant as a signed head of a log, whether its signature holds or not."""
    document = envelope.get("document") if isinstance(envelope, Mapping) else None
    return isinstance(document, Mapping) and document.keys() == {"log", "on", "size", "root"}


def mark_of(content: bytes) -> str:
    """Return the hash under which a document stands in a log: of its canonical form where it is JSON, or lines of it.

    Other spacing, line ends and blank lines take no document out of a log; whatever is no JSON counts by its bytes.
    """
    for parts in ([content], [line for line in content.splitlines() if line.strip()]):
        try:
            return sha256_hex(b"\n".join(canonical_json(read_json(one)) for one in parts))
        except (ProblemsError, ValueError):
            continue
    return sha256_hex(content)


def read_log(text: str, file: str) -> list[str]:
    """Return the hashes of a log.

    Raises:
        ProblemsError: a line is no hash; nothing is guessed about a log.
    """
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        if not _HASH.fullmatch(line):
            raise refuse(
                file, f"Line {number} is no hash.", "Fetch the log as it was; it is never edited.", code="no_log"
            )
    return lines


def sign_head(head: LogHead, key: SigningKey) -> dict[str, object]:
    return sign(head.document(), key, typ=HEAD)


class LogTree:
    """A log from which many proofs are made.

    Args:
        marks: the hashes of its documents, oldest first, each once.
    """

    def __init__(self, marks: Sequence[str]) -> None:
        self.marks = marks
        self._tree = Tree([leaf_hash(bytes.fromhex(one)) for one in marks])
        self._places = {mark: place for place, mark in reversed([*enumerate(marks)])}

    def head(self, log: str, on: date) -> LogHead:
        return LogHead(log, on, len(self.marks), self._tree.root(len(self.marks)).hex())

    def begins_with(self, head: LogHead) -> bool:
        return head.size <= len(self.marks) and self._tree.root(head.size).hex() == head.root

    def holds(self, mark: str, size: int) -> bool:
        """Tell whether a document is among the first ones."""
        return self._places.get(mark, size) < size

    def growth(self, size: int, earlier: Iterable[int]) -> dict[str, list[str]]:
        """Return by earlier size what shows that the first ``size`` documents grew out of those."""
        return {
            str(one): [beside.hex() for beside in self._tree.growth(one, size)] for one in earlier if 0 < one <= size
        }

    def prove(self, mark: str, head: Mapping[str, object], earlier: Iterable[int]) -> dict[str, Any]:
        """Return the proof that a document stands in the log of a signed head, and that it grew out of earlier ones.

        Raises:
            ProblemsError: the document is not in it, or the head is not of this log.
        """
        found = LogHead.read(head.get("document"), "head")
        if not self.begins_with(found):
            raise refuse("head", "This head is not of this log.", "Sign a head of the log as it is.", code="other_log")
        if not self.holds(mark, found.size):
            cause, remedy = "The document is not in the log of this head.", "Append it, and sign a head."
            raise refuse("document", cause, remedy, code="not_in_log")
        place = self._places[mark]
        inclusion = [one.hex() for one in self._tree.path(place, found.size)]
        grown = self.growth(found.size, earlier)
        return {"kind": PROOF, "head": dict(head), "place": place, "inclusion": inclusion, "grew_from": grown}


@dataclass(frozen=True, slots=True)
class Objection:
    """What speaks against a proof."""

    code: str  # stable name, such as ``not_in_log``
    words: str  # a sentence
    shown: bool = True  # it is shown to be wrong; else only nothing shows that it is right

    def __str__(self) -> str:
        return self.words


def check_proof(
    proof: object,
    mark: str,
    pinned: Mapping[str, PublicKey],
    held: Iterable[LogHead] = (),
    *,
    days: Mapping[str, Sequence[Span]] | None = None,
    revoked: Mapping[str, date] | None = None,
) -> list[Objection]:
    """Return what speaks against a proof; nothing where it holds.

    Args:
        proof: what ``prove`` wrote.
        mark: hash of the document in hand.
        pinned: keys of the log by fingerprint.
        held: heads of this log that the reader was given before.
        days: on which each pinned key signs, by fingerprint.
        revoked: the day from which a key counts no more, by fingerprint.
    """
    try:
        return list(_proof_objections(proof, mark, pinned, held, (days or {}, revoked or {})))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, ProblemsError):
        return [Objection("no_log_proof", "This is no proof from a log, or one that was damaged.")]


def _proof_objections(
    proof: Any,  # noqa: ANN401 - JSON of a stranger; what it is not is answered by ``check_proof``
    mark: str,
    pinned: Mapping[str, PublicKey],
    held: Iterable[LogHead],
    until: tuple[Mapping[str, Sequence[Span]], Mapping[str, date]],
) -> Iterator[Objection]:
    if proof.keys() != {"kind", "head", "place", "inclusion", "grew_from"} or proof["kind"] != PROOF:
        raise ValueError("not a proof")
    checked, head = check(proof["head"], pinned, typ=HEAD), LogHead.read(proof["head"]["document"], "head")
    if checked.status is not Status.VALID:
        words = f"The head of the log is not signed by a key you have pinned ({checked.status})."
        yield Objection("log_head_not_signed", words, shown=checked.status is not Status.SIGNER_UNKNOWN)
    if not stands_in(proof, mark):
        words = "This document is not the one that stands in the log: it was exchanged, or never logged."
        yield Objection("not_in_log", words)
    for one in held:
        yield from _since(one, head, proof["grew_from"])
    days, revoked = until
    if checked.status is Status.VALID and (gone := revoked.get(checked.kid)):
        words = f"The key of the log {head.log} was revoked from {gone} on; its proof shows nothing."
        yield Objection("log_key_revoked", words, shown=False)
    elif checked.status is Status.VALID and not signs_on(head.on, days.get(checked.kid, [(None, None)])):
        words = f"The head of {head.on} is not of the days of its key; the proof shows nothing."
        yield Objection("log_head_out_of_days", words, shown=False)


def apart(one: LogHead, other: LogHead) -> list[Objection]:
    """Return what shows, without any proof, that two heads cannot both be of one log."""
    return [wrong for wrong in _since(one, other, {}) if wrong.shown]


def differs_from(proof: object, head: LogHead, other: LogHead) -> list[Objection]:
    """Return why the head of a proof and another one cannot be, or are not shown to be, of one log."""
    try:
        return list(_since(other, head, proof["grew_from"]))  # type: ignore[index]  # answered by the except
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return [Objection("no_log_proof", "This is no proof from a log, or one that was damaged.")]


def stands_in(proof: Mapping[str, Any], mark: str) -> bool:
    """Tell whether a document stands in the log under the head of a proof, whoever signed that.

    Raises:
        KeyError, TypeError, ValueError, AttributeError, ProblemsError: it is no proof.
    """
    head = LogHead.read(proof["head"]["document"], "head")
    place, beside = proof["place"], [bytes.fromhex(one) for one in proof["inclusion"]]
    if isinstance(place, bool) or not isinstance(place, int) or len(beside) > head.size.bit_length():
        raise ValueError("not a proof")
    led = root_of_path(leaf_hash(bytes.fromhex(mark)), place, head.size, beside)
    return led is not None and led.hex() == head.root


def _since(old: LogHead, head: LogHead, grown: Mapping[str, Sequence[str]]) -> Iterator[Objection]:
    """Yield how a log that was shown before and the one of this proof cannot be one log, or are not shown to be."""
    before = f"the head of {old.on} with {old.size} documents"
    if old.log != head.log:
        yield Objection("other_log", f"The proof is from the log {head.log}, and {before} of the log {old.log}.")
    elif old.size > head.size and head.on < old.on:
        # A proof made before the head was given: an honest log is shorter then.
        words = f"The proof is of {head.on}, earlier than {before}; ask for a proof under that head."
        yield Objection("log_growth_not_shown", words, shown=False)
    elif old.size > head.size:
        words = f"The log was cut short: it has {head.size} documents on {head.on}, after {before}."
        yield Objection("log_cut_short", words)
    elif old.size < head.size and head.on < old.on:
        words = f"The log was cut short: it had {head.size} documents on {head.on}, before {before}."
        yield Objection("log_cut_short", words)
    elif old.size == head.size and old.root != head.root:
        yield Objection("log_forked", f"The log was forked: {before} has another root.")
    elif old.size < head.size and str(old.size) not in grown:
        words = f"Nothing shows that the log grew out of {before}; ask for a proof since then."
        yield Objection("log_growth_not_shown", words, shown=False)
    elif old.size < head.size:
        beside = [bytes.fromhex(one) for one in grown[str(old.size)]]
        if not grew(old.size, bytes.fromhex(old.root), head.size, bytes.fromhex(head.root), beside):
            words = f"The log was forked or rewritten: it did not grow out of {before}."
            yield Objection("log_forked", words)
