"""The counted records that come of programs: wherever a board is shown, it says how many there are."""

from django.db.models import Count, Q

from accounts.models import Person
from campaigns.models import Campaign
from dialogues.fault_policy import fault_policy_of
from dialogues.models import Dialogue
from reviews.models import Review


def counts_any(campaign: Campaign) -> bool:
    return campaign.programs_count or campaign.counts_program_testers


def records_of_programs(campaign: Campaign) -> dict[str, int]:
    """By the id of an entry, how many of its counted records a program scored, or of how many it had the dialogue.

    An entry without any is not named. No query is made where programs stand apart.
    """
    if not counts_any(campaign):
        return {}
    of_programs = Q(reviewer__kind=Person.Kind.PROGRAM) | Q(dialogue__tester__kind=Person.Kind.PROGRAM)
    closed = Dialogue.objects.of_campaign(campaign).reviewable().under(fault_policy_of(campaign))
    counted = Review.objects.filter(of_programs, is_counted=True, dialogue__in=closed).order_by()
    rows = counted.values_list("dialogue__assignment__entry").annotate(n=Count("pk"))
    return {str(entry): n for entry, n in rows}


def n_records_of_programs(campaign: Campaign) -> int:
    return sum(records_of_programs(campaign).values())
