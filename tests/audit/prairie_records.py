"""What a farm of the example chain changes in its records, each with what a verifier must be told by name."""

from tests.audit.forge import later, moved
from tests.audit.prairie import FarmFiles
from tests.audit.prairie_books import OR


def _grown(farm: FarmFiles, unit: str) -> dict[str, str]:
    return farm.pick("harvest", harvest_id=f"{unit}-2025")


def depth(farm: FarmFiles) -> str:
    row = farm.rng.choice([one for one in farm.rows("operation") if one["day"] >= "2025-04-01"])
    farm.change("operation", row, depth_in=moved(row["depth_in"], "0.5"))
    return f"passes {row['operation_id']}"


def pass_date(farm: FarmFiles) -> str:
    row = farm.rng.choice([one for one in farm.rows("operation") if "2025-04-01" <= one["day"] <= "2025-09-01"])
    farm.change("operation", row, day=later(row["day"], farm.rng.choice((-3, 2))))
    return f"passes {row['operation_id']}"


def pass_dropped(farm: FarmFiles) -> str:
    row = farm.rng.choice([one for one in farm.rows("operation") if "2025-04-01" <= one["day"] <= "2025-09-01"])
    farm.drop("operation", row)
    return f"passes {row['operation_id']}"


def bushels(farm: FarmFiles) -> str:
    unit = farm.pick("calculator_run")["unit_id"]
    row = _grown(farm, unit)
    farm.change("harvest", row, bushels=moved(row["bushels"], str(farm.rng.randint(10, 300))))
    return f"unit {unit}"


def moved_between_units(farm: FarmFiles) -> str:
    grown = [one for one in farm.rows("harvest") if one["bushels"]]
    if len(grown) == 1:
        return bushels(farm)
    giver, taker = farm.rng.sample(grown, 2)
    amount = farm.rng.randint(50, 300)
    farm.change("harvest", giver, bushels=moved(giver["bushels"], f"-{amount}"))
    farm.change("harvest", taker, bushels=moved(taker["bushels"], str(amount)))
    return f"unit {taker['unit_id']}"


def harvest_date(farm: FarmFiles) -> str:
    unit = farm.pick("calculator_run")["unit_id"]
    row = _grown(farm, unit)
    farm.change("harvest", row, last_day=later(row["last_day"], farm.rng.randint(1, 5)))
    return f"unit {unit}"


def acres(farm: FarmFiles) -> str:
    row = farm.pick("unit")
    farm.change("unit", row, acres=moved(row["acres"], "7"))
    return f"unit {row['unit_id']}"


def run_ci(farm: FarmFiles) -> str:
    row = farm.pick("calculator_run")
    farm.change("calculator_run", row, ci_g_per_bu=str(farm.rng.randint(3000, 4900)))
    return f"unit {row['unit_id']}"


def run_practice(farm: FarmFiles) -> str:
    row = farm.pick("calculator_run")
    farm.change("calculator_run", row, n_timing="split_in_season")
    return f"unit {row['unit_id']}"


def run_county(farm: FarmFiles) -> str:
    row = farm.pick("calculator_run")
    farm.change("calculator_run", row, county_fips="20001")
    return f"unit {row['unit_id']}"


def national_default(farm: FarmFiles) -> str:
    row = farm.pick("national_default")
    farm.change("national_default", row, ci_g_per_bu=str(farm.rng.randint(9100, 9900)))
    return "national default g per bu"


def planted(farm: FarmFiles) -> str:
    row = farm.pick("planting")
    farm.change("planting", row, planted_on=later(row["planted_on"], farm.rng.randint(1, 4)))
    return f"unit {row['harvest_id'].partition('-')[0]}"


def declared(farm: FarmFiles) -> str:
    row = farm.pick("declaration")
    farm.change("declaration", row, made_on=later(row["made_on"], -farm.rng.randint(20, 60)))
    whose = f"of unit {row['harvest_id'].partition('-')[0]}"
    return f"declaration {row['harvest_id']} {whose}{OR}declaration records {whose}"


def counted(farm: FarmFiles) -> str:
    row = farm.pick("bushel_total")
    farm.change("bushel_total", row, bushels=moved(row["bushels"], str(farm.rng.randint(20, 900))))
    return f"bushel total {row['total_id']} of the farm{OR}bushel total records of the farm"


def reported_acres(farm: FarmFiles) -> str:
    row = farm.pick("reported_acres")
    farm.change("reported_acres", row, acres=moved(row["acres"], "11"))
    return f"reported acres {row['report_id']} of the farm{OR}reported acres records of the farm"
