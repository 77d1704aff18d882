"""Django's settings: embedded by default, production by environment. See ``environment`` for the variables."""

import os
from pathlib import Path
from typing import Any

from provender.catalog.places import OTHERWISE
from provender.rule.law import load_rule
from provender.web.environment import read_environment
from provender.web.logs import logging_settings

ENVIRONMENT = read_environment(os.environ)
if os.environ.get("PROVENDER_RULE"):
    load_rule(Path(os.environ["PROVENDER_RULE"]))
HERE = Path(__file__).parent

DEBUG = False
SECRET_KEY = ENVIRONMENT.secret_key
ALLOWED_HOSTS = list(ENVIRONMENT.hosts)
ROOT_URLCONF = "provender.web.urls"
WSGI_APPLICATION = "provender.web.wsgi.application"
DATABASES = {"default": ENVIRONMENT.database}
UPLOAD_FOLDER = ENVIRONMENT.folder / "uploads"
SIGNUP_OPEN = ENVIRONMENT.signup_open
DEMONSTRATION = ENVIRONMENT.demonstration
CALCULATORS = ENVIRONMENT.calculators
MAIL_WORKS = bool(ENVIRONMENT.mail)
PROXY_COUNT, PROXY_HEADER = ENVIRONMENT.proxies, ENVIRONMENT.client_header
FREE_MEGABYTES = ENVIRONMENT.free_megabytes

INSTALLED_APPS = [
    "provender.database.apps.DatabaseApp",
    "provender.web.apps.WebApp",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "ninja",
]

MIDDLEWARE = [
    "provender.web.middleware.Place",
    "provender.web.middleware.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "provender.web.middleware.Headers",
    "provender.web.middleware.Compressed",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "provender.web.middleware.BodyLimit",
    "provender.web.middleware.Sessions",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "provender.web.middleware.LastUse",
    "provender.web.middleware.Strangers",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "provender.web.middleware.Refusals",
    "provender.web.middleware.Idempotency",
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [HERE / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "provender.web.navigation.for_page",
            ],
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["django.template.loaders.filesystem.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
        },
    }
]
FORM_RENDERER = "provender.web.inputs.Renderer"

# People
AUTH_USER_MODEL = "database.Person"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "provender.web.organisation.accounts.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "provender.web.organisation.accounts.SignUpForm",
    "login": "provender.web.organisation.accounts.LoginForm",
    "add_email": "provender.web.organisation.accounts.AddEmailForm",
    "change_password": "provender.web.organisation.accounts.ChangePasswordForm",
    "set_password": "provender.web.organisation.accounts.SetPasswordForm",
    "reset_password": "provender.web.organisation.accounts.ResetPasswordForm",
    "reset_password_from_key": "provender.web.organisation.accounts.ResetPasswordKeyForm",
    "reauthenticate": "provender.web.organisation.accounts.ReauthenticateForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if MAIL_WORKS else "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_RATE_LIMITS = {"login_failed_anywhere": "100/h/key"}  # beside those of the library
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[provender] "
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ADAPTER = "provender.web.organisation.accounts.CodesAdapter"
MFA_FORMS = {
    "authenticate": "provender.web.organisation.accounts.AuthenticateForm",
    "reauthenticate": "provender.web.organisation.accounts.ReauthenticateCodeForm",
    "add_webauthn": "provender.web.organisation.accounts.AddPasskeyForm",
    "edit_webauthn": "provender.web.organisation.accounts.EditPasskeyForm",
    "activate_totp": "provender.web.organisation.accounts.ActivateTOTPForm",
}
MFA_TOTP_ISSUER = "provender"
MFA_ALLOW_UNVERIFIED_EMAIL = not MAIL_WORKS

EMAIL_BACKEND = "django.core.mail.backends." + ("smtp" if MAIL_WORKS else "dummy") + ".EmailBackend"
globals().update(ENVIRONMENT.mail)

# Counts of failed sign-ins and codes that were used: kept in files, so that all workers of this machine share them.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": ENVIRONMENT.folder / "cache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
}

# What a browser is told
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ENVIRONMENT.production
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 14 * 24 * 3600
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "provender.web.errors.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
if ENVIRONMENT.production:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^health$"]
    SECURE_HSTS_SECONDS = ENVIRONMENT.hsts_seconds
    SECURE_HSTS_INCLUDE_SUBDOMAINS = "subdomains" in ENVIRONMENT.hsts_words
    SECURE_HSTS_PRELOAD = "preload" in ENVIRONMENT.hsts_words
    # Whoever runs the server says what browsers keep: less than Django would say is no fault.
    SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W005", "security.W021"]
    SESSION_COOKIE_NAME = "__Host-provender"
    CSRF_COOKIE_NAME = "__Host-provender-csrf"
else:
    SESSION_COOKIE_NAME = "provender"

# What is taken in
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000
DATA_UPLOAD_MAX_NUMBER_FILES = 50
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_PERMISSIONS = 0o600

# Files of the pages: served as they lie in the package, no build step; addresses carry a hash (templatetags.page).
STATIC_URL = "/static/"
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.AppDirectoriesFinder"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
WHITENOISE_MAX_AGE = 30 * 24 * 3600
WHITENOISE_ALLOW_ALL_ORIGINS = False

LANGUAGE_CODE = "en-us"
USE_I18N = False
USE_TZ = True
TIME_ZONE = OTHERWISE
FORMAT_MODULE_PATH = ["provender.web.formats_of"]
LOGGING = logging_settings()
