"""Records that the version before wrote as texts move into their tables; ``tests.golden`` shows it on SQLite."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connections, models

from provender import plain
from provender.database import guards
from provender.database.actor import Actor
from provender.database.models import CustodyEvent, CustodyEventParty, CustodyRecord, Stated
from provender.database.store.custody import SqlStore
from provender.database.store.custody_view import SqlFacts
from provender.database.store.records import TABLES, TextTable
from provender.signing.canonical import canonical_json
from tests.custody.ladders_stock import STOCKED
from tests.custody.world import posted

move = import_module("provender.database.migrations.0002_typed_records").move
USING = "postgres"


@pytest.mark.postgres
@pytest.mark.django_db(databases=["default", "postgres"])
def test_records_move_from_texts_into_their_tables_in_postgresql() -> None:
    posted(SqlStore(Actor(None, "test"), USING), STOCKED)
    facts, typed = SqlFacts(USING), [kind for kind, table in TABLES.items() if not isinstance(table, TextTable)]
    stated = {kind: facts.all_of(kind) for kind in typed}
    parties = sorted(CustodyEventParty.objects.using(USING).values_list("party", "event__name"))
    event = CustodyEvent.objects.using(USING).latest("id")
    for kind, records in stated.items():
        for each in records:
            text = canonical_json(plain.write(each, whole=True)).decode()
            row = CustodyRecord(kind=kind.kind, key=each.key, group=each.group, text=text, stated_by=event)
            row.save(using=USING)
    connection = connections[USING]
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    made: list[type[models.Model]] = [*Stated.__subclasses__(), CustodyEventParty]
    with connection.schema_editor(atomic=False) as editor:
        for model in made:
            editor.delete_model(model)
    with connection.schema_editor(atomic=False) as editor:
        move(apps, editor)
    guards.install(USING)
    facts = SqlFacts(USING)
    assert stated == {kind: facts.all_of(kind) for kind in typed}
    assert parties == sorted(CustodyEventParty.objects.using(USING).values_list("party", "event__name"))
    assert not CustodyRecord.objects.using(USING).filter(kind__in=[kind.kind for kind in typed]).exists()
    assert guards.missing(USING) == []
