"""What the trail says of scores and decisions."""

from datetime import timedelta

import pytest

from campaigns.models import Role
from reviews.actions import BadReview, save_draft, undo_submission
from reviews.actions.closing import close_panel, reopen_panel
from reviews.actions.gold import set_gold
from reviews.actions.placing import draw_review_places
from reviews.actions.submitting import add_remark, answer_revision, changed_criteria, request_revision
from reviews.actions.vetting import vet_dialogue
from reviews.models import ReviewChange
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, person, submit
from tests.trail import lines_of

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def scored(campaign, tester):
    """A dialogue that its panel of one has scored, and an adjudicator's right to decide."""
    (reviewer,) = panel(campaign, 1, adjudicated_over=0)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, reviewer, comment="sehr gut")
    return dialogue, reviewer


def said(lines):
    return [(line.act, line.person) for line in lines]


def test_a_hand_in_is_one_line_with_what_it_changed_and_without_the_comment(closed, tester):
    with lines_of() as lines:
        review = submit(closed, tester, comment="zu früh")
    (line,) = lines
    alias = closed.assignment.entry.alias
    assert (line.act, line.person, line.about) == ("scores.handed_in", "tester", f"{alias} · flight-then-hotel")
    change = ReviewChange.objects.get()
    assert line.details == {
        "dialogue": str(closed.pk), "review": review.pk, "version": 1, "part": "self", "digest": change.digest,
        "changed": ["fluency", "guidance", "satisfaction", "verdicts"],
    }  # fmt: skip


def test_a_revision_and_its_undoing_are_a_line_each(closed, tester):
    submit(closed, tester)
    with lines_of() as lines:
        submit(closed, tester, ratings=SCORES | {"fluency": 1}, based_on_version=1, at=LATER)
        undo_submission(dialogue=closed, reviewer=tester, version=2, at=LATER)
    assert said(lines) == [("scores.revised", "tester"), ("scores.undone", "tester")]
    assert [line.details["changed"] for line in lines] == [["fluency"], ["fluency"]]


def test_a_draft_and_scores_that_are_refused_leave_no_line(closed, tester):
    with lines_of() as lines:
        save_draft(dialogue=closed, reviewer=tester, changes={"ratings": {"fluency": 1}}, based_on_version=0, at=NOON)
        with pytest.raises(BadReview):
            submit(closed, tester, ratings={})
    assert lines == []


def test_a_revision_that_was_granted_is_asked_answered_and_handed_in(scored, organizer):
    dialogue, reviewer = scored
    with lines_of() as lines:
        asked = request_revision(dialogue=dialogue, reviewer=reviewer, reason="mixed up", at=LATER)
        answer_revision(request=asked, organizer=organizer, is_granted=True, at=LATER)
        submit(dialogue, reviewer, ratings=SCORES | {"fluency": 1}, based_on_version=1, at=LATER)
    assert said(lines) == [
        ("revision.asked", "reviewer"), ("revision.granted", "organizer"), ("scores.revised", "reviewer"),
    ]  # fmt: skip
    assert [line.because for line in lines] == ["mixed up", "", "mixed up"]
    assert lines[1].details["reviewer"] == "reviewer"


def test_a_refusal_is_a_line(scored, organizer):
    dialogue, reviewer = scored
    asked = request_revision(dialogue=dialogue, reviewer=reviewer, reason="mixed up", at=LATER)
    with lines_of() as lines:
        answer_revision(request=asked, organizer=organizer, is_granted=False, at=LATER)
    assert said(lines) == [("revision.refused", "organizer")]


def test_what_an_adjudicator_hands_in_is_a_decision(campaign, tester):
    one, two = panel(campaign, 2, adjudicated_over=1)
    adjudicator = person(campaign, "adjudicator", Role.ADJUDICATOR)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, one, ratings=SCORES | {"satisfaction": -2})
    submit(dialogue, two, ratings=SCORES | {"satisfaction": 2})
    with lines_of() as lines:
        submit(dialogue, adjudicator)
        undo_submission(dialogue=dialogue, reviewer=adjudicator, version=1, at=NOON)
    assert said(lines) == [("scores.adjudicated", "adjudicator"), ("scores.undone", "adjudicator")]


def test_a_vetting_says_whether_and_only_a_return_says_why(campaign, tester):
    panel(campaign, 1, experts_per_dialogue=1)
    accepted, returned = closed_dialogues(campaign, tester, 2)
    expert = person(campaign, "expert", Role.EXPERT)
    with lines_of() as lines:
        vet_dialogue(dialogue=accepted, expert=expert, faults=(), reason="nice", at=NOON)
        vet_dialogue(dialogue=returned, expert=expert, faults=["fluent"], reason="no goal", at=NOON)
    assert said(lines) == [("dialogue.vetted", "expert"), ("dialogue.vetted", "expert"), ("dialogue.returned", "")]
    vetted = [(line.details["is_accepted"], line.because) for line in lines if line.act == "dialogue.vetted"]
    assert vetted == [(True, ""), (False, "no goal")]


def test_gold_is_a_line_without_the_scores(scored, organizer):
    dialogue, _ = scored
    content = {"ratings": SCORES, "verdicts": {}, "comment": "geheim"}
    with lines_of() as lines:
        set_gold(dialogue=dialogue, organizer=organizer, content=content, at=NOON)
    (line,) = lines
    assert said(lines) == [("gold.set", "organizer")]
    assert line.details == {"dialogue": str(dialogue.pk), "for_training": True, "own": True}


def test_a_panel_that_is_closed_and_reopened_is_two_lines(campaign, tester, organizer):
    one, two = panel(campaign, 2)
    campaign.roles.filter(person=two).delete()
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    submit(dialogue, one)
    with lines_of() as lines:
        close_panel(dialogue=dialogue, organizer=organizer, because="ill", at=NOON)
        reopen_panel(dialogue=dialogue, organizer=organizer, at=NOON)
    assert [(line.act, line.because) for line in lines] == [("panel.closed", "ill"), ("panel.reopened", "")]
    assert lines[0].details["n_reviews"] == 1


def test_a_remark_is_a_line_without_its_text(campaign, tester):
    (reviewer,) = panel(campaign, 1)
    (dialogue,) = closed_dialogues(campaign, tester, 1)
    draw_review_places(campaign=campaign, at=NOON)
    with lines_of() as lines:
        add_remark(dialogue=dialogue, reviewer=reviewer, kind="cannot_judge", text="Dialekt", at=NOON)
    assert [(line.act, line.details["kind"]) for line in lines] == [("remark.made", "cannot_judge")]
    assert "Dialekt" not in str(lines[0].details) + lines[0].because


def content(ratings=(), evidence=(), verdicts=(), comment=""):
    return {"ratings": dict(ratings), "evidence": dict(evidence), "verdicts": dict(verdicts), "comment": comment}


def test_what_stays_is_not_named():
    before = content({"fluency": 1, "guidance": 0}, evidence={"guidance": 2}, verdicts={"1": True})
    after = content({"fluency": 1, "guidance": 0}, evidence={"guidance": 3}, verdicts={"1": True})
    assert changed_criteria(before, after) == ["guidance"]


def test_another_comment_is_no_changed_criterion():
    assert changed_criteria(content({"fluency": 1}, comment="a"), content({"fluency": 1}, comment="b")) == []
