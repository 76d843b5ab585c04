"""What let somebody onto a socket, and whether it still holds: asked in the transaction of every change."""

from dataclasses import dataclass

from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import DateTimeField
from django.utils import timezone
from knox.models import AuthToken

from campaigns.models import Assignment, CampaignRole, Role
from participants.models import Person

_AT = DateTimeField()

# One statement, since every frame that changes something asks it: the person is active, a tester of the assignment's
# campaign, and their credential is alive.
_HOLDS = f"""
SELECT 1 FROM {Person._meta.db_table} person
WHERE person.id = %s AND person.is_active
AND EXISTS (SELECT 1 FROM {CampaignRole._meta.db_table} role
            JOIN {Assignment._meta.db_table} assignment ON assignment.campaign_id = role.campaign_id
            WHERE assignment.id = %s AND role.person_id = person.id AND role.role = %s)
AND EXISTS (SELECT 1 FROM {{credential}})"""
_SESSION_HOLDS = _HOLDS.format(credential=f"{Session._meta.db_table} WHERE session_key = %s AND expire_date > %s")
_TOKEN_HOLDS = _HOLDS.format(
    credential=f"{AuthToken._meta.db_table} WHERE digest = %s AND (expiry IS NULL OR expiry > %s)"
)


@dataclass(frozen=True, slots=True)
class SocketAdmission:
    """A login session (`session_key`) or an API token (`token_digest`) of a person."""

    person_id: int
    session_key: str = ""
    token_digest: str = ""

    def still_holds(self, assignment_id: int) -> bool:
        """True while the person is active, a tester of the campaign, and neither logged out nor expired."""
        sql, credential = (_SESSION_HOLDS, self.session_key) if self.session_key else (_TOKEN_HOLDS, self.token_digest)
        now = _AT.get_db_prep_value(timezone.now(), connection)
        with connection.cursor() as cursor:
            cursor.execute(sql, [self.person_id, assignment_id, Role.TESTER.value, credential, now])
            return cursor.fetchone() is not None
