from collections import Counter
from datetime import timedelta

import pytest
from django.utils.html import strip_tags

from audit.models import TrailLine
from campaigns.actions import PreviewIsOld
from campaigns.actions.leaving import CannotTakeOver
from campaigns.actions.people import pause_person, resume_person
from campaigns.models import Campaign, Role
from reviews.actions import NotReviewable
from reviews.actions.placing import draw_review_places, leave_as_reviewer, open_next_place, preview_reviewer_leave
from reviews.actions.tending import looks_of
from reviews.models import ReviewPlace
from reviews.panel_gaps import Hindrance, lacking_panels
from tests.reviews.conftest import NOON, closed_dialogues, panel, person

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(minutes=5)


@pytest.fixture
def people(campaign, tester):
    """Three reviewers, two per dialogue, six dialogues: four places each."""
    reviewers = panel(campaign, size=2)
    reviewers.append(person(campaign, "reviewer-3", Role.REVIEWER))
    closed_dialogues(campaign, tester, 6)
    draw_review_places(campaign=campaign, at=NOON)
    return reviewers


def to_do(campaign) -> dict[str, int]:
    return dict(Counter(ReviewPlace.objects.of_campaign(campaign).to_do().values_list("reviewer__username", flat=True)))


def test_what_a_leaver_had_not_begun_goes_to_the_others_as_it_was_previewed(campaign, people):
    assert to_do(campaign) == {"reviewer": 4, "reviewer-2": 4, "reviewer-3": 4}
    preview = preview_reviewer_leave(campaign=campaign, person=people[1], at=LATER)
    assert [(one.name, one.n_now, one.n_then) for one in preview.shares] == [
        ("reviewer", 4, 6), ("reviewer-2", 4, 0), ("reviewer-3", 4, 6),
    ]  # fmt: skip
    leave_as_reviewer(
        campaign=campaign, person=people[1], because="left", by=None, at=LATER, previewed=preview.digest()
    )
    assert to_do(campaign) == {"reviewer": 6, "reviewer-3": 6}
    assert not campaign.roles.filter(person=people[1]).exists()


def test_a_named_person_takes_over_what_they_may_have_and_the_others_keep_theirs(campaign, people, tester):
    fourth = person(campaign, "reviewer-4", Role.REVIEWER)
    ReviewPlace.objects.filter(reviewer=people[2]).update(opened_at=NOON)
    theirs = set(ReviewPlace.objects.filter(reviewer=people[0]).values_list("pk", flat=True))
    leave = leave_as_reviewer(campaign=campaign, person=people[1], because="left", to=fourth, by=None, at=LATER)
    assert len(leave.moved) == 4
    assert to_do(campaign) == {"reviewer": 4, "reviewer-3": 4, "reviewer-4": 4}
    assert set(ReviewPlace.objects.filter(reviewer=people[0]).values_list("pk", flat=True)) == theirs


def test_nobody_gets_a_dialogue_twice_from_a_leaver(campaign, people):
    both = {place.dialogue_id for place in ReviewPlace.objects.filter(reviewer=people[0])}
    both &= {place.dialogue_id for place in ReviewPlace.objects.filter(reviewer=people[1])}
    leave = leave_as_reviewer(campaign=campaign, person=people[1], because="left", to=people[0], by=None, at=LATER)
    assert len(leave.moved) == 4 - len(both)
    assert to_do(campaign) == {"reviewer": 6, "reviewer-3": 6}


def test_what_the_leaver_handed_in_stays(campaign, people):
    done = ReviewPlace.objects.filter(reviewer=people[1]).first()
    ReviewPlace.objects.filter(pk=done.pk).update(opened_at=NOON, done_at=NOON)
    leave_as_reviewer(campaign=campaign, person=people[1], because="left", by=None, at=LATER)
    done.refresh_from_db()
    assert (done.reviewer, done.released_at) == (people[1], None)


def test_nobody_takes_over_who_does_not_review_or_pauses(campaign, people, outsider):
    pause_person(campaign=campaign, person=people[2], because="ill", by=None, at=NOON)
    for named in (outsider, people[1], people[2]):
        with pytest.raises(CannotTakeOver):
            leave_as_reviewer(campaign=campaign, person=people[1], because="left", to=named, by=None, at=LATER)


def test_something_else_is_never_moved_than_was_agreed_to(campaign, people):
    old = preview_reviewer_leave(campaign=campaign, person=people[1], at=LATER).digest()
    open_next_place(campaign=campaign, reviewer=people[1], at=LATER)
    with pytest.raises(PreviewIsOld):
        leave_as_reviewer(campaign=campaign, person=people[1], because="left", by=None, at=LATER, previewed=old)
    assert campaign.roles.filter(person=people[1]).exists()


def test_leaving_is_one_line_of_the_trail(campaign, people):
    before = TrailLine.objects.count()
    leave_as_reviewer(campaign=campaign, person=people[1], because="left", by=None, at=LATER)
    (line,) = list(TrailLine.objects.in_order())[before:]
    assert (line.act, line.about, line.details) == (
        "person.work_handed_on", "reviewer-2", {"role": "reviewer", "to": "", "moved": 0},
    )  # fmt: skip


def test_a_reviewer_who_pauses_is_not_drawn_and_opens_nothing_new(campaign, people):
    begun = open_next_place(campaign=campaign, reviewer=people[1], at=NOON)
    looked = looks_of(Campaign.objects.all(), LATER)
    pause_person(campaign=campaign, person=people[1], because="ill", by=None, at=LATER)
    assert looks_of(Campaign.objects.all(), LATER) != looked
    draw_review_places(campaign=campaign, at=LATER)
    assert ReviewPlace.objects.filter(reviewer=people[1]).to_do().values_list("dialogue", flat=True).get() == begun.pk
    assert sum(to_do(campaign).values()) == 12
    with pytest.raises(NotReviewable):
        open_next_place(campaign=campaign, reviewer=people[1], at=LATER)
    resume_person(campaign=campaign, person=people[1], because="well", by=None, at=LATER)
    draw_review_places(campaign=campaign, at=LATER)
    assert to_do(campaign) == {"reviewer": 4, "reviewer-2": 4, "reviewer-3": 4}


def test_a_panel_that_only_a_paused_reviewer_could_fill_says_so(campaign, people):
    for one in people[1:]:
        pause_person(campaign=campaign, person=one, because="ill", by=None, at=LATER)
    draw_review_places(campaign=campaign, at=LATER)
    lacking = lacking_panels(campaign, LATER)
    assert len(lacking) == 6
    assert all(one.gap.n_short == 1 for one in lacking)
    assert all(one.panel.hindered["reviewer-2"] is Hindrance.PAUSES for one in lacking)


def test_the_page_of_a_reviewer_who_pauses_says_since_when_and_why(campaign, people, client):
    people[1].language = "en"
    people[1].save()
    pause_person(campaign=campaign, person=people[1], because="you are <ill>", by=None, at=NOON)
    client.force_login(people[1])
    page = client.get("/campaigns/small/review/").content.decode()
    assert "paused you in this campaign since 2026-05-18 20:00 (UTC+08:00)" in strip_tags(page)
    assert "you are &lt;ill&gt;" in page
    assert 'id="next-form"' not in page
    answer = client.post("/api/v1/reviews/next/", {"campaign": "small"}, content_type="application/json")
    assert answer.status_code == 409
