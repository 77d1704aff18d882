"""What somebody types into a page is seen whole: characters that end lines or steer a screen are told at the field."""

from typing import Final

import pytest
from django import forms
from django.urls import reverse

from provender.database.models.accounts import Invitation, LogRow
from provender.web import inputs
from provender.web.audit import forms as of_audits
from tests.web.cast import Cast

BAD: Final = ("Bell\x07", "\x1b[31mred", "a\u202eb", "two\nlines", "c\x85d")


@pytest.mark.django_db
def test_each_form_of_an_organisation_tells_such_a_text_at_its_field(cast: Cast) -> None:
    owner, farm = cast.client(), cast.farm.handle
    day = "2099-01-01"
    sent = {
        ("organisation_settings", "county"): {"name": "A", "roles": "farm", "state": "IA"},
        ("organisation_settings", "name"): {"roles": "farm", "state": "IA"},
        ("members", "label"): {"right": "read"},
        ("tokens", "name"): {"scopes": "organisation:read", "expires_on": day},
        ("grants", "purpose"): {"verifier": cast.verifier.handle, "first_day": day, "last_day": day},
    }
    before = LogRow.objects.count(), Invitation.objects.count()
    for ((name, column), data), bad in ((one, bad) for one in sent.items() for bad in BAD):
        page = owner.post(reverse(name, args=(farm,)), {**data, column: bad})
        assert page.status_code == 200, (name, column, bad)
        assert "nobody sees" in str(page.context["form"].errors[column]), (name, column, bad)
    for where in (reverse("account"), reverse("new_organisation")):
        page = owner.post(where, {"name": "a\x00\x1bb", "roles": "farm"})
        assert "name" in page.context["form"].errors, where
    assert (LogRow.objects.count(), Invitation.objects.count()) == before


def test_every_box_for_text_reads_it_so() -> None:
    classes = [one for room in (inputs, of_audits) for one in vars(room).values() if isinstance(one, type)]
    for form in (one for one in classes if issubclass(one, forms.Form)):
        plain = [name for name, field in form.base_fields.items() if type(field) is forms.CharField]
        assert plain == [], form.__name__
    box = inputs.TypedText(widget=forms.Textarea)
    assert box.clean("two\r\nlines\tand a tab") == "two\r\nlines\tand a tab"
    with pytest.raises(forms.ValidationError):
        box.clean("a\x1bb")
