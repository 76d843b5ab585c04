"""In which capacity a person scores a dialogue, if at all."""

from datetime import datetime

from django.http import Http404
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.access import roles_of
from campaigns.calendar import Doing, check_open
from campaigns.interests import may_judge
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from dialogues.turn_taking import ENDED_EARLY, TIME_OVER, VOIDED, DialogueStatus
from reviews.models import Dispute, Review, ReviewPlace
from serving.refused import Refused

Part = Review.Part
# Who scores in these parts holds a place for it; an adjudicator may have one that they let go, which stays let go.
WITH_PLACE = (Part.PANEL, Part.GOLD)


class NotReviewable(Refused):
    """The dialogue cannot be scored: it is open or void."""

    code = "not_reviewable"


class NotYours(Http404):
    """The dialogue is not this person's to score; that it exists is not their business."""


def check_may_review(dialogue: Dialogue, reviewer: Person) -> str:
    """The `Review.Part` in which the person may score the dialogue now. Errors: `NotYours`, `NotReviewable`."""
    part = part_of(dialogue, reviewer)
    if dialogue.status == DialogueStatus.OPEN:
        raise NotReviewable(_("The dialogue is still open: end it first."))
    if dialogue.status == DialogueStatus.VOID:
        if dialogue.reason == VOIDED:
            raise NotReviewable(_("The organizer declared the dialogue void: it is not scored."))
        raise NotReviewable(_("The dialogue is void, because the platform failed: it is not scored."))
    if dialogue.status == DialogueStatus.ABANDONED:
        if dialogue.reason == ENDED_EARLY:
            raise NotReviewable(_("The dialogue was given up before everything was used: it is not scored."))
        if dialogue.reason == TIME_OVER:
            raise NotReviewable(_("The time to finish the dialogue was over: it is not scored."))
        raise NotReviewable(_("Nothing was said in the dialogue for too long: it is not scored."))
    if dialogue.status == DialogueStatus.RETURNED:
        raise NotReviewable(_("An expert returned the dialogue: it is done again, not scored."))
    return part


def check_is_time(dialogue: Dialogue, part: str, at: datetime) -> None:
    """Whether the campaign's dates let scores be given or changed in that part. Errors: `campaigns.calendar.NotNow`."""
    check_open(dialogue.assignment.campaign, Doing.SCORE_OWN if part == Part.SELF else Doing.REVIEW, at)


def part_of(dialogue: Dialogue, person: Person) -> str:
    """The person's part in the scoring of a dialogue, whatever its state. Errors: `NotYours`.

    The tester is never in the panel of their own dialogue, nor is a member of the panel its adjudicator. An interest in the bot
    takes every part away, that of the tester too.
    """
    if not may_judge(person, dialogue.assignment.entry_id):
        raise NotYours
    campaign = dialogue.assignment.campaign
    roles = roles_of(person, campaign)
    if dialogue.talker_id == person.pk:
        if Role.TESTER in roles and campaign.testers_score:
            return Part.SELF
        raise NotYours
    place = ReviewPlace.objects.filter(dialogue=dialogue, reviewer=person).first()
    if place is not None and Role.REVIEWER in roles and (place.released_at is None or may_have_back(place)):
        return Part.GOLD if place.is_gold else Part.PANEL
    if Role.ADJUDICATOR in roles and has_dispute_for(dialogue, person):
        return Part.ADJUDICATION
    raise NotYours


def has_dispute_for(dialogue: Dialogue, person: Person) -> bool:
    """Whether a dispute waits for an adjudicator who did not take part in it, or this person settled it."""
    dispute = Dispute.objects.filter(dialogue=dialogue).select_related("settled_by").first()
    if dispute is None or is_in_panel(dialogue, person):
        return False
    if dispute.settled_at is None:
        return True
    return dispute.settled_by is not None and dispute.settled_by.reviewer_id == person.pk


def is_in_panel(dialogue: Dialogue, person: Person) -> bool:
    return Review.objects.filter(dialogue=dialogue, reviewer=person, part__in=WITH_PLACE, is_submitted=True).exists()


def may_have_back(place: ReviewPlace) -> bool:
    """A reservation that ran out comes back as long as nobody has begun in its stead: whoever returns loses nothing."""
    if place.released_because != ReviewPlace.Released.EXPIRED:
        return False
    campaign = place.dialogue.assignment.campaign
    begun = ReviewPlace.objects.filter(dialogue=place.dialogue, is_gold=False, released_at__isnull=True)
    return begun.exclude(opened_at=None).count() < campaign.reviewers_per_dialogue


def check_may_revise(dialogue: Dialogue) -> None:
    """Scores that were handed in can be changed as long as the campaign's results are open."""
    if not may_revise(dialogue.assignment.campaign):
        raise NotReviewable(_("The results are published: scores that were handed in can no longer be changed."))


def may_revise(campaign: Campaign) -> bool:
    return not campaign.is_published


def check_may_hand_in_again(review: Review, dialogue: Dialogue) -> None:
    """Who scored their own dialogue may revise at any time; everybody else once per request that was granted."""
    check_may_revise(dialogue)
    if not may_hand_in_again(review):
        raise NotReviewable(_("These scores were handed in: undo that, or ask for a revision and say why."))


def may_hand_in_again(review: Review) -> bool:
    return review.part == Part.SELF or review.revision_requests.filter(is_granted=True, used_at=None).exists()
