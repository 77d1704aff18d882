"""What an elevator of the example chain does to the list of its farms and to the draw, and what must be named."""

from tests.audit.forge import moved
from tests.audit.prairie import AuditFiles


def farm_left_out(audit: AuditFiles) -> str:
    farm = audit.rng.choice([one["farm_id"] for one in audit.sample["population"]])
    audit.draw([row for row in audit.sample["population"] if row["farm_id"] != farm])
    return f"{farm}, "


def amount_listed_lower(audit: AuditFiles) -> str:
    row = audit.rng.choice(audit.sample["population"])
    row["bushels"] = moved(row["bushels"], "-100")
    audit.draw(audit.sample["population"])
    return f"{row['farm_id']}, {row['crop']}"


def other_county(audit: AuditFiles) -> str:
    farm = audit.rng.choice(audit.sample["sample"])
    rows = [row | {"county_fips": "20001"} if row["farm_id"] == farm else row for row in audit.sample["population"]]
    audit.draw(rows)
    return f"{farm}, "


def drawn_farm_exchanged(audit: AuditFiles) -> str:
    out = audit.rng.choice(audit.sample["sample"])
    others = sorted({row["farm_id"] for row in audit.sample["population"]} - set(audit.sample["sample"]))
    audit.sample["sample"] = sorted({*audit.sample["sample"], audit.rng.choice(others)} - {out})
    audit.write()
    return "audit/sample.json, sample"


def drawn_farm_not_packed(audit: AuditFiles) -> str:
    farm = audit.rng.choice(audit.sample["sample"])
    audit.without(farm)
    return f"records of {farm}."
