"""Django models, migrations and the SQL store of the custody book."""
