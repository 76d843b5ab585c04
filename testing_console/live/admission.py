"""The credential that opened a socket, and whether it still holds: it does not for a paused tester.

Asked in the transaction of every change, and every second for all open sockets at once: the socket of a person who logged out,
or who changed the password in another browser, is closed.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import F, Q
from django.db.models.expressions import RawSQL
from django.utils import timezone

from accounts.models import ApiToken, Person
from accounts.scopes import WHOLE, Scope
from campaigns.interests import barred
from campaigns.models import Assignment, CampaignRole, Entry, Role, TeamMember
from dialogues.models import Dialogue
from dialogues.turn_taking import DialogueStatus
from participants.models import Bot
from serving.commits.statements import Statement
from serving.commits.steps import Ask, asking

# One statement, since every frame that changes something asks it: the person is active, a tester of the assignment's
# campaign without an interest in the bot, or of the bot's team where it is practised, and their credential is alive.
_HOLDS = f"""
SELECT 1 FROM {Person._meta.db_table} person
WHERE person.id = %s AND person.is_active
AND EXISTS (SELECT 1 FROM {CampaignRole._meta.db_table} role
            JOIN {Assignment._meta.db_table} assignment ON assignment.campaign_id = role.campaign_id
            WHERE assignment.id = %s AND role.person_id = person.id AND role.paused_at IS NULL
            AND role.role = CASE WHEN assignment.is_practice THEN '{Role.PARTICIPANT.value}' ELSE %s END
            AND (assignment.is_practice OR NOT {barred("person.id", "assignment.entry_id")})
            AND (NOT assignment.is_practice OR EXISTS (
                SELECT 1 FROM {TeamMember._meta.db_table} member
                JOIN {Entry._meta.db_table} entry ON entry.id = assignment.entry_id
                JOIN {Bot._meta.db_table} bot ON bot.id = entry.bot_id
                WHERE member.campaign_id = assignment.campaign_id AND member.person_id = person.id
                AND member.team_id = bot.team_id)))
AND EXISTS (SELECT 1 FROM {{credential}})"""
_BY = ((Person, "id"), (Assignment, "id"), (CampaignRole, "role"))
# A changed password leaves the rows of the other sessions; Django refuses those at their next page, a socket asks for none.
_session_holds = Statement(
    _HOLDS.format(
        credential=f"{Session._meta.db_table} WHERE session_key = %s AND expire_date > %s AND person.password = %s"
    ),
    *_BY,
    (Session, "session_key"),
    (Session, "expire_date"),
    (Person, "password"),
)
_token_holds = Statement(
    _HOLDS.format(credential=f"{ApiToken._meta.db_table} WHERE digest = %s AND (expiry IS NULL OR expiry > %s)"),
    *_BY,
    (ApiToken, "digest"),
    (ApiToken, "expiry"),
)


# The dialogues whose testers have acquired an interest in the bot.
_BARRED_DIALOGUES = f"""
SELECT dialogue.id FROM {Dialogue._meta.db_table} dialogue
JOIN {Assignment._meta.db_table} assignment ON assignment.id = dialogue.assignment_id
WHERE dialogue.status = '{DialogueStatus.OPEN.value}' AND NOT assignment.is_practice
AND {barred("dialogue.tester_id", "assignment.entry_id")}
"""
# The person who talks: a tester, or in practice a member of the team.
TALKS = Q(assignment__is_practice=False, assignment__campaign__roles__role=Role.TESTER) | Q(
    assignment__is_practice=True, assignment__campaign__roles__role=Role.PARTICIPANT
)


@dataclass(frozen=True, slots=True)
class SocketAdmission:
    """A login session (`session_key`, with the hash of the password that it was opened by) or an API token (`token_digest`)."""

    person_id: int
    session_key: str = ""
    password: str = field(default="", repr=False)
    token_digest: str = ""
    # Asked once, when the socket opens: what a token may do never changes.
    scope: Scope = WHOLE
    # In which its refusals are said.
    language: str = field(default=settings.LANGUAGE_CODE, compare=False)

    def person(self) -> Person:
        """The person, limited to what the credential allows."""
        person = Person.objects.get(pk=self.person_id)
        person.scope = self.scope
        return person

    def proof(self, assignment_id: int) -> Ask:
        """Finds a row while the person is active, a tester of the campaign, and neither logged out nor expired."""
        who = (self.person_id, assignment_id, Role.TESTER.value)
        if self.session_key:
            return asking(_session_holds, *who, self.session_key, timezone.now(), self.password)
        return asking(_token_holds, *who, self.token_digest, timezone.now())

    def is_outdated(self, password: str) -> bool:
        """Whether the login was made with an earlier password than this; tokens outlive a change of it."""
        return bool(self.session_key) and self.password != password


def no_longer_held(held: Collection[tuple[UUID, SocketAdmission]]) -> set[tuple[UUID, SocketAdmission]]:
    """Those pairs of dialogue and admission that no longer hold; three queries whatever their number."""
    # Each dialogue's own tester only: its campaign may have hundreds.
    passwords = {
        (dialogue_id, person_id): password
        for dialogue_id, person_id, password in Dialogue.everything.filter(
            TALKS,
            pk__in={dialogue_id for dialogue_id, _ in held},
            tester__is_active=True,
            assignment__campaign__roles__person=F("tester"),
            assignment__campaign__roles__paused_at=None,
        )
        .exclude(pk__in=RawSQL(_BARRED_DIALOGUES, []))
        .values_list("pk", "tester_id", "tester__password")
    }
    ended = without_credential({admission for _, admission in held})
    return {
        (dialogue_id, admission)
        for dialogue_id, admission in held
        if (dialogue_id, admission.person_id) not in passwords
        or admission.is_outdated(passwords[dialogue_id, admission.person_id])
        or admission in ended
    }


def without_credential(held: Collection[SocketAdmission]) -> set[SocketAdmission]:
    """Those whose login session or token is gone or has expired; two queries whatever their number."""
    now = timezone.now()
    sessions = {admission.session_key for admission in held if admission.session_key}
    digests = {admission.token_digest for admission in held if admission.token_digest}
    alive = {""}
    alive |= set(
        Session.objects.filter(session_key__in=sessions, expire_date__gt=now).values_list("session_key", flat=True)
    )
    alive |= set(
        ApiToken.objects.filter(Q(expiry=None) | Q(expiry__gt=now), digest__in=digests).values_list("digest", flat=True)
    )
    return {admission for admission in held if not {admission.session_key, admission.token_digest} <= alive}
