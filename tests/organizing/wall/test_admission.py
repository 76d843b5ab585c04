"""Who may look at a wall, and for how long."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import ApiToken
from campaigns.models import Role
from organizing.wall.live import admitted, no_longer_admitted
from tests.testing_console.live.test_admission import by_session, by_token

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[by_session, by_token], ids=["session", "token"])
def held(request, organizer):
    return request.param(organizer)


def test_an_organizer_s_living_session_or_token_holds(held, campaign):
    assert no_longer_admitted(campaign.pk, {held}) == set()


@pytest.mark.parametrize("ending", ["logged out", "expired", "role taken back", "deactivated"])
def test_it_ends_with_the_credential_the_role_or_the_person(held, campaign, organizer, ending):
    past = timezone.now() - timedelta(seconds=1)
    match ending:
        case "logged out":
            Session.objects.all().delete()
            ApiToken.objects.all().delete()
        case "expired":
            Session.objects.update(expire_date=past)
            ApiToken.objects.update(expiry=past)
        case "role taken back":
            organizer.campaign_roles.update(role=Role.TESTER)
        case "deactivated":
            organizer.is_active = False
            organizer.save()
    assert no_longer_admitted(campaign.pk, {held}) == {held}


def test_a_changed_password_closes_the_walls_of_other_logins_and_leaves_tokens(campaign, organizer):
    login, token = by_session(organizer), by_token(organizer)
    organizer.set_password("a new long password")
    organizer.save()
    assert no_longer_admitted(campaign.pk, {login, token}) == {login}


def test_many_viewers_cost_no_more_queries(campaign, organizer):
    def queries(held):
        with CaptureQueriesContext(connection) as captured:
            no_longer_admitted(campaign.pk, held)
        return len(captured)

    one = queries({by_session(organizer)})
    assert queries({by_session(organizer) for _ in range(9)}) == one


def scope_of(person, campaign):
    key = ApiToken.objects.create(user=person)[1]
    return {"headers": [(b"authorization", f"Token {key}".encode())]}


def test_a_program_of_an_organizer_is_let_in(campaign, organizer):
    admission, campaign_id = admitted(scope_of(organizer, campaign), "small")
    assert (admission.person_id, campaign_id) == (organizer.pk, campaign.pk)


@pytest.mark.parametrize("slug", ["small", "nowhere"])
def test_whoever_does_not_organize_it_finds_nothing(campaign, tester, slug):
    assert admitted(scope_of(tester, campaign), slug)[1] is None


def test_nobody_has_to_log_in_first(campaign):
    assert admitted({"headers": []}, "small") is None
