"""REST: one's own campaigns and roles, the public ones, and one campaign with where it stands and what is next."""

from datetime import datetime
from operator import itemgetter
from typing import Annotated, Any, TypedDict

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import OPEN, PEOPLE, person_of
from api.answers import From, encoded
from api.describing import describes
from api.paging import PAGES, Page, page_of
from campaigns.access import OF_PUBLIC, readable_campaign
from campaigns.models import Role
from dialogues.pauses import shown_reason
from frame.campaign_progress import standing_of
from frame.campaign_rows import CampaignRow, own_rows, public_rows
from frame.next_steps import steps_in
from frame.rules import rules_of
from organizing.setting_up.checklist import checklist


class NameAnswer(TypedDict):
    zh: Annotated[str, From("name_zh")]
    en: Annotated[str, From("name_en")]


class StandingAnswer(TypedDict):
    """`expected` are the dialogues that there are to be; records are what a leaderboard is made of, imported ones too."""

    bots: Annotated[int, From("n_entries")]
    scenarios: Annotated[int, From("n_scenarios")]
    expected: Annotated[int, From("n_expected")]
    dialogues: Annotated[int, From("n_dialogues")]
    open: Annotated[int, From("n_open")]
    scored: Annotated[int, From("n_scored")]
    records: Annotated[int, From("n_records")]


class CampaignAnswer(TypedDict):
    """`stage` is preparing, testing, tested or published."""

    slug: Annotated[str, From("campaign.slug")]
    name: Annotated[NameAnswer, From("campaign")]
    stage: Annotated[str, From("standing.stage.key")]
    standing: StandingAnswer


class HeldRole(TypedDict):
    """`paused_at` is null for who does not pause."""

    role: str
    paused_at: datetime | None
    because: Annotated[str, From(lambda held: shown_reason(held, held.campaign))]


class StepAnswer(TypedDict):
    """What is next, in words; `page` is where a browser does it, empty where there is only waiting."""

    title: str
    text: str
    page: Annotated[str, From("url")]
    done: Annotated[int, From("n_done")]
    all: Annotated[int, From("n_all")]


class OwnCampaignAnswer(CampaignAnswer):
    roles: Annotated[list[HeldRole], From("held")]
    steps: list[StepAnswer]


class RuleAnswer(TypedDict):
    about: Annotated[str, From(itemgetter(0))]
    text: Annotated[str, From(itemgetter(1))]


class ToDoAnswer(TypedDict):
    text: Annotated[str, From("sentence")]
    page: Annotated[str, From("url")]


class OneCampaignAnswer(CampaignAnswer):
    """`checklist` is what the campaign still lacks, for its organizers alone."""

    is_public: Annotated[bool, From("campaign.is_public")]
    takes_applications: Annotated[bool, From("campaign.takes_applications")]
    roles: list[str]
    steps: list[StepAnswer]
    rules: list[RuleAnswer]
    checklist: list[ToDoAnswer]


class OwnCampaigns(APIView):
    """A token that is narrowed finds the campaign and the role that it is for."""

    access = PEOPLE

    @describes(
        "Lists one's own campaigns with one's roles and what is next, the newest first",
        list[OwnCampaignAnswer],
        asks=PAGES,
    )
    def get(self, request: Request) -> Page:
        return page_of(request, own_rows(person_of(request)))


class PublicCampaigns(APIView):
    access = OPEN
    permission_classes = (AllowAny,)

    @describes("Lists the newest campaigns that everybody may know of", list[CampaignAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, public_rows())


class OneCampaign(APIView):
    """For who holds a role, and for everybody once the campaign is public."""

    access = OF_PUBLIC
    permission_classes = (AllowAny,)

    @describes(
        "Gives what a campaign is, where it stands, how it compares systems, and what is next for the reader",
        OneCampaignAnswer,
    )
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        campaign, roles = readable_campaign(request.user, slug)
        standing = standing_of(campaign)
        has_checklist = Role.ORGANIZER in roles and not campaign.is_published
        return encoded(
            OneCampaignAnswer,
            CampaignRow(campaign, standing),
            roles=sorted(roles),
            steps=steps_in(request.user, campaign, roles, standing),
            rules=rules_of(campaign),
            checklist=[row for row in checklist(campaign) if not row.is_done] if has_checklist else [],
        )
