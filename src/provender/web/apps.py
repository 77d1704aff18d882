"""The Django application of the pages."""

from django.apps import AppConfig


class WebApp(AppConfig):
    """Pages, their templates and files."""

    name = "provender.web"
    label = "web"
