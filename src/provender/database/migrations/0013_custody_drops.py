from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('database', '0012_price_of_a_ton'),
    ]

    operations = [
        migrations.DeleteModel(name='SettlementComparison'),
        migrations.RemoveField(model_name='custodygrainentry', name='bin'),
    ]
