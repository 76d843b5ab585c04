"""What the API answers about people and invitations."""

from collections.abc import Mapping
from typing import TypedDict

from reading.json_schemas import Moment


class WorkAnswer(TypedDict):
    role: str
    done: int
    left: int


class PersonAnswer(TypedDict):
    """`barred_by` are the teams of somebody who judges or organizes and, by their interest in these, reads and judges no dialogue."""

    id: int
    username: str
    name: str
    roles: list[str]
    team: str | None
    team_en: str
    barred_by: list[str]
    seen_at: Moment | None
    work: list[WorkAnswer]
    paused_at: Moment | None
    paused_because: str | None


class PeopleAnswer(TypedDict):
    people: list[PersonAnswer]


class RoleAnswer(TypedDict):
    role: str


class PausedAnswer(TypedDict):
    paused: bool


class ShareAnswer(TypedDict):
    """What somebody has to do now, and what they would have then."""

    person: str
    now: int
    then: int


class LeaveAnswer(TypedDict):
    moved: int
    short: int
    shares: list[ShareAnswer]
    previewed: str


class PasswordLinkAnswer(TypedDict):
    link: str
    expires_at: Moment


class InvitationAnswer(TypedDict):
    id: int
    name: str
    email: str
    roles: list[str]
    team: str | None
    team_en: str
    state: str
    made_at: Moment
    made_by: str | None
    expires_at: Moment
    used_at: Moment | None
    used_by: str | None
    withdrawn_at: Moment | None


class NewInvitation(InvitationAnswer):
    """With its link, and a letter to send in each language."""

    link: str
    texts: Mapping[str, str]


class InvitationsAnswer(TypedDict):
    invitations: list[InvitationAnswer]


class NewInvitations(TypedDict):
    invitations: list[NewInvitation]
