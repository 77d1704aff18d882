"""Django models, migrations and stores: how things lie in SQLite and PostgreSQL, and what triggers forbid.

Decided here: locks, transactions, tables. Not decided here: anything about the rule; a store applies what a decision
says.
"""
