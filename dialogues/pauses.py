"""Why somebody pauses in a campaign, as they read it themselves."""

from accounts.models import Person
from campaigns.access import pause_of
from campaigns.models import Campaign, CampaignRole
from dialogues.masking import masker_of
from dialogues.queries import masked_words


def shown_pause(person: Person, campaign: Campaign, role: str) -> CampaignRole | None:
    """The role that pauses, with its reason masked; None where it does not pause."""
    pause = pause_of(person, campaign, role)
    if pause is not None:
        pause.paused_because = shown_reason(pause, campaign)
    return pause


def shown_reason(held: CampaignRole, campaign: Campaign) -> str:
    """Why the role pauses, without the names of teams and systems; empty where it does not."""
    return held.paused_because and masker_of(masked_words(campaign)).mask(held.paused_because)
