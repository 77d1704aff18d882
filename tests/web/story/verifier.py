"""The verifier: opens an audit, freezes and draws, recomputes a package, raises and resolves a finding, states."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.web.story import trade
from tests.web.story.stage import Desk, Stage, day, today

PHRASE: Final = "four unrelated words here"
MINUTE: Final = 60_000


def tell(stage: Stage) -> None:
    """Play the verifier's chapter; the elevator answers in between."""
    trade.let_the_verifier_in(stage)
    with stage.at_desk_of("verifier") as desk:
        open_audit(desk)
        draw(desk)
        recompute(desk)
        raise_a_finding(desk)
    trade.answer(stage)
    with stage.at_desk_of("verifier") as desk:
        resolve_it(desk)
        state(desk)
    trade.read_the_statement(stage)


def open_audit(desk: Desk) -> None:
    desk.go("Audits")
    desk.press("Enter the accreditation")
    desk.fill(memberships_forum="Global Accreditation Cooperation Incorporated", memberships_first=day(-320))
    desk.fill(memberships_source="The forum's list of members, looked up today")
    said = {"body": "An accreditor", "number": "T-1", "first": day(-300), "last": day(300)}
    said["scope"] = "Validation and verification of greenhouse gas statements: crops and biofuel feedstocks"
    desk.enter("Save", **said)
    register_the_key(desk)
    desk.go("Audits")
    desk.fill(audited=desk.stage.codes["elevator"], role="first point of aggregation", number="CF-12")
    desk.enter("Open the audit", harvest_year=str(today().year - 1), covered_first=day(-60), covered_last=day())
    desk.sees("heading", "Audit of Kaw Valley Elevator")


def draw(desk: Desk) -> None:
    desk.press("Farm sample")
    desk.press("Freeze the farms")
    desk.reads("Farms frozen: 1")
    desk.press("Open and draw")
    desk.reads("Farms drawn: 1")
    desk.shot("verifier-sample")
    desk.window.look("verifier-sample")


def home(desk: Desk) -> None:
    desk.go("Audits")
    desk.page.locator("main table").get_by_role("link").first.click()
    desk.sees("heading", "Audit of Kaw Valley Elevator")


def recompute(desk: Desk) -> None:
    """Have the farm's package made and recomputed beside the server, and wait for the result."""
    home(desk)
    desk.shot("verifier-audit")
    desk.press("Packages and recomputation")
    desk.fill(what=desk.stage.codes["farm"])
    desk.page.locator("main [name=absent][value=evidence]").check()
    desk.enter("Recompute here", reason="Papers are seen on the farm")
    desk.page.get_by_role("heading", name="Recomputation", exact=True).wait_for(timeout=2 * MINUTE)
    desk.shot("verifier-recomputation")
    desk.window.look("verifier-recomputation")


def raise_a_finding(desk: Desk) -> None:
    home(desk)
    desk.press("Findings")
    said = {"severity": "minor", "cite": "2100.032(a)", "subject": "Scale at North elevator", "owner": "Stan Novak"}
    desk.enter("Raise it", **said, text="The scale's certificate was not at hand.")


def resolve_it(desk: Desk) -> None:
    home(desk)
    desk.press("Findings")
    desk.page.locator("main table").get_by_role("link").first.click()
    desk.reads("The scale was certified in June")
    desk.shot("verifier-finding")
    desk.enter("Resolve", resolution="corrected", bearing="no misstatement", text="Certificate seen.")


def state(desk: Desk) -> None:
    """Draft the statement, sign it on the verifier's own machine, bring it back."""
    home(desk)
    desk.press("Statement")
    desk.page.locator("main [name=crops][value=corn]").check()
    desk.fill(lead_verifier="Vera Moss", independent_reviewer="Ilse Brandt", assurance="limited")
    desk.fill(objectives="Whether the claims agree with the records.")
    desk.fill(materiality_pct="5", materiality="On bushels and on CI.")
    # No buyer may rely on more: the elevator's own package was not recomputed, and nobody was visited.
    desk.fill(opinion="disclaimed", basis="Only the farm's package was recomputed, and no site was visited.")
    desk.press("Save the draft")
    desk.reads("Ready to be signed")
    desk.shot("verifier-statement")
    with desk.page.expect_download() as download:
        desk.press("Download the unsigned statement with its papers")
    unsigned = desk.stage.folder / "statement.zip"
    download.value.save_as(unsigned)
    desk.page.locator("main input[type=file]").set_input_files(sign_at_home(unsigned))
    desk.press("Take it in")
    desk.reads("Signed. Kaw Valley Elevator keeps it")
    desk.shot("verifier-signed")


def register_the_key(desk: Desk) -> None:
    """Make a key on the verifier's own machine and register its public half, the only one that leaves it."""
    phrase, key = desk.stage.folder / "phrase", desk.stage.folder / "vera"
    desk.stage.folder.mkdir(exist_ok=True)
    phrase.write_text(PHRASE + "\n", encoding="utf-8")
    run("keys", "new", str(key), "--passphrase-file", str(phrase))
    desk.go("Audits")
    desk.press("Signing key")
    desk.page.locator("main input[type=file]").set_input_files(key.with_suffix(".public.json"))
    desk.press("Register")
    desk.stands()
    desk.reads("on the holder's machine")


def sign_at_home(unsigned: Path) -> Path:
    """Sign on the verifier's own machine, with a key that the server never sees."""
    folder = unsigned.parent
    signed = folder / "signed.json"
    key = ["--key", str(folder / "vera.key.pem"), "--passphrase-file", str(folder / "phrase")]
    run("audit", "statement", "sign", str(unsigned), *key, "--out", str(signed))
    return signed


def run(*words: str) -> None:
    provender = Path(sys.executable).with_name("provender")
    done = subprocess.run([provender, *words], capture_output=True, text=True, check=False)  # noqa: S603 - our own program
    assert done.returncode == 0, done.stdout + done.stderr
