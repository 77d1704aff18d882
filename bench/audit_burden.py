"""``make burden``, last part: a full audit of the example's elevator and its sampled farms, played on the pages.

The demonstration is served as anybody serves it. The verifier reads and answers every line of the work program that
recomputation left, logs a look at each drawn farm and at the site, writes the engagement, has the finding answered,
writes and signs the statement. What the pages see is counted; what stands on them is read once. All of it is an
estimate of a practised person who makes no mistake, and the days in the field are not among it.
"""

import re
import sys
import tempfile
from pathlib import Path
from time import monotonic
from typing import Final

from playwright.sync_api import Page, expect, sync_playwright

from bench.burden import Burden
from bench.counted_pages import counting
from bench.demo_server import demo_server, sign_in

CHROMIUM: Final = "/usr/bin/chromium"
PATIENCE: Final = 180_000
MOST_MINUTES: Final = 60
VIC, ELI = "vic@verifier.example", "eli@elevator.example"
AUDIT: Final = "Audit Prairie Cooperative Elevator"
OPEN: Final = ".worklist > li:has(form):not(.done):not(:has(.line-state .chip.met))"
"""A line of the work program that neither a person nor recomputation has settled."""
SEEN: Final = "Seen on the farm and in its records"
ENGAGEMENT: Final = {
    "engaged_by": "Prairie Cooperative Elevator", "engaged_on": "2026-09-01", "addressee": "Buyers of the elevator",
    "party_responsibility": "It keeps the records and makes the claims.",
    "verifier_responsibility": "We give an opinion on the claims.",
    "impartiality": "Looked for by V. Check: no other work for the party.",
    "team": "Vic Check | lead | agronomy", "risks": "Double sale | 2100.032 | elevated | traced every lot",
    "sampling_plan": "Nine farms of 51, the riskiest first.",
    "procedures": "2100.032(a) | recomputed every movement | package | agrees", "reviewed_on": "2026-11-20",
}  # fmt: skip
STATEMENT: Final = {
    "lead_verifier": "Vic Check", "independent_reviewer": "Rosa Field", "objectives": "Whether claims are right.",
    "scope": "Custody of corn and soybeans, harvest 2025.", "criteria": "7 CFR part 2100", "assurance": "limited",
    "materiality_pct": "5", "materiality": "On bushels and on CI.", "opinion": "qualified",
    "basis": "All but what is named was done.",
}  # fmt: skip


def fill(page: Page, form: str, said: dict[str, str]) -> None:
    """Fill the fields of a form by their names."""
    for name, text in said.items():
        control = page.locator(f"{form} [name={name}]:not([type=hidden])").first
        if control.evaluate("one => one.tagName") == "SELECT":
            control.select_option(text)
        else:
            control.fill(text)


def step(page: Page, did: Burden, name: str) -> None:
    """Open a step of the audit from where one is in it, and read what stands there."""
    crumb = page.get_by_role("navigation").get_by_role("link", name=re.compile("^PV-prairie-coop-2026"))
    if crumb.count():
        crumb.first.click()
    page.locator("main").get_by_role("link", name=name, exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).not_to_contain_text("Audit of")
    did.reads(page.locator("main").inner_text())


def wait_for_recomputation(page: Page) -> None:
    """Wait until the package of the example, which the server recomputes beside its pages, has its result.

    Raises:
        TimeoutError: it never had.
    """
    end = monotonic() + PATIENCE / 1_000
    while not page.locator("main table").get_by_text("Nothing differs").count():
        if monotonic() > end:
            raise TimeoutError("the package was not recomputed")
        page.wait_for_timeout(2_000)
        page.reload()


def log_visits(page: Page, did: Burden) -> int:
    """Log a look at each drawn farm and at the site; return how many farms."""
    step(page, did, "Engagement")
    farms = page.locator("main select[name=farm] option:not([value=''])").count()
    for at in range(farms + 1):
        form = page.locator("form:has([name=seen])")
        if at < farms:
            form.locator("[name=farm]").select_option(index=at + 1)
        else:
            form.locator("[name=site]").fill("north")
        fill(page, "form:has([name=seen])", {"way": "visit", "on": "2026-10-12", "by": "Vic Check", "seen": SEEN})
        form.get_by_role("button").click()
        expect(page.locator("main [name=seen]")).to_have_value("")
    return farms


def write_engagement(page: Page) -> None:
    """Write what was agreed and planned."""
    fill(page, "form:has([name=engaged_by])", ENGAGEMENT)
    page.locator("form:has([name=engaged_by])").get_by_role("button").last.click()
    page.wait_for_load_state()


def answer_lines(page: Page, did: Burden) -> tuple[int, int]:
    """Answer each line of the work program that nothing settles; return how many, and how many recomputation settled.

    A reader opens each group of lines and, of each line, the form under it.
    """
    step(page, did, "Work program")
    answered = 0
    while (line := page.locator(OPEN).first).count():
        group = line.locator("xpath=ancestor::details[1]")
        if group.get_attribute("open") is None:
            group.locator(":scope > summary").click()
            did.reads(group.inner_text())
        name = str(line.get_attribute("id"))
        line.locator("summary", has_text="Mark").click()
        line.locator("[name=state]").select_option("done")
        line.locator("[name=note]").fill(SEEN)
        line.get_by_role("button", name="Save").click()
        expect(page.locator(f"[id='{name}'].done")).to_have_count(1)
        answered += 1
    return answered, page.locator(".worklist > li").count() - answered


def settle_the_finding(page: Page, did: Burden) -> None:
    """Read the answer of the elevator and resolve the finding."""
    step(page, did, "Findings")
    page.locator("main table").get_by_role("link").first.click()
    did.reads(page.locator("main").inner_text())
    fill(page, "main form:has([name=resolution])", {"resolution": "corrected", "text": "Certificate seen."})
    page.locator("main").get_by_role("button", name="Resolve", exact=True).click()
    page.wait_for_load_state()


def answer_the_finding(page: Page) -> None:
    """Answer the verifier's finding at the elevator's desk."""
    page.get_by_role("link", name="Audits of us", exact=True).first.click()
    for _ in ("the audit", "the finding"):
        page.locator("main table").get_by_role("link").first.click()
    fill(page, "main form:has([name=text])", {"text": "Certified in June; it is on file.", "evidence": "Page 3"})
    page.locator("main").get_by_role("button", name="Answer", exact=True).click()
    page.wait_for_load_state()


def state_and_sign(page: Page, did: Burden, phrase: str) -> None:
    """Write the statement, read it as it will stand, sign it."""
    step(page, did, "Statement")
    for crop in ("corn", "soybeans"):
        page.locator(f"main [name=crops][value={crop}]").check()
    fill(page, "main form:has([name=basis])", STATEMENT)
    page.locator("main").get_by_role("button", name="Save the draft", exact=True).click()
    expect(page.locator("main")).to_contain_text("Ready to be signed")
    did.reads(page.locator("main").inner_text())
    page.get_by_label("Passphrase", exact=True).fill(phrase)
    page.locator("main").get_by_role("button", name="Sign the statement", exact=True).click()
    expect(page.locator("main")).to_contain_text("Signed.")


def play(base: str, words: dict[str, str], phrase: str) -> tuple[Burden, Burden, int, tuple[int, int]]:
    """Play the audit; return what it cost verifier and elevator, the farms looked at and the lines answered."""
    vic, eli = Burden(), Burden()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM)
        expect.set_options(timeout=PATIENCE)
        desks = {}
        for who, did in ((VIC, vic), (ELI, eli)):
            page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            page.set_default_timeout(PATIENCE)
            counting(page, did)
            sign_in(page, base, who, words[who])
            desks[who] = page
        page = desks[VIC]
        page.locator("main").get_by_role("link", name=AUDIT).click()
        vic.reads(page.locator("main").inner_text())
        step(page, vic, "Farm sample")
        step(page, vic, "Packages and recomputation")
        wait_for_recomputation(page)
        farms = log_visits(page, vic)
        write_engagement(page)
        answered, settled = answer_lines(page, vic)
        answer_the_finding(desks[ELI])
        settle_the_finding(page, vic)
        state_and_sign(page, vic, phrase)
    return vic, eli, farms, (answered, settled)


def main() -> int:
    """Serve the demonstration, play the audit, print what it cost."""
    with tempfile.TemporaryDirectory() as folder, demo_server(Path(folder)) as (base, words, phrase):
        vic, eli, farms, (answered, settled) = play(base, words, phrase)
    sys.stdout.write(
        f"A full audit of an elevator and {farms} farms on the pages, {answered} lines answered by hand and {settled} "
        f"settled by recomputation: {vic.values} values, {vic.characters} characters, {vic.clicks} clicks: "
        f"{vic.minutes} minutes of the keystroke-level model (at most {MOST_MINUTES}), "
        f"{vic.whole_minutes} with reading and waiting.\n{vic.table()}\n"
        f"  The elevator's part: {eli.clicks} clicks, {eli.characters} characters, {eli.minutes} minutes.\n"
    )
    return int(vic.minutes > MOST_MINUTES)


if __name__ == "__main__":
    sys.exit(main())
