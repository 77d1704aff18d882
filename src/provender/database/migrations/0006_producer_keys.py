"""Tables for producers' keys and signed sale slips."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import provender.database.models.handle


class Migration(migrations.Migration):
    """Create the tables."""

    dependencies = [
        ("database", "0005_custody_in_transit"),
    ]

    operations = [
        migrations.CreateModel(
            name="SignedSlip",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "handle",
                    models.CharField(
                        default=provender.database.models.handle.new_handle, editable=False, max_length=12, unique=True
                    ),
                ),
                ("number", models.CharField(max_length=80, unique=True)),
                ("document", models.TextField()),
                ("document_hash", models.CharField(max_length=64)),
                ("signature", models.TextField()),
                ("at", models.DateTimeField()),
                (
                    "actor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signed_slips",
                        to="database.organisation",
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
            },
        ),
        migrations.CreateModel(
            name="ProducerKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "handle",
                    models.CharField(
                        default=provender.database.models.handle.new_handle, editable=False, max_length=12, unique=True
                    ),
                ),
                ("producer_id", models.CharField(max_length=80, verbose_name="producer")),
                ("fingerprint", models.CharField(max_length=43)),
                ("public", models.JSONField(verbose_name="public key")),
                ("sealed", models.JSONField(default=dict, verbose_name="sealed private key")),
                ("statement", models.JSONField(verbose_name="signed statement")),
                ("replaces", models.CharField(blank=True, max_length=43, verbose_name="fingerprint of the key before")),
                ("at", models.DateTimeField()),
                (
                    "holder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="producer_keys",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="producer_keys",
                        to="database.organisation",
                    ),
                ),
            ],
            options={
                "ordering": ("-id",),
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "fingerprint"), name="one_row_per_key")
                ],
            },
        ),
    ]
