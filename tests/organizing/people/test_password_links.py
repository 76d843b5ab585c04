import pytest

from accounts.models import Person
from campaigns.models import Campaign, Role
from organizing.people.password_links import may_make_password_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(campaign):
    other = Campaign.objects.get()
    other.pk, other.slug = None, "other"
    other.save()
    return other


def test_an_organizer_makes_links_for_those_who_take_part_nowhere_else(campaign, other, organizer, tester, outsider):
    assert may_make_password_link(organizer, tester)
    other.roles.create(person=tester, role=Role.PARTICIPANT)
    assert not may_make_password_link(organizer, tester)
    other.roles.create(person=organizer, role=Role.ORGANIZER)
    assert may_make_password_link(organizer, tester)


def test_no_organizer_takes_over_who_came_over_the_api_alone(campaign, organizer, client):
    """An account that a campaign's file gives a role, and that got in elsewhere, by a program."""
    stranger = Person.objects.create_user("stranger", password="a long enough one")
    campaign.roles.create(person=stranger, role=Role.TESTER)
    assert may_make_password_link(organizer, stranger)
    said = {"username": "stranger", "password": "a long enough one"}
    assert client.post("/api/v1/log-in/", said, content_type="application/json").status_code == 201
    stranger.refresh_from_db()
    assert not may_make_password_link(organizer, stranger)


def test_nobody_but_an_organizer_of_the_site_makes_them_for_another(campaign, organizer, tester):
    staff = Person.objects.create_user("staff", is_staff=True)
    root = Person.objects.create_superuser("root")
    for person in (staff, root):
        campaign.roles.create(person=person, role=Role.TESTER)
        assert not may_make_password_link(organizer, person)
    assert may_make_password_link(staff, tester)
    assert not may_make_password_link(staff, root)
    assert may_make_password_link(root, staff)
