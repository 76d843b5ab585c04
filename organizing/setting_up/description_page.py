"""What a campaign says of itself: the organizers' form with its preview, and the API that everybody reads it by."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import person_of
from api.answers import From
from api.describing import describes
from api.parsers import body_in
from campaigns.access import OF_PUBLIC, for_roles, readable_campaign, require_role
from campaigns.actions import DescriptionChanged, describe_campaign
from campaigns.calendar import NotNow
from campaigns.descriptions import PART, PARTS, DescriptionSpec, columns_of
from campaigns.models import Campaign, Description, Role
from reading.checking import Problems
from reading.digits import whole_or_none
from reading.kinds import NO_TEXTS, Texts, Whole
from reading.tables import Field, Table, table_of


@dataclass(frozen=True, slots=True)
class PartOfForm:
    name: str
    label: str
    zh: str
    en: str
    wrong: str = ""


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def description(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    latest = campaign.descriptions.first()
    if request.method != "POST":
        return _page(request, campaign, latest, _parts_of(latest.texts() if latest else {}))
    texts, wrong = _typed(request.POST)
    parts = _parts_of(texts, wrong)
    if wrong:
        return _page(request, campaign, latest, parts, status=422)
    if request.POST.get("act") == "preview":
        return _page(request, campaign, latest, parts, preview=Description(**columns_of(texts)))
    try:
        written = describe_campaign(
            campaign=campaign,
            texts=texts,
            based_on=whole_or_none(request.POST.get("based_on", "")) or 0,
            by=person_of(request),
            at=timezone.now(),
        )
    except (DescriptionChanged, NotNow) as refused:
        messages.error(request, str(refused))
        return _page(request, campaign, latest, parts, status=409)
    if written:
        said = _("Version %(version)d is stored. Everybody who sees the campaign reads it now.")
        messages.success(request, said % {"version": written.version})
    else:
        messages.info(request, _("Nothing was different, so nothing was changed."))
    return redirect("description", slug=campaign.slug)


def _page(
    request: HttpRequest,
    campaign: Campaign,
    latest: Description | None,
    parts: list[PartOfForm],
    *,
    preview: Description | None = None,
    status: int = 200,
) -> HttpResponse:
    shown = {
        "campaign": campaign,
        "latest": latest,
        "parts": parts,
        "preview": preview,
        "based_on": latest.version if latest else 0,
        "versions": campaign.descriptions.select_related("written_by").defer(
            *columns_of(dict.fromkeys(PARTS, NO_TEXTS))
        ),
    }
    return render(request, "organizing/setting_up/description.html", shown, status=status)


def _typed(sent: Mapping[str, str]) -> tuple[dict[str, Texts], dict[str, str]]:
    """The parts as they were typed, and what cannot be stored of them."""
    texts: dict[str, Texts] = {}
    wrong: dict[str, str] = {}
    for part in PARTS:
        typed = {language: sent.get(f"{part}_{language}", "").replace("\r\n", "\n") for language in ("zh", "en")}
        texts[part], problems = Texts(**typed), Problems()
        PART.read(typed, "", part, problems)
        if problems:
            wrong[part] = problems.listed()[0].message
    return texts, wrong


def _parts_of(texts: Mapping[str, Texts], wrong: Mapping[str, str] | None = None) -> list[PartOfForm]:
    said = {part: texts.get(part, Texts()) for part in PARTS}
    return [
        PartOfForm(part, _(PARTS[part]), texts.zh, texts.en, (wrong or {}).get(part, ""))
        for part, texts in said.items()
    ]


class BilingualAnswer(TypedDict):
    """Markdown."""

    zh: str
    en: str


class DescriptionVersionAnswer(TypedDict):
    version: int
    written_at: datetime


class DescriptionAnswer(TypedDict):
    """`version` is 0 and `written_at` null where nothing was written yet; `versions` are all of them, the newest first."""

    version: int
    written_at: datetime | None
    parts: Annotated[dict[str, BilingualAnswer], From(lambda row: row.texts())]
    versions: Annotated[
        list[DescriptionVersionAnswer], From(lambda row: row.campaign.descriptions.only("version", "written_at"))
    ]


def _latest(campaign: Campaign) -> Description:
    return campaign.descriptions.first() or Description(campaign=campaign, version=0)


CHANGES = Table({**table_of(DescriptionSpec).fields, "based_on": Field(Whole(0), None)})


class DescriptionOfCampaign(APIView):
    access = OF_PUBLIC
    permission_classes = (AllowAny,)

    @describes("Gives what the campaign says of itself, as Markdown in both languages", DescriptionAnswer)
    def get(self, request: Request, slug: str) -> Description:
        campaign, _roles = readable_campaign(request.user, slug)
        return _latest(campaign)

    @describes(
        "Stores the parts that it names as the next version; with based_on only where that is the latest",
        DescriptionAnswer,
        reads=CHANGES,
        refuses=(409,),
    )
    def patch(self, request: Request, slug: str) -> Description:
        campaign, _roles = readable_campaign(request.user, slug)
        require_role(request.user, campaign, Role.ORGANIZER)
        asked = body_in(request, CHANGES)
        describe_campaign(
            campaign=campaign,
            texts={part: asked[part] for part in PARTS if asked[part] is not None},
            based_on=asked["based_on"],
            by=person_of(request),
            at=timezone.now(),
        )
        return _latest(campaign)


class DescriptionVersion(APIView):
    access = OF_PUBLIC
    permission_classes = (AllowAny,)

    @describes("Gives one version of what the campaign says of itself", DescriptionAnswer)
    def get(self, request: Request, slug: str, version: int) -> Description:
        campaign, _roles = readable_campaign(request.user, slug)
        return get_object_or_404(campaign.descriptions, version=version)
