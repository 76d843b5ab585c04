"""REST: the people of a campaign and its invitations, by the same acts and rules as the pages."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, TypedDict

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from accounts.link_addresses import address_of
from accounts.link_tokens import LinkUnusable
from accounts.models import Person
from accounts.passwords.actions import HANDED_OVER_FOR, make_password_link
from accounts.second_factor.actions import reset_second_factor
from api.answers import From, encoded
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import address_in, body_in
from api.problems import problem_answer
from campaigns.access import OrganizersView
from campaigns.actions.leaving import CannotTakeOver
from campaigns.actions.people import WITH_WORK, give_role, pause_person, resume_person, take_role
from campaigns.models import Role
from organizing.people.invitation_views import invitation_in
from organizing.people.leave_views import Preview, do_leave, heirs_of, preview_of, role_with_work
from organizing.people.password_links import may_make_password_link
from organizing.people.people_page import PersonRow, people_of
from organizing.people.views import lift_limit_of, person_in
from participants.limits import REASON_LIMIT
from reading.json_schemas import Moment
from reading.kinds import Choice, ListOf, Text, Whole
from reading.tables import Field, Table
from registration.actions.inviting import DAYS, MOST_DAYS, Invited, invite, renew_invitation, withdraw_invitation
from registration.invitation_lines import BadInvitations, read_invitees
from registration.invitation_texts import letter_of, role_words, why_unusable
from registration.models import Invitation

BECAUSE = Field(Text(REASON_LIMIT))
REASON = Table({"because": BECAUSE}, keeps_others=True)
ROLE = Table({"role": Field(Choice(Role.values))}, keeps_others=True)
GIVING = Table({**ROLE.fields, "because": BECAUSE}, keeps_others=True)
LEAVE = Table(
    {
        "role": Field(Choice([role.value for role in WITH_WORK]), ""),
        "to": Field(Text(150), ""),
        "previewed": Field(Text(64), ""),
    },
    keeps_others=True,
)
LEAVING = Table({**LEAVE.fields, "because": BECAUSE}, keeps_others=True)
# `people` is the pasted list of the page: one line per person.
INVITING = Table(
    {
        "people": Field(Text(100_000)),
        "roles": Field(ListOf(Choice(Role.values)), ()),
        "team": Field(Text(200), ""),
        "days": Field(Whole(1, MOST_DAYS), DAYS),
    },
    keeps_others=True,
)


class WorkAnswer(TypedDict):
    role: str
    done: Annotated[int, From("n_done")]
    left: Annotated[int, From("n_left")]


class PersonAnswer(TypedDict):
    """`barred_by` are the teams of somebody who judges or organizes and, by their interest in these, reads and judges no dialogue."""

    id: Annotated[int, From("person.pk")]
    username: Annotated[str, From("person.username")]
    name: Annotated[str, From("person.display_name")]
    kind: Annotated[str, From("person.kind")]
    roles: Annotated[list[str], From(lambda row: [role.role for role in row.roles])]
    team: Annotated[str | None, From("team.name")]
    team_en: Annotated[str, From("team.name_en", none="")]
    barred_by: list[str]
    seen_at: Moment | None
    work: list[WorkAnswer]
    paused_at: Annotated[Moment | None, From("pause.paused_at")]
    paused_because: Annotated[str | None, From("pause.paused_because")]


class PeopleAnswer(TypedDict):
    people: Annotated[list[PersonAnswer], From("rows")]


class RoleAnswer(TypedDict):
    role: str


class PausedAnswer(TypedDict):
    paused: bool


class ShareAnswer(TypedDict):
    """What somebody has to do now, and what they would have then."""

    person: Annotated[str, From("name")]
    now: Annotated[int, From("n_now")]
    then: Annotated[int, From("n_then")]


class LeaveAnswer(TypedDict):
    moved: Annotated[int, From("n_moved")]
    short: Annotated[int, From("n_short")]
    shares: list[ShareAnswer]
    previewed: Annotated[str, From("digest")]


class PasswordLinkAnswer(TypedDict):
    link: str
    expires_at: Moment


class LiftedAnswer(TypedDict):
    until: Moment


class InvitationAnswer(TypedDict):
    id: Annotated[int, From("pk")]
    name: str
    email: str
    roles: list[str]
    team: Annotated[str | None, From("team.name")]
    team_en: Annotated[str, From("team.name_en", none="")]
    state: Annotated[str, From(lambda invitation: invitation.state_at(timezone.now()))]
    made_at: Moment
    made_by: Annotated[str | None, From("made_by.username")]
    expires_at: Moment
    used_at: Moment | None
    used_by: Annotated[str | None, From("used_by.username")]
    withdrawn_at: Moment | None


class NewInvitation(InvitationAnswer):
    """With its link, and a letter to send in each language."""

    link: str
    texts: Mapping[str, str]


class InvitationsAnswer(TypedDict):
    invitations: Annotated[list[InvitationAnswer], From("rows")]


class NewInvitations(TypedDict):
    invitations: list[NewInvitation]


class OrganizingView(OrganizersView):
    def who(self, request: Request, person_id: int) -> dict[str, Any]:
        """What every act on somebody of the campaign asks for."""
        person = person_in(self.campaign, person_id)
        return {"campaign": self.campaign, "person": person, "by": person_of(request), "at": timezone.now()}


class People(OrganizingView):
    @describes("Lists the people of a campaign", PeopleAnswer, asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, people_of(self.campaign))


class OnePerson(OrganizingView):
    @describes("Gives one person of a campaign", PersonAnswer)
    def get(self, request: Request, person_id: int) -> PersonRow:
        (row,) = people_of(self.campaign, [person_in(self.campaign, person_id).pk])
        return row


class PersonRoles(OrganizingView):
    """POST gives a role; DELETE takes one back that has no work to hand on, `?role=` naming it; each with a reason."""

    @describes("Gives a person a role", RoleAnswer, 201, reads=GIVING, refuses=(409,))
    def post(self, request: Request, person_id: int) -> RoleAnswer:
        said = body_in(request, GIVING)
        give_role(role=Role(said["role"]), because=said["because"], **self.who(request, person_id))
        return {"role": said["role"]}

    @describes(
        "Takes a role back that has no work to hand on",
        None,
        204,
        asks={"role": ROLE.fields["role"].kind},
        reads=REASON,
        refuses=(409,),
    )
    def delete(self, request: Request, person_id: int) -> Response | None:
        role, who = Role(address_in(request, ROLE)["role"]), self.who(request, person_id)
        if role in WITH_WORK:
            return problem_answer(
                409, "has_work", lambda: _("Testers and reviewers leave with a preview of what moves: see leave/.")
            )
        take_role(role=role, because=body_in(request, REASON)["because"], **who)
        return None


class PersonPause(OrganizingView):
    """POST pauses the person; DELETE lets them go on; each with a reason."""

    @describes("Pauses a person", PausedAnswer, 201, reads=REASON, refuses=(409,))
    def post(self, request: Request, person_id: int) -> PausedAnswer:
        pause_person(**self.who(request, person_id), **body_in(request, REASON))
        return {"paused": True}

    @describes("Lets a person go on", None, 204, reads=REASON, refuses=(409,))
    def delete(self, request: Request, person_id: int) -> None:
        resume_person(**self.who(request, person_id), **body_in(request, REASON))


class PersonLeave(OrganizingView):
    """GET `?role=&to=` says what would move; POST does it, if `previewed` (the digest) still says the same."""

    @describes(
        "Says what would move if a person left",
        LeaveAnswer,
        asks={name: LEAVE.fields[name].kind for name in ("role", "to")},
        refuses=(409,),
    )
    def get(self, request: Request, person_id: int) -> Preview:
        person, asked = person_in(self.campaign, person_id), address_in(request, LEAVE)
        role, to = self._heir(person, asked)
        return preview_of(self.campaign, person, role, to)

    @describes("Has a person leave, if `previewed` still says what moves", LeaveAnswer, reads=LEAVING, refuses=(409,))
    def post(self, request: Request, person_id: int) -> Preview:
        person, asked = person_in(self.campaign, person_id), body_in(request, LEAVING)
        role, to = self._heir(person, asked)
        preview = preview_of(self.campaign, person, role, to)
        do_leave(self.campaign, person, role, to, asked["previewed"], asked["because"], person_of(request))
        return preview

    def _heir(self, person: Person, asked: Mapping[str, str]) -> tuple[Role, Person | None]:
        """The role to leave, and who takes the work over. Errors: `CannotTakeOver`."""
        role = role_with_work(self.campaign, person, asked["role"])
        heirs = {heir.username: heir for heir in heirs_of(self.campaign, person, role)}
        if asked["to"] and asked["to"] not in heirs:
            raise CannotTakeOver
        return role, heirs.get(asked["to"])


class PersonSecondFactor(OrganizingView):
    """DELETE resets it for somebody who lost it."""

    @describes("Resets the second factor of somebody who lost it", None, 204, reads=REASON)
    def delete(self, request: Request, person_id: int) -> None:
        person, by = person_in(self.campaign, person_id), person_of(request)
        if not person.has_second_factor or not may_make_password_link(by, person):
            raise NotFound
        because = body_in(request, REASON)["because"]
        reset_second_factor(person=person, by=by, because=because, campaign=self.campaign.slug)


class PasswordLink(OrganizingView):
    """POST makes a link that sets the person's password; it can be read only in this answer."""

    @describes(
        "Makes a link that sets the person's password; only this answer holds it",
        PasswordLinkAnswer,
        201,
        refuses=(409,),
    )
    def post(self, request: Request, person_id: int) -> Any:
        person, by, at = person_in(self.campaign, person_id), person_of(request), timezone.now()
        if not may_make_password_link(by, person):
            return problem_answer(409, "takes_part_elsewhere", lambda: _("The person takes part elsewhere, too."))
        token = make_password_link(person=person, by=by, at=at, campaign=self.campaign.slug)
        link = address_of(reverse("set-password", args=[token]), request)
        return {"link": link, "expires_at": at + HANDED_OVER_FOR}


class LogInLimit(OrganizingView):
    """DELETE lifts it for everybody with a role in the campaign, and says until when."""

    @describes("Lifts the limit of log-in guesses per network for the campaign's people, for an hour", LiftedAnswer)
    def delete(self, request: Request) -> Mapping[str, datetime]:
        return {"until": lift_limit_of(self.campaign, person_of(request))}


class InvitationsView(OrganizingView):
    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, LinkUnusable):
            return problem_answer(409, exc.why.value, lambda: why_unusable(exc.why))
        return super().handle_exception(exc)

    @staticmethod
    def with_link(request: Request, invited: Invited) -> NewInvitation:
        letter = letter_of(invited, request)
        made: NewInvitation = encoded(NewInvitation, invited.invitation, link=letter.address, texts=letter.texts)
        return made


class Invitations(InvitationsView):
    """GET lists all invitations; POST makes some, and its answer is the only place where their links can be read."""

    @describes("Lists the invitations of a campaign", InvitationsAnswer, asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, Invitation.objects.of_campaign(self.campaign).with_names())

    @describes(
        "Invites people, one line of `people` each; only this answer holds the links",
        NewInvitations,
        201,
        reads=INVITING,
        refuses=(409,),
    )
    def post(self, request: Request) -> NewInvitations:
        asked = body_in(request, INVITING)
        try:
            invitees = read_invitees(asked["people"], roles=asked["roles"], team=asked["team"], role_words=role_words())
            by, at = person_of(request), timezone.now()
            invited = invite(campaign=self.campaign, invitees=invitees, by=by, at=at, days=asked["days"])
        except BadInvitations as bad:
            raise ValidationError({"people": [str(problem) for problem in bad.problems]}) from bad
        return {"invitations": [self.with_link(request, one) for one in invited]}


class OneInvitation(InvitationsView):
    """DELETE withdraws it."""

    @describes("Withdraws an invitation", None, 204, refuses=(409,))
    def delete(self, request: Request, invitation_id: int) -> None:
        invitation = invitation_in(self.campaign, invitation_id)
        withdraw_invitation(invitation=invitation, by=person_of(request), at=timezone.now())


class RenewedInvitation(InvitationsView):
    """POST gives it another link."""

    @describes("Gives an invitation another link", NewInvitation, refuses=(409,))
    def post(self, request: Request, invitation_id: int) -> NewInvitation:
        invitation = invitation_in(self.campaign, invitation_id)
        renewed = renew_invitation(invitation=invitation, by=person_of(request), at=timezone.now())
        return self.with_link(request, renewed)
