"""What let somebody onto a socket, and whether it still holds: asked in the transaction of every change."""

from dataclasses import dataclass

from django.contrib.sessions.models import Session
from django.db.models import Exists, Q
from django.utils import timezone
from knox.models import AuthToken

from campaigns.models import CampaignRole, Role
from participants.models import Person


@dataclass(frozen=True, slots=True)
class SocketAdmission:
    """A login session (`session_key`) or an API token (`token_digest`) of an active person."""

    person_id: int
    session_key: str = ""
    token_digest: str = ""

    def still_holds(self, campaign_id: int) -> bool:
        """True while the person is active, a tester of the campaign, and neither logged out nor expired."""
        now = timezone.now()
        if self.session_key:
            credential = Exists(Session.objects.filter(session_key=self.session_key, expire_date__gt=now))
        else:
            alive = Q(expiry__isnull=True) | Q(expiry__gt=now)
            credential = Exists(AuthToken.objects.filter(alive, digest=self.token_digest))
        role = CampaignRole.objects.filter(campaign_id=campaign_id, person_id=self.person_id, role=Role.TESTER)
        return Person.objects.filter(credential, Exists(role), pk=self.person_id, is_active=True).exists()
