"""The demo's blind review: a campaign of finished dialogues, so that the demo's reviewer has something to score."""

from datetime import datetime
from pathlib import Path

from campaigns.models import Campaign
from demo.people import ORGANIZER
from dialogues.actions import import_dialogues
from dialogues.dialogue_files import read_huace
from dialogues.models import Dialogue
from reviews.actions.placing import draw_review_places

BLIND_REVIEW_FILE = Path(__file__).with_name("blind_review.toml")
DIALOGUES = Path(__file__).with_name("finished_dialogues.jsonl")


def import_finished_dialogues(campaign: Campaign, at: datetime) -> None:
    """Imports the demo's dialogues once, under its organizer, and gives them to the reviewer; a campaign that has dialogues stays as it is."""
    if Dialogue.objects.of_campaign(campaign).exists():
        return
    organizer = campaign.roles.get(person__username=ORGANIZER).person
    dialogues = read_huace(DIALOGUES.read_bytes())
    import_dialogues(campaign=campaign, dialogues=dialogues, importer=organizer, bot="", team="", at=at)
    # The server does so, too, but later than a newcomer clicks.
    draw_review_places(campaign=campaign, at=at)
