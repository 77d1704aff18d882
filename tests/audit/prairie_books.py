"""What a house of the example chain does to its own book, and what must be named."""

from decimal import Decimal
from typing import Any, Final

from tests.audit.forge import later, moved
from tests.audit.prairie import ELEVATOR, HouseFiles

OR: Final = " or "
"""Of several things, one is enough."""


def sold_less(house: HouseFiles) -> str:
    sale = house.pick("sale", giver=house.house)
    name = "bushels" if "bushels" in sale else "pounds"
    sale[name] = moved(sale[name], f"-{house.rng.randint(5, 900)}")
    return f"transfer document {sale['id']} of {house.house}"


def sold_on_another_day(house: HouseFiles) -> str:
    sale = house.pick("sale", giver=house.house)
    sale["day"] = later(sale["day"], house.rng.choice((-1, 1)))
    return str(sale["id"])


def lot_border(house: HouseFiles) -> str:
    slip = house.rng.choice([one for one in house.of("slip") if len(one["spans"]) == 1])
    (span,) = slip["spans"]
    by = house.rng.randint(1, 400)
    slip["spans"] = [[moved(span[0], str(by)), moved(span[1], str(by))]]
    return f"sale slip {slip['id']} of {slip['giver']}"


def moved_between_farms(house: HouseFiles) -> str:
    giver, taker = house.rng.sample([one for one in house.of("slip") if len(one["spans"]) == 1], 2)
    by = house.rng.randint(10, 400)
    for slip, change in ((giver, f"-{by}"), (taker, str(by))):
        slip["spans"] = [[slip["spans"][0][0], moved(slip["spans"][0][1], change)]]
        for bought in house.of("purchase", slip=slip["id"]):
            last = bought["tickets"][-1]
            last["bushels"] = moved(last["bushels"], change)
    return f"sale slip {giver['id']} of {giver['giver']}"


def first_report(house: HouseFiles) -> dict[str, Any]:
    return house.rng.choice([one for one in house.of("report") if one.get("version", 1) == 1])


def ci_of_farm(house: HouseFiles) -> str:
    report = first_report(house)
    report["ci"] = f"{house.rng.randint(4000, 5000)}.5"
    return f"report of {report['entity']}, {report['crop']}"


def bushels_of_farm(house: HouseFiles) -> str:
    report = first_report(house)
    report["bushels"] = moved(report["bushels"], str(house.rng.randint(1, 900)))
    return f"report of {report['entity']}, {report['crop']}"


def loss_hidden(house: HouseFiles) -> str:
    loss = house.pick("loss")
    name = "bushels" if "bushels" in loss else "pounds"
    loss[name] = str(Decimal(loss[name]) / 2 // 1)
    quarter = f"{loss['day'][:4]}-{(int(loss['day'][5:7]) - 1) // 3 * 3 + 1:02}-01"
    return f"{house.house}/{quarter}"


def period_border(house: HouseFiles) -> str:
    first, after = house.rng.choice(list(zip(house.of("period"), house.of("period")[1:], strict=False)))
    first["end_day"] = later(first["end_day"], -house.rng.randint(1, 9))
    return f"period {after['id']}"


def close_dropped(house: HouseFiles) -> str:
    house.events.remove(house.pick("close"))
    return f"period statement {house.house}/2026-"


def slip_dropped(house: HouseFiles) -> str:
    slip = house.pick("slip")
    house.events.remove(slip)
    return str(slip["id"])


def sale_dropped(house: HouseFiles) -> str:
    sale = house.pick("sale", giver=house.house)
    house.events.remove(sale)
    return str(sale["id"])


def crushing_yield(house: HouseFiles) -> str:
    rate = house.pick("yield")
    rate["rate"] = moved(rate["rate"], f"0.{house.rng.randint(11, 40)}")
    sold = [one for one in house.of("sale", giver=house.house) if rate["start_day"] <= one["day"] <= rate["end_day"]]
    return f"transfer document {sold[0]['id']} of {house.house}"


def crushed_more(house: HouseFiles) -> str:
    run = house.pick("process")
    run["bushels"] = moved(run["bushels"], str(-house.rng.randint(10, 900)))
    quarter = f"{run['day'][:4]}-{(int(run['day'][5:7]) - 1) // 3 * 3 + 1:02}-01"
    after = [one["id"] for one in house.of("sale", giver=house.house) if one["day"] >= run["day"]]
    papers = [f"transfer document {name} of {house.house}" for name in after]
    return OR.join([f"{house.house}/{quarter}", *papers])


def received_lower_ci(house: HouseFiles) -> str:
    letter = house.pick("document", giver=ELEVATOR)
    house.rng.choice(letter["lines"])["ci"] = str(house.rng.randint(3000, 4900))
    return f"transfer document {letter['number']} of {ELEVATOR}"


def received_less(house: HouseFiles) -> str:
    letter = house.pick("document", giver=ELEVATOR)
    line = max(letter["lines"], key=lambda one: Decimal(one["bushels"]))
    line["bushels"] = moved(line["bushels"], f"-{house.rng.randint(1, 50)}")
    return f"transfer document {letter['number']} of {ELEVATOR}"
