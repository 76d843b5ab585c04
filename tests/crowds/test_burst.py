"""A thousand arrivals at once, each thread with a connection of its own: no promise of a study is broken."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import Person
from audit.models import TrailHead, TrailLine
from campaigns.models import Assignment, Campaign, CampaignRole
from crowds.models import Arrival, CrowdStudy
from tests.crowds.conftest import comes

pytestmark = pytest.mark.django_db(transaction=True)

N_PEOPLE, QUOTA, EXCLUDED, THREADS = 700, 150, 50, 8


def test_of_a_thousand_arrivals_nobody_is_over_the_quota_and_nobody_is_there_twice(make, organizer):
    """Seven hundred people, fifty of them excluded and three hundred of them in two tabs, for a hundred and fifty places."""
    at = timezone.now()
    earlier = make(key="earlier", quota=EXCLUDED)
    for number in range(EXCLUDED):
        comes(earlier, f"person-{number}", at - timedelta(minutes=1))
    study = make(key="burst", quota=QUOTA, excludes=("small/earlier",))
    arrivals = [f"person-{number}" for number in range(N_PEOPLE)] + [f"person-{number}" for number in range(300)]
    random.Random(3).shuffle(arrivals)

    def arrives(participant):
        try:
            return participant, str(comes(study, participant, at).state)
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        told = list(pool.map(arrives, arrivals))
    assert len(told) == 1000
    let_in = {participant for participant, state in told if state == "started"}
    assert len(let_in) == QUOTA
    assert not let_in & {f"person-{number}" for number in range(EXCLUDED)}
    # Whoever heard twice heard the same.
    assert all(state == "started" for participant, state in told if participant in let_in)
    places = Arrival.objects.filter(study=study)
    assert places.count() == N_PEOPLE
    assert places.at_work().values("person").distinct().count() == QUOTA
    assert Person.objects.filter(came_by="crowd").count() == EXCLUDED + QUOTA
    assert CampaignRole.objects.filter(person__came_by="crowd").count() == EXCLUDED + QUOTA
    assert Assignment.objects.filter(tester__crowd_places__study=study).count() == QUOTA * study.n_needed
    assert TrailLine.objects.filter(act="crowd.started").count() == EXCLUDED + QUOTA
    assert TrailHead.objects.get().n_lines == TrailLine.objects.count()


def test_two_tabs_at_once_get_into_one_of_two_campaigns_that_exclude_each_other(make, campaign):
    at = timezone.now()
    first, second = make(key="here", quota=200), make(key="there", quota=200)
    elsewhere = Campaign.objects.get(pk=campaign.pk)
    elsewhere.pk, elsewhere.slug, elsewhere._state.adding = None, "elsewhere", True
    elsewhere.save()
    CrowdStudy.objects.filter(pk=first.pk).update(excludes=["elsewhere"])
    CrowdStudy.objects.filter(pk=second.pk).update(campaign=elsewhere, excludes=["small"])
    studies = list(CrowdStudy.objects.select_related("campaign").order_by("pk"))

    def arrives(visit):
        number, study = visit
        try:
            return comes(study, f"person-{number}", at).state
        finally:
            connection.close()

    visits = [(number, study) for number in range(60) for study in studies]
    with ThreadPoolExecutor(THREADS) as pool:
        told = list(pool.map(arrives, visits))
    assert (told.count("started"), told.count("excluded")) == (60, 60)
