"""REST: what experts and organizers decide: vetting, gold, revisions, panels that nobody can fill."""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, asked_in, page_of
from api.parsers import body_in
from campaigns.access import OrganizersView, campaign_for
from campaigns.models import Role
from reading.json_schemas import Id, Moment
from reading.kinds import FLAG, UNMEASURED_TEXT, Choice
from reading.tables import Field, Table
from reviews.actions.closing import close_panel, reopen_panel
from reviews.actions.counting import is_accepted
from reviews.actions.gold import set_gold
from reviews.actions.submitting import answer_revision
from reviews.actions.vetting import is_its_expert, vet_dialogue
from reviews.api import CHANGES, COMPLETE, ScoringView
from reviews.desk import requests_in
from reviews.models import GoldReview, RevisionRequest, Vetting
from reviews.panel_gaps import closed_panels, short_panels

# The five answers about what the tester says.
VETTING = Table(
    {**dict.fromkeys(Vetting.Question.values, Field(FLAG)), "reason": Field(UNMEASURED_TEXT, "")}, keeps_others=True
)
SCORES = {**CHANGES, **dict.fromkeys(("ratings", "evidence", "verdicts"), Field(COMPLETE, None))}
GOLD = Table({"for_training": Field(FLAG, True), **SCORES}, keeps_others=True)
PANEL = Table({"closed": Field(FLAG), "because": Field(UNMEASURED_TEXT, "")}, keeps_others=True)
GRANTED = Table({"granted": Field(FLAG)}, keeps_others=True)


class VettedAnswer(TypedDict):
    """`accepted` is null until the experts have decided."""

    yours: bool
    accepted: bool | None


class GoldAnswer(TypedDict):
    content: dict[str, Any]
    for_training: Annotated[bool, From("is_for_training")]


class PanelAnswer(TypedDict):
    closed: bool
    n_reviews: int


class GrantedAnswer(TypedDict):
    granted: Annotated[bool | None, From("is_granted")]


class RoleView(ScoringView):
    """The same for a dialogue of a campaign in which the person holds the one role of `access`."""

    access = Access("roles", (Role.ORGANIZER,))

    def check_may_open(self) -> None:
        campaign_for(self.person, self.dialogue.assignment.campaign.slug, *self.access.roles)


class DialogueVetting(RoleView):
    """POST assesses a collected dialogue; one no returns it. `accepted` is null until all experts have answered."""

    access = Access("roles", (Role.EXPERT,))

    def check_may_open(self) -> None:
        super().check_may_open()
        if not is_its_expert(self.dialogue, self.person):
            raise Http404

    @describes("Assesses a collected dialogue: accepts or returns it", VettedAnswer, 201, reads=VETTING, refuses=(409,))
    def post(self, request: Request) -> VettedAnswer:
        answers = body_in(request, VETTING)
        faults = [question for question in Vetting.Question.values if not answers[question]]
        vetting = vet_dialogue(
            dialogue=self.dialogue, expert=self.person, faults=faults, reason=answers["reason"], at=self.at
        )
        return {"yours": vetting.is_accepted, "accepted": is_accepted(self.dialogue)}


class DialogueGold(RoleView):
    """POST makes a dialogue gold, by the scores in the body or those of its adjudicator."""

    @describes(
        "Makes a dialogue gold, by the scores in the body or those of its adjudicator",
        GoldAnswer,
        201,
        reads=GOLD,
        refuses=(409,),
    )
    def post(self, request: Request) -> GoldReview:
        body = body_in(request, GOLD)
        content = {name: body[name] for name in SCORES if body[name] is not None}
        return set_gold(
            dialogue=self.dialogue,
            organizer=self.person,
            content=content or None,
            is_for_training=body["for_training"],
            at=self.at,
        )


class DialoguePanel(RoleView):
    """POST closes the panel of a dialogue with the reviews that it has, or reopens it."""

    @describes(
        "Closes the panel of a dialogue with the reviews that it has, or reopens it",
        PanelAnswer,
        201,
        reads=PANEL,
        refuses=(409,),
    )
    def post(self, request: Request) -> PanelAnswer:
        body = body_in(request, PANEL)
        by_whom: dict[str, Any] = {"dialogue": self.dialogue, "organizer": self.person, "at": self.at}
        panel = close_panel(because=body["because"], **by_whom) if body["closed"] else reopen_panel(**by_whom)
        return {"closed": body["closed"], "n_reviews": panel.n_reviews}


class RevisionAnswer(APIView):
    """POST grants or refuses a reviewer's request for a revision."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Grants or refuses a reviewer's request for a revision", GrantedAnswer, reads=GRANTED, refuses=(409,))
    def post(self, request: Request, request_id: int) -> RevisionRequest:
        known = RevisionRequest.objects.select_related("review__dialogue__assignment__campaign")
        asked = get_object_or_404(known, pk=request_id)
        campaign_for(request.user, asked.review.dialogue.assignment.campaign.slug, Role.ORGANIZER)
        granted = body_in(request, GRANTED)["granted"]
        return answer_revision(request=asked, organizer=person_of(request), is_granted=granted, at=timezone.now())


STATES: dict[str, bool | None] = {"waiting": None, "granted": True, "refused": False}
ASKED = {**PAGES, "state": Choice(sorted(STATES))}


class RevisionRow(TypedDict):
    """`id` is what `POST revision-requests/<id>/` answers; `granted` is null until somebody has."""

    id: Annotated[int, From("pk")]
    dialogue: Annotated[Id, From("review.dialogue_id")]
    bot: Annotated[str, From("review.dialogue.assignment.entry.alias")]
    scenario: Annotated[str, From("review.dialogue.assignment.scenario.key")]
    reviewer: Annotated[str, From("review.reviewer.username")]
    reason: str
    asked_at: Moment
    granted: Annotated[bool | None, From("is_granted")]
    answered_by: Annotated[str | None, From("answered_by.username")]
    answered_at: Moment | None


class RevisionRequests(OrganizersView):
    @describes("Lists the requests for revisions, the oldest first", list[RevisionRow], asks=ASKED)
    def get(self, request: Request) -> Page:
        found = requests_in(self.campaign, person_of(request))
        asked = asked_in(request, ASKED)
        if "state" in asked:
            found = found.filter(is_granted=STATES[asked["state"]])
        return page_of(request, found)


class LackingPanelAnswer(TypedDict):
    """Numbers of reviews; `why` and `ways` are sentences in the language of the request."""

    dialogue: Annotated[Id, From("dialogue.pk")]
    bot: Annotated[str, From("dialogue.assignment.entry.alias")]
    scenario: Annotated[str, From("dialogue.assignment.scenario.key")]
    since: Moment
    needed: Annotated[int, From("gap.n_needed")]
    scored: Annotated[int, From("gap.n_scored")]
    at_work: Annotated[int, From("gap.n_at_work")]
    to_draw: Annotated[int, From("gap.n_to_draw")]
    short: Annotated[int, From("gap.n_short")]
    may_be_closed: Annotated[bool, From("gap.may_be_closed")]
    why: Sequence[str]
    ways: Sequence[str]


class ClosedPanelAnswer(TypedDict):
    dialogue: Annotated[Id, From("dialogue_id")]
    bot: Annotated[str, From("dialogue.assignment.entry.alias")]
    scenario: Annotated[str, From("dialogue.assignment.scenario.key")]
    n_reviews: int
    because: str
    closed_by: Annotated[str, From("closed_by.username")]
    closed_at: Moment


class LackingPanels(OrganizersView):
    @describes(
        "Lists the panels that nobody can fill as things are, the longest at rest first",
        list[LackingPanelAnswer],
        asks=PAGES,
    )
    def get(self, request: Request) -> Page:
        return page_of(request, short_panels(self.campaign, timezone.now()))


class ClosedPanels(OrganizersView):
    @describes(
        "Lists the panels that count with the reviews that they have, the last closed first",
        list[ClosedPanelAnswer],
        asks=PAGES,
    )
    def get(self, request: Request) -> Page:
        return page_of(request, closed_panels(self.campaign))
