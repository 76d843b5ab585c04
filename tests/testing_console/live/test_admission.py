"""Which of the open sockets no longer have a right to be there."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from accounts.models import ApiToken
from testing_console.live.admission import SocketAdmission, no_longer_held

pytestmark = pytest.mark.django_db


def by_session(person) -> SocketAdmission:
    session = SessionStore()
    session.create()
    return SocketAdmission(person.pk, session_key=session.session_key, password=person.password)


def by_token(person) -> SocketAdmission:
    return SocketAdmission(person.pk, token_digest=ApiToken.objects.create(user=person)[0].digest)


@pytest.fixture(params=[by_session, by_token], ids=["session", "token"])
def held(request, dialogue, tester):
    return dialogue.pk, request.param(tester)


def test_a_living_session_or_token_of_a_tester_holds(held, dialogue):
    assert no_longer_held([held]) == set()
    assert held[1].proof(dialogue.assignment_id).answer()


@pytest.mark.parametrize("ending", ["logged out", "expired", "role taken back", "deactivated"])
def test_it_ends_with_the_credential_the_role_or_the_person(held, dialogue, tester, ending):
    from django.contrib.sessions.models import Session

    past = timezone.now() - timedelta(seconds=1)
    match ending:
        case "logged out":
            Session.objects.all().delete()
            ApiToken.objects.all().delete()
        case "expired":
            Session.objects.update(expire_date=past)
            ApiToken.objects.update(expiry=past)
        case "role taken back":
            tester.campaign_roles.all().delete()
        case "deactivated":
            tester.is_active = False
            tester.save()
    assert no_longer_held([held]) == {held}
    assert not held[1].proof(dialogue.assignment_id).answer()


@pytest.mark.parametrize(("admit", "holds"), [(by_session, False), (by_token, True)], ids=["session", "token"])
def test_a_changed_password_ends_the_sockets_of_other_logins_and_leaves_tokens(dialogue, tester, admit, holds):
    held = (dialogue.pk, admit(tester))
    tester.set_password("a new long password")
    tester.save()
    assert no_longer_held([held]) == (set() if holds else {held})
    assert bool(held[1].proof(dialogue.assignment_id).answer()) == holds


def test_one_persons_end_leaves_the_others_alone(dialogue, tester):
    holds, ended = (dialogue.pk, by_token(tester)), (dialogue.pk, by_token(tester))
    ApiToken.objects.filter(digest=ended[1].token_digest).delete()
    gone_dialogue = (uuid4(), holds[1])
    assert no_longer_held([holds, ended, gone_dialogue]) == {ended, gone_dialogue}


def test_the_other_testers_of_the_campaign_are_not_read(dialogue, tester, campaign):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from accounts.models import Person
    from campaigns.models import CampaignRole, Role

    others = Person.objects.bulk_create(Person(username=f"other-{number}") for number in range(50))
    CampaignRole.objects.bulk_create(CampaignRole(campaign=campaign, person=one, role=Role.TESTER) for one in others)
    with CaptureQueriesContext(
        connection,
    ) as seen:
        assert no_longer_held([(dialogue.pk, by_token(tester))]) == set()
    (roles,) = [query["sql"] for query in seen if "dialogues_dialogue" in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM ({roles}) AS found")
        assert cursor.fetchone() == (1,)


def test_the_number_of_queries_does_not_grow_with_the_sockets(dialogue, tester, django_assert_num_queries):
    held = [(dialogue.pk, by_token(tester)) for _ in range(5)]
    with django_assert_num_queries(2):
        assert no_longer_held(held) == set()
