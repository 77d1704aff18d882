"""A database of the thirteen migrations before ``0001_tables`` gets the typed tables, and its records move there.

Where ``0001_tables`` made the tables, there is nothing to do.
"""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.db import migrations

MOVED = {
    "entity": "CustodyEntity",
    "contract": "CustodyContract",
    "statement": "CustodyVerification",
    "period": "CustodyPeriod",
    "origin": "CustodyStanding",
    "slip": "CustodySlip",
    "pending": "CustodyPending",
    "grain": "CustodyGrainEntry",
}
LACKING: dict[str, Any] = {
    "sites": [], "resting": [], "end": None, "closed": None, "signing_key": "", "returned": "",
    "claim": "", "void": False, "name": "",
}  # fmt: skip
"""What a record was before its field was kept."""
NAMES = ("entity", "giver", "taker", "owner", "custodian", "plant")
AT_ONCE = 2_000


def move(apps: Any, schema_editor: Any) -> None:
    connection = schema_editor.connection
    present = set(connection.introspection.table_names())
    made = [apps.get_model("database", name) for name in (*MOVED.values(), "CustodyEventParty")]
    if all(model._meta.db_table in present for model in made):
        return
    for model in made:
        schema_editor.create_model(model)
    alias, bag = connection.alias, apps.get_model("database", "CustodyRecord")
    for kind, name in MOVED.items():
        old = bag.objects.using(alias).filter(kind=kind).order_by("id").iterator(AT_ONCE)
        write(apps.get_model("database", name), (moved(apps.get_model("database", name), each) for each in old), alias)
    events = apps.get_model("database", "CustodyEvent").objects.using(alias).order_by("id").iterator(AT_ONCE)
    party = apps.get_model("database", "CustodyEventParty")
    write(party, (party(event_id=event.pk, party=name) for event in events for name in named(event)), alias)
    on = "" if connection.vendor == "sqlite" else f' ON "{bag._meta.db_table}"'
    schema_editor.execute(f'DROP TRIGGER IF EXISTS "guard_record_delete"{on}')
    bag.objects.using(alias).filter(kind__in=MOVED).delete()


def write(model: Any, rows: Iterator[Any], alias: str) -> None:
    while some := list(islice(rows, AT_ONCE)):
        model.objects.using(alias).bulk_create(some)


def moved(model: Any, old: Any) -> Any:
    record = json.loads(old.text)
    known = {**LACKING, **record, "group": old.group}
    if "id" in record and old.kind in ("contract", "statement"):
        known["number"] = record["id"]
    if old.kind == "slip":
        known["open_bushels"] = sum(stop - start for start, stop in record["open_spans"])
    if old.kind == "origin":
        known["version"] = record["versions"][-1]["number"]
    own = {field.name for field in model._meta.fields} - {"id", "key", "stated_by"}
    values = {name: as_text(known[name]) for name in own}
    return model(key=old.key, stated_by_id=old.stated_by_id, **values)


def as_text(value: Any) -> Any:
    if isinstance(value, list):
        return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return value


def named(event: Any) -> list[str]:
    event_text = json.loads(event.text)
    return sorted({event_text[name] for name in NAMES if event_text.get(name)})


class Migration(migrations.Migration):
    dependencies = [("database", "0001_tables")]

    operations = [migrations.RunPython(move)]
