"""Every table. It stands for the thirteen migrations before it; what they left otherwise, the next one mends."""

import django.db.models.deletion
import provender.database.models.base
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("database", "0001_first_tables"),
        ("database", "0002_custody_book"),
        ("database", "0003_audits"),
        ("database", "0004_imports"),
        ("database", "0005_custody_in_transit"),
        ("database", "0006_producer_keys"),
        ("database", "0007_signed_documents"),
        ("database", "0008_ended_lots"),
        ("database", "0009_verifier_keys"),
        ("database", "0010_parties_locked_by_number"),
        ("database", "0011_events_corrected"),
        ("database", "0012_token_made_with_a_token"),
        ("database", "0013_settlement_comparisons"),
    ]

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Person',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('email', models.EmailField(max_length=254, unique=True, verbose_name='e-mail address')),
                ('name', models.CharField(blank=True, max_length=120, verbose_name='name')),
                ('is_active', models.BooleanField(default=True, verbose_name='may sign in')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
            ],
            options={
                'ordering': ('name', 'email'),
            },
        ),
        migrations.CreateModel(
            name='Book',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('handle', models.CharField(default=provender.database.models.base.new_handle, editable=False, max_length=12, unique=True)),
                ('kind', models.CharField(choices=[('farm', 'Farm records'), ('entity', 'Records of an elevator, processor or refiner')], max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='CustodyOrigin',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, unique=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Organisation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('handle', models.CharField(default=provender.database.models.base.new_handle, editable=False, max_length=12, unique=True)),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('county', models.CharField(blank=True, max_length=80, verbose_name='county')),
                ('state', models.CharField(blank=True, max_length=2, verbose_name='state')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ('name', 'id'),
            },
        ),
        migrations.CreateModel(
            name='Audit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('handle', models.CharField(default=provender.database.models.base.new_handle, editable=False, max_length=12, unique=True)),
                ('role', models.CharField(choices=[('farm', 'Farm'), ('first point of aggregation', 'First point of aggregation'), ('intermediary entity', 'Intermediary entity'), ('processor', 'Processor'), ('biofuel refiner', 'Biofuel refiner')], max_length=40)),
                ('number', models.CharField(max_length=40, verbose_name="verifier's number")),
                ('harvest_year', models.PositiveIntegerField()),
                ('covered_first', models.DateField()),
                ('covered_last', models.DateField()),
                ('due_on', models.DateField(verbose_name='statement due')),
                ('opened_at', models.DateTimeField()),
                ('opened_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('audited', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audits_of_it', to='database.organisation')),
                ('verifier', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audits_led', to='database.organisation')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('previous', models.CharField(blank=True, max_length=64)),
                ('hash', models.CharField(max_length=64, unique=True)),
                ('text', models.TextField()),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('book', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='database.book')),
                ('prepared_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='prepared_changes', to='database.organisation')),
            ],
            options={
                'ordering': ('book', 'number'),
            },
        ),
        migrations.CreateModel(
            name='BookImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('handle', models.CharField(default=provender.database.models.base.new_handle, editable=False, max_length=12, unique=True)),
                ('began_at', models.DateTimeField(auto_now_add=True)),
                ('files', models.JSONField(default=list)),
                ('said', models.JSONField(default=dict)),
                ('attempt', models.PositiveIntegerField(default=1)),
                ('book_version', models.PositiveIntegerField(default=0)),
                ('ended_at', models.DateTimeField(null=True)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('book', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imports', to='database.book')),
                ('change', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='imports', to='database.change')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='CustodyEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, unique=True)),
                ('type', models.CharField(max_length=40)),
                ('day', models.DateField()),
                ('digest', models.CharField(max_length=64)),
                ('text', models.TextField()),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('corrects', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='correction', to='database.custodyevent')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='CustodyEntity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=400)),
                ('name', models.TextField()),
                ('roles', models.TextField()),
                ('sites', models.TextField()),
                ('stated_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.custodyevent')),
            ],
            options={
                'ordering': ('id',),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CustodyContract',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=400)),
                ('number', models.TextField()),
                ('entity', models.TextField()),
                ('counterparty', models.TextField()),
                ('role', models.TextField()),
                ('start', models.DateField()),
                ('end', models.DateField(null=True)),
                ('signing_key', models.TextField()),
                ('stated_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.custodyevent')),
            ],
            options={
                'ordering': ('id',),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CustodyEventParty',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('party', models.TextField()),
                ('event', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.custodyevent')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='CustodyGrainEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=400)),
                ('entity', models.TextField()),
                ('site', models.TextField()),
                ('form', models.TextField()),
                ('number', models.TextField()),
                ('day', models.DateField()),
                ('direction', models.TextField()),
                ('amount', models.BigIntegerField()),
                ('claim', models.TextField()),
                ('void', models.BooleanField()),
                ('name', models.TextField()),
                ('group', models.TextField()),
                ('stated_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.custodyevent')),
            ],
            options={
                'ordering': ('id',),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CustodyLot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=220, unique=True)),
                ('crop', models.CharField(max_length=40)),
                ('harvest_year', models.IntegerField()),
                ('span_start', models.BigIntegerField()),
                ('span_stop', models.BigIntegerField()),
                ('owner', models.CharField(max_length=200)),
                ('custodian', models.CharField(max_length=200)),
                ('site', models.CharField(max_length=200)),
                ('form', models.CharField(max_length=40)),
                ('product', models.BigIntegerField()),
                ('rate', models.BigIntegerField()),
                ('ci', models.BigIntegerField()),
                ('state', models.CharField(max_length=20)),
                ('since', models.DateField()),
                ('acquired', models.DateField()),
                ('titled', models.DateField()),
                ('supplier', models.CharField(max_length=200)),
                ('batch', models.CharField(max_length=200)),
                ('by', models.CharField(max_length=200)),
                ('ended_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ended', to='database.custodyevent')),
                ('opened_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='opened', to='database.custodyevent')),
                ('parent', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='children', to='database.custodylot')),
                ('origin', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.custodyorigin')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='CustodyPending',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=400)),
                ('giver', models.TextField()),
                ('taker', models.TextField()),
                ('site', models.TextField()),
                ('crop', models.TextField()),
                ('harvest_year', models.IntegerField()),
                ('bushels', models.BigIntegerField()),
                ('left', models.BigIntegerField()),
                ('day', models.DateField()),
                ('stated_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.custodyevent')),
            ],
            options={
                'ordering': ('id',),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CustodyPeriod',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=400)),
                ('entity', models.TextField()),
                ('start', models.DateField()),
                ('end', models.DateField()),
                ('policy', models.TextField()),
                ('declared', models.DateField()),
                ('closed', models.DateField(null=True)),
                ('stated_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.custodyevent')),
            ],
            options={
                'ordering': ('id',),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CustodyRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('key', models.CharField(max_length=400)),
                ('group', models.CharField(max_length=400)),
                ('text', models.TextField()),
                ('final', models.BooleanField(default=False)),
                ('stated_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.custodyevent')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='CustodySlip',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=400)),
                ('giver', models.TextField()),
                ('taker', models.TextField()),
                ('origin', models.TextField()),
                ('spans', models.TextField()),
                ('day', models.DateField()),
                ('open_spans', models.TextField()),
                ('returned', models.TextField()),
                ('open_bushels', models.BigIntegerField()),
                ('stated_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.custodyevent')),
            ],
            options={
                'ordering': ('id',),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CustodyStanding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=400)),
                ('form', models.TextField()),
                ('issuer', models.TextField()),
                ('crop', models.TextField()),
                ('harvest_year', models.IntegerField()),
                ('source', models.TextField()),
                ('number', models.TextField()),
                ('standing', models.TextField()),
                ('versions', models.TextField()),
                ('issued', models.BigIntegerField()),
                ('resting', models.TextField()),
                ('group', models.TextField()),
                ('version', models.IntegerField()),
                ('stated_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.custodyevent')),
            ],
            options={
                'ordering': ('id',),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CustodyStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('party', models.CharField(max_length=200)),
                ('day', models.DateField()),
                ('lot', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.custodylot')),
            ],
            options={
                'ordering': ('day', 'lot'),
            },
        ),
        migrations.CreateModel(
            name='CustodyVerification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=400)),
                ('number', models.TextField()),
                ('entity', models.TextField()),
                ('verifier', models.TextField()),
                ('start', models.DateField()),
                ('end', models.DateField()),
                ('crops', models.TextField()),
                ('scope', models.TextField()),
                ('opinion', models.TextField()),
                ('issued', models.DateField()),
                ('stated_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.custodyevent')),
            ],
            options={
                'ordering': ('id',),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='IdempotentAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('caller', models.CharField(max_length=64)),
                ('key', models.CharField(max_length=100)),
                ('request_hash', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField(default=0)),
                ('content_type', models.CharField(blank=True, max_length=80)),
                ('body', models.BinaryField(default=b'')),
                ('at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('caller', 'key'), name='one_answer_per_key')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('right', models.CharField(choices=[('read', 'Read'), ('write', 'Read and write'), ('manage', 'Manage: write, members, access, tokens')], max_length=10, verbose_name='right')),
                ('since', models.DateTimeField(auto_now_add=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('on_behalf_of', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='consultants_abroad', to='database.organisation')),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='database.organisation')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='LogRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_index=True, verbose_name='when')),
                ('via', models.CharField(max_length=40, verbose_name='by way of')),
                ('deed', models.CharField(max_length=80, verbose_name='deed')),
                ('about', models.CharField(blank=True, max_length=120, verbose_name='about')),
                ('old', models.JSONField(null=True, verbose_name='before')),
                ('new', models.JSONField(null=True, verbose_name='after')),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organisation', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='log', to='database.organisation')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.CharField(max_length=120, verbose_name='for whom')),
                ('right', models.CharField(choices=[('read', 'Read'), ('write', 'Read and write'), ('manage', 'Manage: write, members, access, tokens')], max_length=10, verbose_name='right')),
                ('as_consultant_of', models.CharField(blank=True, max_length=12, verbose_name="consultant's firm")),
                ('secret_hash', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('accepted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invitations', to='database.organisation')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.AddField(
            model_name='book',
            name='organisation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='books', to='database.organisation'),
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='what for')),
                ('secret_hash', models.CharField(max_length=64, unique=True)),
                ('hint', models.CharField(max_length=8)),
                ('scopes', models.JSONField(default=list, verbose_name='scopes')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_on', models.DateField(verbose_name='last day')),
                ('revoked_at', models.DateTimeField(null=True)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('made_with', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='made', to='database.apitoken')),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tokens', to='database.organisation')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='OrganisationRole',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('farm', 'Farm producer'), ('first_point', 'First point of aggregation'), ('intermediary', 'Intermediary entity'), ('processor', 'Processor'), ('refiner', 'Biofuel refiner'), ('verifier', 'Third-party verifier')], max_length=20)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='roles', to='database.organisation')),
            ],
            options={
                'ordering': ('id',),
            },
        ),
        migrations.CreateModel(
            name='ProducerKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('handle', models.CharField(default=provender.database.models.base.new_handle, editable=False, max_length=12, unique=True)),
                ('producer_id', models.CharField(max_length=80, verbose_name='producer')),
                ('fingerprint', models.CharField(max_length=43)),
                ('public', models.JSONField(verbose_name='public key')),
                ('sealed', models.JSONField(default=dict, verbose_name='sealed private key')),
                ('statement', models.JSONField(verbose_name='signed statement')),
                ('replaces', models.CharField(blank=True, max_length=43, verbose_name='fingerprint of the key before')),
                ('at', models.DateTimeField()),
                ('holder', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='producer_keys', to=settings.AUTH_USER_MODEL)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='producer_keys', to='database.organisation')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='ReadGrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first_day', models.DateField(verbose_name='first day')),
                ('last_day', models.DateField(verbose_name='last day')),
                ('purpose', models.CharField(max_length=200, verbose_name='what for')),
                ('granted_at', models.DateTimeField(auto_now_add=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('audited', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='grants_given', to='database.organisation')),
                ('granted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('verifier', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='grants_held', to='database.organisation')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='ReportVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('crop', models.CharField(max_length=40)),
                ('harvest_year', models.PositiveIntegerField()),
                ('number', models.PositiveIntegerField()),
                ('book_head', models.CharField(max_length=64)),
                ('document', models.TextField()),
                ('document_hash', models.CharField(max_length=64)),
                ('signature', models.TextField(blank=True)),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('book', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='database.book')),
            ],
            options={
                'ordering': ('book', 'crop', 'harvest_year', 'number'),
            },
        ),
        migrations.CreateModel(
            name='SignedDocument',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('number', models.CharField(max_length=200)),
                ('text', models.TextField()),
                ('fingerprint', models.CharField(max_length=43)),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signed_documents', to='database.organisation')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='SignedSlip',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('handle', models.CharField(default=provender.database.models.base.new_handle, editable=False, max_length=12, unique=True)),
                ('number', models.CharField(max_length=80, unique=True)),
                ('document', models.TextField()),
                ('document_hash', models.CharField(max_length=64)),
                ('signature', models.TextField()),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signed_slips', to='database.organisation')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='SupplyContract',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=60, verbose_name='contract number')),
                ('signed_on', models.DateField(verbose_name='signed on')),
                ('seller_key', models.JSONField(blank=True, default=dict, verbose_name="seller's public key")),
                ('buyer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='purchase_contracts', to='database.organisation')),
                ('entered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('seller', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sales_contracts', to='database.organisation')),
            ],
            options={
                'ordering': ('-signed_on', '-id'),
            },
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('handle', models.CharField(default=provender.database.models.base.new_handle, editable=False, max_length=12, unique=True)),
                ('sha256', models.CharField(db_index=True, max_length=64)),
                ('size', models.PositiveBigIntegerField()),
                ('name', models.CharField(max_length=200, verbose_name='file name')),
                ('media_type', models.CharField(max_length=80)),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='database.organisation')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='SettlementComparison',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('handle', models.CharField(default=provender.database.models.base.new_handle, editable=False, max_length=12, unique=True)),
                ('agree', models.PositiveIntegerField()),
                ('off', models.PositiveIntegerField()),
                ('found', models.JSONField()),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.organisation')),
                ('upload', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='database.upload')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='VerdictCache',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('book_version', models.PositiveIntegerField()),
                ('rule_version', models.CharField(max_length=80)),
                ('what', models.CharField(max_length=40)),
                ('content', models.BinaryField()),
                ('book', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='verdicts', to='database.book')),
            ],
        ),
        migrations.CreateModel(
            name='VerifierAccreditation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='accreditations', to='database.organisation')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='VerifierKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fingerprint', models.CharField(max_length=43)),
                ('public', models.JSONField(verbose_name='public key')),
                ('statement', models.JSONField(default=dict, verbose_name='signed rotation')),
                ('reason', models.CharField(blank=True, max_length=400)),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='verifier_keys', to='database.organisation')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('population', 'Population frozen'), ('seed', 'Seed committed, sample drawn'), ('treatment', 'Borrowed audit decided'), ('failure', 'Failed farm, sample extended'), ('task', 'Work done'), ('asked', 'Package asked for'), ('package', 'Package made'), ('result', 'Package recomputed'), ('finding', 'Finding'), ('draft', 'Statement drafted'), ('statement', 'Statement signed'), ('addendum', 'Fact found later')], max_length=12)),
                ('text', models.TextField()),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('audit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='database.audit')),
            ],
            options={
                'ordering': ('audit', 'number'),
                'indexes': [models.Index(fields=['audit', 'kind', 'number'], name='entry_of_kind')],
                'constraints': [models.UniqueConstraint(fields=('audit', 'number'), name='one_entry_per_number')],
            },
        ),
        migrations.AddIndex(
            model_name='custodyevent',
            index=models.Index(condition=models.Q(('corrects__isnull', False)), fields=['corrects'], name='event_corrects'),
        ),
        migrations.AddConstraint(
            model_name='custodyentity',
            constraint=models.UniqueConstraint(fields=('key',), name='one_entity_per_key'),
        ),
        migrations.AddIndex(
            model_name='custodycontract',
            index=models.Index(fields=['entity', 'id'], name='contract_of_entity'),
        ),
        migrations.AddConstraint(
            model_name='custodycontract',
            constraint=models.UniqueConstraint(fields=('key',), name='one_contract_per_key'),
        ),
        migrations.AddConstraint(
            model_name='custodyeventparty',
            constraint=models.UniqueConstraint(fields=('party', 'event'), name='one_row_per_party_and_event'),
        ),
        migrations.AddIndex(
            model_name='custodygrainentry',
            index=models.Index(fields=['group', 'id'], name='grain_entry_of_group'),
        ),
        migrations.AddConstraint(
            model_name='custodygrainentry',
            constraint=models.UniqueConstraint(fields=('key',), name='one_grain_entry_per_key'),
        ),
        migrations.AddIndex(
            model_name='custodylot',
            index=models.Index(condition=models.Q(('ended_by', None)), fields=['span_start'], name='lot_current_serials'),
        ),
        migrations.AddIndex(
            model_name='custodylot',
            index=models.Index(condition=models.Q(('ended_by__isnull', False)), fields=['ended_by'], name='lot_ended_by'),
        ),
        migrations.AddIndex(
            model_name='custodylot',
            index=models.Index(condition=models.Q(('ended_by', None), ('state__in', ('held', 'unverified'))), fields=['owner', 'crop'], name='lot_current_owner'),
        ),
        migrations.AddIndex(
            model_name='custodylot',
            index=models.Index(condition=models.Q(('ended_by', None), ('state__in', ('held', 'unverified'))), fields=['custodian', 'site', 'form'], name='lot_current_place'),
        ),
        migrations.AddIndex(
            model_name='custodylot',
            index=models.Index(condition=models.Q(('ended_by', None), ('state', 'unverified')), fields=['supplier'], name='lot_current_unverified'),
        ),
        migrations.AddIndex(
            model_name='custodylot',
            index=models.Index(condition=models.Q(('ended_by', None), ('state', 'in_transit')), fields=['owner', 'id'], name='lot_in_transit_to'),
        ),
        migrations.AddIndex(
            model_name='custodylot',
            index=models.Index(fields=['origin', 'id'], name='lot_of_origin'),
        ),
        migrations.AddConstraint(
            model_name='custodylot',
            constraint=models.CheckConstraint(condition=models.Q(('span_start__lt', models.F('span_stop'))), name='lot_has_serials'),
        ),
        migrations.AddIndex(
            model_name='custodypending',
            index=models.Index(fields=['taker', 'id'], name='pending_of_buyer'),
        ),
        migrations.AddIndex(
            model_name='custodypending',
            index=models.Index(condition=models.Q(('left__gt', 0)), fields=['taker', 'id'], name='pending_open_to'),
        ),
        migrations.AddConstraint(
            model_name='custodypending',
            constraint=models.UniqueConstraint(fields=('key',), name='one_pending_per_key'),
        ),
        migrations.AddConstraint(
            model_name='custodypending',
            constraint=models.CheckConstraint(condition=models.Q(('left__gte', 0)), name='pending_is_not_overdrawn'),
        ),
        migrations.AddIndex(
            model_name='custodyperiod',
            index=models.Index(fields=['entity', 'id'], name='period_of_entity'),
        ),
        migrations.AddConstraint(
            model_name='custodyperiod',
            constraint=models.UniqueConstraint(fields=('key',), name='one_period_per_key'),
        ),
        migrations.AddIndex(
            model_name='custodyrecord',
            index=models.Index(fields=['kind', 'group', 'id'], name='record_of_group'),
        ),
        migrations.AddConstraint(
            model_name='custodyrecord',
            constraint=models.UniqueConstraint(fields=('kind', 'key'), name='one_record_per_key'),
        ),
        migrations.AddIndex(
            model_name='custodyslip',
            index=models.Index(fields=['origin', 'id'], name='slip_of_origin'),
        ),
        migrations.AddIndex(
            model_name='custodyslip',
            index=models.Index(condition=models.Q(('open_bushels__gt', 0)), fields=['taker', 'id'], name='slip_open_to'),
        ),
        migrations.AddConstraint(
            model_name='custodyslip',
            constraint=models.UniqueConstraint(fields=('key',), name='one_slip_per_key'),
        ),
        migrations.AddConstraint(
            model_name='custodyslip',
            constraint=models.CheckConstraint(condition=models.Q(('open_bushels__gte', 0)), name='slip_is_not_overdrawn'),
        ),
        migrations.AddConstraint(
            model_name='custodyslip',
            constraint=models.CheckConstraint(condition=models.Q(('giver', models.F('taker')), _negated=True), name='slip_has_two_parties'),
        ),
        migrations.AddIndex(
            model_name='custodystanding',
            index=models.Index(fields=['group', 'id'], name='origin_of_group'),
        ),
        migrations.AddIndex(
            model_name='custodystanding',
            index=models.Index(condition=models.Q(('standing', 'withdrawn'), ('version__gt', 1), _connector='OR'), fields=['key'], name='origin_changed'),
        ),
        migrations.AddConstraint(
            model_name='custodystanding',
            constraint=models.UniqueConstraint(fields=('key',), name='one_origin_per_key'),
        ),
        migrations.AddConstraint(
            model_name='custodystanding',
            constraint=models.UniqueConstraint(condition=models.Q(('source', 'report')), fields=('issuer', 'crop', 'harvest_year'), name='one_report_per_harvest'),
        ),
        migrations.AddConstraint(
            model_name='custodystep',
            constraint=models.UniqueConstraint(fields=('party', 'day', 'lot'), name='one_step_per_party_and_lot'),
        ),
        migrations.AddIndex(
            model_name='custodyverification',
            index=models.Index(fields=['entity', 'id'], name='verification_of_entity'),
        ),
        migrations.AddConstraint(
            model_name='custodyverification',
            constraint=models.UniqueConstraint(fields=('key',), name='one_verification_per_key'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('organisation', 'person'), name='one_membership_per_person'),
        ),
        migrations.AddIndex(
            model_name='logrow',
            index=models.Index(fields=['organisation', 'id'], name='log_of_organisation'),
        ),
        migrations.AddConstraint(
            model_name='change',
            constraint=models.UniqueConstraint(fields=('book', 'number'), name='one_change_per_number'),
        ),
        migrations.AddConstraint(
            model_name='book',
            constraint=models.UniqueConstraint(fields=('organisation', 'kind'), name='one_book_of_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='audit',
            constraint=models.UniqueConstraint(fields=('verifier', 'number'), name='one_audit_per_number'),
        ),
        migrations.AddConstraint(
            model_name='organisationrole',
            constraint=models.UniqueConstraint(fields=('organisation', 'role'), name='one_row_per_role'),
        ),
        migrations.AddConstraint(
            model_name='producerkey',
            constraint=models.UniqueConstraint(fields=('organisation', 'fingerprint'), name='one_row_per_key'),
        ),
        migrations.AddConstraint(
            model_name='readgrant',
            constraint=models.CheckConstraint(condition=models.Q(('first_day__lte', models.F('last_day'))), name='grant_days_in_order'),
        ),
        migrations.AddConstraint(
            model_name='readgrant',
            constraint=models.CheckConstraint(condition=models.Q(('audited', models.F('verifier')), _negated=True), name='nobody_audits_itself'),
        ),
        migrations.AddConstraint(
            model_name='reportversion',
            constraint=models.UniqueConstraint(fields=('book', 'crop', 'harvest_year', 'number'), name='one_report_per_number'),
        ),
        migrations.AddConstraint(
            model_name='signeddocument',
            constraint=models.UniqueConstraint(fields=('organisation', 'kind', 'number', 'fingerprint'), name='one_signature_per_document_and_key'),
        ),
        migrations.AddConstraint(
            model_name='supplycontract',
            constraint=models.UniqueConstraint(fields=('seller', 'buyer', 'number'), name='one_contract_per_number'),
        ),
        migrations.AddConstraint(
            model_name='supplycontract',
            constraint=models.CheckConstraint(condition=models.Q(('seller', models.F('buyer')), _negated=True), name='nobody_supplies_itself'),
        ),
        migrations.AddConstraint(
            model_name='verdictcache',
            constraint=models.UniqueConstraint(fields=('book', 'book_version', 'rule_version', 'what'), name='one_result_per_question'),
        ),
        migrations.AddConstraint(
            model_name='verifierkey',
            constraint=models.UniqueConstraint(fields=('organisation', 'fingerprint'), name='one_row_per_verifier_key'),
        ),
    ]
