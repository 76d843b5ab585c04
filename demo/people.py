"""Who may be signed in with one click, in a demo and only there."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SLUG = "smp2018-demo"
# The campaign of `examples/published/smp2018`, for everybody to read.
PUBLISHED = "smp2018"
# The campaign of demo/models.toml.
MODELS = "models-demo"
# Whose the dialogues of demo/finished_dialogues.jsonl are.
ORGANIZER = "organizer"


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """One of the accounts that demo/campaign.toml declares, as a role to look at the demo in."""

    username: str
    label: Promise


DEMO_PEOPLE = (
    DemoPerson("tester-1", _("Tester")),
    DemoPerson("reviewer", _("Reviewer")),
    DemoPerson("participant", _("Participant")),
    DemoPerson(ORGANIZER, _("Organizer")),
)
GUIDED = "tester-2"
GUIDED_BOT = "booking"
# The campaign of demo/guided.toml: its goals and its system are English.
GUIDED_IN_ENGLISH = "guided-demo"
