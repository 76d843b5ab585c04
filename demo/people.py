"""Who may be signed in with one click, in a demo and only there."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SLUG = "smp2018-demo"
# The campaign of `examples/published/smp2018`, for everybody to read.
PUBLISHED = "smp2018"


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """One of the accounts that demo/campaign.toml declares, as a role to look at the demo in."""

    username: str
    label: Promise


DEMO_PEOPLE = (
    DemoPerson("tester-1", _("Tester")),
    DemoPerson("reviewer", _("Reviewer")),
    DemoPerson("participant", _("Participant")),
    DemoPerson("organizer", _("Organizer")),
)
GUIDED = "tester-2"
GUIDED_BOT = "booking"
