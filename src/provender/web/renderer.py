"""How forms are drawn: every field with label, help and errors tied together for a screen reader."""

from django.forms.renderers import DjangoTemplates


class Renderer(DjangoTemplates):
    """Django's renderer with our templates for a form and a field."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
