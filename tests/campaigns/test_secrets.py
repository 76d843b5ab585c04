import pytest
from django.core.management import call_command

from audit.models import TrailLine
from campaigns.actions.credentials import sealed_columns
from campaigns.models import Entry
from participants.secrets import seal

pytestmark = pytest.mark.django_db


def test_secrets_are_sealed_anew_and_lost_ones_named(campaign, settings, capsys):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "first" * 10, []
    Entry.objects.update(secret=seal("s3cret"))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "second" * 10, ["first" * 10]
    call_command("reseal_secrets")
    settings.SECRET_KEY_FALLBACKS = []
    assert Entry.objects.get().secret == "s3cret"
    settings.SECRET_KEY = "third" * 10
    call_command("reseal_secrets")
    said = capsys.readouterr()
    assert "1 secrets sealed." in said.out
    assert "No key unseals the secret of small: Team Alpha / a" in said.err
    assert [line.details for line in TrailLine.objects.filter(act="secrets.resealed").order_by("number")] == [
        {"sealed": 1, "lost": 0},
        {"sealed": 0, "lost": 1},
    ]


def test_every_model_that_holds_a_secret_is_found_and_says_whose_it_is():
    found = {model._meta.label: column for model, column in sealed_columns()}
    kinds = (
        "campaigns.Entry",
        "automatic_tasks.Service",
        "notifications.Webhook",
        "language_models.ModelEndpoint",
        "crowds.CrowdStudy",
        "crowds.Arrival",
    )
    assert found == dict.fromkeys(kinds, "secret")
    assert all(hasattr(model, "owner_of_secret") for model, _ in sealed_columns())
