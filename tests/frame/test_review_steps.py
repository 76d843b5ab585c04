"""What is next for a reviewer: the next dialogue, or waiting; counted in one query for all campaigns."""

import pytest
from django.utils import timezone, translation

from campaigns.models import Role
from frame.review_steps import reviewed_counts, words_for_reviewing

pytestmark = pytest.mark.django_db


def words(campaign, *roles, n_done=0, n_all=0):
    with translation.override("en"):
        return words_for_reviewing(campaign, frozenset(roles), n_done, n_all)


def test_places_are_counted_but_those_that_were_given_back(campaign, dialogue, reviewer, django_assert_num_queries):
    place = dialogue.review_places.create(reviewer=reviewer, position=1, drawn_at=timezone.now())
    with django_assert_num_queries(1):
        assert reviewed_counts(reviewer, [campaign]) == {campaign.pk: (0, 1)}
    place.done_at = timezone.now()
    place.save()
    assert reviewed_counts(reviewer, [campaign]) == {campaign.pk: (1, 1)}
    place.done_at, place.released_at = None, timezone.now()
    place.save()
    assert reviewed_counts(reviewer, [campaign]) == {}


def test_a_reviewer_is_led_to_the_next_dialogue_and_told_when_there_is_none(campaign):
    campaign.reviewed_by = "panel"
    title, _text, url, _act, *progress = words(campaign, Role.REVIEWER, n_done=1, n_all=3)
    assert (title, url, progress) == ("Review the next dialogue", "/campaigns/small/review/", [1, 3])
    assert words(campaign, Role.REVIEWER, n_done=3, n_all=3)[0] == "All dialogues are reviewed"
    assert words(campaign, Role.REVIEWER)[0] == "Nothing to review yet"
    campaign.reviewed_by = "self"
    assert words(campaign, Role.REVIEWER)[:3] == (
        "Nothing to review now",
        "In this campaign testers score their own dialogues.",
        "",
    )
    campaign.reviewed_by = "nobody"
    assert words(campaign, Role.REVIEWER)[1:3] == ("In this campaign dialogues are only collected.", "")


def test_who_only_decides_or_vets_is_led_to_the_list(campaign):
    for role in (Role.ADJUDICATOR, Role.EXPERT):
        assert words(campaign, role)[0] == "Decide or vet"
