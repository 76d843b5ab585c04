"""Why somebody pauses in a campaign, as they read it themselves."""

from accounts.models import Person
from campaigns.access import pause_of
from campaigns.models import Campaign, CampaignRole
from testing_console.masking import masker_of
from testing_console.queries import masked_words


def shown_pause(person: Person, campaign: Campaign, role: str) -> CampaignRole | None:
    """The role that pauses, with the names of teams and systems blotted out of the reason; None where it does not pause."""
    pause = pause_of(person, campaign, role)
    if pause is not None:
        pause.paused_because = masker_of(masked_words(campaign)).mask(pause.paused_because)
    return pause
