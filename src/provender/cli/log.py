"""``provender log``: an append-only log of document hashes, so that nothing once given can be exchanged unseen."""

import fcntl
from collections.abc import Collection, Mapping
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from provender.audit.package.layout import Pins, read_pins, read_statements
from provender.cli import output
from provender.cli.keys import open_key
from provender.signing.canonical import canonical_json
from provender.signing.transparency import LogHead, LogTree, apart, check_proof, mark_of, read_log, sign_head

app = typer.Typer(no_args_is_help=True, add_completion=False, help="A log of document hashes (RFC 6962).")

Log = Annotated[Path, typer.Argument(help="The log: one hash a line, oldest first.")]
Heads = Annotated[list[Path] | None, typer.Option("--held", help="A signed head given earlier; repeat for another.")]
HeadsAndKeys = Annotated[
    list[Path] | None,
    typer.Option("--held", help="A signed head given earlier, or a key's rotation or revocation; repeat for another."),
]


def _marks(log: Path) -> list[str]:
    return read_log(output.read_bytes(log).decode("ascii", "replace"), log.name)


def _read_heads(heads: list[Path] | None, but: Collection[str] = ()) -> list[LogHead]:
    there = [one for one in heads or () if str(one) not in but]
    return [LogHead.read(output.read_document(one).get("document"), one.name) for one in there]


def _name_in(proof: Mapping[str, object]) -> str:
    """Return what the log of a proof calls itself; empty where the proof does not say."""
    head = proof.get("head")
    document = head.get("document") if isinstance(head, Mapping) else None
    return str(document.get("log")) if isinstance(document, Mapping) else ""


@app.command()
@output.stopping
def append(log: Log, files: Annotated[list[Path], typer.Argument(help="Documents to enter.")]) -> None:
    """Enter documents that are not in the log yet; what stands in it is never changed."""
    marks = dict.fromkeys(mark_of(output.read_bytes(file)) for file in files)
    with log.open("a", encoding="ascii") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)  # two that enter at once would both count from the same end
        known = _marks(log)
        new = [one for one in marks if one not in known]
        # A log that was copied or edited may have lost the end of its last line.
        whole = not known or output.read_bytes(log).endswith(b"\n")
        stream.write(("" if whole or not new else "\n") + "".join(f"{one}\n" for one in new))
    Console().print(f"Entered: {len(new)}; the log has {len(known) + len(new)} documents.", markup=False)


@app.command()
@output.stopping
def head(
    log: Log,
    name: Annotated[str, typer.Option(help="What the log is called, such as the association that keeps it.")],
    key: Annotated[Path, typer.Option(help="Key of the log (`provender keys new`).")],
    out: Annotated[Path, typer.Option(help="Where the signed head goes, JSON.")],
    passphrase_file: output.PassphraseFile = None,
    as_of: output.AsOf = None,
) -> None:
    """Sign the head of the log as it is, and print it for paper: hand it to whoever should be able to tell."""
    found = LogTree(_marks(log)).head(name, as_of or output.today())
    LogHead.read(found.document(), log.name)
    output.write_new(out, canonical_json(sign_head(found, open_key(key, passphrase_file))))
    Console().print(output.visible(found.on_paper()), markup=False, highlight=False, soft_wrap=True)


@app.command()
@output.stopping
def sign(
    key: Annotated[Path, typer.Option(help="Key of the log (`provender keys new`); it stays yours.")],
    out: Annotated[Path, typer.Option(help="Where the signed head goes too, JSON: hand it to whoever asks.")],
    name: Annotated[str, typer.Option(help="What the log is called; needed the first time.")] = "",
    folder: Annotated[Path | None, typer.Option(help="Where the server's database and files lie.")] = None,
    passphrase_file: output.PassphraseFile = None,
    as_of: output.AsOf = None,
) -> None:
    """Sign the head of this server's own log, and keep it there: its proofs are made under it."""
    from provender.cli.serve import set_up

    set_up(folder)
    from provender.database.actor import Actor
    from provender.services import transparency

    found = transparency.head_to_sign(name, as_of or output.today())
    signed = sign_head(found, open_key(key, passphrase_file))
    transparency.keep_head(signed, actor=Actor(None, "command line"))
    output.write_new(out, canonical_json(signed))
    Console().print(output.visible(found.on_paper()), markup=False, highlight=False, soft_wrap=True)


@app.command(name="prove")
@output.stopping
def prove_file(
    log: Log,
    file: Annotated[Path, typer.Argument(help="A document that is in the log.")],
    signed_head: Annotated[Path, typer.Option("--head", help="The signed head to prove it under.")],
    out: Annotated[Path, typer.Option(help="Where the proof goes, JSON.")],
    held: Heads = None,
) -> None:
    """Write the proof that a document is in the log, and that the log grew out of heads given earlier."""
    sizes = [one.size for one in _read_heads(held)]
    proof = LogTree(_marks(log)).prove(mark_of(output.read_bytes(file)), output.read_document(signed_head), sizes)
    output.write_new(out, canonical_json(proof))
    Console().print(f"Written: {out}", markup=False, soft_wrap=True)


@app.command()
@output.stopping
def check(
    proof: Annotated[Path, typer.Argument(help="A proof from a log.")],
    file: Annotated[Path, typer.Argument(help="The document in your hands.")],
    pinned: Annotated[Path | None, typer.Option(help="Your list of pinned keys (`provender audit pins`).")] = None,
    held: HeadsAndKeys = None,
    as_json: output.Json = False,
) -> None:
    """Tell whether a document was exchanged, or the log cut short or told in two ways since a head you hold."""
    pins = read_pins(output.read_bytes(pinned), pinned.name, own=True) if pinned is not None else Pins()
    brought = {str(one): output.read_bytes(one) for one in held or ()}
    said = read_statements(brought, brought)
    pins, heads = pins.following(said), _read_heads(held, said.read)
    brought_proof = output.read_document(proof)
    days = pins.days_of_log(_name_in(brought_proof))
    against = check_proof(
        brought_proof, mark_of(output.read_bytes(file)), pins.keys, heads, days=days, revoked=said.revoked
    )
    against += [wrong for one, other in combinations(heads, 2) for wrong in apart(one, other)]
    found = [*(f"{one.path}: {one.claimed}, but {one.found}." for one in said.faults), *map(str, against)]
    if as_json:
        output.print_json({"holds": not found, "against": found})
    else:
        words = [*found] or ["The document stands in the log, and nothing speaks against it."]
        Console().print(output.visible("\n".join(words)), markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if found else output.ALL_WELL)
