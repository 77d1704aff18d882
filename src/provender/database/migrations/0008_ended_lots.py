"""The index over what ended a lot covers ended lots alone: a planner that counts rows never takes it for current ones."""

from typing import Any

from django.db import migrations, models


def drop_old(apps: Any, schema_editor: Any) -> None:
    table = apps.get_model("database", "CustodyLot")._meta.db_table
    with schema_editor.connection.cursor() as cursor:
        found = schema_editor.connection.introspection.get_constraints(cursor, table)
    for name, about in found.items():
        plain = about["index"] and not about["unique"] and not about["primary_key"]
        if plain and about["columns"] == ["ended_by_id"] and name != "lot_ended_by":
            schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")


class Migration(migrations.Migration):
    dependencies = [("database", "0007_signed_documents")]

    operations = [
        migrations.SeparateDatabaseAndState(
            # The table is not made anew for it: its guards stand on it.
            database_operations=[migrations.RunPython(drop_old, migrations.RunPython.noop)],
            state_operations=[
                migrations.AlterField(
                    model_name="custodylot",
                    name="ended_by",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=models.deletion.PROTECT,
                        related_name="ended",
                        to="database.custodyevent",
                    ),
                )
            ],
        ),
        migrations.AddIndex(
            model_name="custodylot",
            index=models.Index(
                condition=models.Q(("ended_by__isnull", False)), fields=["ended_by"], name="lot_ended_by"
            ),
        ),
    ]
