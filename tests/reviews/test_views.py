"""Pages of reviewers, adjudicators and experts: who gets in, and what nobody blind may read there."""

import json
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Role
from reviews.actions.placing import draw_review_places
from reviews.models import Dispute, Review, RevisionRequest
from tests.reviews.conftest import closed_dialogue, closed_dialogues, panel, person, submit
from tests.testing_console.test_views import lengthen

pytestmark = pytest.mark.django_db
SECRETS = ("Team Alpha", "127.0.0.1:9")


@pytest.fixture
def reviewers(campaign):
    return panel(campaign, adjudicated_over=1)


@pytest.fixture
def drawn(campaign, tester, reviewers):
    dialogue = closed_dialogue(campaign, tester, n_turns=2)
    draw_review_places(campaign=campaign, at=timezone.now())
    return dialogue


def page(client, person, name, *arguments):
    client.force_login(person)
    return client.get(reverse(name, args=arguments))


def settings_in(answer):
    return json.loads(re.search(r'id="page-settings"[^>]*>(.*?)</script>', answer.content.decode())[1])


def test_a_reviewer_reads_the_dialogue_by_its_alias_and_nothing_that_tells_who(
    client, campaign, drawn, reviewers, tester
):
    submit(drawn, reviewers[1], comment="only I know this", at=timezone.now())
    answer = page(client, reviewers[0], "review", drawn.pk)
    shown = answer.content.decode()
    assert campaign.entries.get().alias in shown
    for secret in (*SECRETS, "only I know this", reviewers[1].username, f">{tester.username}<"):
        assert secret not in shown, secret
    assert "panelLabels" not in settings_in(answer)


def test_a_long_scale_has_a_place_for_the_words_of_its_chosen_point(client, campaign, drawn, reviewers):
    lengthen(campaign.rubric.criteria.get(key="satisfaction"))
    shown = page(client, reviewers[0], "review", drawn.pk).content.decode()
    assert (shown.count('class="scale-chosen"'), shown.count('id="typed-score"')) == (1, 1)


def test_a_dialogue_is_nobodys_to_review_without_a_place(client, campaign, drawn, outsider, organizer, participant):
    another = person(campaign, "another", Role.REVIEWER)
    for somebody in (another, outsider, organizer, participant):
        assert page(client, somebody, "review", drawn.pk).status_code == 404


def test_the_tester_of_a_dialogue_is_led_to_their_own_scores(client, campaign, tester):
    panel(campaign, reviewed_by="both", counted_reviews="panel")
    dialogue = closed_dialogue(campaign, tester)
    assert page(client, tester, "review", dialogue.pk).url == f"/dialogues/{dialogue.pk}/"


def test_a_tester_scores_on_the_same_page_where_the_rubric_asks_for_evidence(client, campaign, tester):
    panel(campaign, reviewed_by="self", counted_reviews="self")
    campaign.scenarios.update(context={"kb": "what the bot alone was given"})
    campaign.rubric.criteria.filter(key="fluency").update(evidence_below=0)
    dialogue = closed_dialogue(campaign, tester)
    answer = page(client, tester, "review", dialogue.pk)
    assert answer.status_code == 200
    assert (settings_in(answer)["list"], settings_in(answer)["isOwn"]) == ("/campaigns/small/testing/", True)
    assert b"bot alone was given" not in answer.content
    assert settings_in(page(client, tester, "console", dialogue.pk))["reviewPage"] == f"/reviews/{dialogue.pk}/"


def test_the_adjudicator_sees_scores_by_number_and_decides_on_the_same_form(client, campaign, drawn, reviewers):
    judge = person(campaign, "judge", Role.ADJUDICATOR)
    for number, reviewer in enumerate(reviewers):
        ratings = {"satisfaction": 2 - 2 * number, "fluency": 0, "guidance": 1}
        submit(drawn, reviewer, ratings=ratings, comment=f"thought {number}", at=timezone.now())
    answer = page(client, judge, "review", drawn.pk)
    disputed = [judged.row.rating for judged in answer.context["rows"] if judged.is_disputed]
    assert disputed == ["satisfaction"]
    (marks,) = [judged.marks for judged in answer.context["rows"] if judged.row.rating == "satisfaction"]
    assert [mark.numbers for mark in marks] == [[1], [2], [3]]
    assert answer.context["panel"] == [(1, "thought 0"), (2, "thought 1"), (3, "thought 2")]
    assert all(
        reviewer.username not in answer.content.decode().replace("reviewer", "", 1) for reviewer in reviewers[1:]
    )
    queue = page(client, judge, "review-queue", campaign.slug)
    assert [dispute.dialogue_id for dispute in queue.context["desk"].disputes] == [drawn.pk]
    assert Dispute.objects.get().settled_at is None


def test_a_decision_leads_on_to_the_next_dispute(client, campaign, tester, reviewers):
    judge = person(campaign, "judge", Role.ADJUDICATOR)
    first, second = closed_dialogues(campaign, tester, 2)
    draw_review_places(campaign=campaign, at=timezone.now())
    for dialogue in (first, second):
        for number, reviewer in enumerate(reviewers):
            ratings = {"satisfaction": 2 - 2 * number, "fluency": 0, "guidance": 1}
            submit(dialogue, reviewer, ratings=ratings, at=timezone.now())
    assert settings_in(page(client, judge, "review", first.pk))["nextToDecide"] == f"/reviews/{second.pk}/"


def test_the_queue_says_what_to_do_where_nothing_is_drawn_and_where_all_is_done(client, campaign, reviewers, tester):
    assert b"Nothing is drawn" in english(client, reviewers[0], campaign)
    dialogue = closed_dialogue(campaign, tester)
    draw_review_places(campaign=campaign, at=timezone.now())
    assert b"Review the next one" in english(client, reviewers[0], campaign)
    submit(dialogue, reviewers[0], at=timezone.now())
    assert b"Nothing is left to review" in english(client, reviewers[0], campaign)


def english(client, somebody, campaign):
    somebody.language = "en"
    somebody.save()
    return page(client, somebody, "review-queue", campaign.slug).content


def test_a_hand_in_of_the_last_minutes_can_be_undone_and_an_older_one_asked_for(client, campaign, tester, reviewers):
    new, old = closed_dialogues(campaign, tester, 2)
    draw_review_places(campaign=campaign, at=timezone.now())
    submit(new, reviewers[0], at=timezone.now())
    submit(old, reviewers[0], at=timezone.now() - timedelta(hours=1))
    rows = {
        row.place["dialogue"]: row for row in page(client, reviewers[0], "review-queue", "small").context["desk"].done
    }
    assert (rows[str(new.pk)].undo_min, rows[str(old.pk)].undo_min) == (10, 0)
    assert rows[str(new.pk)].version == 1


def test_a_long_queue_costs_as_many_queries_as_a_short_one(client, campaign, tester, reviewers):
    def n_queries():
        with CaptureQueriesContext(connection) as asked:
            page(client, reviewers[0], "review-queue", "small")
        return len(asked)

    closed_dialogues(campaign, tester, 2)
    draw_review_places(campaign=campaign, at=timezone.now())
    n_queries()  # the login of the first
    few = n_queries()
    closed_dialogues(campaign, tester, 30, first=2000)
    draw_review_places(campaign=campaign, at=timezone.now())
    assert n_queries() == few


def test_an_expert_vets_in_turn_and_never_their_own_dialogue(client, campaign, tester):
    expert = person(campaign, "expert", Role.EXPERT)
    panel(campaign, experts_per_dialogue=1)
    first, second = closed_dialogues(campaign, tester, 2)
    own = closed_dialogue(campaign, expert, repetition=5)
    answer = page(client, expert, "vetting", first.pk)
    assert settings_in(answer)["nextToVet"] == f"/reviews/{second.pk}/vetting/"
    assert page(client, expert, "vetting", own.pk).status_code == 404
    desk = page(client, expert, "review-queue", "small").context["desk"]
    assert {one.pk for one in desk.to_vet} == {first.pk, second.pk}


def test_the_organizer_reads_who_asks_to_revise_and_why(client, campaign, drawn, reviewers, organizer):
    submit(drawn, reviewers[0], at=timezone.now())
    review = Review.objects.get(reviewer=reviewers[0])
    RevisionRequest.objects.create(review=review, reason="a slip of the finger", asked_at=timezone.now())
    answer = page(client, organizer, "revisions", "small")
    assert b"a slip of the finger" in answer.content
    assert [one.review.reviewer for one in answer.context["waiting"]] == [reviewers[0]]
    assert page(client, reviewers[0], "revisions", "small").status_code == 404
