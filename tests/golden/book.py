"""The golden book: how a story is recorded as lines, and read back from ``book.jsonl``."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from provender.custody.model.store_view import Store
from tests.golden import machine

BOOK: Final = Path(__file__).parent / "book.jsonl"
OWNER: Final = "golden"


class Recorded(NamedTuple):
    """A story with all its answers.

    Attributes:
        name: what the story is about.
        lines: what is posted.
        answers: what each line is answered.
        events: every event that stands at the end, with text, digest, lots and what took it back.
        end: balances and origins.
    """

    name: str
    lines: list[str]
    answers: list[dict[str, Any]]
    events: list[dict[str, Any]]
    end: dict[str, Any]


def record(name: str, lines: list[str], store: Store) -> Recorded:
    """Post the lines of a story into an empty store and record all there is to see."""
    answers = machine.answers(store, lines)
    return Recorded(name, lines, answers, machine.events(store), machine.end(store))


def on_disk(recorded: Recorded, folder: Path) -> dict[str, Any]:
    """Write the events of a story into a book on disk; return its seals and the hash of the whole file."""
    path = folder / "golden.book"
    lines = machine.book_on_disk(path, OWNER, [event["text"] for event in recorded.events])
    header, *rest = map(json.loads, lines)
    seals = [line["chain"] for line in rest]
    return {"header": header, "sha256": sha256(path.read_bytes()).hexdigest(), "seals": seals}


def as_lines(recorded: Recorded, disk: dict[str, Any]) -> Iterator[str]:
    """Yield a story as lines of the committed file: a head, one line an event, and its end."""
    seals = disk.pop("seals")
    standing = {event["id"]: (event, seal) for event, seal in zip(recorded.events, seals, strict=True)}
    yield _json({"story": recorded.name, "book": disk})
    lines = [line for line in recorded.lines if line.strip()]
    for line, answer in zip(lines, recorded.answers, strict=True):
        written: dict[str, Any] = {"line": line, "answer": answer}
        if answer["status"] == "posted":
            event, seal = standing[json.loads(line)["id"]]
            stated = {name: value for name, value in event.items() if name != "id" and value}
            written |= {**stated, "seal": seal}
            if json.loads(event["text"]) == json.loads(line):
                del written["line"]
        yield _json(written)
    yield _json({"end": recorded.end})


def committed() -> dict[str, tuple[Recorded, dict[str, Any]]]:
    """Return the stories of the committed file by name, each with its book on disk."""
    stories: dict[str, tuple[Recorded, dict[str, Any]]] = {}
    recorded, disk = Recorded("", [], [], [], {}), {}
    for line in BOOK.read_text(encoding="utf-8").splitlines():
        plain = json.loads(line)
        if "story" in plain:
            recorded, disk = Recorded(plain["story"], [], [], [], {}), {**plain["book"], "seals": []}
            stories[recorded.name] = recorded, disk
        elif "end" in plain:
            recorded.end.update(plain["end"])
        else:
            recorded.lines.append(plain.get("line", plain.get("text")))
            recorded.answers.append(plain["answer"])
            if "text" in plain:
                recorded.events.append(_event(plain))
                disk["seals"].append(plain["seal"])
    return stories


def _event(plain: dict[str, Any]) -> dict[str, Any]:
    event = {"id": json.loads(plain["text"])["id"], "text": plain["text"], "digest": plain["digest"]}
    return {**event, "corrected_by": plain.get("corrected_by", ""), "lots": plain.get("lots", [])}


def _json(plain: dict[str, Any]) -> str:
    return json.dumps(plain, ensure_ascii=False)
