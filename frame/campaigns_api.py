"""REST: one's own campaigns and roles, the public ones, and one campaign with where it stands and what is next."""

from collections.abc import Iterable
from typing import TypedDict

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import OPEN, PEOPLE, Access, person_of
from api.describing import describes
from api.paging import PAGES, listed
from campaigns.access import roles_of
from campaigns.models import Campaign, CampaignRole, Role
from dialogues.pauses import shown_reason
from frame.campaign_rows import CampaignRow, own_rows, public_rows
from frame.next_steps import Step, steps_in
from frame.rules import rules_of
from frame.standing import Standing, standing_of
from organizing.setting_up.checklist import checklist
from reading.json_schemas import Moment


class NameAnswer(TypedDict):
    zh: str
    en: str


class StandingAnswer(TypedDict):
    """`expected` are the dialogues that there are to be; records are what a leaderboard is made of, imported ones too."""

    bots: int
    scenarios: int
    expected: int
    dialogues: int
    open: int
    scored: int
    records: int


class CampaignAnswer(TypedDict):
    """`stage` is preparing, testing, tested or published."""

    slug: str
    name: NameAnswer
    stage: str
    standing: StandingAnswer


class HeldRole(TypedDict):
    """`paused_at` is null for who does not pause."""

    role: str
    paused_at: Moment | None
    because: str


class StepAnswer(TypedDict):
    """What is next, in words; `page` is where a browser does it, empty where there is only waiting."""

    title: str
    text: str
    page: str
    done: int
    all: int


class OwnCampaignAnswer(CampaignAnswer):
    roles: list[HeldRole]
    steps: list[StepAnswer]


class RuleAnswer(TypedDict):
    about: str
    text: str


class ToDoAnswer(TypedDict):
    text: str
    page: str


class OneCampaignAnswer(CampaignAnswer):
    """`checklist` is what the campaign still lacks, for its organizers alone."""

    is_public: bool
    takes_applications: bool
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
    def get(self, request: Request) -> Response:
        return listed(request, own_rows(person_of(request)), own_document)


class PublicCampaigns(APIView):
    access = OPEN
    permission_classes = (AllowAny,)

    @describes("Lists the newest campaigns that everybody may know of", list[CampaignAnswer], asks=PAGES)
    def get(self, request: Request) -> Response:
        return listed(request, public_rows(), lambda row: campaign_document(row.campaign, row.standing))


class OneCampaign(APIView):
    """For who holds a role, and for everybody once the campaign is public."""

    access = Access("published", tuple(Role.values))
    permission_classes = (AllowAny,)

    @describes(
        "Gives what a campaign is, where it stands, how it compares systems, and what is next for the reader",
        OneCampaignAnswer,
    )
    def get(self, request: Request, slug: str) -> Response:
        campaign = get_object_or_404(Campaign.objects.select_related("rubric"), slug=slug)
        roles = roles_of(request.user, campaign)
        if not roles and not campaign.is_public:
            raise Http404
        standing = standing_of(campaign)
        has_checklist = Role.ORGANIZER in roles and not campaign.is_published
        return Response(
            {
                **campaign_document(campaign, standing),
                "is_public": campaign.is_public,
                "takes_applications": campaign.takes_applications,
                "roles": sorted(roles),
                "steps": step_documents(steps_in(request.user, campaign, roles, standing)),
                "rules": [{"about": about, "text": text} for about, text in rules_of(campaign)],
                "checklist": [
                    {"text": one.sentence, "page": one.url} for one in (checklist(campaign) if has_checklist else [])
                ],
            }
        )


def campaign_document(campaign: Campaign, standing: Standing) -> CampaignAnswer:
    return {
        "slug": campaign.slug,
        "name": {"zh": campaign.name_zh, "en": campaign.name_en},
        "stage": standing.stage.key,
        "standing": {
            "bots": standing.n_entries,
            "scenarios": standing.n_scenarios,
            "expected": standing.n_expected,
            "dialogues": standing.n_dialogues,
            "open": standing.n_open,
            "scored": standing.n_scored,
            "records": standing.n_records,
        },
    }


def own_document(row: CampaignRow) -> OwnCampaignAnswer:
    return {
        **campaign_document(row.campaign, row.standing),
        "roles": [role_document(one, row.campaign) for one in row.held],
        "steps": step_documents(row.steps),
    }


def role_document(held: CampaignRole, campaign: Campaign) -> HeldRole:
    return {
        "role": held.role,
        "paused_at": held.paused_at.isoformat() if held.paused_at else None,
        "because": shown_reason(held, campaign),
    }


def step_documents(steps: Iterable[Step]) -> list[StepAnswer]:
    return [
        {"title": str(one.title), "text": str(one.text), "page": one.url, "done": one.n_done, "all": one.n_all}
        for one in steps
    ]
