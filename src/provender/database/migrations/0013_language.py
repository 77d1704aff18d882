from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("database", "0012_price_of_a_ton"),
    ]

    operations = [
        migrations.RemoveField(model_name="person", name="language"),
    ]
