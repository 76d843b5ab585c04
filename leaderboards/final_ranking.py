"""The board that ranks in the end, where a campaign's preset has another one for that than the leaderboard."""

from campaigns.models import Campaign
from campaigns.presets import PRESETS
from rubrics.bilingual import in_readers_language


def final_ranking_of(campaign: Campaign) -> str:
    """Its name for the reader; empty where the leaderboard is the ranking."""
    preset = PRESETS.get(campaign.preset)
    for board in preset.boards if preset else ():
        # A campaign with a rubric of its own may lack them.
        if all("task" in column or column["figure"] in campaign.figures() for column in board["columns"]):
            return in_readers_language(board["name"]["zh"], board["name"]["en"])
    return ""
