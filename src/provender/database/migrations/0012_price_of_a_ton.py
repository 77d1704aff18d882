from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('database', '0011_party_keys'),
    ]

    operations = [
        migrations.AddField(
            model_name='membership',
            name='ton_price',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='cents a metric ton of CO2e'),
        ),
    ]
