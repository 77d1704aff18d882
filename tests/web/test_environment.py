"""The variables are read strictly: production starts only with what production needs."""

from pathlib import Path

import pytest
from django.core import checks

from provender.database.address import AddressError
from provender.web.environment import EnvironmentRefusedError, read_environment
from provender.web.start import check_port, keep_secret_key

KEY = "k" * 50


def test_embedded_needs_nothing(tmp_path: Path) -> None:
    found = read_environment({"PROVENDER_FOLDER": str(tmp_path)})
    assert not found.production
    assert found.hosts == ("localhost", "127.0.0.1", "[::1]")
    assert found.database["NAME"] == str(tmp_path / "provender.sqlite3")
    assert len(found.secret_key) >= 50
    assert not found.signup_open
    assert found.mail == {}


def test_two_starts_without_a_key_do_not_share_one() -> None:
    assert read_environment({}).secret_key != read_environment({}).secret_key


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"PROVENDER_MODE": "test"}, "PROVENDER_MODE"),
        ({"PROVENDER_MODE": "production", "PROVENDER_SECRET_KEY": KEY}, "PROVENDER_HOSTS"),
        ({"PROVENDER_MODE": "production", "PROVENDER_SECRET_KEY": KEY, "PROVENDER_HOSTS": "*"}, "PROVENDER_HOSTS"),
        ({"PROVENDER_MODE": "production", "PROVENDER_HOSTS": "a.example"}, "PROVENDER_SECRET_KEY"),
        ({"PROVENDER_SECRET_KEY": KEY[:-1]}, "PROVENDER_SECRET_KEY"),
        ({"PROVENDER_MAIL_HOST": "m", "PROVENDER_MAIL_SECURITY": "maybe"}, "PROVENDER_MAIL_SECURITY"),
        ({"PROVENDER_MAIL_HOST": "m", "PROVENDER_MAIL_PORT": "smtp"}, "PROVENDER_MAIL_PORT"),
    ],
)
def test_what_is_missing_is_named(variables: dict[str, str], named: str) -> None:
    with pytest.raises(EnvironmentRefusedError, match=named):
        read_environment(variables)


def test_a_wrong_database_setting_stops_the_start() -> None:
    with pytest.raises(AddressError):
        read_environment({"PROVENDER_DATABASE_URL": "postgresql://nowhere"})


def test_one_variable_chooses_postgresql() -> None:
    found = read_environment({"PROVENDER_DATABASE_URL": "postgresql://a:b@c/d"})
    assert found.database["ENGINE"] == "django.db.backends.postgresql"


@pytest.mark.parametrize(
    ("security", "port", "starttls", "tls"),
    [(None, 587, True, False), ("starttls", 587, True, False), ("tls", 465, False, True), ("none", 25, False, False)],
)
def test_mail_is_private_unless_said_otherwise(security: str | None, port: int, starttls: bool, tls: bool) -> None:
    said = {"PROVENDER_MAIL_HOST": "mail.example"} | ({"PROVENDER_MAIL_SECURITY": security} if security else {})
    mail = read_environment(said).mail
    assert (mail["EMAIL_PORT"], mail["EMAIL_USE_TLS"], mail["EMAIL_USE_SSL"]) == (port, starttls, tls)
    assert read_environment({**said, "PROVENDER_MAIL_PORT": "2525"}).mail["EMAIL_PORT"] == 2525


def test_the_kept_key_stays_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first = keep_secret_key(tmp_path)
    assert keep_secret_key(tmp_path) == first
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600


def test_a_port_in_use_is_refused_with_a_remedy() -> None:
    import socket

    from provender.problem import ProblemsError

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(ProblemsError, match="Choose another with --port"):
            check_port(other.getsockname()[1])


def test_django_finds_nothing_wrong() -> None:
    assert checks.run_checks() == []
