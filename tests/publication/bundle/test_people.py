"""Whom a bundle names: nobody by account, and by numbers that lead into no other bundle."""

from datetime import timedelta

import pytest

from accounts.models import Person
from campaigns.models import Campaign, Role
from publication.bundle.rows import people_in
from publication.bundle.writing import names_of
from tests.leaderboards.played import example, play
from tests.publication.bundle.test_writing import AT, bytes_of, plain_text_of
from tests.stored_rows import built_once
from tests.verification.tampering import files_of, rows_in

pytestmark = pytest.mark.django_db
FIRST_ID, NAME = 76_543_210, "quokka"


@pytest.fixture
def played(db):
    """A campaign all of whose people have accounts with ids and names that nothing else is called by."""
    built_once("people with names", play_with_names)
    return Campaign.objects.get()


def play_with_names():
    campaign = example("smp2018")
    by_account = {}
    for role in campaign.roles.select_related("person").order_by("pk"):
        number = len(by_account)
        account = by_account.get(role.person_id) or Person.objects.create(
            pk=FIRST_ID + number, username=f"{NAME}-{number}"
        )
        by_account[role.person_id] = role.person = account
        role.save()
    play(campaign)


@pytest.mark.parametrize("hides_teams", [False, True])
def test_no_file_holds_the_id_or_name_of_an_account(played, hides_teams):
    text = plain_text_of(bytes_of(played, hides_teams=hides_teams))
    assert "person-1" in text
    assert NAME not in text
    accounts = Person.objects.filter(username__startswith=NAME).values_list("pk", flat=True)
    assert [pk for pk in accounts if str(pk) in text] == []


@pytest.mark.parametrize("hides_teams", [False, True])
def test_no_column_is_an_id_of_the_database(played, hides_teams):
    for file, content in files_of(bytes_of(played, hides_teams=hides_teams)).items():
        if file.endswith(".jsonl") and content:
            columns = set(rows_in(content)[0])
            assert {name for name in columns if name.endswith(("_id", "_by"))} <= {
                "changed_by",
                "settled_by",
                "external_id",
                "made_by",
            }
            assert not columns & {"review", "id", "pk"}


def test_the_numbers_of_people_lead_from_no_bundle_into_another(campaign):
    """The same testers in the same order have dialogues in each of these bundles, and are in another order in each."""
    names = [f"tester-{number:02}" for number in range(12)]
    for name in names:
        campaign.roles.create(person=Person.objects.create_user(name), role=Role.TESTER)
    people = people_in(campaign)
    assert people > set(names)
    told = []
    for slug in (campaign.slug, "another"):
        Campaign.objects.filter(pk=campaign.pk).update(slug=slug)
        renamed = Campaign.objects.get(pk=campaign.pk)
        for hides_teams in (False, True):
            for at in (AT, AT + timedelta(days=1)):
                called = names_of(renamed, hides_teams=hides_teams, at=at)
                told.append(tuple(called.person(name) for name in names))
    assert len(set(told)) == len(told) == 8
    for one in told:
        assert len(set(one)) == len(names)
        assert one != tuple(sorted(one, key=lambda person: int(person.removeprefix("person-"))))


def test_another_installation_numbers_people_otherwise(campaign, settings):
    names = [f"tester-{number:02}" for number in range(12)]
    for name in names:
        campaign.roles.create(person=Person.objects.create_user(name), role=Role.TESTER)
    here = [names_of(campaign, hides_teams=False, at=AT).person(name) for name in names]
    settings.SECRET_KEY = "another"
    assert [names_of(campaign, hides_teams=False, at=AT).person(name) for name in names] != here
