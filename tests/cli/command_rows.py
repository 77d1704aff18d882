"""Every command of the program, with words that make it do its work in a folder that two demonstrations filled."""

from typing import Final, NamedTuple

BOOK: Final = "demo/farm/book"
CHAIN: Final = "demo/chain"
COOP: Final = f"{CHAIN}/books/prairie-coop.jsonl"
CRUSHER: Final = f"{CHAIN}/books/plains-crush.jsonl"
REFINER: Final = f"{CHAIN}/books/sod-diesel.jsonl"
VERIFIER: Final = f"'{CHAIN}/keys/Prairie Verification.public.json'"
KEY: Final = "--key own.key.pem --passphrase-file pass"
NEXT_YEAR: Final = "--as-of 2027-01-20"

FILES: Final = {
    "pass": "seed rain barn owl heron\n",
    "tickets.csv": """\
Ticket No,Date,Location,Commodity,Customer,In/Out,Net Lbs,Moisture %,Net Bu
1001,2027-01-06,north,Soybeans,Abel Creek Farm,In,60000,13.0,1000.00
1003,2027-01-07,north,Soybeans,Plains Crushing,Out,12000,13.0,200.00
""",
    "contracts.csv": """\
Contract No,Date,Seller,Commodity,Bushels
C-7,2026-01-02,Abel Creek Farm,Soybeans,5000
""",
    "passes.csv": 'operation,speed_mph,depth_in,surface_pct\n"Plow, moldboard",,8,\n',
    "wrong/operation.csv": """\
operation_id,unit_id,day,operation,depth_in
O1,G70,2025-05-01,"Plow, moldboard",9x
""",
    "parties.csv": "entity,role,begun\nprairie-coop,first point of aggregation,2025-10-01\n",
    "quick_farms.csv": "farm_id,county_fips,crop,bushels,ci_g_per_bu,acres\nF1,19153,corn,20000,7000,100\n",
    "quick_events.jsonl": """\
{"type": "entity", "id": "e1", "day": "2026-01-02", "entity": "coop", "name": "Coop", "roles": ["first_point"]}
""",
    "receipt.json": '{"crop": "corn"}\n',
    "scale.jsonl": """\
{"type": "entity", "id": "scale", "day": "2026-01-20", "entity": "scale", "name": "A Scale", "roles": ["first_point"]}
""",
    "partners.jsonl": """\
{"type": "entity", "id": "e1", "day": "2025-12-01", "entity": "prairie-coop", "name": "Coop", "roles": ["first_point"]}
{"type": "contract", "id": "k1", "day": "2025-12-01", "entity": "plains-crush", "counterparty": "prairie-coop", \
"role": "supplier", "number": "K-1", "start_day": "2025-12-01", \
"signing_key": "0G0ZhSidYjatS-ldA0PSbJvhOLjqka8tAxsbDIm2IYU"}
{"type": "period", "id": "p1", "day": "2025-12-15", "entity": "plains-crush", "start_day": "2026-01-01", \
"end_day": "2026-03-31", "policy": "oldest_first"}
""",
}
"""What a user has beside the demonstrations."""


class Row(NamedTuple):
    """How one command is called.

    Attributes:
        words: what is typed after its name.
        status: how it ends.
        says: words of what it prints.
        leaves: a file that lies there afterwards, with something in it.
        before: commands that make what it begins with.
    """

    words: str = ""
    status: int = 0
    says: str = ""
    leaves: str = ""
    before: tuple[str, ...] = ()


OWN_KEY: Final = "keys new own --passphrase-file pass"
POPULATION: Final = f"audit population {COOP} --report {CHAIN}/papers/prairie-coop --out farms.csv"
OPENED: Final = (
    f"--farms farms.csv --frozen {CHAIN}/frozen.json"
    f" --open audited={CHAIN}/seed-audited.json --open verifier={CHAIN}/seed-verifier.json --as-of 2027-01-08"
)
PACKAGE: Final = f"audit package {COOP} --document {CHAIN}/papers/prairie-coop --out coop.zip --as-of 2027-01-11"
RAISED: Final = (
    "audit finding raise findings.jsonl 1 --by 'V. Moss' --severity minor --cite '2100.051(c)(3)'"
    " --subject F003 --owner F003 --due 2026-11-30 --text 'No speed for two passes.' --as-of 2026-11-01"
)
RESPONDED: Final = "audit finding respond findings.jsonl 1 --by 'A. Farmer' --text 'File attached.' --as-of 2026-11-02"
RESOLVED: Final = (
    "audit finding resolve findings.jsonl 1 --by 'V. Moss' --resolution corrected --text 'The file shows it.'"
    " --bearing 'no misstatement' --as-of 2026-11-03"
)
BEGUN: Final = "custody init mine.jsonl --entity mine --name 'My Elevator' --role first_point --site north"
SECOND: Final = (
    "custody init second.jsonl --entity plains-crush --name 'Plains Crushing' --role intermediary --site plant"
    " --as-of 2025-12-01"
)
PORTFOLIO: Final = f"portfolio export {BOOK} {CHAIN}/farms/farm-01 --to portfolio"
LOGGED: Final = "log append log.txt receipt.json"
HEAD: Final = f"log head log.txt --name 'My Elevator' {KEY} --out head.json"
PROVEN: Final = "log prove log.txt receipt.json --head head.json --out proof.json"
PINNED: Final = "audit pins pins.json --pin mine=own.public.json"
REJECTED: Final = f"import wrong/operation.csv --into {BOOK} --kind operation"
MIGRATED: Final = "manage migrate --verbosity 0"

FARM_ROWS: Final = {
    "check": Row(BOOK, 1, "G70"),
    "intensity": Row(f"{BOOK} --crop corn", 0, "corn"),
    "plan": Row(f"{BOOK} --unit K45", 0, "K45"),
    "growing": Row(f"{BOOK} --as-of 2026-04-01", 0, "No crop is growing"),
    "preview": Row(f"{BOOK} operation N40-01 'operation=Plow, moldboard' depth_in=8", 1, "N40"),
    "report": Row(f"{BOOK} --crop corn --year 2025 --out out --key demo/farm/key/ada.key.pem"
        " --passphrase-file demo/farm/key/passphrase.txt", leaves="out/BLUESTEM-corn-2025-v1.pdf"),
    "evidence": Row(BOOK),
    "deliver": Row(f"{BOOK} --to 'Big Blue Ethanol LLC' --as-of 2026-01-20", 0, "Big Blue"),
    "signature": Row("demo/farm/reports/BLUESTEM-corn-2025-v1.json --pinned demo/farm/key/ada.public.json", 0, "VALID"),
    "template": Row("--out season.xlsx", leaves="season.xlsx"),
    "import": Row(f"{CHAIN}/farms/farm-01/planting.csv --into {BOOK} --dry-run", 1),
    "rejects list": Row(BOOK, 1, "9x", before=(REJECTED,)),
    "rejects mend": Row(f"{BOOK} 1 --set depth_in=9", before=(REJECTED,)),
    "rejects dismiss": Row(BOOK, before=(REJECTED,)),
    "stir": Row("passes.csv", 0, "STIR"),
    "model argonne-2021": Row("model_rows.json", 0, "estimate, not USDA FD-CIC"),
    "rule calculators": Row(),
    "rule coverage": Row("", 0, "2100."),
    "rule show": Row("'2100.051(b)(1)'", 0, "2100.051(b)(1)"),
    "export": Row(f"{BOOK} --as adapt --out farm.zip", 1, "stays in the book", "farm.zip"),
}  # fmt: skip

CUSTODY_ROWS: Final = {
    "custody init": Row(BEGUN.removeprefix("custody init "), leaves="mine.jsonl"),
    "custody add": Row(f"{CRUSHER} scale.jsonl", 0, "posted"),
    "custody receive": Row(f"second.jsonl {CHAIN}/transfers/sale-111.json --as-of 2026-03-20", 0, "2,137",
        before=(SECOND, "custody add second.jsonl partners.jsonl")),
    "custody file": Row("mine.jsonl scale.jsonl", 0, "saved", before=(BEGUN,)),
    "custody close": Row("mine.jsonl 2026-03-31", 1, before=(BEGUN,)),
    "custody document": Row(f"{COOP} period 2026-01-01 --out letters {KEY}", leaves="letters", before=(OWN_KEY,)),
    "custody balance": Row(COOP, 0, "soybeans"),
    "custody day": Row(f"{COOP} --as-of 2026-03-31"),
    "custody trace": Row(f"{COOP} --chain quarter.svg --since 2026-01-01 --until 2026-03-31", leaves="quarter.svg"),
    "custody journal": Row(f"{COOP} --type sale", 0, "sale"),
    "custody lots": Row(COOP),
    "custody incoming": Row(f"{COOP} --since 2026-01-01 --on 2026-12-31", 0, "Berg Creek Farm"),
    "custody alerts": Row(f"{COOP} --as-of 2027-01-05", 1, "no_verification"),
    "custody retention": Row(f"{COOP} --as-of 2027-01-05"),
    "custody manual": Row(f"{COOP} --as-of 2027-01-05 --out manual.pdf", leaves="manual.pdf"),
    "custody tickets": Row("tickets.csv --as-of 2027-01-10 --save-map scale.json", 1, "1001", "scale.json"),
    "custody contracts": Row(f"{COOP} contracts.csv {NEXT_YEAR}", 1, "C-7"),
    "custody figures": Row(f"{REFINER} --year 2026 {NEXT_YEAR}"),
    "custody run": Row(f"{CHAIN}/events.jsonl"),
    "custody reconcile": Row(" ".join(f"{CHAIN}/{one}/*.json*" for one in ("books", "slips", "reports", "transfers"))),
}  # fmt: skip

AUDIT_ROWS: Final = {
    "audit population": Row(POPULATION.removeprefix("audit population "), leaves="farms.csv"),
    "audit seed": Row("secret.json", leaves="secret.json"),
    "audit freeze": Row("--farms farms.csv --year 2026 --audited coop --verifier verity --commitment verifier="
        + "1" * 64
        + " --commitment audited="
        + "2" * 64
        + " --out frozen.json", leaves="frozen.json", before=(POPULATION,)),
    "audit sample": Row(OPENED, before=(POPULATION,)),
    "audit redraw": Row("sample.json", before=(POPULATION, f"audit sample {OPENED} --json > sample.json")),
    "audit programme": Row("--role farm --harvested 2026-10-04 --practice no_till --out farm.xlsx", leaves="farm.xlsx"),
    "audit request": Row(
        "request.json --verifier verity --audited F007 --subject 'farm report' --first 2025-10-01 --last 2026-10-31"
        f" {KEY}", leaves="request.json", before=(OWN_KEY,)),
    "audit package": Row(PACKAGE.removeprefix("audit package "), leaves="coop.zip"),
    "audit pins": Row(f"pins.json --pin verity={VERIFIER}", leaves="pins.json"),
    "audit status": Row(f"--book {COOP} --as-of 2027-02-01", 1, "first point of"),
    "audit finding raise": Row(RAISED.removeprefix("audit finding raise "), leaves="findings.jsonl"),
    "audit finding respond": Row(RESPONDED.removeprefix("audit finding respond "), before=(RAISED,)),
    "audit finding resolve": Row(RESOLVED.removeprefix("audit finding resolve "), before=(RAISED, RESPONDED)),
    "audit finding reopen": Row(
        "findings.jsonl 1 --by 'V. Moss' --text 'It came back.' --due 2026-12-31 --as-of 2026-11-04",
        before=(RAISED, RESPONDED, RESOLVED)),
    "audit finding change": Row(
        "findings.jsonl 1 --by 'V. Moss' --text 'It is worse.' --severity major --as-of 2026-11-04",
        before=(RAISED,)),
    "audit finding list": Row("findings.jsonl --as-of 2026-11-05", 0, "No speed", before=(RAISED,)),
    "audit statement draft": Row("statement.json --role 'first point of aggregation' --package coop.zip",
        leaves="statement.json", before=(PACKAGE,)),
    "audit statement sign": Row(
        f"audit/draft.json {KEY} --out signed.json --sample audit/sample.json --findings audit/findings.jsonl"
        " --period audit/period.json --package audit/package.zip", leaves="signed.json", before=(OWN_KEY,)),
    "audit statement add": Row(
        f"{CHAIN}/statements/verification.json {KEY} --out later.json --effect withdrawn"
        f" --text 'A scale was wrong.' {NEXT_YEAR}",
        leaves="later.json", before=(OWN_KEY,)),
    "audit statement check": Row(
        f"{CHAIN}/statements/verification.json --pin {VERIFIER} --supplier prairie-coop --day 2026-03-01 --crop corn"
        " --as-of 2027-01-21"),
    # Kept on a day that has come, it is of a coming one itself: of whatever is entered, none is (interpretation 91).
    "audit statement keep": Row(f"{COOP} {CHAIN}/statements/verification.json --pin {VERIFIER} --as-of 2199-01-21", 2,
        "still to come"),
    "verify": Row(f"coop.zip --pinned {CHAIN}/pins.json", 0, "Nothing differs", before=(PACKAGE,)),
}  # fmt: skip

PORTFOLIO_ROWS: Final = {
    "portfolio export": Row(PORTFOLIO.removeprefix("portfolio export "), leaves="portfolio/manifest.json"),
    "portfolio import": Row("portfolio --farm BLUESTEM --into bluestem", leaves="bluestem/farm.csv",
        before=(PORTFOLIO,)),
    "portfolio validate": Row("portfolio", before=(PORTFOLIO,)),
    "portfolio check": Row("portfolio --out verdicts", leaves="verdicts", before=(PORTFOLIO,)),
    "portfolio intensity": Row("portfolio --out ci", 1, "farm_ci", leaves="ci", before=(PORTFOLIO,)),
    "portfolio plan": Row("portfolio --out plans", leaves="plans", before=(PORTFOLIO,)),
    "portfolio sister": Row("portfolio --out sisters", 1, "same_inputs_different_ci", leaves="sisters",
        before=(PORTFOLIO,)),
    "portfolio report": Row("portfolio --to report.html", leaves="report.html", before=(PORTFOLIO,)),
    "portfolio book": Row("trade --out balances.parquet", before=(f"portfolio export {COOP} {CRUSHER} --to trade",)),
    "portfolio claims": Row("trade --out found.parquet", before=(f"portfolio export {COOP} {CRUSHER} --to trade",)),
}  # fmt: skip

OTHER_ROWS: Final = {
    "keys new": Row("own --passphrase-file pass", leaves="own.key.pem"),
    "keys show": Row("demo/farm/key/ada.public.json"),
    "keys public": Row("own.key.pem --passphrase-file pass --out again.json", leaves="again.json", before=(OWN_KEY,)),
    "keys rotate": Row("own.key.pem next --passphrase-file pass", leaves="next.key.pem", before=(OWN_KEY,)),
    "keys revoke": Row("own.key.pem --reason lost --out gone.json --passphrase-file pass", leaves="gone.json",
        before=(OWN_KEY,)),
    "keys register": Row(
        "own.key.pem --organisation prairie-coop --producer 'Abel Creek' --out word.json --passphrase-file pass",
        leaves="word.json", before=(OWN_KEY,)),
    "keys sign": Row("out/BLUESTEM-corn-2025-v1-unsigned.json --key demo/farm/key/ada.key.pem"
        " --passphrase-file demo/farm/key/passphrase.txt --out signed.json", leaves="signed.json",
        before=(f"report {BOOK} --crop corn --year 2025 --out out",)),
    "timestamp request": Row("receipt.json", leaves="receipt.json.tsq"),
    "timestamp attach": Row("receipt.json answer.tsr --roots authority/root.pem", leaves="receipt.json.tsr"),
    "timestamp check": Row("receipt.json --roots authority/root.pem",
        before=("timestamp attach receipt.json answer.tsr --roots authority/root.pem",)),
    "log append": Row("log.txt receipt.json", leaves="log.txt"),
    "log head": Row(HEAD.removeprefix("log head "), leaves="head.json", before=(OWN_KEY, LOGGED)),
    "log sign": Row(f"--folder data --name 'My Elevator' {KEY} --out head.json", 2, "Nothing was signed",
        before=(OWN_KEY, MIGRATED)),
    "log prove": Row(PROVEN.removeprefix("log prove "), leaves="proof.json", before=(OWN_KEY, LOGGED, HEAD)),
    "log check": Row("proof.json receipt.json --pinned pins.json", before=(OWN_KEY, LOGGED, HEAD, PROVEN, PINNED)),
    "demo farm": Row("--out again", 0, "again", "again/farm/check.txt"),
    "demo basswood": Row("--samples nowhere --out again", 2, "examples/basswood/README.md"),
    "demo chain": Row("--out again --farms 5", 0, "every serial accounted for", "again/chain/events.jsonl"),
    "completion": Row("bash", 0, "_PROVENDER_COMPLETE"),
    "backup": Row("kept.tar.gz", leaves="kept.tar.gz", before=(MIGRATED,)),
    "restore": Row("kept.tar.gz --folder fresh", before=(MIGRATED, "backup kept.tar.gz")),
    "manage": Row("check", 0, "no issues"),
}  # fmt: skip

ROWS: Final = {**FARM_ROWS, **CUSTODY_ROWS, **AUDIT_ROWS, **PORTFOLIO_ROWS, **OTHER_ROWS}
ELSEWHERE: Final = {"serve": "tests/web/test_serve.py starts it and asks for its pages"}

# One command of each verb, on examples that lie in the tree: these run in `make test` too.
QUICK: Final = {
    **{
        name: ROWS[name]
        for name in (
            "check", "intensity", "plan", "growing", "preview", "evidence", "deliver", "export", "template",
            "rejects list", "stir", "model argonne-2021", "rule show", "keys new", "timestamp request", "log append",
            "completion",
        )
    },
    "report": Row(
        f"{BOOK} --crop corn --year 2025 --out out --as-of 2025-12-20", leaves="out/BLUESTEM-corn-2025-v1-unsigned.pdf"
    ),
    "manage": Row("check --tag database", 0, "no issues"),
    "signature": Row("receipt.json", 1, "not a signed document"),
    "import": Row(REJECTED.removeprefix("import "), 1, "9x"),
    "custody run": Row("quick_events.jsonl", 0, "1 event, 0 refused"),
    "audit sample": Row("--farms quick_farms.csv", 0, "1 farms"),
    "portfolio export": Row(f"{BOOK} --to portfolio", leaves="portfolio/manifest.json"),
    "verify": Row("elevator.zip --pinned chain-pins.json", 0, "Nothing differs"),
}  # fmt: skip
NOT_QUICK: Final = {"serve", "backup", "restore", "demo"}
"""Verbs that start a server or need one, and the demonstrations, which take seconds."""
