"""What was said to a team's own bots, once the campaign releases it: closed dialogues without testers, scores or verdicts."""

from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404

from campaigns.models import Campaign, Entry
from dialogues.models import Dialogue
from dialogues.turn_taking import REVIEWABLE
from participants.models import Team

SHOWN = 500


def released_to(team: Team, campaign: Campaign) -> QuerySet[Dialogue]:
    """The dialogues that the team may read now; none before the release."""
    if not campaign.releases_transcripts:
        return Dialogue.objects.none()
    own = Dialogue.objects.of_campaign(campaign).reviewable().filter(assignment__entry__bot__team=team)
    return own.select_related("assignment__scenario", "assignment__entry__bot").order_by("closed_at", "pk")


def is_released(dialogue: Dialogue, campaign: Campaign) -> bool:
    """The same of one dialogue that is known to be the team's."""
    return campaign.releases_transcripts and dialogue.status in REVIEWABLE


def of_bot(entry: Entry) -> list[Dialogue]:
    return list(released_to(entry.bot.team, entry.campaign).filter(assignment__entry=entry)[:SHOWN])


def transcript_for(team: Team | None, campaign: Campaign, dialogue_id: UUID) -> Dialogue:
    """Errors: `Http404` for what is another team's, open, void or not released."""
    found = released_to(team, campaign).filter(pk=dialogue_id).first() if team else None
    if found is None:
        raise Http404
    return found
