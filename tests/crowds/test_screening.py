"""Screening by gold: reviewers whose first scores miss it are told at once, paid what was promised, and let nobody wait."""

import pytest
from django.utils import timezone

from campaigns.models import Campaign
from crowds.actions.ending import finish, free_places
from crowds.models import Arrival
from crowds.overview import numbers_of, payments_on
from crowds.work import failed_screening
from reviews.actions.placing import draw_review_places, open_next_place
from reviews.actions.submitting import add_remark
from reviews.models import GoldReview
from tests.crowds.conftest import ITEM, address, browser, comes
from tests.reviews.conftest import closed_dialogues, panel, submit
from tests.reviews.test_training import WRONG, make_gold
from tests.world import client_of

pytestmark = pytest.mark.django_db
EN = {"HTTP_ACCEPT_LANGUAGE": "en"}


@pytest.fixture
def screened(campaign, tester, organizer, make):
    """A study of reviewers, of whom two gold dialogues are asked first; three quarters of their scores must be hit, six in all."""
    panel(campaign, 1, training_pass_percent=50)
    campaign.roles.filter(role="reviewer").delete()
    make_gold(closed_dialogues(campaign, tester, 6)[:2], organizer)
    return make(role="reviewer", needed=4, screening_percent=75, screened_out_pay="0.50")


def scores(arrival, *, n=2, **changed):
    at = timezone.now()
    campaign = Campaign.objects.get(pk=arrival.study.campaign_id)
    draw_review_places(campaign=campaign, at=at)
    for _ in range(n):
        submit(open_next_place(campaign=campaign, reviewer=arrival.person, at=at), arrival.person, at=at, **changed)


def failed(arrival):
    return failed_screening(arrival.study, [arrival.person_id]) == {arrival.person_id}


def test_who_hits_the_gold_goes_on(screened):
    arrival = comes(screened)
    scores(arrival, n=1, ratings=WRONG)
    # One is left: nobody is judged by half of it.
    assert not failed(arrival)
    other = comes(screened, "other")
    scores(other)
    assert not failed(other)
    assert free_places(at=timezone.now()) == 0
    scores(other, n=1)
    assert not failed(other)


def test_who_misses_it_is_told_on_the_next_page_and_their_place_is_free(screened):
    client = browser()
    client.post(address(screened), {})
    arrival = Arrival.objects.select_related("person", "study__campaign").get()
    scores(arrival, ratings=WRONG)
    place = f"/enter/{screened.door}/place/"
    listed = client.get("/campaigns/small/review/", **EN).content.decode()
    assert "This study does not go on for you" in listed
    assert place in listed
    told = client.get(place, **EN).content.decode()
    for words in ("This study does not go on for you", "says nothing about you", "You are paid 0.50 GBP", "SCREEN1"):
        assert words in told
    assert (free_places(at=timezone.now()), free_places(at=timezone.now())) == (1, 0)
    arrival.refresh_from_db()
    assert (arrival.state, arrival.n_done) == ("screened_out", 2)
    assert not arrival.person.campaign_roles.exists()
    # The way to the pay stays, and so does the page.
    assert place in client.get("/campaigns/small/review/", **EN).content.decode()
    assert "SCREEN1" in client.get(place, **EN).content.decode()
    assert "SCREEN1" in client.get(address(screened), **EN).content.decode()


def test_who_passes_the_training_but_not_the_study_is_screened_out_when_they_finish(screened):
    """One gold dialogue wholly right, one of three scores of the other: four of six, between 50 % and 75 %."""
    arrival = comes(screened)
    scores(arrival, n=1)
    scores(arrival, n=1, ratings=WRONG)
    assert finish(arrival=arrival, at=timezone.now()).state == "screened_out"


def test_gold_that_is_given_back_is_not_waited_for_and_giving_all_back_passes_nothing(screened):
    arrival = comes(screened)
    scores(arrival, n=1, ratings=WRONG)
    at, campaign = timezone.now(), arrival.study.campaign

    def gives_back():
        dialogue = open_next_place(campaign=campaign, reviewer=arrival.person, at=at)
        add_remark(dialogue=dialogue, reviewer=arrival.person, kind="cannot_judge", text="It is cut.", at=at)

    gives_back()
    assert failed(arrival)
    arrival = comes(screened, "other")
    draw_review_places(campaign=campaign, at=at)
    for _ in range(2):
        gives_back()
    assert failed(arrival)
    # Nothing of the panel is drawn for them meanwhile.
    assert open_next_place(campaign=campaign, reviewer=arrival.person, at=at) is None
    assert free_places(at=at) == 2
    assert not Arrival.objects.at_work().exists()


def test_who_is_asked_for_no_gold_has_failed_none(screened):
    arrival = comes(screened)
    GoldReview.objects.update(set_by=arrival.person)
    assert not failed(arrival)


def test_without_a_pass_mark_of_the_training_nobody_is_screened(screened):
    arrival = comes(screened)
    scores(arrival, ratings=WRONG)
    arrival.study.campaign.training_pass_percent = None
    assert not failed(arrival)


def test_the_organizer_sees_how_many_and_what_each_is_owed(screened, make, organizer):
    arrival = comes(screened)
    scores(arrival, ratings=WRONG)
    free_places(at=timezone.now())
    assert numbers_of(screened).screened_by_gold == 1
    page = client_of(organizer).get(f"/campaigns/small/studies/{screened.pk}/", **EN).content.decode()
    assert "Screened out by gold" in page
    told = client_of(organizer).get(f"/api/v1/campaigns/small/studies/{screened.pk}/").json()
    assert (told["screened_by_gold"], told["came"]) == (1, 1)
    assert [str(one.amount) for one in payments_on(screened, screened.arrivals.paid_for())] == ["0.50"]


def test_who_is_screened_out_by_attention_items_is_in_the_payment_table_too(make, organizer):
    study = make(attention=(ITEM,), screened_out_pay="0.40")
    assert comes(study, "careless", answers=[None]).state == "screened_out"
    assert numbers_of(study).screened_by_gold == 0
    (row,) = payments_on(study, study.arrivals.paid_for())
    assert (row.participant, row.username, row.started_at, str(row.amount)) == ("careless", "", None, "0.40")
    client, base = client_of(organizer), f"/campaigns/small/studies/{study.pk}/"
    assert "careless,s1,,screened_out,," in client.get(f"{base}payments.csv").getvalue().decode()
    assert client.get(base).content.decode().count("careless") == 1
    (told,) = client.get(f"/api/v1{base}arrivals/").json()
    assert (told["username"], told["started_at"], told["amount"]) == ("", None, "0.40")
