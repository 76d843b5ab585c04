"""What a campaign's models and judges lack before anything answers, beside what its set-up still needs."""

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from campaigns.models import Campaign
from judging.models import Judge
from language_models.models import ModelCall, Outcome


def lacking(campaign: Campaign) -> list[tuple[str, str]]:
    """Sentences, each with the route of the page where it is mended. Two queries."""
    answered = ModelCall.objects.filter(endpoint=OuterRef("pk"), outcome=Outcome.ANSWERED)
    silent = campaign.model_endpoints.in_use().exclude(Exists(answered)).values_list("key", flat=True)
    found = [
        (_("The language model “%(key)s” has never answered: make a test call.") % {"key": key}, "models")
        for key in silent
    ]
    judges = list(Judge.objects.filter(campaign=campaign).newest().filter(withdrawn_at=None).select_related("endpoint"))
    found += [
        (_("The judge %(name)s asks a language model that was withdrawn.") % {"name": judge.name}, "judges")
        for judge in judges
        if judge.endpoint.withdrawn_at is not None
    ]
    if campaign.programs_count and not judges:
        found.append((_("Scores of models count in this campaign, but no judge is declared."), "judges"))
    return found
