"""Secrets are sealed in the database, plain for whoever calls the bot, and survive a change of the key."""

import pytest
from django.db import connection

from campaigns.models import Entry
from participants.secrets import Sealed, SecretLost, seal, unseal
from tests.conftest import SMALL_CAMPAIGN, load_campaign, spec_of

SECRET = "s3cret of Alpha"


def test_what_is_sealed_says_nothing_and_is_unsealed_as_it_was():
    sealed = seal(SECRET)
    assert SECRET not in sealed
    assert "s3cret" not in sealed
    assert unseal(sealed) == SECRET
    assert seal("") == ""
    assert seal(SECRET) != sealed  # nobody can tell that two bots have one secret


def test_an_old_key_still_opens_and_a_lost_one_is_named(settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "first" * 10, []
    sealed = seal(SECRET)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "second" * 10, ["first" * 10]
    assert unseal(sealed) == SECRET
    resealed = seal(SECRET)
    settings.SECRET_KEY_FALLBACKS = []
    assert unseal(resealed) == SECRET
    with pytest.raises(SecretLost):
        unseal(sealed)


def stored() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM campaigns_entry")
        return cursor.fetchone()[0]


@pytest.fixture
def entry(db):
    text = SMALL_CAMPAIGN.replace('url = "http://127.0.0.1:9/"', f'url = "http://127.0.0.1:9/"\nsecret = "{SECRET}"')
    campaign, _ = load_campaign(spec=spec_of(text))
    return campaign.entries.get()


def test_the_database_holds_no_plain_secret_and_the_entry_gives_it(entry):
    assert SECRET not in stored()
    assert unseal(Sealed(stored())) == SECRET
    assert Entry.objects.get().secret == SECRET
    assert Entry.objects.values_list("secret", flat=True).get() == stored()


def test_saving_an_entry_neither_loses_nor_bares_its_secret(entry):
    found = Entry.objects.get()
    before = stored()
    found.save()
    assert stored() == before
    found.secret = "another"
    found.save(update_fields=["secret"])
    assert "another" not in stored()
    assert Entry.objects.get().secret == "another"
    found.secret = ""
    found.save()
    assert stored() == ""
    assert Entry.objects.filter(secret="").exists()


def test_an_entry_whose_key_is_lost_can_be_listed_and_saved_and_says_so(entry, settings):
    settings.SECRET_KEY = "quite another key" * 5
    found = Entry.objects.get()
    assert found.has_lost_its_secret()
    found.save()
    with pytest.raises(SecretLost):
        assert found.secret
    found.secret = "named again"
    found.save(update_fields=["secret"])
    assert not Entry.objects.get().has_lost_its_secret()
