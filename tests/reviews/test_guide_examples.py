"""Examples that organizers choose for the scoring guide: who may choose what, and who sees which beside the criterion."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone
from django.utils.translation import override

from accounts.models import Person
from audit.models import TrailLine
from campaigns.interests import Interested
from campaigns.models import Campaign, Role, TeamMember
from dialogues.models import Dialogue, Turn
from reviews.actions import BadReview, NotReviewable, NotYours
from reviews.actions.checking import part_of
from reviews.actions.closing import close_panel, reopen_panel
from reviews.actions.guide import add_example, remove_example
from reviews.actions.placing import draw_review_places, open_next_place
from reviews.actions.second_readings import open_next
from reviews.actions.tending import recount_by_policy
from reviews.guide import marks_for
from reviews.models import Dispute, GuideExample, Review, ReviewPlace, SecondReading
from reviews.panel_gaps import lacking_panels
from reviews.training import training_of
from rubrics.models import ScalePoint
from tests.reviews.conftest import NOON, closed_dialogue, closed_dialogues, panel, person, submit
from tests.reviews.test_training import make_gold

pytestmark = pytest.mark.django_db
PAGE, API = "/campaigns/small/review/guide/examples/", "/api/v1/campaigns/small/review/guide/examples/"
LATER = NOON + timedelta(hours=1)
WHY = "它没有接着说下去。"


def point_of(campaign, criterion="fluency", score=-1):
    return ScalePoint.objects.get(criterion__rubric=campaign.rubric, criterion__key=criterion, score=score)


def choose(dialogue, organizer, **changed):
    said = {"point": point_of(dialogue.assignment.campaign), "turn": None, "reason": WHY, "by": organizer, "at": NOON}
    return add_example(dialogue=dialogue, **said | changed)


def seen_by(campaign, reader, at=LATER):
    return [mark.shown.reason for mark in marks_for(campaign, reader, at).marks]


def per_dialogue(campaign, n):
    Campaign.objects.update(reviewers_per_dialogue=n)
    campaign.refresh_from_db()


@pytest.fixture
def scored(campaign, tester, organizer):
    """A dialogue whose panel of one is whole, with who scored it and a reviewer who has nothing to do with it."""
    reviewer, other = panel(campaign, 1)[0], person(campaign, "other", Role.REVIEWER)
    dialogue = closed_dialogue(campaign, tester)
    Dialogue.objects.filter(pk=dialogue.pk).update(scored_at=NOON)
    ReviewPlace.objects.create(dialogue=dialogue, reviewer=reviewer, position=1, drawn_at=NOON, opened_at=NOON)
    submit(dialogue, reviewer)
    return dialogue, reviewer, other


def test_reviewers_see_a_chosen_example_with_its_reason_once_its_panel_is_whole(campaign, organizer, scored):
    dialogue, reviewer, other = scored
    choose(dialogue, organizer, turn=1)
    (mark,) = marks_for(campaign, other, LATER).marks
    assert (mark.criterion, mark.value, mark.shown.turn, mark.shown.reason) == ("fluency", -1, 1, WHY)
    assert seen_by(campaign, reviewer) == [WHY]


def test_who_may_still_have_to_score_the_dialogue_does_not_see_it(campaign, organizer, scored):
    dialogue, reviewer, other = scored
    # One more reviewer per dialogue: it may come to the other.
    per_dialogue(campaign, 2)
    choose(dialogue, organizer)
    assert (seen_by(campaign, reviewer), seen_by(campaign, other)) == ([WHY], [])
    draw_review_places(campaign=campaign, at=NOON)
    assert open_next_place(campaign=campaign, reviewer=other, at=NOON) == dialogue
    assert seen_by(campaign, other) == []
    submit(dialogue, other)
    assert seen_by(campaign, other, NOON + timedelta(minutes=1)) == []
    assert seen_by(campaign, other) == [WHY]


@override("en")
def test_more_reviewers_per_dialogue_never_reach_one_who_may_have_read_it(campaign, organizer, scored, tester):
    dialogue, reviewer, other = scored
    choose(dialogue, organizer)
    assert seen_by(campaign, other) == [WHY]
    per_dialogue(campaign, 2)
    assert seen_by(campaign, other) == [WHY]
    assert draw_review_places(campaign=campaign, at=NOON) == 0
    (lacking,) = lacking_panels(campaign, LATER)
    assert lacking.why == [
        f"scored it: {reviewer.username}",
        f"may have read it in the scoring guide: {other.username}",
    ]
    assert lacking.ways == ["your decision to count it with 1 review"]
    close_panel(dialogue=dialogue, organizer=organizer, because="It is an example.", at=LATER)
    # What was chosen before, and nobody else could read, goes on.
    waiting = closed_dialogue(campaign, tester, repetition=8)
    choose(waiting, organizer)
    assert draw_review_places(campaign=campaign, at=LATER) == 2
    assert seen_by(campaign, other) == [WHY]


def test_a_place_that_ran_out_is_not_taken_back_once_the_guide_shows_its_dialogue(campaign, organizer, scored):
    dialogue, _reviewer, other = scored
    place = {"released_because": ReviewPlace.Released.EXPIRED, "released_at": NOON, "opened_at": NOON}
    ReviewPlace.objects.create(dialogue=dialogue, reviewer=other, position=1, drawn_at=NOON, **place)
    per_dialogue(campaign, 2)
    assert part_of(Dialogue.objects.with_names().get(pk=dialogue.pk), other) == Review.Part.PANEL
    per_dialogue(campaign, 1)
    choose(dialogue, organizer)
    per_dialogue(campaign, 2)
    assert seen_by(campaign, other) == [WHY]
    with pytest.raises(NotYours):
        part_of(Dialogue.objects.with_names().get(pk=dialogue.pk), other)


def test_an_example_waits_for_no_more_reviews_than_are_asked_for_since(campaign, organizer, scored):
    dialogue, _reviewer, other = scored
    per_dialogue(campaign, 2)
    choose(dialogue, organizer)
    assert seen_by(campaign, other) == []
    per_dialogue(campaign, 1)
    recount_by_policy(campaign=campaign, at=NOON)
    assert seen_by(campaign, other) == [WHY]
    per_dialogue(campaign, 2)
    # Chosen once more it has the size of before: it was read.
    choose(dialogue, organizer)
    assert draw_review_places(campaign=campaign, at=LATER) == 0


@pytest.mark.parametrize("waiting", ["undo", "revision", "reading", "dispute"])
def test_a_hand_in_that_may_still_change_hides_the_example(campaign, organizer, scored, waiting):
    dialogue, reviewer, _other = scored
    choose(dialogue, organizer)
    review, at = Review.objects.get(), LATER
    if waiting == "undo":
        at = NOON + timedelta(minutes=9)
    elif waiting == "revision":
        review.revision_requests.create(reason="a slip", asked_at=NOON, is_granted=True)
    elif waiting == "reading":
        SecondReading.objects.create(review=review, position=2, opened_at=NOON)
    else:
        Dispute.objects.create(dialogue=dialogue, criteria={"fluency": 2}, opened_at=NOON)
    assert seen_by(campaign, reviewer, at) == []


def test_gold_that_is_still_asked_of_reviewers_is_no_example_for_them(campaign, organizer, tester):
    (reviewer,) = panel(campaign, 1, gold_every=2)
    dialogue = closed_dialogue(campaign, tester)
    make_gold([dialogue], organizer, is_for_training=False)
    choose(dialogue, organizer)
    assert seen_by(campaign, reviewer) == []
    assert seen_by(campaign, organizer) == [WHY]
    Campaign.objects.update(gold_every=0)
    campaign.refresh_from_db()
    assert seen_by(campaign, reviewer) == [], "it may be asked for again"


def test_gold_of_a_closed_panel_is_read_by_those_alone_who_scored_it_while_it_is_asked(campaign, organizer, scored):
    dialogue, reviewer, other = scored
    said = {"n_reviews": 1, "because": WHY, "closed_by": organizer, "closed_at": NOON}
    dialogue.closed_panels.create(**said)
    Campaign.objects.update(training_pass_percent=50)
    campaign.refresh_from_db()
    make_gold([dialogue], organizer)
    example = choose(dialogue, organizer)
    assert (seen_by(campaign, reviewer), seen_by(campaign, other)) == ([WHY], [])
    remove_example(example=example, by=organizer, at=NOON)
    choose(dialogue, organizer)
    draw_review_places(campaign=campaign, at=NOON)
    assert ReviewPlace.objects.get(reviewer=other).is_gold
    submit(dialogue, other)
    assert WHY in seen_by(campaign, other)


def test_gold_that_was_read_as_an_example_is_asked_of_nobody_later(campaign, organizer, tester):
    (reviewer,) = panel(campaign, 1)
    read, other = closed_dialogues(campaign, tester, 2)
    make_gold([read, other], organizer)
    choose(read, organizer)
    assert seen_by(campaign, reviewer) == [WHY]
    Campaign.objects.update(training_pass_percent=50)
    campaign.refresh_from_db()
    draw_review_places(campaign=campaign, at=LATER)
    assert [place.dialogue_id for place in ReviewPlace.objects.filter(is_gold=True)] == [other.pk]
    assert training_of(campaign, reviewer).n_total == 1


def test_gold_scored_before_it_became_an_example_stands_for_no_other(campaign, organizer, tester):
    (reviewer,) = panel(campaign, 1, training_pass_percent=50)
    read, other = closed_dialogues(campaign, tester, 2)
    make_gold([read, other], organizer)
    draw_review_places(campaign=campaign, at=NOON)
    submit(read, reviewer)
    Campaign.objects.update(training_pass_percent=None)
    choose(Dialogue.objects.with_names().get(pk=read.pk), organizer)
    Campaign.objects.update(training_pass_percent=50)
    campaign.refresh_from_db()
    training = training_of(campaign, reviewer)
    assert (training.n_done, training.n_total, training.has_passed) == (1, 2, False)
    submit(other, reviewer)
    assert training_of(campaign, reviewer).has_passed


def test_examples_chosen_before_sizes_were_kept_are_not_shown_at_once(campaign, organizer, tester):
    panel(campaign, 2, gold_every=2)
    plain, golden = closed_dialogues(campaign, tester, 2)
    make_gold([golden], organizer)
    for dialogue in (plain, golden):
        choose(dialogue, organizer)

    def sizes():
        GuideExample.objects.update(panel_size=0)
        import_module("reviews.migrations.0006_panel_size_of_examples").sizes_of_today(apps, None)
        return dict(GuideExample.objects.values_list("dialogue", "panel_size"))

    assert sizes() == {plain.pk: 2, golden.pk: GuideExample.ASKED_AS_GOLD}
    Campaign.objects.update(gold_every=0, reviewed_by="self")
    assert sizes() == {plain.pk: 0, golden.pk: 0}


def test_an_organizer_who_scores_sees_what_reviewers_see(campaign, organizer, scored):
    dialogue, _reviewer, _other = scored
    per_dialogue(campaign, 2)
    choose(dialogue, organizer)
    assert seen_by(campaign, organizer) == [WHY]
    person(campaign, organizer.username, Role.REVIEWER)
    assert seen_by(campaign, organizer) == []


def test_chosen_examples_take_the_place_of_training_gold_at_their_criterion_alone(campaign, organizer, tester):
    panel(campaign, 1, training_pass_percent=50)
    gold, chosen = closed_dialogues(campaign, tester, 2)
    make_gold([gold], organizer)
    assert {mark.criterion for mark in marks_for(campaign, organizer, LATER).marks} == {
        "satisfaction", "fluency", "guidance",
    }  # fmt: skip
    choose(chosen, organizer)
    by_criterion = {mark.criterion: mark.shown for mark in marks_for(campaign, organizer, LATER).marks}
    assert (by_criterion["fluency"].example, by_criterion["fluency"].reason) == (1, WHY)
    assert (by_criterion["guidance"].example, by_criterion["guidance"].reason) == (2, "")


def test_a_dialogue_of_the_guide_comes_to_nobody_once_more(campaign, organizer, tester):
    (reviewer,) = panel(campaign, 1, second_reading_every=1)
    for dialogue in closed_dialogues(campaign, tester, 4):
        choose(dialogue, organizer)
    draw_review_places(campaign=campaign, at=NOON)
    for _ in range(4):
        following = open_next(campaign=campaign, reviewer=reviewer, at=NOON)
        assert isinstance(following, Dialogue)
        submit(following, reviewer)


@override("en")
def test_what_an_example_may_be(campaign, organizer, tester, scored):
    dialogue, reviewer, _other = scored
    with pytest.raises(NotYours):
        choose(dialogue, reviewer)
    with pytest.raises(BadReview, match="Say why"):
        choose(dialogue, organizer, reason=" ")
    with pytest.raises(BadReview, match="no such turn"):
        choose(dialogue, organizer, turn=99)
    make_gold([dialogue], organizer)
    with pytest.raises(BadReview, match="gold score is different: -1"):
        choose(dialogue, organizer, point=point_of(campaign, score=1))
    with pytest.raises(NotReviewable, match="closed and counts"):
        choose(closed_dialogue(campaign, tester, status="void", repetition=7), organizer)


@override("en")
def test_an_example_leaves_the_guide_before_it_is_gold_or_its_panel_waits_again(campaign, organizer, scored):
    dialogue, _reviewer, other = scored
    example = choose(dialogue, organizer)
    said = {"n_reviews": 1, "because": WHY, "closed_by": organizer, "closed_at": NOON}
    dialogue.closed_panels.create(**said)
    with pytest.raises(NotReviewable, match="take it out of the guide first"):
        make_gold([dialogue], organizer)
    with pytest.raises(NotReviewable, match="take it out of the guide first"):
        reopen_panel(dialogue=dialogue, organizer=organizer, at=NOON)
    assert seen_by(campaign, other) == [WHY]
    remove_example(example=example, by=organizer, at=NOON)
    assert seen_by(campaign, other) == []
    with pytest.raises(NotReviewable, match="may have read"):
        make_gold([dialogue], organizer)
    with pytest.raises(NotReviewable, match="may have read"):
        reopen_panel(dialogue=dialogue, organizer=organizer, at=NOON)


def test_of_one_taken_out_it_stays_known_that_reviewers_may_have_read_it(campaign, organizer, scored, tester):
    dialogue, _reviewer, other = scored
    remove_example(example=choose(dialogue, organizer), by=organizer, at=NOON)
    per_dialogue(campaign, 2)
    assert draw_review_places(campaign=campaign, at=LATER) == 0
    choose(dialogue, organizer)
    assert seen_by(campaign, other) == [WHY]
    unread = closed_dialogue(campaign, tester, repetition=8)
    remove_example(example=choose(unread, organizer), by=organizer, at=NOON)
    assert draw_review_places(campaign=campaign, at=LATER) == 2
    make_gold([unread], organizer)


def test_evidence_in_an_opening_stands_at_its_turn(campaign, organizer, tester):
    panel(campaign, 1, training_pass_percent=50)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    make_gold([dialogue], organizer)
    gold = dialogue.gold
    gold.content["evidence"] = {"fluency": 0}
    gold.save()
    turns = {mark.criterion: mark.shown.turn for mark in marks_for(campaign, organizer, LATER).marks}
    assert (turns["fluency"], turns["guidance"]) == (0, None)


def test_an_organizer_with_an_interest_neither_chooses_nor_sees(campaign, organizer, scored):
    dialogue, _reviewer, _other = scored
    choose(dialogue, organizer)
    team = dialogue.assignment.entry.bot.team
    TeamMember.objects.create(campaign=campaign, team=team, person=organizer)
    with pytest.raises(Interested):
        choose(dialogue, organizer)
    assert seen_by(campaign, organizer) == []


def test_chosen_again_the_new_sentence_holds_and_removed_it_is_gone(organizer, scored):
    dialogue, _reviewer, _other = scored
    choose(dialogue, organizer)
    example = choose(dialogue, organizer, reason="Another.")
    assert GuideExample.objects.get().reason == "Another."
    remove_example(example=example, by=organizer, at=NOON)
    assert not GuideExample.objects.in_guide().exists()
    acts = list(TrailLine.objects.filter(act__startswith="guide.").values_list("act", "because"))
    assert acts == [
        ("guide.example_added", WHY), ("guide.example_added", "Another."), ("guide.example_removed", ""),
    ]  # fmt: skip


def test_the_page_keeps_what_was_typed_and_says_what_is_wrong(client, campaign, organizer, scored):
    dialogue, _reviewer, _other = scored
    Person.objects.update(language="en")
    client.force_login(organizer)
    assert str(dialogue.pk) in client.get(f"{PAGE}?dialogue={dialogue.pk}").content.decode()
    typed = {"dialogue": str(dialogue.pk), "point": point_of(campaign).pk, "turn": "x", "reason": WHY}
    answer = client.post(PAGE, typed)
    assert answer.status_code == 422
    assert "The dialogue has no such turn." in answer.content.decode()
    assert WHY in answer.content.decode()
    assert client.post(PAGE, typed | {"turn": ""}, follow=True).status_code == 200
    example = GuideExample.objects.get()
    assert WHY in client.get(PAGE).content.decode()
    assert client.post(f"{PAGE}{example.pk}/remove/").status_code == 302
    assert not GuideExample.objects.in_guide().exists()


def test_a_program_lists_adds_and_removes(client, campaign, organizer, scored):
    dialogue, _reviewer, _other = scored
    client.force_login(organizer)
    body = {"dialogue": str(dialogue.pk), "criterion": "fluency", "score": -1, "turn": 1, "reason": WHY}
    added = client.post(API, body, content_type="application/json")
    assert added.status_code == 201
    assert (added.json()["score"], added.json()["waits"], added.json()["turn"]) == (-1, False, 1)
    assert client.get(API).json() == [added.json()]
    for wrong in ({"score": 7}, {"criterion": "none"}, {"dialogue": "x"}, {"turn": 9}):
        assert client.post(API, body | wrong, content_type="application/json").status_code == 400
    assert client.delete(f"{API}{added.json()['id']}/").status_code == 204
    assert client.get(API).json() == []


def test_the_review_page_has_the_example_beside_its_criterion_without_the_name_of_a_team(
    client, campaign, organizer, tester, scored
):
    dialogue, _reviewer, other = scored
    maker = campaign.entries.get().bot.team.name
    Turn.objects.filter(dialogue=dialogue).update(texts=[f"这里是{maker}"])
    choose(dialogue, organizer, reason=f"{maker} stops.")
    to_score = closed_dialogue(campaign, tester, repetition=8)
    ReviewPlace.objects.create(dialogue=to_score, reviewer=other, position=1, drawn_at=NOON, opened_at=NOON)
    client.force_login(other)
    for address in (f"/reviews/{to_score.pk}/", "/campaigns/small/review/guide/"):
        page = client.get(address).content.decode()
        assert "█ stops." in page
        assert maker not in page
    assert timezone.now() > LATER
