"""What a team objects to: which dialogue of its own is meant, and what became of its objections."""

from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from campaigns.models import Campaign
from dialogues.models import Dialogue, Objection, Turn
from participants.models import Team


def objections_of(team: Team, campaign: Campaign) -> QuerySet[Objection]:
    """Those of the team, the latest first."""
    own = Objection.objects.filter(dialogue__assignment__campaign=campaign, dialogue__assignment__entry__bot__team=team)
    return own.select_related("turn", "dialogue__assignment__entry__bot", "made_by")


def subject_of(team: Team, campaign: Campaign, dialogue_id: str, turn: int | None) -> tuple[Dialogue, Turn | None]:
    """The dialogue of a system of the team, and its turn where one is named. Errors: `Http404`."""
    own = Dialogue.objects.of_campaign(campaign).filter(assignment__entry__bot__team=team, origin=Dialogue.Origin.LIVE)
    try:
        dialogue = get_object_or_404(own.with_names(), pk=UUID(dialogue_id))
    except ValueError as malformed:
        raise Http404 from malformed
    if turn is None:
        return dialogue, None
    found = dialogue.turns.filter(number=turn).first()
    if found is None:
        raise Http404
    return dialogue, found
