"""What of the panels of a campaign is reviewed, by bot and scenario, and what is still to be."""

from collections.abc import Iterator, Sequence

from campaigns.models import Campaign
from organizing.coverage import Fact, State
from reviews.models import ReviewPlace
from reviews.panel_gaps import LackingPanel
from reviews.places_plan import panel_dialogues


def review_facts(campaign: Campaign, lacking: Sequence[LackingPanel]) -> list[Fact]:
    """One fact per review that is done or missing, in one query; a panel that was closed misses nothing."""
    return [*_done(campaign), *(fact for one in lacking for fact in _missing(one))]


def _done(campaign: Campaign) -> Iterator[Fact]:
    done = ReviewPlace.objects.filter(dialogue__in=panel_dialogues(campaign), is_gold=False, done_at__isnull=False)
    for reviewer, bot, scenario in done.order_by().values_list(
        "reviewer__username", "dialogue__assignment__entry__key", "dialogue__assignment__scenario__key"
    ):
        yield Fact(reviewer, bot, scenario, State.DONE)


def _missing(one: LackingPanel) -> Iterator[Fact]:
    assignment = one.dialogue.assignment
    bot, scenario = assignment.entry.key, assignment.scenario.key
    for reviewer in one.at_work():
        yield Fact(reviewer, bot, scenario, State.OPEN if reviewer in one.begun else State.LEFT)
    for _ in range(one.gap.n_to_draw):
        yield Fact("", bot, scenario, State.COMING)
    for _ in range(one.gap.n_short):
        yield Fact("", bot, scenario, State.SHORT)
